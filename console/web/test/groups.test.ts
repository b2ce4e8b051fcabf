import { expect, test } from "vitest";
import type { CorrectionGroup, Entry } from "../src/api/types";
import { mergeGroups } from "../src/lib/groups";

const at = (second: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, second)).toISOString();
const entry = (id: number, player: string, second: number, times = 1, reason = "too_fast") => ({ id, player, account: player, reason, at: at(second), first: at(second - 1), times, lateTimes: 0 }) as Entry;
const group = (last: Entry, entries = 1, times = last.times): CorrectionGroup => ({ last, first: last.first, entries, times, lateTimes: 0 });
const rows = (list: CorrectionGroup[]) => list.map((g) => [g.last.player, g.last.reason, g.entries, g.times, g.last.id]);

test("received entries of a player and reason are counted in their group, which comes first", () => {
  const loaded = [group(entry(9, "Bob", 9)), group(entry(5, "Ann", 5), 3, 12)];
  expect(rows(mergeGroups(loaded, [entry(12, "Ann", 12, 2), entry(11, "Ann", 11)], 9))).toEqual([["Ann", "too_fast", 5, 15, 12], ["Bob", "too_fast", 1, 1, 9]]);
});

test("an entry that was received again with a higher count is counted once", () => {
  const loaded = [group(entry(5, "Ann", 5, 2), 3, 12)];
  expect(rows(mergeGroups(loaded, [entry(5, "Ann", 6, 7)], 9))).toEqual([["Ann", "too_fast", 3, 17, 5]]);
  expect(rows(mergeGroups(loaded, [entry(5, "Ann", 5, 2), entry(4, "Ann", 4)], 9))).toEqual([["Ann", "too_fast", 3, 12, 5]]);
});

test("entries with another reason, player or account are in another group", () => {
  const other = { ...entry(8, "Ann", 8), account: "guest" };
  expect(rows(mergeGroups([group(entry(5, "Ann", 5))], [entry(6, "Ann", 6, 1, "blocked"), entry(7, "Bob", 7), other], 3))).toEqual([["Ann", "too_fast", 1, 1, 8], ["Bob", "too_fast", 1, 1, 7], ["Ann", "blocked", 1, 1, 6]]);
});

test("many entries of one player are one group and leave room for other groups", () => {
  const many = Array.from({ length: 50 }, (_, i) => entry(i + 1, i === 3 ? "Bob" : "Ann", i));
  expect(rows(mergeGroups([], many, 30)).map((r) => r.slice(0, 4))).toEqual([["Ann", "too_fast", 49, 49], ["Bob", "too_fast", 1, 1]]);
});
