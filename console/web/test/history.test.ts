import { afterEach, describe, expect, it, vi } from "vitest";
import type { History } from "../src/api/types";
import { dateLabel, figureLine, groupLines, perMinute, times } from "../src/views/charts/figures";

const history: History = {
  from: 1_000_000,
  stepMs: 900_000,
  points: 3,
  restarts: [1_900_000],
  figures: [
    { name: "tick.p50", kind: "mean", values: [0.001, null, 0.002] },
    ...["a", "b", "c", "d", "e", "f", "g", "h"].map((n, i) => ({ name: `players.area.${n}`, kind: "mean" as const, values: [i, null, i] })),
  ],
};

afterEach(() => vi.unstubAllEnvs());

describe("figures of the history", () => {
  it("history figures keep their gaps when they are scaled", () => {
    expect(times(history)).toEqual([1_000_000, 1_900_000, 2_800_000]);
    expect(figureLine(history, "tick.p50", "p50", "--chart-1", 1e6)[0].values).toEqual([1000, null, 2000]);
    expect(figureLine(history, "absent", "x", "--chart-1")).toEqual([]);
    expect(perMinute(history)).toBeCloseTo(1 / 15);
  });

  it("the figures of a group are sorted by sum, those that are always 0 are omitted, and those after the sixth share one line", () => {
    const lines = groupLines(history, "players.area.", (n) => n.toUpperCase());
    expect(lines.map((l) => l.name)).toEqual(["H", "G", "F", "E", "D", "C", "others"]);
    expect(lines[6].values).toEqual([1, null, 1]);
  });

  it.each(["UTC", "Asia/Kolkata", "America/New_York"])("have labels that fit their range, in the zone %s of the operator", (zone) => {
    vi.stubEnv("TZ", zone);
    const noon = new Date(2026, 2, 1, 12, 30).getTime();
    expect(new Date(noon).toISOString() === "2026-03-01T12:30:00.000Z").toBe(zone === "UTC");
    expect(dateLabel(noon, 86_400_000)).toBe("12:30");
    expect(dateLabel(new Date(2026, 2, 1).getTime(), 86_400_000)).toBe("03-01");
    expect(dateLabel(noon, 7 * 86_400_000)).toBe("03-01");
    expect(dateLabel(noon, 0)).toBe("2026-03-01 12:30");
  });
});
