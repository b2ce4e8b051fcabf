// Converts the keys of a player to the entry of a tick: the keys that are held, and requests for keys that were pressed or
// released. The Go package client/keys does the same.

import { Avatar, DEAD, FLYING, GLIDING, MAY_GLIDE, MAY_SPRINT, ON_GROUND, SPRINTING, SWIMMING, USING_ITEM } from './avatar.js';
import { Ground } from './ground.js';
import {
  Entry, eyesUnderWater, JUMPING, JUMP_DOWN, SNEAK_DOWN, START_GLIDE, START_JUMP, START_SNEAK, START_SPRINT, START_SWIM, STOP_GLIDE, STOP_SNEAK,
  STOP_SPRINT, STOP_SWIM, touchesWater, WANT_DOWN, WANT_UP,
} from './physics.js';

/**
 * Keys and view of the player. Sticks -1..1: strafe positive to the left. Angles in degrees: yaw 0 faces +z, 90 faces -x; pitch
 * -90 is up.
 */
export interface Keys { forward: number; strafe: number; yaw: number; pitch: number; jump: boolean; sneak: boolean; sprint: boolean; glide: boolean }

export const noKeys = (): Keys => ({ forward: 0, strafe: 0, yaw: 0, pitch: 0, jump: false, sneak: false, sprint: false, glide: false });

const round = (x: number, m: number): number => {
  const v = Math.min(Math.max(x, -1), 1) * m;
  return v < 0 ? -Math.round(-v) : Math.round(v);
};
const RETRY = 10;

// Stores view and movement keys in the entry, rounded as on the wire.
function fill(e: Entry, k: Keys): Entry {
  e.keys = 0;
  e.yaw = (Math.round((k.yaw / 360) * 65536) << 16) >> 16;
  e.pitch = Math.round(Math.min(Math.max(k.pitch, -90), 90));
  e.strafe = round(k.strafe, 127);
  e.forward = round(k.forward, 127);
  return e;
}

export class KeyState {
  private sneak = false;
  private sprint = false;
  private forward = 0;
  private asked = -RETRY;

  private next: Entry = { keys: 0, yaw: 0, pitch: 0, strafe: 0, forward: 0 };

  /** The entry of the next tick without requests other than a jump, for drawing. It is valid until the next call. */
  peek(k: Keys, a: Avatar): Entry {
    fill(this.next, k);
    if (k.jump) this.next.keys |= JUMP_DOWN | JUMPING | (a.flags & ON_GROUND && a.jumpDelay === 0 ? START_JUMP : 0);
    if (k.sneak) this.next.keys |= SNEAK_DOWN;
    return this.next;
  }

  /** The entry of a tick for a player in state a. */
  entry(tick: number, k: Keys, a: Avatar, ground: Ground): Entry {
    const e: Entry = fill({ keys: 0, yaw: 0, pitch: 0, strafe: 0, forward: 0 }, k);
    const forward = e.forward / 127;
    const on = (flags: number, yes: boolean): void => {
      if (yes) e.keys |= flags;
    };
    const is = (flag: number): boolean => (a.flags & flag) !== 0;
    on(JUMP_DOWN | JUMPING | WANT_UP, k.jump);
    on(START_JUMP, k.jump && is(ON_GROUND) && a.jumpDelay === 0);
    on(SNEAK_DOWN | WANT_DOWN, k.sneak);
    on(START_SNEAK, k.sneak && !this.sneak);
    on(STOP_SNEAK, !k.sneak && this.sneak);
    on(START_GLIDE, k.glide && is(MAY_GLIDE) && !is(GLIDING) && !is(ON_GROUND) && a.levitation === 0);
    on(STOP_GLIDE, !k.glide && is(GLIDING));
    const sprint = k.sprint && (forward > 0.7 || (is(SWIMMING) && forward > 0)) && is(MAY_SPRINT) && !is(USING_ITEM) && !k.sneak;
    if (sprint !== is(SPRINTING) && (tick - this.asked >= RETRY || this.sprint !== k.sprint || this.forward !== forward)) {
      this.asked = tick;
      e.keys |= sprint ? START_SPRINT : STOP_SPRINT;
    }
    let swim = k.sprint && forward > 0 && !k.sneak && !is(DEAD) && !is(FLYING);
    if (swim) swim = is(SWIMMING) ? touchesWater(a, ground) : is(MAY_SPRINT) && forward > 0.7 && eyesUnderWater(a, ground);
    if (swim !== is(SWIMMING)) e.keys |= swim ? START_SWIM : STOP_SWIM;
    this.sneak = k.sneak;
    this.sprint = k.sprint;
    this.forward = forward;
    return e;
  }
}
