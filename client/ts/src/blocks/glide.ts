// Gliding (server: sim/move, physics_glide.go).

import { Avatar } from './avatar.js';
import { got, lengthXZ2, sweep } from './body.js';
import { Ground } from './ground.js';
import { fr } from './number.js';
import { cosine, sine } from './trig.js';
import { GRAVITY, RAD } from './walk.js';

const LIFT = fr(0.06);
const SINK = fr(-0.1);
const CLIMB = fr(0.04);
const CLIMB_HEIGHT = fr(3.2);
const TURN = fr(0.1);
const ACROSS = fr(0.99);
const UP = fr(0.98);
const LEVEL = fr(1e-6);
const BOOST_SPEED = fr(1.5);
const BOOST = fr(0.1);

export function stepGlide(a: Avatar, ground: Ground): void {
  const pitch = fr(a.pitch * RAD), yaw = fr(a.yaw * RAD), level = cosine(pitch), up = -sine(pitch), x = -sine(yaw), z = cosine(yaw);
  const across = fr(Math.sqrt(lengthXZ2(a.vx, a.vz))), level2 = fr(level * level);
  const pushAhead = (by: number): void => {
    a.vx = fr(a.vx + fr(x * by));
    a.vz = fr(a.vz + fr(z * by));
  };
  a.vy = fr(a.vy + fr(fr(level2 * LIFT) - GRAVITY));
  if (a.vy < 0 && level > LEVEL) {
    const gain = fr(fr(a.vy * SINK) * level2);
    a.vy = fr(a.vy + gain);
    pushAhead(gain);
  }
  if (up > 0) {
    const gain = fr(fr(across * up) * CLIMB);
    a.vy = fr(a.vy + fr(gain * CLIMB_HEIGHT));
    pushAhead(-gain);
  }
  if (level > LEVEL) {
    a.vx = fr(a.vx + fr(fr(fr(x * across) - a.vx) * TURN));
    a.vz = fr(a.vz + fr(fr(fr(z * across) - a.vz) * TURN));
  }
  if (a.glideBoost > 0) {
    const boosted = (v: number, look: number): number => fr(fr(v + fr(fr(fr(BOOST_SPEED * look) - v) * 0.5)) + fr(BOOST * look));
    a.vx = boosted(a.vx, fr(x * level));
    a.vy = boosted(a.vy, up);
    a.vz = boosted(a.vz, fr(z * level));
  }
  sweep(a, fr(a.vx * ACROSS), fr(a.vy * UP), fr(a.vz * ACROSS), ground);
  a.vx = got[0]!; a.vy = got[1]!; a.vz = got[2]!;
}
