// Converts the keys of a player to the input of a tick (Entry): the keys that are held, and requests that follow from keys that
// were pressed or released. The Go package client/keys does the same.

import { Avatar, DEAD, FLYING, GLIDING, MAY_GLIDE, MAY_SPRINT, ON_GROUND, SNEAKING, SPRINTING, SWIMMING, USING_ITEM } from './avatar.js';
import { has, load } from './body.js';
import { Entry, JUMPING, JUMP_DOWN, SNEAK_DOWN, SPRINT_RETRY, START_JUMP, startOf, WANT_DOWN, WANT_UP } from './entry.js';
import type { Ground } from './ground.js';
import { eyesUnderWater, touches, WATER } from './liquid.js';
import { bound } from './number.js';

/**
 * Keys and view of the player. Sticks -1..1: strafe positive to the left. Angles in degrees: yaw 0 faces +z, 90 faces -x; pitch
 * -90 is up.
 */
export interface Keys { forward: number; strafe: number; yaw: number; pitch: number; jump: boolean; sneak: boolean; sprint: boolean; glide: boolean }

export const noKeys = (): Keys => ({ forward: 0, strafe: 0, yaw: 0, pitch: 0, jump: false, sneak: false, sprint: false, glide: false });

const stick = (x: number): number => Math.trunc(bound(x, 1) * 127 + Math.sign(x) / 2);

export class KeyState {
  private last: Partial<Keys> = {}; // keys of the last tick
  private asked = -SPRINT_RETRY;

  /** The entry of the next tick without requests other than a jump, for drawing. */
  peek(k: Keys, a: Avatar): Entry {
    const start = has(ON_GROUND, a) && !a.jumpDelay ? START_JUMP : 0;
    return {
      keys: (+k.sneak * (SNEAK_DOWN | WANT_DOWN)) | (+k.jump * (JUMP_DOWN | JUMPING | WANT_UP | start)),
      yaw: (Math.round((k.yaw / 360) * 65536) << 16) >> 16, pitch: Math.round(bound(k.pitch, 90)), strafe: stick(k.strafe), forward: stick(k.forward),
    };
  }

  /** The entry of a tick for a player in state a. */
  entry(tick: number, k: Keys, a: Avatar, ground: Ground): Entry {
    load(a, ground);
    const e = this.peek(k, a), forward = e.forward / 127, last = this.last, runs = k.sprint && !k.sneak && forward > (has(SWIMMING) ? 0 : 0.7);
    const request = (flag: number, on: boolean, was = has(flag)): void => {
      if (on !== was) e.keys |= startOf(flag) * (on ? 1 : 2);
    };
    request(SNEAKING, k.sneak, !!last.sneak);
    request(GLIDING, k.glide && (has(GLIDING) || (has(MAY_GLIDE) && !has(ON_GROUND) && !a.levitation)));
    request(SWIMMING, runs && !has(DEAD | FLYING) && (has(SWIMMING) ? touches(WATER) : has(MAY_SPRINT) && eyesUnderWater()));
    const sprint = runs && has(MAY_SPRINT) && !has(USING_ITEM);
    if (sprint !== has(SPRINTING) && (tick - this.asked >= SPRINT_RETRY || last.sprint !== k.sprint || last.forward !== forward)) {
      this.asked = tick;
      request(SPRINTING, sprint);
    }
    this.last = { ...k, forward };
    return e;
  }
}
