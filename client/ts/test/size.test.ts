import { buildSync } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

/** The size of an entry point, minified and compressed, in bytes. */
function size(entry: string): number {
  const { outputFiles } = buildSync({ entryPoints: [entry], bundle: true, minify: true, format: 'esm', target: 'es2022', write: false });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
}

it('each part of the package is below its size limit', () => {
  const sizes = {
    core: size('src/index.ts'), walk: size('src/blocks/walking.ts'), blocks: size('src/blocks/index.ts'), physics: sizeOfImport('step, heightOf', 'src/blocks/index.ts'),
  };
  expect(sizes.core, JSON.stringify(sizes)).toBeLessThanOrEqual(14_000);
  expect(sizes.walk, JSON.stringify(sizes)).toBeLessThanOrEqual(4_000);
  expect(sizes.physics, JSON.stringify(sizes)).toBeLessThanOrEqual(4_000);
  expect(sizes.blocks, JSON.stringify(sizes)).toBeLessThanOrEqual(4_750); // the README and docs/benchmarks/web.md list its parts
});

/** The size of a program that imports names of the package, minified and compressed, in bytes. */
function sizeOfImport(names: string, entry: string): number {
  const contents = `import { ${names} } from './${entry}'; globalThis.x = [${names}];`;
  const { outputFiles } = buildSync({ stdin: { contents, resolveDir: fileURLToPath(new URL('..', import.meta.url)) }, bundle: true, minify: true, format: 'esm', target: 'es2022', write: false });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
}

it('a bundled program contains only the parts of the package that it imports', () => {
  expect(sizeOfImport('ProtocolError', 'src/index.ts')).toBeLessThan(250);
  expect(sizeOfImport('RefusedError', 'src/index.ts')).toBeLessThan(400);
  expect(sizeOfImport('Ground', 'src/blocks/index.ts')).toBeLessThan(1500);
});
