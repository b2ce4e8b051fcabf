import { kinds, type Kind, type Palette } from "./palette";
import { cutStamp, Pixels, type Stamp } from "./pixels";

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

// Sprites are drawn once per theme, size and screen density into one sheet; a frame then copies 2,000 small pictures,
// a fraction of the cost of 2,000 paths on a machine without a GPU.
//
// The sheet has a row for each kind and a last one for dead actors and marks, and a column for each of 32 headings.
export class Sprites {
  readonly sheet: ImageBitmap;
  readonly cell: number; // device pixels
  readonly half: number;
  private readonly pixels = new Pixels();
  private readonly stamps: (Stamp | undefined)[] = [];

  constructor(palette: Palette, size: number, density: number) {
    this.cell = Math.ceil(size * 3.4 * density);
    this.half = this.cell / 2;
    const canvas = new OffscreenCanvas(this.cell * headings, this.cell * (kinds.length + 2));
    const g = canvas.getContext("2d", { willReadFrequently: true })!;
    kinds.forEach((kind, row) => {
      for (let h = 0; h < headings; h++) {
        this.enter(g, h, row, density);
        drawKind(g, kind, kind === "npc" ? size * 0.72 : size, (h / headings) * 2 * Math.PI, palette);
        g.restore();
      }
    });
    this.enter(g, 0, kinds.length, density);
    drawDead(g, size * 0.8, palette);
    g.restore();
    this.enter(g, 1, kinds.length, density);
    drawFrozen(g, size, palette);
    g.restore();
    for (let level = 0; level < headings; level++) {
      this.enter(g, level, kinds.length + 1, density);
      drawHealth(g, size, level / (headings - 1), palette);
      g.restore();
    }
    this.pixels.use(g.getImageData(0, 0, canvas.width, canvas.height));
    this.sheet = canvas.transferToImageBitmap(); // an ImageBitmap is faster to copy from than a canvas
  }

  // stamp returns one sprite of the sheet, for drawing in memory.
  stamp(column: number, row: number): Stamp {
    const index = row * headings + column;
    return (this.stamps[index] ??= cutStamp(this.pixels, column * this.cell, row * this.cell, this.cell));
  }

  private enter(g: Context, column: number, row: number, density: number): void {
    g.save();
    g.beginPath();
    g.rect(column * this.cell, row * this.cell, this.cell, this.cell);
    g.clip();
    g.translate(column * this.cell + this.half, row * this.cell + this.half);
    g.scale(density, density);
  }
}

export const headings = 32;
export const deadColumn = 0;
export const frozenColumn = 1;
export const markRow = kinds.length;
export const healthRow = kinds.length + 1;

// headingOf returns the sprite column for a yaw in radians. The yaw 0 is north, and yaw grows to the left.
export function headingOf(yaw: number): number {
  return ((Math.round((yaw / (2 * Math.PI)) * headings) % headings) + headings) % headings;
}

function drawKind(g: Context, kind: Kind, r: number, yaw: number, palette: Palette): void {
  // The tip points in the viewing direction. Up is north; an increasing yaw turns to the left.
  const bx = -Math.sin(yaw);
  const by = -Math.cos(yaw);
  g.fillStyle = palette.kinds[kind];
  g.strokeStyle = palette.halo;
  g.lineJoin = "round";
  g.lineWidth = 1.5;
  g.beginPath();
  g.moveTo(bx * r * 1.62, by * r * 1.62);
  g.lineTo(-by * r * 0.62 + bx * r * 0.7, bx * r * 0.62 + by * r * 0.7);
  g.lineTo(by * r * 0.62 + bx * r * 0.7, -bx * r * 0.62 + by * r * 0.7);
  g.closePath();
  g.stroke();
  g.fill();
  shape(g, kind, r);
  g.stroke();
  g.fill();
}

// shape traces the outline of a kind around the origin; the legend uses it too.
export function shape(g: Context, kind: Kind, r: number): void {
  g.beginPath();
  switch (kind) {
    case "rs":
      g.roundRect(-r * 0.9, -r * 0.9, r * 1.8, r * 1.8, r * 0.25);
      break;
    case "bedrock":
      g.moveTo(0, -r * 1.22);
      g.lineTo(r * 1.22, 0);
      g.lineTo(0, r * 1.22);
      g.lineTo(-r * 1.22, 0);
      g.closePath();
      break;
    case "web":
      g.moveTo(0, -r * 1.15);
      g.lineTo(r * 1.1, r * 0.85);
      g.lineTo(-r * 1.1, r * 0.85);
      g.closePath();
      break;
    case "other":
      for (let i = 0; i < 6; i++) g.lineTo(r * 1.1 * Math.cos((i * Math.PI) / 3), r * 1.1 * Math.sin((i * Math.PI) / 3));
      g.closePath();
      break;
    default:
      g.arc(0, 0, r, 0, 2 * Math.PI);
  }
}

function drawDead(g: Context, r: number, palette: Palette): void {
  g.lineCap = "round";
  for (const [color, width] of [
    [palette.halo, 4],
    [palette.dead, 2],
  ] as const) {
    g.strokeStyle = color;
    g.lineWidth = width;
    g.beginPath();
    g.moveTo(-r * 0.7, -r * 0.7);
    g.lineTo(r * 0.7, r * 0.7);
    g.moveTo(r * 0.7, -r * 0.7);
    g.lineTo(-r * 0.7, r * 0.7);
    g.stroke();
  }
}

function drawFrozen(g: Context, r: number, palette: Palette): void {
  g.lineCap = "round";
  for (const [color, width] of [
    [palette.halo, 4],
    [palette.frozen, 1.75],
  ] as const) {
    g.strokeStyle = color;
    g.lineWidth = width;
    g.beginPath();
    for (let i = 0; i < 3; i++) {
      const x = Math.cos((i * Math.PI) / 3 + Math.PI / 2) * r * 0.95;
      const y = Math.sin((i * Math.PI) / 3 + Math.PI / 2) * r * 0.95;
      g.moveTo(-x, -y);
      g.lineTo(x, y);
    }
    g.stroke();
  }
}

function drawHealth(g: Context, size: number, share: number, palette: Palette): void {
  const r = size + 2.75;
  g.lineWidth = 2;
  g.lineCap = "butt";
  g.strokeStyle = palette.halo;
  g.beginPath();
  g.arc(0, 0, r, 0, 2 * Math.PI);
  g.stroke();
  g.strokeStyle = share > 0.5 ? palette.good : share > 0.25 ? palette.warn : palette.danger;
  g.beginPath();
  g.arc(0, 0, r, -Math.PI / 2, -Math.PI / 2 + share * 2 * Math.PI);
  g.stroke();
}
