// The input of one tick (docs/wire/web.md, Input).

export const JUMP_DOWN = 1;
export const JUMPING = 2;
export const START_JUMP = 4;
export const SNEAK_DOWN = 8;
export const START_SNEAK = 16;
export const STOP_SNEAK = 32;
export const START_SPRINT = 64;
export const STOP_SPRINT = 128;
export const START_SWIM = 256;
export const STOP_SWIM = 512;
export const START_GLIDE = 1024;
export const STOP_GLIDE = 2048;
export const WANT_UP = 4096;
export const WANT_DOWN = 8192;
export const HANDLED_TELEPORT = 16384;

export const JUMP_DELAY = 10; // ticks until a held jump key makes the player jump again
export const SPRINT_RETRY = 10; // ticks until a request to sprint is repeated

/**
 * The request to start the movement that a flag of the avatar stands for: START_SNEAK of SNEAKING, and so on with sprinting, swimming and
 * gliding. The request to stop it is the next bit.
 */
export const startOf = (flag: number): number => 4 * flag * flag;

/** Entry is one tick of keys, angles and sticks, rounded as on the wire. */
export interface Entry {
  keys: number;
  yaw: number; // direction of view in 1/65536 turns, -32768..32767
  pitch: number; // pitch of the view in degrees, -90 up..90 down
  strafe: number; // -127..127
  forward: number; // -127..127
}
