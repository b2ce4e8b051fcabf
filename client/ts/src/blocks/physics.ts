// The whole movement of the own player in each tick: on land, in liquids and gliding. The result equals that of the server to the
// last bit (docs/wire/bedrock.md, movement physics).

import { Avatar, DEAD, FLYING, GLIDING, MAY_GLIDE, ON_GROUND, SWIMMING } from './avatar.js';
import { a, has, heightOf } from './body.js';
import { Entry } from './entry.js';
import { stepGlide } from './glide.js';
import type { Ground } from './ground.js';
import { LAVA, rideBubbles, stepLiquid, touches, WATER } from './liquid.js';
import { begin, end, grant, halt, held, requestSneak, requestSprint, stepWalk, touch } from './walk.js';

/** Moves the avatar by one tick. The same avatar, entry and ground give the same bits as on the server. */
export function step(avatar: Avatar, entry: Entry, blocks: Ground): void {
  begin(avatar, entry, blocks);
  const before = heightOf(a), water = touches(WATER), liquid = touches(LAVA) ? LAVA : water && WATER;
  a.swimPose = Math.max(0, Math.min(a.swimPose + (has(SWIMMING) ? 1 : -1), 10));
  if (!has(DEAD)) {
    requestSprint();
    grant(SWIMMING, water);
    grant(GLIDING, has(MAY_GLIDE) && !has(ON_GROUND | FLYING) && !liquid && !a.levitation);
    requestSneak(before);
  }
  touch();
  let boost = 1; // remaining ticks of a firework, the present tick included
  if (held() || (liquid && (a.levitation || a.slowFalling))) halt();
  else if (!liquid && has(GLIDING)) {
    stepGlide();
    if (!has(ON_GROUND)) boost = a.glideBoost;
  } else {
    if (liquid) stepLiquid(liquid);
    else stepWalk();
    rideBubbles();
  }
  a.glideBoost = Math.max(boost - 1, 0);
  end();
}
