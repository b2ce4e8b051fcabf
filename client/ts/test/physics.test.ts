import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { body } from '../src/blocks/walking.js';
import { move, Run } from './runs.js';

const runs: Run[] = JSON.parse(readFileSync(new URL('vectors/physics.json', import.meta.url), 'utf8'));
// Names of the recorded runs on ground without liquids, with players that do not glide.
const dry = ['flat ground', 'slabs, steps and ladders', 'slow falling', 'knockback', 'all blocks on land'];

describe('physics', () => {
  for (const run of runs) it(`moves like the server: ${run.name}`, () => expect(move(run)).toBeGreaterThan(100));
});

describe('walking alone', () => {
  for (const name of dry) it(`moves like the server: ${name}`, () => expect(move(runs.find((r) => r.name === name)!, body)).toBeGreaterThan(100));
});
