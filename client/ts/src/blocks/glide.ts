// Gliding (server: sim/move, physics_glide.go).

import { a, lengthOf, sweep, v } from './body.js';
import { add, mul, toward } from './number.js';
import { sineCosine } from './trig.js';
import { Walk, scale } from './walk.js';

const enum Glide { LIFT = 0.06, SINK = -0.1, CLIMB = 0.04, CLIMB_HEIGHT = 3.2, TURN = 0.1, ACROSS = 0.99, UP = 0.98, BOOST_SPEED = 1.5, BOOST = 0.1 }

export function stepGlide(): void {
  const [down, level] = sineCosine(a.pitch) as [number, number], [sin, cos] = sineCosine(a.yaw) as [number, number], ahead = [-sin, 0, cos];
  const across = lengthOf(v[0]!, v[2]!), level2 = mul(level, level), steep = level <= 1e-6;
  const push = (up: number, by: number): void => v.forEach((x, axis) => (v[axis] = x + (axis === 1 ? up : mul(ahead[axis]!, by))));
  v[1]! += add(mul(level2, Glide.LIFT), -Walk.GRAVITY);
  if (v[1]! < 0 && !steep) {
    const gain = mul(mul(v[1]!, Glide.SINK), level2);
    push(gain, gain);
  }
  if (down < 0) {
    const gain = mul(mul(across, -down), Glide.CLIMB);
    push(mul(gain, Glide.CLIMB_HEIGHT), -gain);
  }
  v.forEach((x, axis) => {
    const look = axis === 1 ? -down : mul(ahead[axis]!, level);
    if (!steep && axis !== 1) x = toward(x, mul(ahead[axis]!, across), Glide.TURN);
    v[axis] = a.glideBoost ? toward(x, mul(Glide.BOOST_SPEED, look), 0.5) + mul(Glide.BOOST, look) : x;
  });
  scale(Glide.ACROSS, Glide.UP);
  sweep();
}
