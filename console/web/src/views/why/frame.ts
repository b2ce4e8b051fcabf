type Point = { x: number; z: number };

// drawingFrame returns the part of the ground that a drawing of two positions shows, with a margin. North is up; both axes have
// the same scale.
export function drawingFrame(a: Point, b: Point, width: number, height: number) {
  const margin = 56;
  const minSpan = 6; // minimum distance on each axis for the choice of the scale, in units; the margin comes on top
  const dx = Math.max(minSpan, Math.abs(a.x - b.x));
  const dz = Math.max(minSpan, Math.abs(a.z - b.z));
  const scale = Math.min((width - 2 * margin) / dx, (height - 2 * margin) / dz);
  const mid = { x: (a.x + b.x) / 2, z: (a.z + b.z) / 2 };
  return {
    scale,
    at: (p: Point): [number, number] => [width / 2 + (p.x - mid.x) * scale, height / 2 - (p.z - mid.z) * scale],
    box: {
      minX: mid.x - width / 2 / scale,
      maxX: mid.x + width / 2 / scale,
      minZ: mid.z - height / 2 / scale,
      maxZ: mid.z + height / 2 / scale,
    },
  };
}
