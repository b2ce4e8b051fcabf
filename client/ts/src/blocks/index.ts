// The physics for worlds made of blocks, which predicts the movement of the own player with the same rules as the server.

import { Avatar } from './avatar.js';
import { Ground } from './ground.js';
import { Entry } from './entry.js';
import { heightOf } from './body.js';
import { step } from './physics.js';
import { KeyState } from './keys.js';

export type { Avatar } from './avatar.js';
export type { Kind } from './ground.js';
export type { Keys } from './keys.js';
export type { Entry } from './entry.js';
export { Ground } from './ground.js';
export { KeyState } from './keys.js';
export { step } from './physics.js';
export { heightOf } from './body.js';

/** The functions with which connect predicts the own player. */
export interface Body {
  ground(file: Uint8Array): Ground;
  keys(): KeyState;
  step(a: Avatar, e: Entry, ground: Ground): unknown;
  height(a: Avatar): number;
}

export const body: Body = { ground: (file) => new Ground(file), keys: () => new KeyState(), step, height: heightOf };
