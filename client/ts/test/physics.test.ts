import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { move, Run } from './runs.js';

const runs: Run[] = JSON.parse(readFileSync(new URL('vectors/physics.json', import.meta.url), 'utf8'));

describe('physics', () => {
  for (const run of runs) it(`moves like the server: ${run.name}`, () => expect(move(run)).toBeGreaterThan(100));
});
