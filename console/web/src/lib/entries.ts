import type { Entry } from "../api/types";

// noted puts an entry that was told before all others, also if it was told already and has grown since.
export function noted(list: readonly Entry[], entry: Entry, most: number): Entry[] {
  return [entry, ...list.filter((e) => e.id !== entry.id)].slice(0, most);
}

// merged are the newest of what was told and what was loaded, each once: as often as it is known to have happened.
export function merged(told: readonly Entry[], loaded: readonly Entry[], most: number): Entry[] {
  const byId = new Map(told.map((e) => [e.id, e]));
  for (const e of loaded) if (e.times >= (byId.get(e.id)?.times ?? 0)) byId.set(e.id, e);
  return [...byId.values()].sort((a, b) => b.id - a.id).slice(0, most);
}
