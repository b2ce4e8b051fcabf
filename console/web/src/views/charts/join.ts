import type { Series } from "../../api/types";

const columns = ["players", "actors", "tickP50Us", "tickP99Us", "bytesIn", "bytesOut", "packetsIn", "packetsOut"] as const;
const groups = ["corrections", "holds"] as const;

// join appends newer points to older ones, without duplicates, and removes points older than keep ms. If the new points start
// earlier than the old ones, as after a restart of the server, they replace all.
export function join(old: Series, fresh: Series, keep: number): Series {
  if (fresh.at.length === 0) return old;
  const end = old.at[old.at.length - 1] ?? -Infinity;
  if (fresh.at[fresh.at.length - 1] < end) return fresh;
  const skip = fresh.at.findIndex((at) => at > end);
  if (skip < 0) return old;
  const joined = concat(old, cut(fresh, skip));
  return tail(joined, keep);
}

// tail returns the last ms of a series.
export function tail(s: Series, ms: number): Series {
  const end = s.at[s.at.length - 1] ?? 0;
  const from = s.at.findIndex((at) => at > end - ms);
  return from <= 0 ? s : cut(s, from);
}

function cut(s: Series, from: number): Series {
  const out = { ...s, at: s.at.slice(from) };
  for (const c of columns) out[c] = s[c].slice(from);
  for (const g of groups) out[g] = Object.fromEntries(Object.entries(s[g]).map(([k, v]) => [k, v.slice(from)]));
  return out;
}

function concat(a: Series, b: Series): Series {
  const out = { ...a, at: [...a.at, ...b.at] };
  for (const c of columns) out[c] = [...a[c], ...b[c]];
  for (const g of groups) {
    // If only one of the series has a reason, the reason did not occur in the other series: there all its values are 0.
    const merged: Record<string, number[]> = {};
    for (const key of new Set([...Object.keys(a[g]), ...Object.keys(b[g])])) {
      merged[key] = [...(a[g][key] ?? zeros(a.at.length)), ...(b[g][key] ?? zeros(b.at.length))];
    }
    out[g] = merged;
  }
  return out;
}

const zeros = (n: number): number[] => new Array<number>(n).fill(0);
