// How near the player goes to an actor that it fights. The server decides what is within reach, by the radii of both, the weapon and
// the world's units, and by where the victim is later than the page draws it. So the page learns from refused blows.

import type { Actor, Answer } from '../../../../client/ts/src/api.ts';

const REACH = 2.4; // distance in blocks up to which the first blow is tried: the reach is 2.5 for the smallest animal of the embedded world
const LEAST = 0.8; // distance in blocks below which the player does not come nearer
const CLOSER = 0.9; // share of the estimated reach up to which further blows are tried
const LEEWAY = 0.8; // share of that distance up to which the player walks, because the victim may walk away
const TRIES = 4; // refused blows in sequence, from nearby, after which the player is told

export class Pursuit {
  private reach = REACH;
  private refused = 0;

  constructor(readonly victim: Actor) {}

  /** Whether a blow from a distance in blocks is worth a try. */
  strikes(distance: number): boolean { return distance <= this.reach; }

  /** The distance up to which the player walks to the victim. */
  get near(): number { return this.reach * LEEWAY; }

  /** Processes the answer to a blow from a distance in blocks. Returns whether the player is to read it. */
  answered(a: Answer, distance: number): boolean {
    if (a.ok) this.refused = 0;
    if (a.ok || a.reason === 'too_soon') return false;
    if (a.reason !== 'out_of_range') return true;
    const share = a.asked > a.allowed ? a.allowed / a.asked : 1; // by how much less the distance should have been
    this.reach = Math.max(LEAST, Math.min(this.reach, distance * share * CLOSER));
    return this.reach === LEAST && ++this.refused >= TRIES;
  }
}
