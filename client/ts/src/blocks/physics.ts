// The whole movement of the own player in each tick: on land, in liquids and gliding. It is the server's to the last bit
// (docs/wire/bedrock.md, movement physics).

import { Avatar, DEAD, FLYING, GLIDING, MAY_GLIDE, ON_GROUND, SWIMMING } from './avatar.js';
import { has, heightOf } from './body.js';
import { Entry, START_GLIDE, START_SWIM, STOP_GLIDE, STOP_SWIM } from './entry.js';
import { stepGlide } from './glide.js';
import { Ground } from './ground.js';
import { LAVA, rideBubbles, stepLiquid, touches, WATER } from './liquid.js';
import { begin, grant, halt, held, requestSneak, requestSprint, stepWalk, touch } from './walk.js';

/** Moves the avatar by one tick. The same avatar, entry and ground give the same bits as on the server. */
export function step(a: Avatar, e: Entry, ground: Ground): void {
  begin(a, e);
  const before = heightOf(a), water = touches(a, WATER, ground), liquid = touches(a, LAVA, ground) ? LAVA : water ? WATER : 0;
  a.swimPose = has(a, SWIMMING) ? Math.min(a.swimPose + 1, 10) : Math.max(a.swimPose - 1, 0);
  if (!has(a, DEAD)) {
    requestSprint(a, e);
    grant(a, SWIMMING, water, e.keys, START_SWIM, STOP_SWIM);
    grant(a, GLIDING, has(a, MAY_GLIDE) && !has(a, ON_GROUND | FLYING) && !liquid && !a.levitation, e.keys, START_GLIDE, STOP_GLIDE);
    requestSneak(a, e.keys, before, ground);
  }
  touch(a, ground);
  const onlyServerKnows = held(a) || (liquid > 0 && (a.levitation > 0 || a.slowFalling > 0)), glides = !liquid && has(a, GLIDING);
  if (onlyServerKnows) halt(a);
  else if (glides) stepGlide(a, ground);
  else {
    if (liquid) stepLiquid(a, e, liquid, ground);
    else stepWalk(a, e, ground);
    rideBubbles(a, ground);
  }
  if (a.jumpDelay > 0) a.jumpDelay--;
  a.glideBoost = glides && !onlyServerKnows && !has(a, ON_GROUND) ? Math.max(a.glideBoost - 1, 0) : 0;
}
