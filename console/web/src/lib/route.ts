// Route is the part of the address after "#": a view and what it shows, so that reloads and shared links restore it.
export interface Route {
  view: View;
  id: number | null; // id of the shown correction; null for none
  query: Record<string, string>;
}

export type View = "map" | "players" | "corrections" | "charts" | "held" | "accounts" | "cluster" | "audit";

export const views: readonly View[] = ["map", "players", "corrections", "charts", "held", "accounts", "cluster", "audit"];

const longest = 512; // maximum number of characters of a value; longer values are dropped

// parseRoute parses the hash of an address. If the hash names an unknown view, the route's view is the map.
export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#\/?/, "");
  const mark = text.indexOf("?");
  const path = (mark < 0 ? text : text.slice(0, mark)).split("/");
  const view = views.find((v) => v === path[0]) ?? "map";
  const query: Record<string, string> = {};
  if (mark >= 0) {
    for (const [key, value] of new URLSearchParams(text.slice(mark + 1))) {
      if (/^[a-z]{1,16}$/.test(key) && value !== "" && value.length <= longest) query[key] = value;
    }
  }
  return { view, id: view === "corrections" ? parseId(path[1]) : null, query };
}

// formatRoute returns the hash of a route. The keys of the query stay in order; keys with empty values are left out.
export function formatRoute(view: View, query: Record<string, string | number | null | undefined> = {}, id?: number | null): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") params.set(key, String(value));
  }
  const text = params.toString();
  return `#/${view}${id ? `/${id}` : ""}${text === "" ? "" : `?${text}`}`;
}

// parseId parses a whole number from 0 to 2^53-1. It returns null for any other text.
export function parseId(text: string | undefined): number | null {
  if (text === undefined || !/^[0-9]{1,16}$/.test(text)) return null;
  const n = Number(text);
  return Number.isSafeInteger(n) && n >= 0 ? n : null;
}

// parseDecimal parses a decimal number. It returns null for any other text.
export function parseDecimal(text: string | undefined): number | null {
  if (text === undefined || !/^-?[0-9]{1,9}(\.[0-9]{1,6})?$/.test(text)) return null;
  return Number(text);
}

// takeToken returns the token of a hash "#token=...", or null.
export function takeToken(hash: string): string | null {
  const found = /^#\/?token=([A-Za-z0-9._~-]{1,512})$/.exec(hash);
  return found ? found[1] : null;
}
