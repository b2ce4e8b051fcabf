// The state of the own player after a tick, and its wire form (docs/wire/web.md, Avatar).

export const ON_GROUND = 1;
export const SNEAKING = 2;
export const SPRINTING = 4;
export const SWIMMING = 8;
export const GLIDING = 16;
export const FLYING = 32;
export const CRAWLING = 64;
export const FORCED_LOW = 128;
export const SNEAK_HELD = 256;
export const MAY_FLY = 512;
export const MAY_GLIDE = 1024;
export const MAY_SPRINT = 2048;
export const USING_ITEM = 4096;
export const IMMOBILE = 8192;
export const DEAD = 16384;
export const SOUL_SPEED = 32768;
export const HAS_KNOCKBACK = 65536;

export const LOW = 1.5; // height of a sneaking body, blocks
export const MAX_KNOCKBACK = 10; // maximum knockback velocity on each axis, blocks per tick

/** Avatar is the state on which the next step depends. Lengths in blocks, speeds in blocks per tick, angles in degrees; all float32. */
export interface Avatar {
  x: number; y: number; z: number; // position of the feet
  vx: number; vy: number; vz: number;
  pitch: number; yaw: number; headYaw: number;
  flags: number; // bits such as ON_GROUND
  collided: number; // axes of the last collision, as bits: 1 x, 2 y, 4 z
  jumpDelay: number; swimPose: number;
  speed: number;
  jumpBoost: number; levitation: number; slowFalling: number; depthStrider: number;
  glideBoost: number;
  kx: number; ky: number; kz: number; // knockback: the velocity of the next tick; only with HAS_KNOCKBACK
}

// The wire form of an avatar: its fields in order, in groups of one number type. A group is the type, followed by the names.
const FORM = [
  ['f32', 'x', 'y', 'z', 'vx', 'vy', 'vz', 'pitch', 'yaw', 'headYaw'], ['u32', 'flags'], ['u8', 'collided', 'jumpDelay', 'swimPose'], ['f32', 'speed'],
  ['u8', 'jumpBoost', 'levitation', 'slowFalling', 'depthStrider'], ['u16', 'glideBoost'], ['f32', 'kx', 'ky', 'kz'],
] as const;

export const newAvatar = (): Avatar => Object.fromEntries(FORM.flatMap(([, ...names]) => names.map((name) => [name, 0]))) as unknown as Avatar;

/** Copies an avatar without an allocation. */
export function copyAvatar(to: Avatar, from: Avatar): Avatar {
  return Object.assign(to, from);
}

/** Reads an avatar. */
export function readAvatar(from: { f32(): number; u32(): number; u16(): number; u8(): number }): Avatar {
  const a = newAvatar();
  for (const [type, ...names] of FORM) {
    if (names[0] !== 'kx' || a.flags & HAS_KNOCKBACK) for (const name of names) a[name] = from[type]();
  }
  return a;
}
