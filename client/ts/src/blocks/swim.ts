// Requests to swim and to glide, beside those of keys.ts.

import { Avatar, DEAD, FLYING, GLIDING, MAY_GLIDE, MAY_SPRINT, ON_GROUND, SWIMMING } from './avatar.js';
import { has } from './body.js';
import { Entry, START_GLIDE, START_SWIM, STOP_GLIDE, STOP_SWIM } from './entry.js';
import { Ground } from './ground.js';
import { Keys, KeyState as WalkKeyState } from './keys.js';
import { eyesUnderWater, touches, WATER } from './liquid.js';

/** KeyState for a player that also swims and glides. */
export class KeyState extends WalkKeyState {
  override entry(tick: number, k: Keys, a: Avatar, ground: Ground): Entry {
    const e = super.entry(tick, k, a, ground), forward = e.forward / 127, swims = has(a, SWIMMING);
    if (k.glide && has(a, MAY_GLIDE) && !has(a, GLIDING | ON_GROUND) && !a.levitation) e.keys |= START_GLIDE;
    if (!k.glide && has(a, GLIDING)) e.keys |= STOP_GLIDE;
    let swim = k.sprint && forward > 0 && !k.sneak && !has(a, DEAD | FLYING);
    if (swim) swim = swims ? touches(a, WATER, ground) : has(a, MAY_SPRINT) && forward > 0.7 && eyesUnderWater(a, ground);
    if (swim !== swims) e.keys |= swim ? START_SWIM : STOP_SWIM;
    return e;
  }
}
