import type { Camera } from "./camera";
import { screenX, screenY } from "./camera";
import type { Sample } from "../live/timeline";
import type { Palette } from "./palette";

// Box is the rectangle of the canvas that a label covers, in pixels.
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const gap = 2; // pixels between two labels
const labelHalf = 7; // half the height of a name

const overlaps = (a: Box, b: Box): boolean => a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom + gap && b.top < a.bottom + gap;

// chooseLabels chooses the names to show. A name is not shown if it would cover another one or a label of the ground (fixed), unless
// the operator points at it or has selected it. At equal priority a name that was shown before is preferred, so that names do not
// flicker when actors cross.
export function chooseLabels(
  s: Sample,
  c: Camera,
  priority: (row: number) => number, // 0: the name is never shown; from the constant always on: it is shown even if it covers other names
  was: ReadonlySet<number>, // ids of the actors whose names were shown before
  maxNames: number,
  width: (row: number) => number, // pixels
  fixed: readonly Box[] = [],
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
  const taken: Box[] = [...fixed];
  const chosen = new Set<number>();
  for (const { row, priority: worth } of rows) {
    if (chosen.size >= maxNames) break;
    const box = boxAt(screenX(c, s.x[row]), screenY(c, s.z[row]) + labelDrop, width(row));
    if (worth < always && taken.some((t) => overlaps(t, box))) continue;
    taken.push(box);
    chosen.add(s.frame!.ids[row]);
  }
  return chosen;
}

export const always = 9; // priority of the name under the pointer; that of the selected actor is higher
export const labelDrop = 17; // distance of a name below its actor, in pixels

// boxAt returns the box of a label whose middle is at the given position.
export function boxAt(x: number, y: number, width: number): Box {
  return { left: x - width / 2, right: x + width / 2, top: y - labelHalf, bottom: y + labelHalf };
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
