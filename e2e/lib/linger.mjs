// A longer linger time for checks in which a client loses its connection.
import fs from 'node:fs';
import path from 'node:path';

/**
 * How long a player without a connection stays in the world of these checks, in seconds. The default of 10 s may be over before the
 * page has shown that and the player is back, if the machine is busy.
 */
export const LINGER_S = 40;

/**
 * Writes a copy of a world file that has no [rules.linger] with these linger times in seconds: time at peace, and combat. Returns the
 * path of the copy.
 */
export function writeLingering(copy, world, { time = LINGER_S, combat = LINGER_S } = {}) {
  fs.mkdirSync(path.dirname(copy), { recursive: true });
  fs.writeFileSync(copy, `${fs.readFileSync(world, 'utf8')}\n[rules.linger]\ntime = ${time}\ncombat = ${combat}\n`);
  return copy;
}
