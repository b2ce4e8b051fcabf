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

export const LOW = 1.5; // height of a sneaking body
export const MAX_KNOCKBACK = 10; // on each axis, blocks per tick

/** Avatar is the state on which the next step depends. Lengths in blocks, speeds in blocks per tick, angles in degrees; numbers are float32. */
export interface Avatar {
  x: number; y: number; z: number; // of the feet
  vx: number; vy: number; vz: number;
  pitch: number; yaw: number; headYaw: number;
  flags: number; // ON_GROUND and so on
  collided: number; // 1 x, 2 y, 4 z
  jumpDelay: number; swimPose: number;
  speed: number;
  jumpBoost: number; levitation: number; slowFalling: number; depthStrider: number;
  glideBoost: number;
  kx: number; ky: number; kz: number;
}

export function newAvatar(): Avatar {
  return {
    x: 0, y: 0, z: 0, vx: 0, vy: 0, vz: 0, pitch: 0, yaw: 0, headYaw: 0, flags: 0, collided: 0, jumpDelay: 0, swimPose: 0, speed: 0,
    jumpBoost: 0, levitation: 0, slowFalling: 0, depthStrider: 0, glideBoost: 0, kx: 0, ky: 0, kz: 0,
  };
}

/** Copies an avatar without an allocation. */
export function copyAvatar(to: Avatar, from: Avatar): Avatar {
  return Object.assign(to, from);
}

/** Reads an avatar and returns the offset behind it. */
export function readAvatar(a: Avatar, v: DataView, at: number): number {
  const f = (): number => v.getFloat32((at += 4) - 4, true);
  a.x = f(); a.y = f(); a.z = f();
  a.vx = f(); a.vy = f(); a.vz = f();
  a.pitch = f(); a.yaw = f(); a.headYaw = f();
  a.flags = v.getUint32(at, true);
  a.collided = v.getUint8(at + 4);
  a.jumpDelay = v.getUint8(at + 5);
  a.swimPose = v.getUint8(at + 6);
  at += 7;
  a.speed = f();
  a.jumpBoost = v.getUint8(at);
  a.levitation = v.getUint8(at + 1);
  a.slowFalling = v.getUint8(at + 2);
  a.depthStrider = v.getUint8(at + 3);
  a.glideBoost = v.getUint16(at + 4, true);
  at += 6;
  a.kx = a.ky = a.kz = 0;
  if (a.flags & HAS_KNOCKBACK) {
    a.kx = f(); a.ky = f(); a.kz = f();
  }
  return at;
}
