import { describe, expect, it } from "vitest";
import { parsePlace } from "../src/lib/place";

describe("a typed place", () => {
  it("a typed place has a height or is on the ground", () => {
    expect(parsePlace({ x: " 1.5", z: "-2 ", y: "3" })).toEqual({ x: 1.5, y: 3, z: -2 });
    expect(parsePlace({ x: "1", z: "2", y: " " })).toEqual({ x: 1, y: null, z: 2 });
  });

  it("a typed place is null if a coordinate is not a number", () => {
    for (const text of [{ x: "", z: "2", y: "" }, { x: "1", z: "a", y: "" }, { x: "1", z: "2", y: "high" }]) expect(parsePlace(text)).toBeNull();
  });
});
