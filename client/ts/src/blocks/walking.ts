// The physics for players that do not glide, in worlds of blocks without liquids: it predicts the own player as the server
// computes its movement.

import type { Avatar } from './avatar.js';
import { heightOf } from './body.js';
import { Entry, START_GLIDE, START_SWIM, STOP_GLIDE, STOP_SWIM } from './entry.js';
import { Ground } from './ground.js';
import type { Body } from './index.js';
import { Keys, KeyState } from './keys.js';
import { step } from './walk.js';

export type { Avatar } from './avatar.js';
export type { Entry } from './entry.js';
export type { Ground, Kind } from './ground.js';
export type { Body } from './index.js';
export type { Keys, KeyState } from './keys.js';

/** KeyState for a player that neither swims nor glides. */
class WalkKeyState extends KeyState {
  override entry(tick: number, k: Keys, a: Avatar, ground: Ground): Entry {
    const e = super.entry(tick, k, a, ground);
    e.keys &= ~(START_SWIM | STOP_SWIM | START_GLIDE | STOP_GLIDE);
    return e;
  }
}

export const body: Body = { ground: (file) => new Ground(file), keys: () => new WalkKeyState(), step, height: heightOf };
