import type { CorrectionGroup, Entry } from "../api/types";

const keyOf = (e: Entry): string => JSON.stringify([e.account, e.player, e.reason]);

// mergeGroups adds entries that were received since the groups were loaded. The groups are sorted by their newest entry, newest
// first; at most max remain.
export function mergeGroups(groups: readonly CorrectionGroup[], received: readonly Entry[], max: number): CorrectionGroup[] {
  const byKey = new Map(groups.map((g) => [keyOf(g.last), g]));
  const oldestFirst = [...received].sort((a, b) => a.id - b.id);
  for (const e of oldestFirst) {
    const key = keyOf(e);
    const g = byKey.get(key);
    if (g === undefined) {
      byKey.set(key, { last: e, first: e.first, entries: 1, times: e.times, lateTimes: e.lateTimes });
    } else if (e.id === g.last.id && e.times > g.last.times) {
      byKey.set(key, { ...g, last: e, times: g.times + e.times - g.last.times, lateTimes: g.lateTimes + e.lateTimes - g.last.lateTimes });
    } else if (e.id > g.last.id) {
      byKey.set(key, { ...g, last: e, entries: g.entries + 1, times: g.times + e.times, lateTimes: g.lateTimes + e.lateTimes });
    }
  }
  return [...byKey.values()].sort((a, b) => Date.parse(b.last.at) - Date.parse(a.last.at) || b.last.id - a.last.id).slice(0, max);
}
