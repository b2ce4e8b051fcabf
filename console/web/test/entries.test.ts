import { describe, expect, it } from "vitest";
import type { Entry } from "../src/api/types";
import { mergeEntries, withEntry } from "../src/lib/entries";

const entry = (id: number, times = 1): Entry => ({ id, times }) as Entry;
const brief = (list: Entry[]) => list.map((e) => [e.id, e.times]);

describe("entries", () => {
  it("an entry that is received again replaces the earlier one", () => {
    let list: Entry[] = [];
    for (const e of [entry(1), entry(2), entry(1, 4), entry(3), entry(1, 9)]) list = withEntry(list, e, 3);
    expect(brief(list)).toEqual([[1, 9], [3, 1], [2, 1]]);
    expect(brief(withEntry(list, entry(4), 3))).toEqual([[4, 1], [1, 9], [3, 1]]);
  });
  it("entries are merged by id, newest first, with the higher count", () => {
    const told = [entry(7, 2), entry(5, 6)];
    const loaded = [entry(7, 8), entry(6, 1), entry(5, 3), entry(4, 1)];
    expect(brief(mergeEntries(told, loaded, 3))).toEqual([[7, 8], [6, 1], [5, 6]]);
    expect(mergeEntries([], [], 3)).toEqual([]);
  });
});
