import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Area, Entry } from "../../api/types";
import { parseId } from "../../lib/route";
import type { Engine } from "../../map/engine";
import { matchEntry, PastControl } from "../../past/control";
import { goLive } from "../../past/go";
import { allowedRadius, watchOf } from "../../past/watch";
import { addressed, checkSession, reach, route, updateRoute, world } from "../../state";

const addressMs = 2000; // minimum ms between two updates of the address while a recording plays
const watchSpan = 240; // largest distance in pixels between the asked and the allowed position on the map

// usePast plays the recording that the address names on the map, and returns its control; null while the map is live. entries
// are the journal's entries.
export function usePast(engine: Engine | null, area: Area | null, query: Record<string, string>, entries: readonly Entry[]): PastControl | null {
  const [control, setControl] = useState<PastControl | null>(null);
  const at = parseId(query.at);
  const past = at !== null;
  const written = useRef<number | null>(null); // the time that this page wrote into the address
  const journal = useRef(entries);
  journal.current = entries;
  const areaId = area?.id ?? null;

  useEffect(() => {
    if (engine === null || areaId === null || !past) return;
    engine.showPast();
    document.documentElement.dataset.past = "";
    engine.retheme();
    let unknown = 0; // last id of an entry that the journal does not have; such ids are negative
    const made = new PastControl(areaId, world.get()!.tickRate, {
      frame: (frame, arrived) => engine.frame(frame, arrived),
      message: (message) => {
        if (message.type !== "entry") return engine.message(message);
        const id = matchEntry(message.entry, journal.current)?.id ?? --unknown;
        engine.message({ type: "entry", entry: { ...message.entry, id } });
      },
      link: (live, attempts) => reach.update((old) => (old.live === live && old.attempts === attempts ? old : { ...old, live, attempts })),
      pace: (playing, speed, frameMs) => {
        if (playing) engine.playhead.play(speed, frameMs);
        else engine.playhead.pause();
      },
      caughtUp: goLive,
      refused: checkSession,
    });
    const start = parseId(route.get().query.at)!;
    written.current = start;
    made.open(start, route.get().query.play === "1");
    setControl(made);
    return () => {
      made.close();
      setControl(null);
      delete document.documentElement.dataset.past;
      engine.retheme();
      engine.selectedName = null;
    };
  }, [engine, areaId, past]);

  useEffect(() => {
    if (control === null || at === null || at === written.current) return;
    written.current = at;
    control.seek(at);
    if (query.play === "1") control.play(1);
  }, [control, at]);

  useEffect(() => {
    if (control === null) return;
    const timer = window.setInterval(() => {
      const now = Math.round(control.time);
      if (now === written.current || control.dragging || parseId(addressed().query.at) !== written.current) return;
      written.current = now;
      updateRoute({ at: now, play: control.state.get().playing ? 1 : null });
    }, addressMs);
    return () => window.clearInterval(timer);
  }, [control]);

  useWatched(engine, control, area, past ? parseId(query.watch) : null);
  useSelectedName(engine, past ? parseId(query.player) : null);
  return control;
}

// useWatched draws the correction that the operator watches, and moves the map so that its positions are visible.
function useWatched(engine: Engine | null, control: PastControl | null, area: Area | null, id: number | null): void {
  useEffect(() => {
    if (engine === null || control === null || area === null || id === null) return;
    const stop = new AbortController();
    api.correction(id, stop.signal).then(
      ({ entry }) => {
        if (stop.signal.aborted || entry.areaId !== area.id) return;
        control.watch = watchOf(entry);
        engine.watched = { entry, allowed: allowedRadius(entry, area), at: control.watch.at };
        showPlace(engine, entry);
      },
      () => undefined, // the correction is no longer stored; the recording is still played
    );
    return () => {
      stop.abort();
      control.watch = null;
      engine.watched = null;
    };
  }, [engine, control, area, id]);
}

function showPlace(engine: Engine, { from, pos }: Entry): void {
  if (pos === null) return;
  const other = from ?? pos;
  const far = Math.hypot(other.x - pos.x, other.z - pos.z);
  const room = Math.min(watchSpan, Math.min(engine.camera.width, engine.camera.height) * 0.5);
  engine.centre((pos.x + other.x) / 2, (pos.z + other.z) / 2, Math.min(5, room / Math.max(30, far)));
}

// useSelectedName loads the name of the selected player. In a recording the player is found by name, because its entity id
// changes with each login.
function useSelectedName(engine: Engine | null, player: number | null): void {
  useEffect(() => {
    if (engine === null || player === null) return;
    engine.selectedName = engine.known.get(player)?.name ?? null;
    if (engine.selectedName !== null) return;
    const stop = new AbortController();
    api.player(player, stop.signal).then(
      ({ name }) => {
        if (!stop.signal.aborted) engine.selectedName = name;
      },
      () => undefined, // the player has left the world
    );
    return () => stop.abort();
  }, [engine, player]);
}
