import type { Area, Entry } from "../api/types";

// Watch is the state of "Watch it" for a correction: the recording plays from five seconds before to five seconds after the
// correction.
export interface Watch {
  id: number;
  from: number;
  at: number;
  until: number;
}

export const watchMargin = 5000; // ms

export function watchOf(entry: Pick<Entry, "id" | "at">): Watch {
  const at = Date.parse(entry.at);
  return { id: entry.id, from: at - watchMargin, at, until: at + watchMargin };
}

// allowedRadius returns the allowed value of a correction as a distance in world units; null if the value is not a distance.
export function allowedRadius(entry: Pick<Entry, "allowed" | "unit">, area: Pick<Area, "tiles" | "blocks"> | undefined): number | null {
  const scale = entry.unit === "units" ? 1 : entry.unit === "blocks" ? area?.blocks?.unitsPerBlock : entry.unit === "tiles" ? area?.tiles?.unitsPerTile : undefined;
  if (scale === undefined || !(scale > 0) || !(entry.allowed >= 0) || !Number.isFinite(entry.allowed)) return null;
  return entry.allowed * scale;
}

// relativeText returns the time relative to a correction as text: −3.2 s, +0.4 s.
export function relativeText(ms: number): string {
  const tenths = Math.round(ms / 100) / 10;
  return `${tenths < 0 ? "−" : "+"}${Math.abs(tenths).toFixed(1)} s`;
}
