// Converts the keys of a player to the entry of a tick: the keys that are held, and requests for keys that were pressed or
// released. The Go package client/keys does the same.

import { Avatar, MAY_SPRINT, ON_GROUND, SPRINTING, SWIMMING, USING_ITEM } from './avatar.js';
import { has } from './body.js';
import { Entry, JUMPING, JUMP_DOWN, SNEAK_DOWN, SPRINT_RETRY, START_JUMP, START_SNEAK, START_SPRINT, STOP_SNEAK, STOP_SPRINT, WANT_DOWN, WANT_UP } from './entry.js';
import type { Ground } from './ground.js';
import { bound } from './number.js';

/**
 * Keys and view of the player. Sticks -1..1: strafe positive to the left. Angles in degrees: yaw 0 faces +z, 90 faces -x; pitch
 * -90 is up.
 */
export interface Keys { forward: number; strafe: number; yaw: number; pitch: number; jump: boolean; sneak: boolean; sprint: boolean; glide: boolean }

export const noKeys = (): Keys => ({ forward: 0, strafe: 0, yaw: 0, pitch: 0, jump: false, sneak: false, sprint: false, glide: false });

const stick = (x: number): number => {
  const v = bound(x, 1) * 127;
  return Math.sign(v) * Math.round(Math.abs(v));
};

export class KeyState {
  private last: Partial<Keys> = {}; // keys of the last tick
  private asked = -SPRINT_RETRY;

  /** The entry of the next tick without requests other than a jump, for drawing. */
  peek(k: Keys, a: Avatar): Entry {
    let keys = k.sneak ? SNEAK_DOWN | WANT_DOWN : 0;
    if (k.jump) keys |= JUMP_DOWN | JUMPING | WANT_UP | (has(a, ON_GROUND) && !a.jumpDelay ? START_JUMP : 0);
    return { keys, yaw: (Math.round((k.yaw / 360) * 65536) << 16) >> 16, pitch: Math.round(bound(k.pitch, 90)), strafe: stick(k.strafe), forward: stick(k.forward) };
  }

  /** The entry of a tick for a player in state a. */
  entry(tick: number, k: Keys, a: Avatar, _ground: Ground): Entry {
    const e = this.peek(k, a), forward = e.forward / 127, last = this.last;
    if (k.sneak !== !!last.sneak) e.keys |= k.sneak ? START_SNEAK : STOP_SNEAK;
    const sprint = k.sprint && (forward > 0.7 || (has(a, SWIMMING) && forward > 0)) && has(a, MAY_SPRINT) && !has(a, USING_ITEM) && !k.sneak;
    if (sprint !== has(a, SPRINTING) && (tick - this.asked >= SPRINT_RETRY || last.sprint !== k.sprint || last.forward !== forward)) {
      this.asked = tick;
      e.keys |= sprint ? START_SPRINT : STOP_SPRINT;
    }
    this.last = { ...k, forward };
    return e;
  }
}
