type Point = { x: number; z: number };

// drawingFrame returns the part of the ground to draw for two positions, with a margin: north up, one scale for both axes.
export function drawingFrame(a: Point, b: Point, wide: number, high: number) {
  const margin = 56;
  const least = 6; // units: positions closer together are not magnified further
  const dx = Math.max(least, Math.abs(a.x - b.x));
  const dz = Math.max(least, Math.abs(a.z - b.z));
  const scale = Math.min((wide - 2 * margin) / dx, (high - 2 * margin) / dz);
  const mid = { x: (a.x + b.x) / 2, z: (a.z + b.z) / 2 };
  return {
    scale,
    at: (p: Point): [number, number] => [wide / 2 + (p.x - mid.x) * scale, high / 2 - (p.z - mid.z) * scale],
    box: {
      minX: mid.x - wide / 2 / scale,
      maxX: mid.x + wide / 2 / scale,
      minZ: mid.z - high / 2 / scale,
      maxZ: mid.z + high / 2 / scale,
    },
  };
}
