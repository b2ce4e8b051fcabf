import { useEffect, useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Area } from "../../api/types";
import { decimal, whole } from "../../lib/route";
import { useStore } from "../../lib/store";
import { Feed } from "../../live/feed";
import { Engine } from "../../map/engine";
import type { Sight } from "../../map/marks";
import { amend, checkSession, go, noteEntry, painted, reach, recent, route, world } from "../../state";
import { pick } from "./pick";
import { report } from "./report";

const rate = 10; // frames per second of the live connection; the page draws sixty between them

// useMapEngine ties the engine to the page: the address says what is shown, the live connection feeds it.
export function useMapEngine(canvas: HTMLCanvasElement | null, area: Area | null, selected: number | null, query: Record<string, string>): Engine | null {
  const [engine, setEngine] = useState<Engine | null>(null);
  const areaId = area?.id ?? null;

  useEffect(() => {
    if (canvas === null) return;
    const made = new Engine(canvas, areaName, handlers());
    const stopReport = report(made);
    const stopPaint = painted.watch(() => made.retheme());
    setEngine(made);
    return () => {
      stopReport();
      stopPaint();
      made.close();
      setEngine(null);
    };
  }, [canvas]);

  useEffect(() => {
    if (engine === null || areaId === null) return;
    const camera = readCamera(route.get().query);
    engine.setArea(world.get()!.areas.find((a) => a.id === areaId)!, camera);
    recent.set([]);
    const feed = new Feed({
      frame: (frame, arrived) => engine.frame(frame, arrived),
      message: (message) => {
        if (message.type === "hello") {
          engine.forget();
          checkSession(); // it may be another run of the server
        }
        if (message.type === "entry") noteEntry(message.entry);
        engine.message(message);
      },
      link: (live, attempts) => reach.update((old) => (old.live === live && old.attempts === attempts ? old : { ...old, live, attempts })),
      refused: checkSession,
    });
    feed.watch(areaId, Math.min(rate, world.get()!.tickRate));
    return () => feed.close();
  }, [engine, areaId]);

  useEffect(() => {
    if (engine === null) return;
    engine.selected = selected;
    engine.following = selected !== null && query.follow === "1";
  }, [engine, selected, query.follow]);

  useChosenMark(engine, areaId, whole(query.mark));

  useViewer(engine, areaId, selected);
  return engine;
}

function areaName(id: number): string {
  return world.get()?.areas.find((a) => a.id === id)?.name ?? `area ${id}`;
}

function handlers() {
  let timer = 0;
  return {
    select: (id: number | null, player: boolean) => {
      const area = route.get().query.area;
      if (id === null) amend({ player: null, npc: null, follow: null });
      else amend({ area, player: player ? id : null, npc: player ? null : id, follow: null });
    },
    openEntry: (id: number) => go("corrections", {}, id),
    picked: (x: number, z: number) => pick.get()?.take(x, z),
    moved: (c: { x: number; z: number; scale: number }) => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        if (route.get().view === "map") amend({ x: c.x.toFixed(1), z: c.z.toFixed(1), s: c.scale.toPrecision(4) });
      }, 400);
    },
    unfollowed: () => amend({ follow: null }),
  };
}

function readCamera(query: Record<string, string>): { x: number; z: number; scale: number } | null {
  const x = decimal(query.x);
  const z = decimal(query.z);
  const scale = decimal(query.s);
  return x === null || z === null || scale === null || scale <= 0 ? null : { x, z, scale };
}

// useChosenMark keeps one correction on the map that the address names, however old it is.
function useChosenMark(engine: Engine | null, areaId: number | null, mark: number | null): void {
  useEffect(() => {
    if (engine === null || mark === null) return;
    const stop = new AbortController();
    api.correction(mark, stop.signal).then(
      ({ entry }) => {
        if (stop.signal.aborted || entry.areaId !== areaId) return;
        engine.chosenEntry = entry.id;
        engine.addMark(entry, performance.now());
      },
      () => undefined, // it is no longer kept; the place is shown all the same
    );
    return () => {
      stop.abort();
      engine.chosenEntry = null;
    };
  }, [engine, areaId, mark]);
}

// useViewer gives the engine the sight of the selected player's door, once the live connection has told the door.
function useViewer(engine: Engine | null, areaId: number | null, selected: number | null): void {
  const doors = useStore(world)?.doors;
  useEffect(() => {
    if (engine === null || selected === null || areaId === null) {
      if (engine !== null) engine.viewer = null;
      return;
    }
    const look = () => {
      const name = engine.known.get(selected)?.door;
      const door = doors?.find((d) => d.name === name);
      if (door === undefined) return;
      const sight: Sight = {
        shape: door.shape,
        grid: door.grids[areaId] ?? door.grid ?? 0,
        bands: door.bands.map((b) => ({ name: b.name, radius: b.radii[areaId] ?? b.radius, everyMs: b.everyMs })),
      };
      engine.viewer = sight;
    };
    engine.viewer = null;
    look();
    const timer = window.setInterval(look, 500);
    return () => window.clearInterval(timer);
  }, [engine, areaId, selected, doors]);
}
