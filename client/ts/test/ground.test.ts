import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Ground } from '../src/blocks/index.js';
import type { Run } from './runs.js';

const runs: Run[] = JSON.parse(readFileSync(new URL('vectors/physics.json', import.meta.url), 'utf8'));
const file = Uint8Array.from(atob(runs.find((r) => r.name === 'all blocks')!.ground), (c) => c.charCodeAt(0));

it('a ground has flat stone up to y = 63 outside of its chunks, and air above and below the world', () => {
  const g = new Ground(file);
  expect([g.kinds.length > 50, g.kinds[0]!.word, g.kinds[0]!.boxes.length]).toEqual([true, 'air', 0]);
  const words = (x: number, z: number): string[] => [-65, -64, 63, 64, 319, 320].map((y) => g.at(x, y, z).word);
  expect(words(1000, -1000)).toEqual(['air', 'stone', 'stone', 'air', 'air', 'air']);
  expect(words(-17, 5)).toEqual(words(1000, -1000));
  const chunk = (cx: number, cz: number): string => Array.from({ length: 96 }, (_, i) => g.at(16 * cx + (i & 15), 64 + (i >> 4), 16 * cz).word).join();
  expect(new Set([-2, -1, 0, 1].flatMap((cx) => [-1, 0, 1, 2].map((cz) => chunk(cx, cz)))).size).toBe(10); // nine chunks of the file, and the one outside of them
  expect([g.surface(1000, -1000), g.surface(0, 0) > 63]).toEqual([64, true]);
  expect(g.kinds.find((k) => k.word === 'ladder')).toMatchObject({ climbable: true, platform: false, sticky: false });
  expect(g.kinds.find((k) => k.word === 'scaffolding')).toMatchObject({ climbable: true, platform: true, sticky: false });
});

it('a ground inside of a larger buffer is read', () => {
  const larger = new Uint8Array(file.length + 20);
  larger.set(file, 7);
  expect(new Ground(larger.subarray(7, 7 + file.length)).surface(1000, 0)).toBe(64);
});

it('a file is refused if it is no ground, ends early or has bytes after its end', () => {
  const other = file.slice();
  other[3]! ^= 1;
  for (const b of [other, file.subarray(0, 3), file.slice(0, file.length / 2), file.slice(0, -1), Uint8Array.of(...file, 0), new Uint8Array(0)]) {
    expect(() => new Ground(b), `${b.length} bytes`).toThrow(RangeError);
  }
  const larger = Uint8Array.of(...file, 0, 0); // the buffer has bytes after the end of the file
  expect(() => new Ground(larger.subarray(0, file.length - 1))).toThrow(RangeError);
});
