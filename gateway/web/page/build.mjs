// Builds the page into ../dist, which the server embeds, or into the folder of the first argument.
import { build } from 'esbuild';
import { copyFileSync, mkdirSync } from 'node:fs';

const out = process.argv[2] ?? '../dist';
mkdirSync(out, { recursive: true });
await build({
  entryPoints: ['src/main.ts'], bundle: true, minify: true, format: 'esm', target: 'es2022', outfile: `${out}/page.js`, legalComments: 'linked',
});
for (const f of ['index.html', 'page.css']) copyFileSync(f, `${out}/${f}`);
