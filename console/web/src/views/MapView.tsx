import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { api } from "../api/client";
import type { Area } from "../api/types";
import { parseId } from "../lib/route";
import { useStore } from "../lib/store";
import { Engine } from "../map/engine";
import { updateRoute, navigate, overview, route, world } from "../state";
import { enterPast, goLive } from "../past/go";
import { marksOf, useEvents } from "../past/events";
import type { PastControl } from "../past/control";
import type { Recorded } from "../past/strip";
import { useTapes } from "../past/tapes";
import { Empty } from "../ui/basics";
import { onKeys } from "../ui/keys";
import { AreaPanel } from "./map/AreaPanel";
import { AreaTabs } from "./map/AreaTabs";
import { Controls, Legend, StatusBar } from "./map/Chrome";
import { NpcPanel } from "./map/NpcPanel";
import { PastBadge, PastNote } from "./map/PastNote";
import { PastAreaPanel, PastPlayerPanel } from "./map/PastPanel";
import { usePick } from "./map/pick";
import { stepTicks, TimeBar, togglePlaying } from "./map/TimeBar";
import { useMapEngine } from "./map/useMapEngine";
import { usePast } from "./map/usePast";
import { PlayerPanel } from "./PlayerPanel";

// MapView is the live map of one area, with the panel of the selected actor beside it.
export function MapView() {
  const areas = useStore(world)?.areas ?? [];
  const live = useStore(world)?.live !== false;
  const { query } = useStore(route);
  const busiest = useBusiest(areas);
  const area = areas.find((a) => a.id === parseId(query.area)) ?? busiest;
  const player = parseId(query.player);
  const npc = parseId(query.npc);
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const past = parseId(query.at) !== null;
  const engine = useMapEngine(canvas, area, player ?? npc, query, live && !past);
  const events = useEvents(area?.id ?? null);
  const marks = useMemo(() => marksOf(events), [events]);
  const control = usePast(engine, area, query, events.entries);
  const tapes = useTapes(area === null ? [] : [area.id], 5000);
  const recorded = area === null ? undefined : tapes.get(area.id);
  const [panel, setPanel] = useState(() => window.innerWidth > 760 && window.innerHeight > 500);
  const picking = usePick(engine);

  useEffect(() => {
    if (!live && !past && recorded?.spans[0] !== undefined) enterPast(recorded.spans[0].from, true);
  }, [live, past, recorded]);
  useMapKeys(engine, areas, area);
  useTimeKeys(engine, control, recorded ?? null);
  useEffect(() => {
    if (player !== null || npc !== null) setPanel(true);
  }, [player, npc]);
  const close = useCallback(() => {
    if (player === null && npc === null) setPanel(false);
    else updateRoute({ player: null, npc: null, follow: null });
  }, [player, npc]);

  if (area === null) return <Empty title="This world has no areas">A world file with at least one area gives the map something to show.</Empty>;
  return (
    <div class={`map-view ${panel ? "with-panel" : ""} ${past ? "map-past" : ""}`}>
      <h1 class="for-readers">Map of {area.name}</h1>
      <AreaTabs areas={areas} area={area} />
      <div class="map-stage">
        <canvas
          ref={setCanvas}
          class="map-canvas"
          tabIndex={0}
          role="application"
          aria-label={`Map of ${area.name}. Arrow keys pan, plus and minus zoom, n selects the next player.`}
          data-testid="map"
        />
        {past && <PastBadge engine={engine} control={control} />}
        {past && <PastNote engine={engine} control={control} />}
        {picking && (
          <p class="map-banner" role="status" data-testid="pick-banner">
            {picking.text} <button type="button" class="text-button" onClick={picking.cancel}>Cancel</button>
          </p>
        )}
        <Legend engine={engine} />
        <Controls engine={engine} onPanel={() => setPanel((on) => !on)} panel={panel} />
      </div>
      {panel && (
        <aside class="side" aria-label="Details" data-testid="side">
          {player !== null && past ? (
            <PastPlayerPanel entity={player} engine={engine} onClose={close} entries={events.entries} tapes={tapes} />
          ) : player !== null ? (
            <PlayerPanel entity={player} onClose={close} onMap engine={engine} />
          ) : npc !== null ? (
            <NpcPanel id={npc} engine={engine} past={past} onClose={close} />
          ) : past ? (
            <PastAreaPanel area={area} engine={engine} onClose={close} events={events} tapes={tapes} />
          ) : (
            <AreaPanel area={area} onClose={close} tapes={tapes} />
          )}
        </aside>
      )}
      <TimeBar engine={engine} control={control} recorded={recorded} marks={marks} live={live} />
      <StatusBar engine={engine} area={area} past={past} />
    </div>
  );
}

// useBusiest returns the area that the map shows at first: the one with the most players, or among equals the most actors. It
// is chosen once.
function useBusiest(areas: Area[]): Area | null {
  const figures = useStore(overview);
  const chosen = useRef<number | null>(null);
  if (chosen.current === null && figures !== null) {
    const [first] = [...figures.areas].sort((a, b) => b.players - a.players || b.actors - a.actors);
    chosen.current = first?.id ?? null;
  }
  return areas.find((a) => a.id === chosen.current) ?? areas[0] ?? null;
}

function useMapKeys(engine: Engine | null, areas: Area[], area: Area | null): void {
  useEffect(() => {
    if (engine === null || area === null) return;
    const step = (dx: number, dy: number) => (e: KeyboardEvent) => engine.step(dx * (e.shiftKey ? 3 : 1), dy * (e.shiftKey ? 3 : 1), 1);
    const bindings: Record<string, (e: KeyboardEvent) => void> = {
      ArrowLeft: step(90, 0),
      ArrowRight: step(-90, 0),
      ArrowUp: step(0, 90),
      ArrowDown: step(0, -90),
      "+": () => engine.step(0, 0, 1.4),
      "=": () => engine.step(0, 0, 1.4),
      "-": () => engine.step(0, 0, 1 / 1.4),
      "0": () => engine.fitArea(),
      f: () => updateRoute({ follow: engine.following ? null : 1 }),
      l: () => engine.setLayers({ names: !engine.layers.names }),
      k: () => engine.setLayers({ grid: !engine.layers.grid }),
      n: () => void selectNext(engine, area),
    };
    areas.slice(0, 9).forEach((a, i) => {
      bindings[String(i + 1)] = () => navigate("map", { area: a.id });
    });
    return onKeys(bindings);
  }, [engine, areas, area]);
}

// useTimeKeys handles the keys that step, play and pause a recording. Comma and period step as well, for keyboards without
// brackets.
function useTimeKeys(engine: Engine | null, control: PastControl | null, recorded: Recorded | null): void {
  useEffect(() => {
    if (engine === null || recorded === null) return;
    const step = (ticks: number) => () => stepTicks(engine, control, ticks);
    return onKeys({
      " ": () => togglePlaying(engine, control),
      "[": step(-1),
      "]": step(1),
      "{": step(-20),
      "}": step(20),
      ",": step(-1),
      ".": step(1),
      "<": () => control?.changeSpeed(-1),
      ">": () => control?.changeSpeed(1),
      Home: () => {
        const first = recorded.spans[0];
        if (first === undefined) return;
        if (control === null) enterPast(first.from, false);
        else control.seek(first.from);
      },
      End: goLive,
    });
  }, [engine, control, recorded]);
}

async function selectNext(engine: Engine, area: Area): Promise<void> {
  const here = (await api.players("").catch(() => ({ players: [] }))).players.filter((p) => p.areaId === area.id);
  if (here.length === 0) return;
  const at = here.findIndex((p) => p.entity === engine.selected);
  updateRoute({ area: area.id, player: here[(at + 1) % here.length].entity, npc: null });
}
