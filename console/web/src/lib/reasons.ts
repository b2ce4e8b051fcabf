import type { Entry, Weight } from "../api/types";

// The colours of reasons, by weight: suspicious ones are warm, harmless ones are muted. styles/tokens.css has each in both themes.
const shades: Record<Weight, number> = { suspicious: 8, unusual: 6, harmless: 6, operator: 1 };

// reasonShades lists the names of all colours: they are CSS variables with "--" in front, and classes.
export const reasonShades: readonly string[] = Object.entries(shades).flatMap(([weight, n]) => Array.from({ length: n }, (_, i) => `reason-${weight}-${i + 1}`));

const shadeOf = new Map<string, string>();
const weightOf = new Map<string, Weight>();

// setReasons assigns colours to reasons, by the position among the reasons of equal weight. It is called before anything is drawn.
export function setReasons(list: readonly { name: string; weight: Weight }[]): void {
  shadeOf.clear();
  weightOf.clear();
  const used: Record<Weight, number> = { suspicious: 0, unusual: 0, harmless: 0, operator: 0 };
  for (const { name, weight } of list) {
    if (name === "none") continue;
    shadeOf.set(name, `reason-${weight}-${(used[weight]++ % shades[weight]) + 1}`);
    weightOf.set(name, weight);
  }
}

// reasonShade returns the name of a reason's colour, which is the same on the map, in lists and in charts.
export function reasonShade(name: string): string {
  return shadeOf.get(name) ?? "reason-unusual-1";
}

// reasonWeight returns the weight of a reason: "unusual" for one that is not in the server's list, as the server does.
export function reasonWeight(name: string): Weight {
  return weightOf.get(name) ?? "unusual";
}

// excused reports whether the server was behind schedule at every decision of an entry, so that the player is not to blame.
export function excused(e: Pick<Entry, "times" | "lateTimes">): boolean {
  return e.lateTimes > 0 && e.lateTimes >= e.times;
}

// notable reports whether an entry is evidence about its player. Harmless entries and entries caused by an operator or a late
// server are not.
export function notable(e: Pick<Entry, "reason" | "times" | "lateTimes">): boolean {
  const weight = reasonWeight(e.reason);
  return (weight === "unusual" || weight === "suspicious") && !excused(e);
}
