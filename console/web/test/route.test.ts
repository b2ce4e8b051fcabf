import { describe, expect, it } from "vitest";
import { queryString, readError } from "../src/api/client";
import { parseDecimal, formatRoute, parseRoute, takeToken, parseId } from "../src/lib/route";

describe("route", () => {
  it("a route is unchanged after formatting and parsing", () => {
    const hash = formatRoute("map", { area: 0, player: 7, follow: 1, x: "-12.5", empty: "", none: null });
    expect(hash).toBe("#/map?area=0&player=7&follow=1&x=-12.5");
    expect(parseRoute(hash)).toEqual({ view: "map", id: null, query: { area: "0", player: "7", follow: "1", x: "-12.5" } });
    const one = formatRoute("corrections", { player: "Änn & Bo" }, 41);
    expect(parseRoute(one)).toEqual({ view: "corrections", id: 41, query: { player: "Änn & Bo" } });
  });

  it("an invalid route falls back to the map", () => {
    for (const hash of ["", "#", "#/", "#/nowhere", "#/%00", "#/map/../../x", "#javascript:alert(1)"]) expect(parseRoute(hash).view, hash).toBe("map");
  });

  it("a route drops unknown keys and overlong values", () => {
    expect(parseRoute("#/map?area=1&__proto__=x&A=1&q=").query).toEqual({ area: "1" });
    expect(parseRoute(`#/map?q=${"x".repeat(600)}`).query).toEqual({});
    expect(parseRoute("#/corrections/41x").id).toBeNull();
    expect(parseRoute("#/players/41").id).toBeNull();
  });

  it("numbers in a route are parsed strictly", () => {
    expect([parseId("0"), parseId("12"), parseId("-1"), parseId("1e3"), parseId("99999999999999999"), parseId(undefined)]).toEqual([0, 12, null, null, null, null]);
    expect([parseDecimal("-1.5"), parseDecimal("3"), parseDecimal("1e9"), parseDecimal("NaN"), parseDecimal(""), parseDecimal("1.")]).toEqual([-1.5, 3, null, null, null, null]);
  });

  it("a token is found only in a hash of the form #token=... or #/token=...", () => {
    expect(takeToken("#token=ab-C_9.~")).toBe("ab-C_9.~");
    expect(takeToken("#/token=abc")).toBe("abc");
    for (const hash of ["#token=", "#token=a&b", "#/map?token=abc", "#token=<x>", "token=abc"]) expect(takeToken(hash), hash).toBeNull();
  });
});

describe("API client", () => {
  it("the API client leaves empty values out of the query", () => {
    expect(queryString({})).toBe("");
    expect(queryString({ q: "", area: 0, player: "a b", before: undefined, x: null })).toBe("?area=0&player=a+b");
  });

  it("the API client keeps the API's error messages and ignores other bodies", () => {
    expect(readError(403, '{"error":{"code":"forbidden","message":"no"}}')).toMatchObject({ status: 403, code: "forbidden", message: "no" });
    for (const body of ["", "<html>Bad gateway</html>", "null", '{"error":"x"}', '{"error":{"code":1,"message":2}}']) {
      expect(readError(502, body)).toMatchObject({ status: 502, code: "internal", unreachable: true });
    }
    expect(readError(401, "").loggedOut).toBe(true);
  });
});
