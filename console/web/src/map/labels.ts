import type { Camera } from "./camera";
import { screenX, screenY } from "./camera";
import type { Sample } from "../live/timeline";
import type { Palette } from "./palette";

// chooseLabels chooses the names to show so that none covers another: by descending priority, each occupying cells of a coarse
// grid. At equal priority a name that was shown before is preferred, so that names do not flicker when actors cross.
export function chooseLabels(
  s: Sample,
  c: Camera,
  priority: (row: number) => number, // 0: never shown
  was: ReadonlySet<number>, // ids
  maxNames: number,
  width: (row: number) => number, // pixels
): Set<number> {
  const rows: { row: number; priority: number }[] = [];
  for (let i = 0; i < s.count; i++) {
    const w = priority(i);
    if (w <= 0) continue;
    const x = screenX(c, s.x[i]);
    const y = screenY(c, s.z[i]);
    if (x < 0 || y < 0 || x > c.width || y > c.height) continue;
    rows.push({ row: i, priority: w + (was.has(s.frame!.ids[i]) ? 0.5 : 0) });
  }
  rows.sort((a, b) => b.priority - a.priority || a.row - b.row);
  const taken = new Set<number>();
  const chosen = new Set<number>();
  for (const { row } of rows) {
    if (chosen.size >= maxNames) break;
    const cells = cover(screenX(c, s.x[row]), screenY(c, s.z[row]) + labelDrop, width(row));
    if (cells.some((cell) => taken.has(cell))) continue;
    for (const cell of cells) taken.add(cell);
    chosen.add(s.frame!.ids[row]);
  }
  return chosen;
}

export const labelDrop = 17; // pixels below the actor
const cellWide = 24;
const cellHigh = 14;

function cover(x: number, y: number, width: number): number[] {
  const cells: number[] = [];
  const top = Math.floor((y - 6) / cellHigh);
  const bottom = Math.floor((y + 6) / cellHigh);
  for (let cx = Math.floor((x - width / 2) / cellWide); cx <= Math.floor((x + width / 2) / cellWide); cx++) {
    for (let cy = top; cy <= bottom; cy++) cells.push(cx * 65536 + cy);
  }
  return cells;
}

// LabelSheet caches each name as an image: drawing text costs far more than copying it.
export class LabelSheet {
  private readonly pictures = new Map<string, ImageBitmap>();

  constructor(
    private readonly palette: Palette,
    private readonly density: number,
  ) {}

  get(name: string, strong: boolean): ImageBitmap {
    const key = (strong ? "1" : "0") + name;
    let picture = this.pictures.get(key);
    if (picture === undefined) {
      if (this.pictures.size > mostPictures) this.pictures.clear();
      picture = this.draw(name, strong);
      this.pictures.set(key, picture);
    }
    return picture;
  }

  private draw(name: string, strong: boolean): ImageBitmap {
    const canvas = new OffscreenCanvas(1, 1);
    const g = canvas.getContext("2d")!;
    const font = `${strong ? 600 : 500} ${strong ? 12 : 11}px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`;
    g.font = font;
    const short = name.length > 24 ? `${name.slice(0, 23)}…` : name;
    canvas.width = Math.ceil((g.measureText(short).width + 8) * this.density);
    canvas.height = Math.ceil(18 * this.density);
    g.scale(this.density, this.density);
    g.font = font;
    g.textBaseline = "middle";
    g.lineJoin = "round";
    g.lineWidth = 3;
    g.strokeStyle = this.palette.halo;
    g.strokeText(short, 4, 9);
    g.fillStyle = strong ? this.palette.text : this.palette.muted;
    g.fillText(short, 4, 9);
    return canvas.transferToImageBitmap();
  }
}

const mostPictures = 600;
