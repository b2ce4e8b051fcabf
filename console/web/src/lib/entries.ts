import type { Entry } from "../api/types";

// withEntry puts a received entry first. An entry received again with a higher count replaces the old one.
export function withEntry(list: readonly Entry[], entry: Entry, max: number): Entry[] {
  return [entry, ...list.filter((e) => e.id !== entry.id)].slice(0, max);
}

// mergeEntries returns the newest of the received and the loaded entries, each once, with the higher of its two counts.
export function mergeEntries(received: readonly Entry[], loaded: readonly Entry[], max: number): Entry[] {
  const byId = new Map(received.map((e) => [e.id, e]));
  for (const e of loaded) if (e.times >= (byId.get(e.id)?.times ?? 0)) byId.set(e.id, e);
  return [...byId.values()].sort((a, b) => b.id - a.id).slice(0, max);
}
