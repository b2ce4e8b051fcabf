import { buildSync } from 'esbuild';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

/** The size of an entry point, minified and compressed, in bytes. */
function size(entry: string): number {
  const { outputFiles } = buildSync({ entryPoints: [entry], bundle: true, minify: true, format: 'esm', target: 'es2022', write: false });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
}

it('the package stays small', () => {
  const sizes = { core: size('src/index.ts'), walk: size('src/blocks/walking.ts'), blocks: size('src/blocks/index.ts') };
  expect(sizes.core, JSON.stringify(sizes)).toBeLessThanOrEqual(14_000);
  expect(sizes.walk, JSON.stringify(sizes)).toBeLessThanOrEqual(4_000);
  expect(sizes.blocks, JSON.stringify(sizes)).toBeLessThanOrEqual(5_750); // the README and docs/benchmarks/web.md say of what it consists
});
