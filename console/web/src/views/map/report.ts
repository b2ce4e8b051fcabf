import type { Engine } from "../../map/engine";
import { screenX, screenY } from "../../map/camera";
import { reach } from "../../state";

// Report is the interface window.__truestep for tests and debugging: what the page measures and draws.
export interface Report {
  fps: number; // frames drawn within the last second
  scriptMs: number; // script time per frame, smoothed
  actors: number; // number of actors in the area
  drawn: number; // number of actors in the visible part of the map
  connected: boolean;
  selected: number | null;
  following: boolean;
  serverTick: number;
  shownTime: number; // server time that the map shows
  drawnAt: number; // time of the page, as of performance.now(), for which the last image was drawn
  delayMs: number; // how far behind the server's clock the map is drawn
  where(id: number): { x: number; y: number; z: number; left: number; top: number } | null; // position of an actor as drawn; left and top in pixels of the canvas
  ids(): number[];
  named(name: string): number | null;
}

declare global {
  interface Window {
    __truestep?: Report;
  }
}

// report sets window.__truestep while the map is shown. The returned function removes it, unless a newer map has replaced it.
export function report(engine: Engine): () => void {
  const { sample } = engine;
  const mine: Report = {
    get fps() {
      return Math.round(engine.meter.fps * 10) / 10;
    },
    get scriptMs() {
      return Math.round(engine.meter.scriptMs * 100) / 100;
    },
    get actors() {
      return sample.count;
    },
    get drawn() {
      return engine.drawn;
    },
    get connected() {
      return reach.get().live === "live";
    },
    get selected() {
      return engine.selected;
    },
    get following() {
      return engine.following;
    },
    get serverTick() {
      return sample.frame?.tick ?? 0;
    },
    get shownTime() {
      return engine.shownTime;
    },
    get drawnAt() {
      return engine.drawnAt;
    },
    get delayMs() {
      return Math.round(engine.delayMs);
    },
    where: (id) => {
      const row = sample.row(id);
      if (row < 0) return null;
      const { x, y, z } = { x: sample.x[row], y: sample.y[row], z: sample.z[row] };
      return { x, y, z, left: screenX(engine.camera, x), top: screenY(engine.camera, z) };
    },
    ids: () => (sample.frame === null ? [] : Array.from(sample.frame.ids.subarray(0, sample.count))),
    named: (name) => {
      for (const k of engine.known.values()) if (k.name === name) return k.id;
      return null;
    },
  };
  window.__truestep = mine;
  return () => {
    if (window.__truestep === mine) delete window.__truestep;
  };
}
