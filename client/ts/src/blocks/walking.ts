// The physics for players that do not glide, in worlds of blocks without liquids: it predicts the own player as the server
// computes its movement.

import type { Body } from './index.js';
import { heightOf } from './body.js';
import { Ground } from './ground.js';
import { KeyState } from './keys.js';
import { step } from './walk.js';

export type { Avatar } from './avatar.js';
export type { Entry } from './entry.js';
export type { Ground, Kind } from './ground.js';
export type { Body } from './index.js';
export type { Keys, KeyState } from './keys.js';

export const body: Body = { ground: (file) => new Ground(file), keys: () => new KeyState(), step, height: heightOf };
