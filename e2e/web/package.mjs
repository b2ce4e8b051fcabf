// The npm package as its users get it: packed, installed into a fresh project, and played with in Node.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { must } from '../lib/assert.mjs';

const run = promisify(execFile);
const here = path.dirname(fileURLToPath(import.meta.url));
const source = path.join(here, '../../client/ts');

/** Two players of the package see each other walk. */
export async function playPackage({ report, server, dir }) {
  const project = path.join(dir, 'project');
  fs.mkdirSync(project, { recursive: true });
  const packed = await report.check('the npm package is packed, with types and without sources', async () => {
    if (!fs.existsSync(path.join(source, 'node_modules/.bin/tsc'))) await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: source });
    await run('npm', ['run', 'build'], { cwd: source });
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', dir], { cwd: source });
    const [{ filename, files }] = JSON.parse(stdout);
    const names = files.map((f) => f.path);
    for (const want of ['dist/index.js', 'dist/index.d.ts', 'dist/blocks/index.js', 'dist/blocks/index.d.ts', 'README.md', 'LICENSE']) must(names.includes(want), `no ${want}`);
    must(!names.some((n) => n.endsWith('.ts') && !n.endsWith('.d.ts')), 'sources are in the package');
    return path.join(dir, filename);
  });
  if (!packed) return;
  await report.check('it installs into a fresh project', async () => {
    fs.writeFileSync(path.join(project, 'package.json'), '{"private":true,"type":"module"}');
    await run('npm', ['install', '--no-audit', '--no-fund', '--offline', packed], { cwd: project });
  });
  await report.check('two players of it in Node see each other walk, without a correction', async () => {
    const player = async (name) => {
      const { stdout } = await run('node', [path.join(here, 'package_test_player.mjs'), project, path.join(here, 'node_modules/ws/wrapper.mjs'), `http://127.0.0.1:${server.ports.web}`, name], { timeout: 60000 });
      return JSON.parse(stdout.trim().split('\n').pop());
    };
    const [ann, bob] = await Promise.all([player('Ann'), player('Bob')]);
    must(ann.moved.includes('Bob') && bob.moved.includes('Ann'), JSON.stringify([ann, bob]));
    for (const p of [ann, bob]) must(p.corrections === 0 && p.off < 0.1 && p.transport === 'ws', JSON.stringify(p));
  });
}
