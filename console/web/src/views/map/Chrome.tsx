import { useEffect, useState } from "preact/hooks";
import type { Area } from "../../api/types";
import { count, micros, roundStep } from "../../lib/format";
import { useStore } from "../../lib/store";
import { worldX, worldZ } from "../../map/camera";
import type { Engine, Layers } from "../../map/engine";
import { type Kind, kindName, kinds } from "../../map/palette";
import { isLost, updateRoute, overview, reach, route, world } from "../../state";
import { IconButton } from "../../ui/basics";
import { DoorMark, FitIcon, FollowIcon, LayersIcon, MinusIcon, PanelIcon, PlusIcon } from "../../ui/icons";

// useRedraw renders a small component again every ms milliseconds, because the engine does not notify components of changes.
function useRedraw(ms: number): void {
  const [, set] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => set((n) => n + 1), ms);
    return () => window.clearInterval(timer);
  }, [ms]);
}

function useLayers(engine: Engine | null): Layers | null {
  const [, set] = useState(0);
  useEffect(() => engine?.onLayers(() => set((n) => n + 1)), [engine]);
  return engine?.layers ?? null;
}

function countKinds(engine: Engine): number[] {
  const list = kinds.map(() => 0);
  const { frame, count: n } = engine.sample;
  if (frame !== null) for (let i = 0; i < n; i++) list[frame.kind[i]]++;
  return list;
}

// Legend lists the shapes of actors with the number of each. The operator can hide and show each shape.
export function Legend({ engine }: { engine: Engine | null }) {
  useRedraw(500);
  const layers = useLayers(engine);
  const shown = useStore(world);
  const doors = shown?.doors ?? [];
  const inCluster = (shown?.node ?? null) !== null;
  const [open, setOpen] = useState(() => window.innerWidth > 1100 && window.innerHeight > 500);
  if (engine === null || layers === null) return null;
  const counts = countKinds(engine);
  const lost = isLost(reach.get(), route.get()); // read without a hook, because useRedraw draws the legend again twice a second
  const toggleKind = (i: number) => engine.setLayers({ kinds: layers.kinds.map((on, j) => (j === i ? !on : on)) });
  const name = (kind: Kind) => kindName(kind, doors, inCluster);
  const fold = (
    <IconButton label="Legend and layers" class="legend-open" aria-expanded={open} onClick={() => setOpen(!open)}>
      <LayersIcon size={18} />
    </IconButton>
  );
  return (
    <div class={`legend ${open ? "" : "legend-shut"}`} data-testid="legend">
      {!open && fold}
      {open && (
        <ul class="legend-list">
          {kinds.map((kind, i) =>
            kind === "other" && counts[i] === 0 ? null : (
              <li key={kind}>
                <button type="button" class="legend-row" aria-pressed={layers.kinds[i]} onClick={() => toggleKind(i)} title={layers.kinds[i] ? "Hide" : "Show"}>
                  <DoorMark kind={kind} />
                  <span>{name(kind)}</span>
                  <span class="legend-count">{lost ? "–" : count(counts[i])}</span>
                </button>
              </li>
            ),
          )}
          <li class="legend-switches">
            {fold}
            <Switch on={layers.names} name="Names" set={(names) => engine.setLayers({ names })} />
            <Switch on={layers.grid} name="Grid" set={(grid) => engine.setLayers({ grid })} />
            <Switch on={layers.marks} name="Corrections" set={(marks) => engine.setLayers({ marks })} />
          </li>
        </ul>
      )}
    </div>
  );
}

function Switch({ on, name, set }: { on: boolean; name: string; set: (on: boolean) => void }) {
  return (
    <button type="button" class="chip" aria-pressed={on} onClick={() => set(!on)}>
      {name}
    </button>
  );
}

export function Controls({ engine, onPanel, panel }: { engine: Engine | null; onPanel: () => void; panel: boolean }) {
  useRedraw(300);
  const chosen = engine?.selected ?? null;
  return (
    <div class="controls">
      <div class="control-group">
        <IconButton label="Zoom in" title="Zoom in (+)" onClick={() => engine?.step(0, 0, 1.5)}>
          <PlusIcon size={18} />
        </IconButton>
        <IconButton label="Zoom out" title="Zoom out (−)" onClick={() => engine?.step(0, 0, 1 / 1.5)}>
          <MinusIcon size={18} />
        </IconButton>
        <IconButton label="Show the whole area" title="Show the whole area (0)" onClick={() => engine?.fitArea()}>
          <FitIcon size={18} />
        </IconButton>
      </div>
      <div class="control-group">
        {chosen !== null && (
          <IconButton label="Follow" title="Follow (f)" pressed={engine?.following} onClick={() => updateRoute({ follow: engine?.following ? null : 1 })} data-testid="follow">
            <FollowIcon size={18} />
          </IconButton>
        )}
        <IconButton label="Details" pressed={panel} onClick={onPanel} data-testid="toggle-panel">
          <PanelIcon size={18} />
        </IconButton>
      </div>
    </div>
  );
}

// StatusBar shows the page's own measurements and the server's measurements of the area.
export function StatusBar({ engine, area, past }: { engine: Engine | null; area: Area; past: boolean }) {
  useRedraw(250);
  const figures = useStore(overview)?.areas.find((a) => a.id === area.id);
  if (engine === null) return <footer class="status" />;
  const lost = isLost(reach.get(), route.get());
  const step = roundStep(110 / engine.camera.scale);
  const at = engine.pointer;
  return (
    <footer class="status" aria-label="Status">
      <span class="scale-bar" title="Scale">
        <svg width={Math.max(8, step * engine.camera.scale + 2)} height="8" aria-hidden="true">
          <path d={`M1 1v6h${step * engine.camera.scale}V1`} />
        </svg>
        {step >= 1 ? count(step) : step} units
      </span>
      {at && (
        <span class="status-place wide-only">
          x {worldX(engine.camera, at.x).toFixed(1)} z {worldZ(engine.camera, at.y).toFixed(1)}
        </span>
      )}
      <span class="status-gap" />
      {figures && !past && (
        <span class="wide-only" title="How long a tick of this area takes: median, and 99th percentile">
          tick <b>{micros(figures.tickP50Us)}</b> · p99 <b>{micros(figures.tickP99Us)}</b>
        </span>
      )}
      <span title="Actors in this area" data-testid="actors">
        <b>{lost ? "–" : count(engine.sample.count)}</b> actors
      </span>
      {past ? (
        <span class="wide-only" title="Tick of the area that the map shows" data-testid="shown-tick">
          tick <b>{count(engine.sample.frame?.tick)}</b>
        </span>
      ) : (
        <span class="wide-only" title="Interpolation delay: how far the map is behind the server, so that motion is smooth">
          −{Math.round(engine.delayMs)} ms
        </span>
      )}
      <span title="Frames this page draws in a second, and script time for each" data-testid="fps" data-fps={engine.meter.fps.toFixed(1)}>
        <b>{Math.round(engine.meter.fps)}</b> fps · {engine.meter.scriptMs.toFixed(1)} ms
      </span>
    </footer>
  );
}

