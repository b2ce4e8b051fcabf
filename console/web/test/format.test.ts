import { describe, expect, it } from "vitest";
import { ago, bytes, count, duration, figure, figurePair, micros, millis, permille, place, roundStep, compassDirection, reasonText } from "../src/lib/format";

describe("format", () => {
  it("writes figures with units", () => {
    expect([count(0), count(12345), count(null), count(NaN)]).toEqual(["0", "12,345", "–", "–"]);
    expect([figure(61.23), figure(8), figure(1234.5), figure(0.456), figure(0.005), figure(1e-9), figure(Infinity)]).toEqual(["61.2", "8", "1,235", "0.46", "0.005", "0", "–"]);
    expect([bytes(0), bytes(812), bytes(999.6), bytes(1400), bytes(3_200_000), bytes(250_000), bytes(null)]).toEqual(["0 B", "812 B", "1.0 KB", "1.4 KB", "3.2 MB", "250 KB", "–"]);
    expect([micros(84), micros(2410), micros(10_000), micros(250_000), micros(null)]).toEqual(["84 µs", "2.41 ms", "10 ms", "250 ms", "–"]);
    expect([millis(41.4), millis(null)]).toEqual(["41 ms", "–"]);
    expect([permille(0), permille(12), permille(250), permille(null)]).toEqual(["0 %", "1.2 %", "25 %", "–"]);
  });

  it("writes compared figures with the digits that tell them apart", () => {
    expect([figurePair(0.504, 0.5), figurePair(61.23, 8.4), figurePair(100.04, 100), figurePair(8.41, 8.4, 2)]).toEqual([["0.504", "0.5"], ["61.2", "8.4"], ["100.04", "100"], ["8.41", "8.4"]]);
    expect([figurePair(3, 3), figurePair(0.50000001, 0.5), figurePair(8.44, 8.4)]).toEqual([["3", "3"], ["0.50000001", "0.5"], ["8.44", "8.4"]]);
  });

  it("writes durations in the two largest units", () => {
    expect([duration(0), duration(42_000), duration(310_000), duration(3_600_000), duration(11_520_000), duration(187_200_000), duration(NaN)]).toEqual(["0 s", "42 s", "5 min 10 s", "1 h", "3 h 12 min", "2 d 4 h", "–"]);
    expect([ago(0, 500), ago(0, 5000), ago(0, 125_000), ago(0, 7_300_000), ago(NaN, 0)]).toEqual(["just now", "5 s ago", "2 min ago", "2 h ago", "–"]);
  });

  it("names compass directions: x east, z north", () => {
    expect([compassDirection(0, 1), compassDirection(1, 1), compassDirection(1, 0), compassDirection(1, -1), compassDirection(0, -1), compassDirection(-1, -1), compassDirection(-1, 0), compassDirection(-1, 1), compassDirection(0, 0)]).toEqual(["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west", ""]);
    expect([place({ x: 1.25, z: -3 }), place(null)]).toEqual(["1.3, -3.0", "–"]);
    expect(reasonText("too_fast_up")).toBe("too fast up");
  });

  it("rounds steps of scale bars to 1, 2 or 5", () => {
    expect([1, 3, 7, 20, 49, 51, 0.3, 1000].map(roundStep)).toEqual([1, 2, 5, 20, 20, 50, 0.2, 1000]);
    expect([roundStep(0), roundStep(-5), roundStep(NaN)]).toEqual([1, 1, 1]);
  });
});
