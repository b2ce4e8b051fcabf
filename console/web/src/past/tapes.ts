import { api } from "../api/client";
import type { Entry, Tape } from "../api/types";
import { useLoaded } from "../lib/load";
import { isRecorded, type Recorded } from "./strip";

// recordedOf returns the recorded spans in an answer. It returns null if the area has no recorded span and is not being
// recorded.
export function recordedOf(tape: Tape): Recorded | null {
  const spans = tape.spans.map((s) => ({ from: Date.parse(s.from), to: Date.parse(s.to), ...(s.reloaded && { reloaded: true }) })).filter((s) => s.to >= s.from);
  return !tape.recording && spans.length === 0 ? null : { spans, tickMs: tape.tickMs };
}

// Tapes maps areas to their recorded spans. An area is missing until the server has answered, and null if it has no tape.
export type Tapes = ReadonlyMap<number, Recorded | null>;

// useTapes loads the recorded spans of some areas, and loads them again every `every` ms.
export function useTapes(areas: readonly number[], every: number): Tapes {
  const ids = [...new Set(areas)].sort((a, b) => a - b);
  const { data } = useLoaded(
    ids.length === 0 ? null : `tapes ${ids.join()}`,
    async (signal) => new Map(await Promise.all(ids.map(async (id) => [id, recordedOf(await api.tape(id, signal))] as const))),
    every,
  );
  return data ?? none;
}

const none: Tapes = new Map();

// watchDenied returns why a correction cannot be watched, or null.
export function watchDenied(entry: Pick<Entry, "at" | "areaId">, tapes: Tapes): string | null {
  const recorded = tapes.get(entry.areaId);
  if (recorded === undefined) return "Asking what is recorded…";
  if (recorded === null) return "The past is not recorded: the server's tape is off.";
  const last = recorded.spans[recorded.spans.length - 1];
  const at = Date.parse(entry.at);
  return isRecorded(recorded, at) || (last !== undefined && at > last.to) ? null : "This moment is no longer recorded.";
}
