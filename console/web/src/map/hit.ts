import type { Sample } from "../live/timeline";
import { screenX, screenY, type Camera } from "./camera";

// pickActor returns the row of the actor nearest to a pixel within reach pixels; -1 if there is none. Players are preferred to
// NPCs that are at most a few pixels nearer. shown tells which rows are drawn.
export function pickActor(s: Sample, c: Camera, px: number, py: number, reach: number, shown: (row: number) => boolean, player: (row: number) => boolean): number {
  let best = -1;
  let bestScore = Infinity;
  for (let i = 0; i < s.count; i++) {
    const dx = screenX(c, s.x[i]) - px;
    const dy = screenY(c, s.z[i]) - py;
    const far = Math.sqrt(dx * dx + dy * dy);
    if (far > reach || !shown(i)) continue;
    const score = far - (player(i) ? playerBonus : 0);
    if (score < bestScore) {
      bestScore = score;
      best = i;
    }
  }
  return best;
}

const playerBonus = 5; // pixels

// distanceToSegment returns the distance of a pixel from the line segment between two other pixels.
export function distanceToSegment(px: number, py: number, ax: number, ay: number, bx: number, by: number): number {
  const dx = bx - ax;
  const dy = by - ay;
  const length2 = dx * dx + dy * dy;
  const share = length2 === 0 ? 0 : Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / length2));
  return Math.hypot(px - ax - dx * share, py - ay - dy * share);
}
