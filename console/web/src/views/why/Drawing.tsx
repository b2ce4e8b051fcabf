import type { Area, Vec } from "../../api/types";
import { figure, roundStep, compassDirection } from "../../lib/format";
import { drawingFrame } from "./frame";

const width = 420;
const height = 280;

// Drawing shows the asked and the held position from above, with the solids nearby.
export function Drawing({ from, pos, area, refused }: { from: Vec | null; pos: Vec; area: Area | undefined; refused: boolean }) {
  const f = drawingFrame(from ?? pos, pos, width, height);
  const [hx, hy] = f.at(pos);
  const [ax, ay] = f.at(from ?? pos);
  const length = Math.hypot(ax - hx, ay - hy);
  const steep = Math.abs(ay - hy) > 0.4 * Math.abs(ax - hx);
  const flat = from === null ? 0 : Math.hypot(from.x - pos.x, from.z - pos.z);
  const rise = from === null ? 0 : from.y - pos.y;
  const near = (min: Vec, max: Vec) => max.x >= f.box.minX && min.x <= f.box.maxX && max.z >= f.box.minZ && min.z <= f.box.maxZ;
  const step = roundStep(100 / f.scale);
  const label = from === null ? "At this place." : `Asked for a place ${figure(flat, 2)} units to the ${compassDirection(from.x - pos.x, from.z - pos.z)} of where the player was held.`;
  return (
    <svg class="drawing" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} data-testid="drawing">
      <rect class="drawing-ground" width={width} height={height} rx="6" />
      {area?.waters.filter((w) => near({ x: w.x, y: 0, z: w.z }, { x: w.x + w.width, y: 0, z: w.z + w.depth })).map((w, i) => <Box key={`w${i}`} f={f} kind="water" min={{ x: w.x, z: w.z }} max={{ x: w.x + w.width, z: w.z + w.depth }} />)}
      <Grid f={f} step={step} />
      {area?.solids.filter((s) => near(s.min, s.max)).map((s, i) => <Box key={i} f={f} kind="solid" min={s.min} max={s.max} />)}
      {length > 3 && (
        <g class={refused ? "drawing-refused" : "drawing-pull"}>
          <line x1={ax} y1={ay} x2={hx + ((ax - hx) / length) * 12} y2={hy + ((ay - hy) / length) * 12} />
          <path d={head(ax, ay, hx, hy)} />
          <text class="drawing-distance" x={(ax + hx) / 2 + (steep ? 12 : 0)} y={(ay + hy) / 2 + (steep ? 4 : -12)} text-anchor={steep ? "start" : "middle"}>
            {figure(flat, 2)} units
          </text>
        </g>
      )}
      {from !== null && (
        <g class="drawing-asked">
          <circle cx={ax} cy={ay} r="7" />
          <text x={ax} y={ay + (ay >= hy ? 22 : -13)} text-anchor="middle">
            asked
          </text>
        </g>
      )}
      <g class="drawing-held">
        <circle cx={hx} cy={hy} r="6" />
        <text x={hx} y={hy + (hy > ay ? 22 : -13)} text-anchor="middle">
          {refused ? "stood" : "held"}
        </text>
      </g>
      {Math.abs(rise) > 0.05 && (
        <text class="drawing-note" x="12" y="22">
          {figure(Math.abs(rise), 2)} units {rise > 0 ? "higher" : "lower"}
        </text>
      )}
      <g class="drawing-note" transform={`translate(${width - 22} 26)`}>
        <path d="M0 6V-12m-4 5 4-5 4 5" />
        <text y="18" text-anchor="middle">
          N
        </text>
      </g>
      <g class="drawing-note" transform={`translate(12 ${height - 12})`}>
        <path d={`M0-6v6h${step * f.scale}v-6`} />
        <text x={step * f.scale + 6} y="1">
          {figure(step, 2)} units
        </text>
      </g>
    </svg>
  );
}

type Frame = ReturnType<typeof drawingFrame>;

function Box({ f, kind, min, max }: { f: Frame; kind: string; min: { x: number; z: number }; max: { x: number; z: number } }) {
  const [x1, y1] = f.at({ x: min.x, z: max.z });
  const [x2, y2] = f.at({ x: max.x, z: min.z });
  const x = Math.max(0, x1);
  const y = Math.max(0, y1);
  return <rect class={`drawing-${kind}`} x={x} y={y} width={Math.max(1, Math.min(width, x2) - x)} height={Math.max(1, Math.min(height, y2) - y)} />;
}

function Grid({ f, step }: { f: Frame; step: number }) {
  const lines: string[] = [];
  for (let i = Math.ceil(f.box.minX / step); i * step <= f.box.maxX; i++) lines.push(`M${f.at({ x: i * step, z: 0 })[0].toFixed(1)} 0V${height}`);
  for (let i = Math.ceil(f.box.minZ / step); i * step <= f.box.maxZ; i++) lines.push(`M0 ${f.at({ x: 0, z: i * step })[1].toFixed(1)}H${width}`);
  return <path class="drawing-grid" d={lines.join("")} />;
}

// head returns the path of the arrow head at the held position.
function head(ax: number, ay: number, hx: number, hy: number): string {
  const length = Math.hypot(ax - hx, ay - hy);
  const ux = (ax - hx) / length;
  const uy = (ay - hy) / length;
  const bx = hx + ux * 20;
  const by = hy + uy * 20;
  const tip = `${(hx + ux * 8).toFixed(1)} ${(hy + uy * 8).toFixed(1)}`;
  return `M${tip}L${(bx - uy * 6).toFixed(1)} ${(by + ux * 6).toFixed(1)} ${(bx + uy * 6).toFixed(1)} ${(by - ux * 6).toFixed(1)}Z`;
}
