import type { Entry } from "../api/types";

// newestFirst orders entries, newest first, by the time of their last decision. Lists show that time.
export function newestFirst(a: Entry, b: Entry): number {
  return Date.parse(b.at) - Date.parse(a.at) || b.id - a.id;
}

// withEntry adds a received entry at the front of a list. If the list has an older version of the entry, that version is removed.
export function withEntry(list: readonly Entry[], entry: Entry, max: number): Entry[] {
  return [entry, ...list.filter((e) => e.id !== entry.id)].slice(0, max);
}

// mergeEntries merges two lists, newest first, and returns at most max entries. An entry that is in both lists is returned once, with
// the higher count.
export function mergeEntries(some: readonly Entry[], others: readonly Entry[], max = Infinity): Entry[] {
  const byId = new Map(some.map((e) => [e.id, e]));
  for (const e of others) if (e.times >= (byId.get(e.id)?.times ?? 0)) byId.set(e.id, e);
  return [...byId.values()].sort(newestFirst).slice(0, max);
}
