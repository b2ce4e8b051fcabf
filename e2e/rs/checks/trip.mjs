// Walks to a tile, and the rules that every path must follow: its length, its pace, and obstacles.
import { clock } from '../client.mjs';
import { say } from '../packets.mjs';
import { distance, within } from '../world.mjs';
import { equal, must } from '../../lib/assert.mjs';

const LATENCY = 3; // maximum number of cycles from the click to the first step
const LATENCY_MS = 15000; // a path counts as missing only if this is exceeded, too: on a busy machine older packets may still arrive

/** Sends a click and records every cycle until the player has stood for two. Returns {tiles, changes} from the first step to
 *  the last; tiles[0] is the tile before the first step. */
export async function trip(c, packet, ms = 60000) {
  const tiles = [c.tile];
  const changes = [];
  let still = 0;
  let late = 0;
  const began = clock();
  const stop = c.watch((all) => {
    const change = all.get(c.view.self);
    const stood = !change || change.how === 'idle';
    if (tiles.length === 1 && stood) {
      late++;
      return;
    }
    still = stood ? still + 1 : 0;
    tiles.push(c.tile);
    changes.push(change);
  });
  c.send(packet);
  try {
    await c.until(() => still >= 2 || (late > LATENCY && clock() - began > LATENCY_MS), 'end of the path', ms);
  } finally {
    stop();
  }
  must(tiles.length > 1, `no step in ${LATENCY_MS} ms`);
  const steps = changes.length - still; // several packets may have arrived at once
  return { tiles: tiles.slice(0, steps + 1), changes: changes.slice(0, steps) };
}

/** Walks to a reachable tile. Fails unless that takes exactly the cycles of a shortest path, with legal steps only. */
export async function arrive(c, x, z, { run = false, packet = say.walk(x, z) } = {}) {
  const steps = distance(c.tile, { x, z });
  const { tiles, changes } = await trip(c, packet);
  const at = c.tile;
  equal([at.x, at.z], [x, z], 'end of the path');
  const pace = run ? 2 : 1;
  const path = tiles.map((t, i) => `${show(t)}${i ? ` ${changes[i - 1]?.how}` : ''}`).join(' > ');
  equal(tiles.length - 1, Math.ceil(steps / pace), `cycles for ${steps} steps ${run ? 'running' : 'walking'} (${path})`);
  for (let i = 1; i < tiles.length; i++) {
    must(within(tiles[i - 1], tiles[i], pace), `from ${show(tiles[i - 1])} to ${show(tiles[i])} in one cycle`);
  }
  if (!run) must(changes.every((ch) => ch.how === 'walk'), `a walk was shown as ${changes.map((ch) => ch.how)}`);
  return { tiles, changes, steps };
}

export const show = (t) => `${t.x},${t.z}`;
