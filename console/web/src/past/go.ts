import type { Entry } from "../api/types";
import { navigate, route, serverNow, updateRoute, world } from "../state";
import { watchOf } from "./watch";

// The page's address says whether the map shows the recorded past: "at" is the recorded time in ms, "play" whether it plays
// at first, "watch" the correction that is watched. Without "at" the map is live.

export function enterPast(at: number, playing: boolean): void {
  updateRoute({ at: Math.round(at), play: playing ? 1 : null, watch: null, mark: null });
}

// goLive makes the map show the present. It does nothing if the console shows recordings only.
export function goLive(): void {
  if (world.get()?.live === false) return;
  updateRoute({ at: null, play: null, watch: null, mark: null });
}

// watchEntry plays the recording around a correction, on the map.
export function watchEntry(entry: Entry): void {
  const watch = watchOf(entry);
  const query = { area: entry.areaId, at: watch.from, play: 1, watch: entry.id };
  if (route.get().view === "map") updateRoute({ ...query, mark: null, follow: null });
  else navigate("map", query);
}

const followBackMs = 60_000;

// followBack follows a player on the map in the recording of the last minute, or from when the player entered the world.
export function followBack(player: { entity: number; areaId: number; since: string | null }): void {
  const at = Math.max(serverNow() - followBackMs, Date.parse(player.since ?? "") + 500 || 0);
  const query = { area: player.areaId, player: player.entity, follow: 1, at: Math.round(at), play: 1 };
  if (route.get().view === "map") updateRoute({ ...query, npc: null, watch: null, mark: null });
  else navigate("map", query);
}
