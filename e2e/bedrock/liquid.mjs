// Water and lava: levels, contact and currents, in float32. Written from docs/wire/bedrock.md, liquids; it shares no code with
// sim/terrain. Members of a block: liquid ('water' or 'lava'), depth (0 for a source; 8 or more for a falling liquid) and bubbles
// ('up' or 'down').
import fs from 'node:fs';

const f = Math.fround;
const FALLS = 8;

/** The constants of water and lava, as the server has them. */
export const liquids = JSON.parse(fs.readFileSync(new URL('testdata/movement_tables.json', import.meta.url), 'utf8')).liquids;

const levelOf = ({ depth = 0 }) => (depth >= FALLS ? 0 : depth);

/** The height of the surface of the liquid in a block. */
export const topOf = (world, x, y, z) => f(y + f(1 - f(levelOf(world.block(x, y, z)) / 9)));

/** Whether a point is below the surface of a liquid. */
export function isIn(world, [px, py, pz], liquid) {
  const [x, y, z] = [px, py, pz].map(Math.floor);
  if (world.block(x, y, z).liquid !== liquid) return false;
  return world.block(x, y + 1, z).liquid === liquid || py < topOf(world, x, y, z);
}

/** The cells that a box touches. */
export function cellsOf(b) {
  const [x0, y0, z0, x1, y1, z1] = b.map(Math.floor);
  const cells = [];
  for (let x = x0; x <= x1; x++) {
    for (let y = y0; y <= y1; y++) for (let z = z0; z <= z1; z++) cells.push([x, y, z]);
  }
  return cells;
}

/** Whether a block of the liquid, which counts as full, touches a box. */
export const touches = (world, b, liquid) => cellsOf(b).some((cell) => world.block(...cell).liquid === liquid);

/** The box of a player or vehicle for contact with a liquid: smaller by contactAcross and contactUp, but not below a size of 0. */
export function contactBox([x, y, z], halfWidth, height, { contactAcross, contactUp }) {
  const [a, u] = [f(contactAcross), f(contactUp)];
  let [low, high] = [f(y + u), f(f(y + height) - u)];
  if (low > high) low = high = f(y + f(height * 0.5));
  return [f(f(x - halfWidth) + a), low, f(f(z - halfWidth) + a), f(f(x + halfWidth) - a), high, f(f(z + halfWidth) - a)];
}

const SIDES = [[-1, 0], [1, 0], [0, -1], [0, 1]];

/** The velocity that the current of a liquid adds in a tick to the body with box b. strength: of the current, in blocks per tick. */
export function current(world, b, liquid, strength) {
  let sum = [0, 0, 0];
  let flows = false;
  for (const cell of cellsOf(b)) {
    const own = world.block(...cell);
    if (own.liquid !== liquid) continue;
    const pull = pullOf(world, cell, own);
    flows ||= pull.flows;
    sum = sum.map((v, i) => f(v + pull.to[i]));
  }
  if (!flows) return [0, 0, 0];
  return unit(sum).map((v) => f(v * f(strength)));
}

/** The direction in which one block of liquid flows: a vector of length 1, or of length 0 if the block does not flow. */
function pullOf(world, [x, y, z], own) {
  let [px, pz] = [0, 0];
  let flows = (own.depth ?? 0) > 0;
  let wall = false;
  for (const [dx, dz] of SIDES) {
    const side = world.block(x + dx, y, z + dz);
    let slope = 0;
    if (side.liquid === own.liquid) {
      flows ||= (side.depth ?? 0) > 0;
      slope = levelOf(side) - levelOf(own);
    } else if (side.boxes.length > 0) wall = true;
    else {
      const below = world.block(x + dx, y - 1, z + dz);
      if (below.liquid === own.liquid) {
        flows ||= (below.depth ?? 0) > 0;
        slope = levelOf(below) + FALLS - levelOf(own);
      }
    }
    px += dx * slope;
    pz += dz * slope;
  }
  let to = unit([px, 0, pz]);
  if ((own.depth ?? 0) >= FALLS && wall) to = unit([to[0], f(to[1] - 6), to[2]]);
  return { to, flows };
}

function unit(v) {
  const length = f(Math.sqrt(v.reduce((sum, c) => f(sum + f(c * c)), 0)));
  return length > 0 ? v.map((c) => f(c / length)) : [0, 0, 0];
}
