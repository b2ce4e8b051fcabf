import type { Area, Bounds } from "../api/types";
import { roundStep } from "../lib/format";
import { content, screenX, screenY, worldX, worldZ, type Camera } from "./camera";
import type { Palette } from "./palette";

// paintGround paints all that does not move: ground, grid, waters, solids and portals. g is scaled to CSS pixels. margin is the
// width of the painted border outside the visible part, on each side.
export function paintGround(g: CanvasRenderingContext2D, area: Area, c: Camera, palette: Palette, grid: boolean, areaName: (id: number) => string, margin: number): void {
  g.fillStyle = palette.outside;
  g.fillRect(0, 0, c.width, c.height);
  const seen: Bounds = { minX: worldX(c, 0), maxX: worldX(c, c.width), minZ: worldZ(c, c.height), maxZ: worldZ(c, 0) };
  drawGroundPlate(g, content(area), c, palette);
  if (grid) drawGrid(g, c, seen, palette);
  drawWaters(g, area, c, seen, palette);
  drawSolids(g, area, c, seen, palette);
  drawPortals(g, area, c, palette, areaName, margin);
}

function drawGroundPlate(g: CanvasRenderingContext2D, b: Bounds, c: Camera, palette: Palette): void {
  const x = screenX(c, b.minX);
  const y = screenY(c, b.maxZ);
  g.fillStyle = palette.ground;
  g.strokeStyle = palette.gridCoarse;
  g.lineWidth = 1;
  g.beginPath();
  g.rect(x, y, (b.maxX - b.minX) * c.scale, (b.maxZ - b.minZ) * c.scale);
  g.fill();
  g.stroke();
}

// gridStep returns the distance of the fine lines: the smallest round number above 60 pixels. Every fifth line is coarse.
export function gridStep(scale: number): number {
  const step = roundStep(60 / scale);
  return step * scale >= 59.9 ? step : nextStep(step);
}

function nextStep(step: number): number {
  const lead = Math.round(step / 10 ** Math.floor(Math.log10(step) + 1e-9));
  return lead === 2 ? step * 2.5 : step * 2;
}

function drawGrid(g: CanvasRenderingContext2D, c: Camera, seen: Bounds, palette: Palette): void {
  const step = gridStep(c.scale);
  const lines = (coarse: boolean) => {
    g.beginPath();
    for (let i = Math.ceil(seen.minX / step); i * step <= seen.maxX; i++) {
      if ((i % 5 === 0) !== coarse) continue;
      const x = Math.round(screenX(c, i * step)) + 0.5;
      g.moveTo(x, 0);
      g.lineTo(x, c.height);
    }
    for (let i = Math.ceil(seen.minZ / step); i * step <= seen.maxZ; i++) {
      if ((i % 5 === 0) !== coarse) continue;
      const y = Math.round(screenY(c, i * step)) + 0.5;
      g.moveTo(0, y);
      g.lineTo(c.width, y);
    }
    g.stroke();
  };
  g.lineWidth = 1;
  g.strokeStyle = palette.gridFine;
  lines(false);
  g.strokeStyle = palette.gridCoarse;
  lines(true);
}

function drawWaters(g: CanvasRenderingContext2D, area: Area, c: Camera, seen: Bounds, palette: Palette): void {
  g.fillStyle = palette.water;
  g.strokeStyle = palette.waterEdge;
  g.lineWidth = 1;
  for (const w of area.waters) {
    if (w.x > seen.maxX || w.x + w.width < seen.minX || w.z > seen.maxZ || w.z + w.depth < seen.minZ) continue;
    const x = screenX(c, w.x);
    const y = screenY(c, w.z + w.depth);
    g.beginPath();
    g.roundRect(x, y, w.width * c.scale, w.depth * c.scale, Math.min(8, 4 * c.scale));
    g.fill();
    g.stroke();
    if (w.width * c.scale > 90 && w.name !== "") {
      g.font = "italic 11px system-ui, sans-serif";
      g.fillStyle = palette.waterEdge;
      g.textAlign = "center";
      g.textBaseline = "middle";
      g.fillText(w.name, x + (w.width * c.scale) / 2, y + (w.depth * c.scale) / 2);
      g.fillStyle = palette.water;
    }
  }
}

function drawSolids(g: CanvasRenderingContext2D, area: Area, c: Camera, seen: Bounds, palette: Palette): void {
  g.fillStyle = palette.solid;
  g.strokeStyle = palette.solidEdge;
  g.lineWidth = 1;
  const edges = c.scale > 0.6;
  for (const { min, max } of area.solids) {
    if (min.x > seen.maxX || max.x < seen.minX || min.z > seen.maxZ || max.z < seen.minZ) continue;
    const x = screenX(c, min.x);
    const y = screenY(c, max.z);
    const width = Math.max(1, (max.x - min.x) * c.scale);
    const depth = Math.max(1, (max.z - min.z) * c.scale);
    g.fillRect(x, y, width, depth);
    if (edges && width > 3 && depth > 3) g.strokeRect(Math.round(x) + 0.5, Math.round(y) + 0.5, Math.round(width) - 1, Math.round(depth) - 1);
  }
}

// Portals with a target are filled rings with its name; portals without one are small crosses.
function drawPortals(g: CanvasRenderingContext2D, area: Area, c: Camera, palette: Palette, areaName: (id: number) => string, margin: number): void {
  g.strokeStyle = palette.portal;
  g.fillStyle = palette.portal;
  g.lineWidth = 1.5;
  const labels: { text: string; x: number; y: number }[] = [];
  const entrancesFirst = [...area.portals].sort((a, b) => Number(b.to !== null) - Number(a.to !== null));
  for (const p of entrancesFirst) {
    const x = screenX(c, p.x);
    const y = screenY(c, p.z);
    if (x < -80 || y < -80 || x > c.width + 80 || y > c.height + 80) continue;
    const r = p.to === null ? 5 : Math.max(4, p.radius * c.scale);
    g.beginPath();
    if (p.to !== null) {
      g.arc(x, y, r, 0, 2 * Math.PI);
      g.globalAlpha = 0.16;
      g.fill();
      g.globalAlpha = 1;
    } else {
      g.moveTo(x - 4, y);
      g.lineTo(x + 4, y);
      g.moveTo(x, y - 4);
      g.lineTo(x, y + 4);
    }
    g.stroke();
    if (c.scale > (p.to !== null ? 0.45 : 1.1)) labels.push({ text: p.to !== null ? `${p.name} → ${areaName(p.to)}` : p.name, x, y: y + r + 10 });
  }
  drawPortalNames(g, labels, c, palette, margin);
}

// Names that would cover an earlier name or reach over the edge are left out.
function drawPortalNames(g: CanvasRenderingContext2D, labels: { text: string; x: number; y: number }[], c: Camera, palette: Palette, margin: number): void {
  g.font = "11px system-ui, sans-serif";
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.lineJoin = "round";
  g.lineWidth = 3;
  g.strokeStyle = palette.ground;
  const drawn: { x: number; y: number; half: number }[] = [];
  for (const label of labels) {
    const half = g.measureText(label.text).width / 2 + 4;
    const inside = label.x > margin && label.x < c.width - margin;
    const x = inside ? Math.max(margin + half, Math.min(c.width - margin - half, label.x)) : label.x;
    if (drawn.some((d) => Math.abs(d.x - x) < d.half + half && Math.abs(d.y - label.y) < 14)) continue;
    drawn.push({ x, y: label.y, half });
    g.strokeText(label.text, x, label.y);
    g.fillText(label.text, x, label.y);
  }
}
