// The walking courses (lanes) of yard.toml, in blocks: the x coordinate of each, and the inputs that a player sends on it.

export const start = [0.5, 64, 0.5];
export const gate = { at: [-8.5, -6.5], to: [40.5, 64, -30.5] }; // a portal from at to another place in the yard
export const door = { at: [8.5, -6.5], to: [3.5, 70, -3.5] }; // leads to the cellar
export const wayOut = { at: [-4.5, -3.5], to: [0.5, 64, -4.5] }; // the portal from the cellar back to the yard

const walk = { move: [0, 1] };
const sprint = { move: [0, 1], flags: ['start_sprinting'] };
const sneak = { move: [0, 1], flags: ['start_sneaking'] };
const climb = { move: [0, 1], flags: ['jumping'] };
const jump = { move: [0, 1], flags: ['start_jumping', 'jumping'] };
const still = { move: [0, 0] };

// plan: a list of [number of ticks, input]. end(pos): whether pos is the expected final position of the feet.
export const lanes = [
  { name: 'a wall stops the player', x: -6.5, plan: [[50, walk]], end: ([, y, z]) => y === 64 && Math.abs(z - 11.7) < 1e-3 },
  { name: 'slabs are climbed, blocks are not', x: -4.5, plan: [[45, walk]], end: ([, y, z]) => y === 66 && z > 13 },
  { name: 'packed ice is slippery', x: -2.5, plan: [[30, sprint], [20, still]], end: ([, y, z]) => y === 64 && z > 12 },
  { name: 'soul sand slows the player', x: -0.5, plan: [[60, walk]], end: ([, y, z]) => y <= 64 && z > 10 },
  { name: 'slime bounces the player', x: 1.5, plan: [[22, walk], [1, jump], [60, still]], end: ([, y]) => y >= 64 },
  { name: 'a ladder is climbed', x: 3.5, plan: [[24, walk], [21, climb], [20, walk]], end: ([, y]) => y === 68 },
  { name: 'a web slows the player', x: 5.5, plan: [[40, walk]], end: ([, y, z]) => y === 64 && z < 10 },
  { name: 'blue ice is more slippery', x: 11.5, plan: [[30, sprint], [30, still]], end: ([, y, z]) => y === 64 && z > 13 },
  { name: 'walk, jump and sprint jump on grass', x: 13.5, plan: [[20, walk], [1, jump], [14, walk], [10, sprint], [1, jump], [25, walk], [10, still]], end: ([, y]) => y === 64 },
  { name: 'sneaking on grass', x: 15.5, plan: [[5, walk], [1, sneak], [20, walk], [1, { move: [0, 1], flags: ['stop_sneaking'] }], [10, walk], [10, still]], end: ([, y]) => y === 64 },
];

/** The script for Bot.script of a plan that starts at tick first. Flags are sent only in the first tick of each part; jumping is held. */
export function script(plan, first, yaw = 0) {
  const parts = [];
  let at = first;
  for (const [ticks, what] of plan) parts.push({ from: at, to: (at += ticks), what });
  const play = (tick) => {
    const part = parts.find(({ from, to }) => tick >= from && tick < to);
    if (!part) return { move: [0, 0], yaw };
    const held = (part.what.flags ?? []).filter((f) => f === 'jumping' || tick === part.from);
    return { ...part.what, yaw: part.what.yaw ?? yaw, flags: held };
  };
  play.end = at;
  return play;
}
