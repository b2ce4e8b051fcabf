import { readColors } from "../lib/colors";
import { reasonShades } from "../lib/reasons";

export type Theme = "light" | "dark";

// Palette is the set of style sheet colours that the canvas uses; it is read again whenever the theme changes.
export interface Palette {
  theme: Theme;
  ground: string;
  outside: string;
  gridFine: string;
  gridCoarse: string;
  solid: string;
  solidEdge: string;
  water: string;
  waterEdge: string;
  portal: string;
  text: string;
  halo: string;
  muted: string;
  accent: string;
  danger: string;
  good: string;
  warn: string;
  frozen: string;
  dead: string;
  kinds: Record<Kind, string>;
  reasons: Record<string, string>; // by reasonShade
}

// Kind selects the shape and colour of an actor on the map: those of its player's door, or of an NPC.
export type Kind = "rcce" | "rs" | "bedrock" | "web" | "other" | "npc";

export const kinds: readonly Kind[] = ["rcce", "rs", "bedrock", "web", "other", "npc"];

export function kindOf(door: string | null, player: boolean): Kind {
  if (!player && !door) return "npc";
  return kinds.find((k) => k === door) ?? "other";
}

// kindName returns the name of a kind in the legend. The map knows the doors of players of this node only: in a cluster, players of other
// nodes are of the kind other.
export function kindName(kind: Kind, doors: readonly { name: string; title: string }[], inCluster: boolean): string {
  switch (kind) {
    case "npc":
      return "NPCs";
    case "other":
      return inCluster ? "Other nodes and doors" : "Other doors";
  }
  return doors.find((d) => d.name === kind)?.title ?? kind;
}

export function readPalette(): Palette {
  return readColors(read);
}

function read(get: (name: string) => string): Palette {
  return {
    theme: shownTheme(),
    ground: get("--map-ground"),
    outside: get("--map-outside"),
    gridFine: get("--map-grid-fine"),
    gridCoarse: get("--map-grid"),
    solid: get("--map-solid"),
    solidEdge: get("--map-solid-edge"),
    water: get("--map-water"),
    waterEdge: get("--map-water-edge"),
    portal: get("--map-portal"),
    text: get("--text"),
    halo: get("--map-halo"),
    muted: get("--muted"),
    accent: get("--accent-strong"),
    danger: get("--danger"),
    good: get("--good"),
    warn: get("--warn"),
    frozen: get("--frozen"),
    dead: get("--map-dead"),
    kinds: {
      rcce: get("--door-rcce"),
      rs: get("--door-rs"),
      bedrock: get("--door-bedrock"),
      web: get("--door-web"),
      other: get("--door-other"),
      npc: get("--door-npc"),
    },
    reasons: Object.fromEntries(reasonShades.map((name) => [name, get(`--${name}`)])),
  };
}

// shownTheme returns the theme that the page has now.
function shownTheme(): Theme {
  const set = document.documentElement.dataset.theme;
  if (set === "light" || set === "dark") return set;
  return window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
