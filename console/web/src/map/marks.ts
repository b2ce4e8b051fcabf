import type { Entry } from "../api/types";
import { figurePair } from "../lib/format";
import { notable, reasonShade, reasonWeight } from "../lib/reasons";
import { screenX, screenY, worldX, worldZ, type Camera } from "./camera";
import { distanceToSegment } from "./hit";
import type { Palette } from "./palette";

// Mark is a correction on the map; it fades out within fadeMs. Its times are those of the scene: local ms of the live map, server
// ms of a recording.
export interface Mark {
  entry: Entry;
  at: number;
}

// Watched is the correction that an operator watches in a recording, with the allowed distance in units if the rule has one.
export interface Watched {
  entry: Entry;
  allowed: number | null;
  at: number; // server ms
}

export const fadeMs = 20_000;
const quietFadeMs = 4000; // fadeMs of marks that are drawn faintly (isQuiet); fights cause many of them
const arrow = 7; // length of the arrow head in pixels

// isQuiet reports whether a mark is drawn faintly and for a short time, because the correction did not move the player or is
// not evidence about the player.
const isQuiet = (e: Entry): boolean => e.verdict === "refused" || !notable(e);

const lifetime = (e: Entry): number => (isQuiet(e) ? quietFadeMs : fadeMs);

const colorOf = (e: Entry, palette: Palette): string => palette.reasons[reasonShade(e.reason)] ?? palette.muted;

// drawMarks draws each mark in the colour of its reason. Corrections by an operator are drawn only if they are selected.
export function drawMarks(g: CanvasRenderingContext2D, marks: readonly Mark[], c: Camera, now: number, palette: Palette, chosen: number | null): void {
  for (const { entry, at } of marks) {
    const { from, pos } = entry;
    if (pos === null) continue;
    const age = (now - at) / lifetime(entry);
    if ((age >= 1 || age < 0 || reasonWeight(entry.reason) === "operator") && entry.id !== chosen) continue;
    g.globalAlpha = entry.id === chosen ? 1 : Math.min(1, 1.15 * (1 - age)) * (isQuiet(entry) ? 0.7 : 1);
    drawMark(g, from, pos, c, colorOf(entry, palette));
  }
  g.globalAlpha = 1;
}

type Point = { x: number; z: number };

// drawWatched draws the asked and the allowed movement of the watched correction, faintly until the time of the correction.
export function drawWatched(g: CanvasRenderingContext2D, { entry, allowed, at }: Watched, c: Camera, now: number, palette: Palette): void {
  const { from, pos } = entry;
  if (pos === null) return;
  const color = colorOf(entry, palette);
  const x = screenX(c, pos.x);
  const y = screenY(c, pos.z);
  g.globalAlpha = now < at ? 0.55 : 1;
  const labels: Label[] = [];
  if (allowed !== null && from !== null) {
    const r = allowed * c.scale;
    g.strokeStyle = palette.good;
    g.fillStyle = palette.good;
    g.lineWidth = 1.75;
    g.beginPath();
    g.arc(x, y, Math.max(r, 3), 0, 2 * Math.PI);
    g.stroke();
    const alpha = g.globalAlpha;
    g.globalAlpha = alpha * 0.12;
    g.fill();
    g.globalAlpha = alpha;
  }
  const figures = entry.unit !== "";
  const [asked, allowedText] = figurePair(entry.asked, entry.allowed);
  drawMark(g, from, pos, c, color);
  const above = from === null || from.z <= pos.z; // the label of the allowed distance is on the side away from the arrow
  const off = Math.max(allowed === null ? 0 : Math.min(allowed * c.scale, c.height / 3), 10) + 16;
  if (figures) labels.push({ text: `allowed ${allowedText} ${entry.unit}`, x, y: above ? y - off : y + off, color: palette.good });
  if (from !== null) {
    const [ax, ay] = [screenX(c, from.x), screenY(c, from.z)];
    labels.push({ text: figures ? `asked ${asked} ${entry.unit}` : "asked", x: ax, y: above ? ay + 20 : ay - 20, color });
  } else if (figures) {
    labels.push({ text: `asked ${asked} ${entry.unit}`, x, y: above ? y - off - 17 : y + off + 17, color });
  }
  g.font = "600 12px system-ui, sans-serif";
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.lineJoin = "round";
  g.lineWidth = 4;
  g.strokeStyle = palette.halo;
  for (const { text, x: lx, y: ly, color: fill } of labels) {
    // The label of a place outside the visible part of the map is drawn at the map's edge.
    const half = g.measureText(text).width / 2 + 6;
    const px = Math.max(half, Math.min(c.width - half, lx));
    const py = Math.max(12, Math.min(c.height - 12, ly));
    g.strokeText(text, px, py);
    g.fillStyle = fill;
    g.fillText(text, px, py);
  }
  g.globalAlpha = 1;
}

interface Label {
  text: string;
  x: number;
  y: number;
  color: string;
}

function drawMark(g: CanvasRenderingContext2D, from: Point | null, pos: Point, c: Camera, color: string): void {
  const hx = screenX(c, pos.x);
  const hy = screenY(c, pos.z);
  g.strokeStyle = color;
  g.fillStyle = color;
  const ax = from === null ? hx : screenX(c, from.x);
  const ay = from === null ? hy : screenY(c, from.z);
  const length = Math.hypot(hx - ax, hy - ay);
  if (length < 2 * arrow) {
    // Too short for an arrow.
    g.lineWidth = 1.5;
    g.beginPath();
    g.arc(hx, hy, 5, 0, 2 * Math.PI);
    g.stroke();
    return;
  }
  const ux = (hx - ax) / length;
  const uy = (hy - ay) / length;
  g.lineWidth = 1.75;
  g.beginPath();
  g.arc(ax, ay, 4, 0, 2 * Math.PI);
  g.stroke();
  g.setLineDash([5, 3]);
  g.beginPath();
  g.moveTo(ax + ux * 4, ay + uy * 4);
  g.lineTo(hx - ux * arrow, hy - uy * arrow);
  g.stroke();
  g.setLineDash([]);
  g.beginPath();
  g.moveTo(hx, hy);
  g.lineTo(hx - ux * arrow * 1.5 - uy * arrow * 0.7, hy - uy * arrow * 1.5 + ux * arrow * 0.7);
  g.lineTo(hx - ux * arrow * 1.5 + uy * arrow * 0.7, hy - uy * arrow * 1.5 - ux * arrow * 0.7);
  g.closePath();
  g.fill();
}

// pickMark returns the newest correction whose arrow is at most reach pixels from a point; null if there is none.
export function pickMark(marks: readonly Mark[], c: Camera, px: number, py: number, now: number, reach: number): Mark | null {
  for (let i = marks.length - 1; i >= 0; i--) {
    const { entry, at } = marks[i];
    if (entry.pos === null || now < at || now - at >= lifetime(entry) || reasonWeight(entry.reason) === "operator") continue;
    const from = entry.from ?? entry.pos;
    const far = distanceToSegment(px, py, screenX(c, from.x), screenY(c, from.z), screenX(c, entry.pos.x), screenY(c, entry.pos.z));
    if (far <= reach) return marks[i];
  }
  return null;
}

// Interest is the area of interest of a door's viewers in one area.
export interface Interest {
  shape: "circle" | "square";
  grid: number; // cell size of the interest grid in world units; 0 if the door has none
  bands: { name: string; radius: number; everyMs: number }[];
}

// drawBands draws a viewer's area of interest: a ring or square for each band, and the cells of its grid. Bands larger than
// the canvas are outlined only, as filling them would cost much and show nothing.
export function drawBands(g: CanvasRenderingContext2D, interest: Interest, x: number, z: number, c: Camera, color: string, cells: boolean): void {
  const sx = screenX(c, x);
  const sy = screenY(c, z);
  g.strokeStyle = color;
  g.fillStyle = color;
  const bands = interest.bands.filter((b) => b.radius > 0).sort((a, b) => b.radius - a.radius);
  if (cells && bands.length > 0) drawCells(g, interest, x, z, bands[0].radius, c);
  g.font = "10.5px system-ui, sans-serif";
  g.textAlign = "center";
  g.textBaseline = "alphabetic";
  g.lineWidth = 1.25;
  bands.forEach((band, i) => {
    const r = band.radius * c.scale;
    g.beginPath();
    if (interest.shape === "square") g.rect(Math.round(sx - r) + 0.5, Math.round(sy - r) + 0.5, Math.round(2 * r), Math.round(2 * r));
    else g.arc(sx, sy, r, 0, 2 * Math.PI);
    if (2 * r < Math.min(c.width, c.height)) {
      g.globalAlpha = 0.06;
      g.fill();
    }
    g.globalAlpha = 0.75;
    if (i > 0 && r < 900) g.setLineDash([6, 4]);
    g.stroke();
    g.setLineDash([]);
    if (r > 34) {
      g.globalAlpha = 1;
      g.fillText(`${band.name} · ${Math.round(band.radius)} units · every ${band.everyMs} ms`, sx, sy - r - 6);
    }
  });
  g.globalAlpha = 1;
}

const minCell = 14; // smallest cell size in pixels at which the grid is drawn

// Lines end at the outermost band and at the edge of the canvas.
function drawCells(g: CanvasRenderingContext2D, interest: Interest, x: number, z: number, radius: number, c: Camera): void {
  const step = interest.grid;
  if (!(step > 0) || step * c.scale < minCell) return;
  const [minX, maxX] = [worldX(c, 0), worldX(c, c.width)];
  const [minZ, maxZ] = [worldZ(c, c.height), worldZ(c, 0)];
  const reach = (off: number) => (interest.shape === "square" ? radius : Math.sqrt(Math.max(0, radius * radius - off * off)));
  g.globalAlpha = 0.3;
  g.lineWidth = 1;
  g.beginPath();
  for (let i = Math.ceil(Math.max(x - radius, minX) / step); i * step <= Math.min(x + radius, maxX); i++) {
    const half = reach(i * step - x);
    const sx = Math.round(screenX(c, i * step)) + 0.5;
    g.moveTo(sx, screenY(c, Math.max(z - half, minZ)));
    g.lineTo(sx, screenY(c, Math.min(z + half, maxZ)));
  }
  for (let i = Math.ceil(Math.max(z - radius, minZ) / step); i * step <= Math.min(z + radius, maxZ); i++) {
    const half = reach(i * step - z);
    const sy = Math.round(screenY(c, i * step)) + 0.5;
    g.moveTo(screenX(c, Math.max(x - half, minX)), sy);
    g.lineTo(screenX(c, Math.min(x + half, maxX)), sy);
  }
  g.stroke();
  g.globalAlpha = 1;
}
