import type { Area, Bounds } from "../api/types";

// Camera is the visible part of an area: the world position in the middle and the number of pixels per world unit.
// x grows to the right (east), z upward (north). Pixels are CSS pixels of the canvas.
export interface Camera {
  x: number;
  z: number;
  scale: number;
  width: number;
  height: number;
}

// Limits of the scale in pixels per unit, whatever the area.
export const leastScale = 0.01;
export const mostScale = 64;

// leastScaleOf returns the smallest scale for an area, at which the whole area fills half of the canvas.
export function leastScaleOf(c: Camera, b: Bounds): number {
  return Math.max(leastScale, fit(c, b).scale / 2);
}

export const screenX = (c: Camera, x: number): number => c.width / 2 + (x - c.x) * c.scale;
export const screenY = (c: Camera, z: number): number => c.height / 2 - (z - c.z) * c.scale;
export const worldX = (c: Camera, sx: number): number => c.x + (sx - c.width / 2) / c.scale;
export const worldZ = (c: Camera, sy: number): number => c.z - (sy - c.height / 2) / c.scale;

// zoomAt multiplies the scale by factor, but not below least. The world position under the given pixel stays under that pixel.
export function zoomAt(c: Camera, factor: number, sx: number, sy: number, least = leastScale): Camera {
  const scale = Math.min(mostScale, Math.max(Math.min(least, c.scale), c.scale * factor)); // a camera beyond the limit is not moved
  const x = worldX(c, sx);
  const z = worldZ(c, sy);
  return { ...c, scale, x: x - (sx - c.width / 2) / scale, z: z + (sy - c.height / 2) / scale };
}

export function panBy(c: Camera, dx: number, dy: number): Camera {
  return { ...c, x: c.x - dx / c.scale, z: c.z + dy / c.scale };
}

// fit returns a camera that shows all of bounds, with a margin around it in pixels.
export function fit(c: Camera, b: Bounds, margin = 32): Camera {
  const width = Math.max(1e-3, b.maxX - b.minX);
  const depth = Math.max(1e-3, b.maxZ - b.minZ);
  const scale = Math.min(Math.max(40, c.width - 2 * margin) / width, Math.max(40, c.height - 2 * margin) / depth);
  return {
    ...c,
    x: (b.minX + b.maxX) / 2,
    z: (b.minZ + b.maxZ) / 2,
    scale: Math.min(mostScale, Math.max(leastScale, scale)),
  };
}

const maxExtent = 20_000; // units; larger bounds are the limits of a file format, not of the content

// content returns the part of an area to show at first: its bounds, or if those are too wide the smallest rectangle around its
// content.
export function content(area: Area): Bounds {
  const b = area.bounds;
  const sound = [b.minX, b.minZ, b.maxX, b.maxZ].every(Number.isFinite);
  if (sound && b.maxX > b.minX && b.maxZ > b.minZ && b.maxX - b.minX <= maxExtent && b.maxZ - b.minZ <= maxExtent) return b;
  const box: Bounds = { minX: Infinity, minZ: Infinity, maxX: -Infinity, maxZ: -Infinity };
  const add = (x: number, z: number) => {
    box.minX = Math.min(box.minX, x);
    box.minZ = Math.min(box.minZ, z);
    box.maxX = Math.max(box.maxX, x);
    box.maxZ = Math.max(box.maxZ, z);
  };
  for (const p of area.portals) add(p.x, p.z);
  for (const s of area.solids) {
    add(s.min.x, s.min.z);
    add(s.max.x, s.max.z);
  }
  for (const w of area.waters) {
    add(w.x, w.z);
    add(w.x + w.width, w.z + w.depth);
  }
  if (!Number.isFinite(box.minX)) return { minX: -250, minZ: -250, maxX: 250, maxZ: 250 };
  return { minX: box.minX - 60, minZ: box.minZ - 60, maxX: box.maxX + 60, maxZ: box.maxZ + 60 };
}
