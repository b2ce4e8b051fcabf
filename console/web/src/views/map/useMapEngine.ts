import { useEffect, useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Area } from "../../api/types";
import { parseDecimal, parseId } from "../../lib/route";
import { useStore } from "../../lib/store";
import { Feed } from "../../live/feed";
import { Engine } from "../../map/engine";
import type { Interest } from "../../map/marks";
import { updateRoute, checkSession, navigate, addRecentEntry, themeVersion, reach, recent, route, world } from "../../state";
import { pick } from "./pick";
import { report } from "./report";

const rate = 10; // frames per second of the live connection; the map interpolates to sixty

// useMapEngine connects the engine to the page: the address selects what is shown, the live connection delivers frames.
export function useMapEngine(canvas: HTMLCanvasElement | null, area: Area | null, selected: number | null, query: Record<string, string>, live: boolean): Engine | null {
  const [engine, setEngine] = useState<Engine | null>(null);
  const areaId = area?.id ?? null;

  useEffect(() => {
    if (canvas === null) return;
    const made = new Engine(canvas, areaName, handlers());
    const stopReport = report(made);
    const stopPaint = themeVersion.watch(() => made.retheme());
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
  }, [engine, areaId]);

  useEffect(() => {
    if (engine === null || areaId === null || !live) return;
    engine.showLive();
    recent.set([]);
    const feed = new Feed({
      frame: (frame, arrived) => engine.frame(frame, arrived),
      message: (message) => {
        if (message.type === "hello") {
          engine.forget();
          checkSession(); // the server may have restarted
        }
        if (message.type === "entry") addRecentEntry(message.entry);
        engine.message(message);
      },
      link: (live, attempts) => reach.update((old) => (old.live === live && old.attempts === attempts ? old : { ...old, live, attempts })),
      refused: checkSession,
    });
    feed.watch(areaId, Math.min(rate, world.get()!.tickRate));
    return () => feed.close();
  }, [engine, areaId, live]);

  useEffect(() => {
    if (engine === null) return;
    engine.selected = selected;
    engine.following = selected !== null && query.follow === "1";
  }, [engine, selected, query.follow]);

  usePinnedMark(engine, areaId, live ? parseId(query.mark) : null);

  useInterest(engine, areaId, selected);
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
      if (id === null) updateRoute({ player: null, npc: null, follow: null });
      else updateRoute({ area, player: player ? id : null, npc: player ? null : id, follow: null });
    },
    openEntry: (id: number) => navigate("corrections", {}, id),
    picked: (x: number, z: number) => pick.get()?.onPick(x, z),
    moved: (c: { x: number; z: number; scale: number }) => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        if (route.get().view === "map") updateRoute({ x: c.x.toFixed(1), z: c.z.toFixed(1), s: c.scale.toPrecision(4) });
      }, 400);
    },
    unfollowed: () => updateRoute({ follow: null }),
  };
}

function readCamera(query: Record<string, string>): { x: number; z: number; scale: number } | null {
  const x = parseDecimal(query.x);
  const z = parseDecimal(query.z);
  const scale = parseDecimal(query.s);
  return x === null || z === null || scale === null || scale <= 0 ? null : { x, z, scale };
}

// usePinnedMark shows a correction of any age on the map for as long as the address contains the correction's id.
function usePinnedMark(engine: Engine | null, areaId: number | null, mark: number | null): void {
  useEffect(() => {
    if (engine === null || mark === null) return;
    const stop = new AbortController();
    api.correction(mark, stop.signal).then(
      ({ entry }) => {
        if (stop.signal.aborted || entry.areaId !== areaId) return;
        engine.chosenEntry = entry.id;
        engine.addMark(entry);
      },
      () => undefined, // the correction is no longer stored; its position is still shown
    );
    return () => {
      stop.abort();
      engine.chosenEntry = null;
    };
  }, [engine, areaId, mark]);
}

// useInterest passes to the engine the area of interest of the selected player's door, once the live connection has named the door.
function useInterest(engine: Engine | null, areaId: number | null, selected: number | null): void {
  const doors = useStore(world)?.doors;
  useEffect(() => {
    if (engine === null || selected === null || areaId === null) {
      if (engine !== null) engine.viewer = null;
      return;
    }
    const look = () => {
      const row = engine.selectedRow();
      const name = row < 0 ? undefined : engine.known.get(engine.sample.frame!.ids[row])?.door;
      const door = doors?.find((d) => d.name === name);
      if (door === undefined) return;
      const sight: Interest = {
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
