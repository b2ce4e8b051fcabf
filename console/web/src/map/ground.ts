import type { Area, Bounds, Solid } from "../api/types";
import { roundStep } from "../lib/format";
import { content, screenX, screenY, worldX, worldZ, type Camera } from "./camera";
import { boxAt, type Box } from "./labels";
import type { Palette } from "./palette";
import { levelFor, tilesIn, type GroundTiles } from "./tiles";

// paintGround paints all that does not move: the tiles of the ground that are loaded, grid, walls, zones and portals. g is scaled to CSS
// pixels by density. margin is the width of the painted border outside the visible part, on each side. Tiles that are missing are
// requested; until the first one is loaded, a plain plate and the rectangles of the waters stand for them. It returns the boxes
// of the names of portals.
export function paintGround(
  g: CanvasRenderingContext2D,
  area: Area,
  c: Camera,
  palette: Palette,
  grid: boolean,
  areaName: (id: number) => string,
  margin: number,
  tiles: GroundTiles | null,
  density: number,
): Box[] {
  g.fillStyle = palette.outside;
  g.fillRect(0, 0, c.width, c.height);
  const seen: Bounds = { minX: worldX(c, 0), maxX: worldX(c, c.width), minZ: worldZ(c, c.height), maxZ: worldZ(c, 0) };
  if (tiles === null || !drawTiles(g, tiles, c, seen, density)) {
    drawGroundPlate(g, content(area), c, palette);
    drawWaters(g, area, c, seen, palette);
  }
  if (grid) drawGrid(g, c, seen, palette);
  drawSolids(g, area, c, seen, palette);
  drawZones(g, area, c, seen, palette);
  drawWaterNames(g, area, c, seen, palette);
  return drawPortals(g, area, c, palette, areaName, margin);
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
  }
}

function drawWaterNames(g: CanvasRenderingContext2D, area: Area, c: Camera, seen: Bounds, palette: Palette): void {
  g.font = "italic 12px system-ui, sans-serif";
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.lineJoin = "round";
  g.lineWidth = 3;
  for (const w of area.waters) {
    if (w.name === "" || w.width * c.scale < g.measureText(w.name).width + 12) continue;
    const x = w.x + w.width / 2;
    const z = w.z + w.depth / 2;
    if (x < seen.minX || x > seen.maxX || z < seen.minZ || z > seen.maxZ) continue;
    g.strokeStyle = palette.water;
    g.strokeText(w.name, screenX(c, x), screenY(c, z));
    g.fillStyle = palette.waterEdge;
    g.fillText(w.name, screenX(c, x), screenY(c, z));
  }
}

// drawZones draws zones of effects as dashed rectangles, with the name of the effect where there is room.
function drawZones(g: CanvasRenderingContext2D, area: Area, c: Camera, seen: Bounds, palette: Palette): void {
  g.strokeStyle = g.fillStyle = palette.portal;
  g.lineWidth = 1;
  g.font = "11px system-ui, sans-serif";
  g.textAlign = "center";
  g.textBaseline = "bottom";
  for (const { min, max, effect, level } of area.zones ?? []) {
    if (min.x > seen.maxX || max.x < seen.minX || min.z > seen.maxZ || max.z < seen.minZ) continue;
    const x = screenX(c, min.x);
    const y = screenY(c, max.z);
    const width = (max.x - min.x) * c.scale;
    const depth = (max.z - min.z) * c.scale;
    g.globalAlpha = 0.08;
    g.fillRect(x, y, width, depth);
    g.globalAlpha = 0.7;
    g.setLineDash([4, 4]);
    g.strokeRect(x, y, width, depth);
    g.setLineDash([]);
    g.globalAlpha = 1;
    const text = `${effect.replace("_", " ")} ${level}`;
    if (width > g.measureText(text).width) g.fillText(text, x + width / 2, y - 3);
  }
}

// drawTiles draws the loaded tiles, coarse ones below fine ones, and requests those that are missing. It returns false if none was
// loaded. Edges lie on whole device pixels, so that no gap is left between two tiles.
function drawTiles(g: CanvasRenderingContext2D, tiles: GroundTiles, c: Camera, seen: Bounds, density: number): boolean {
  const ground = tiles.area.ground!;
  const finest = levelFor(ground, c.scale * density);
  const wanted = tilesIn(ground, finest, seen);
  tiles.want([{ level: 0, x: 0, z: 0 }, ...wanted]);
  g.imageSmoothingEnabled = true;
  g.imageSmoothingQuality = "high";
  const snap = (v: number) => Math.round(v * density) / density;
  let drawn = false;
  for (let level = 0; level <= finest; level++) {
    const edge = ground.size / 2 ** level;
    for (const t of level === finest ? wanted : tilesIn(ground, level, seen)) {
      const picture = tiles.get(t);
      if (picture === undefined) continue;
      drawn = true;
      const left = snap(screenX(c, ground.x + t.x * edge));
      const top = snap(screenY(c, ground.z + (t.z + 1) * edge));
      g.drawImage(picture, left, top, snap(screenX(c, ground.x + (t.x + 1) * edge)) - left, snap(screenY(c, ground.z + t.z * edge)) - top);
    }
  }
  return drawn;
}

// byHeight has the solids of each area, the lowest first, so that higher ones are drawn on top.
const byHeight = new WeakMap<Area, Solid[]>();

function sortedSolids(area: Area): Solid[] {
  let list = byHeight.get(area);
  if (list === undefined) {
    list = [...area.solids].sort((a, b) => a.max.y - b.max.y);
    byHeight.set(area, list);
  }
  return list;
}

function drawSolids(g: CanvasRenderingContext2D, area: Area, c: Camera, seen: Bounds, palette: Palette): void {
  g.fillStyle = palette.solid;
  g.strokeStyle = palette.solidEdge;
  g.lineWidth = 1;
  const edges = c.scale > 0.6;
  for (const { min, max } of sortedSolids(area)) {
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
function drawPortals(g: CanvasRenderingContext2D, area: Area, c: Camera, palette: Palette, areaName: (id: number) => string, margin: number): Box[] {
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
  return drawPortalNames(g, labels, c, palette, margin);
}

// Names that would cover an earlier name or reach over the edge are left out.
function drawPortalNames(g: CanvasRenderingContext2D, labels: { text: string; x: number; y: number }[], c: Camera, palette: Palette, margin: number): Box[] {
  g.font = "11px system-ui, sans-serif";
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.lineJoin = "round";
  g.lineWidth = 3;
  g.strokeStyle = palette.halo;
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
  return drawn.map((d) => boxAt(d.x, d.y, 2 * d.half));
}
