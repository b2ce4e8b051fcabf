// Walks to a tile, and what every way must keep: its length, its rhythm, and what stands in it.
import { clock } from '../client.mjs';
import { say } from '../packets.mjs';
import { distance, within } from '../world.mjs';
import { equal, must } from '../../lib/assert.mjs';

const LATENCY = 3; // cycles until the first step at the latest
const LATENCY_MS = 15000; // and as long: packets that were sent before the click may still be on their way, and it too

/** Clicks on a tile and follows every cycle until the player has stood for two. Returns {tiles, changes}: of the cycles
 *  from the first step to the last; tiles[0] is where it began. */
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
    await c.until(() => still >= 2 || (late > LATENCY && clock() - began > LATENCY_MS), 'the end of the way', ms);
  } finally {
    stop();
  }
  must(tiles.length > 1, `no step in ${LATENCY_MS} ms`);
  const steps = changes.length - still; // several packets may have come at once
  return { tiles: tiles.slice(0, steps + 1), changes: changes.slice(0, steps) };
}

/** A trip to a tile that can be reached, in exactly as many cycles as it must take, on a way that exists. */
export async function arrive(c, x, z, { run = false, packet = say.walk(x, z) } = {}) {
  const steps = distance(c.tile, { x, z });
  const { tiles, changes } = await trip(c, packet);
  const at = c.tile;
  equal([at.x, at.z], [x, z], 'where the way ended');
  const pace = run ? 2 : 1;
  const way = tiles.map((t, i) => `${show(t)}${i ? ` ${changes[i - 1]?.how}` : ''}`).join(' > ');
  equal(tiles.length - 1, Math.ceil(steps / pace), `cycles for ${steps} steps ${run ? 'running' : 'walking'} (${way})`);
  for (let i = 1; i < tiles.length; i++) {
    must(within(tiles[i - 1], tiles[i], pace), `from ${show(tiles[i - 1])} to ${show(tiles[i])} in one cycle`);
  }
  if (!run) must(changes.every((ch) => ch.how === 'walk'), `a walk was shown as ${changes.map((ch) => ch.how)}`);
  return { tiles, changes, steps };
}

export const show = (t) => `${t.x},${t.z}`;
