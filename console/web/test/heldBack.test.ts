import { describe, expect, it } from "vitest";
import type { HeldBackEntry } from "../src/api/types";
import { limitText, networkText } from "../src/lib/heldBack";
import { formatRoute, parseRoute } from "../src/lib/route";

const entry = (id: number, network = "192.0.2.0/24"): HeldBackEntry =>
  ({ id, at: "", since: "", kind: "connection", door: "rs", budget: "network", network, account: "", times: 1 });

describe("held-back connections and logins", () => {
  it("each limit of the server is shown in words, an unknown limit by its own name", () => {
    for (const budget of ["address", "network", "door", "account", "guessed", "client", "accounts", "queue"]) expect(limitText(budget)).toMatch(/[a-z] [a-z]/);
    expect(limitText("new_limit")).toBe("new limit");
    expect(limitText("")).toBe("several");
  });

  it("a held-back entry shows its network or says that it is for all others", () => {
    expect(networkText(entry(1))).toBe("192.0.2.0/24");
    expect(networkText(entry(1, ""))).toBe("all others");
  });

  it("held-back connections and logins have a view with its own address", () => {
    expect(parseRoute(formatRoute("held", { door: "rs" }))).toEqual({ view: "held", id: null, query: { door: "rs" } });
  });
});
