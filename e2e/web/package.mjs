// The npm package as its users get it: packed and installed into a fresh project, used by players in Node, and by the program
// of its README in two tabs of a browser.
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { must } from '../lib/assert.mjs';
import { INSTALL_MS, npmCI } from '../lib/packages.mjs';
import { waitUntil } from '../lib/wait.mjs';
import { WAIT_MS } from './browser.mjs';

const run = promisify(execFile);
const here = path.dirname(fileURLToPath(import.meta.url));
const source = path.join(here, '../../client/ts');

/** The content of a file that the README shows: the code block after the paragraph that ends with the file's name. */
function readmeFile(readme, name) {
  const m = new RegExp(`\`${name.replace('.', '\\.')}\`:\\n\\n\`\`\`\\w+\\n([^]*?)\\n\`\`\`\\n`).exec(readme);
  must(m, `the README has no ${name}`);
  return m[1];
}

/** The program of the README, type-checked, built and opened in two tabs, which see each other. */
async function playReadme({ report, server, browser, project, origin }) {
  const built = await report.check('the program of the README is type-checked and built', async () => {
    const readme = fs.readFileSync(path.join(project, 'node_modules/@truestep/client/README.md'), 'utf8');
    const main = readmeFile(readme, 'main.ts');
    must(main.includes("'http://127.0.0.1:8090'"), 'the program connects to another address');
    fs.writeFileSync(path.join(project, 'index.html'), readmeFile(readme, 'index.html'));
    fs.writeFileSync(path.join(project, 'main.ts'), main.replace("'http://127.0.0.1:8090'", `'http://127.0.0.1:${server.ports.web}'`));
    const tool = (name) => path.join(source, 'node_modules', name);
    await run(tool('typescript/bin/tsc'), ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom,dom.iterable', 'main.ts'], { cwd: project })
      .catch((e) => { throw new Error(e.stdout || e.message); });
    await run(tool('.bin/esbuild'), ['main.ts', '--bundle', '--format=esm', '--outdir=.'], { cwd: project });
    return true;
  });
  if (!built) return;
  // Runs in the page: records the position at which each text is drawn. The tab's own player is drawn in the middle.
  const spy = () => {
    const draw = CanvasRenderingContext2D.prototype.fillText;
    globalThis.drawn = new Map();
    CanvasRenderingContext2D.prototype.fillText = function fillText(text, x, y) {
      drawn.set(text, { x, y });
      draw.call(this, text, x, y);
    };
  };
  let first, second;
  await report.check('two tabs with the program of the README show each other\'s player', async () => {
    first = await browser.openURL(origin, 'first tab', { framesPerSecond: 10, script: spy });
    await first.until('a player', () => globalThis.drawn?.size >= 1);
    second = await browser.openURL(origin, 'second tab', { framesPerSecond: 10, script: spy, beside: first });
    for (const tab of [first, second]) await tab.until('both players', () => globalThis.drawn?.size >= 2);
  });
  if (!second) return;
  await report.check('a key moves the player of one tab, and the other tab draws the movement', async () => {
    const before = await first.get(() => [...drawn.values()].find((p) => p.x !== 300 || p.y !== 300) ?? { x: 300, y: 300 });
    await second.page.keyboard.down('KeyW');
    await first.until('the other player 30 pixels away', (from) => [...drawn.values()].some((p) => Math.hypot(p.x - from.x, p.y - from.y) > 30 && (p.x !== 300 || p.y !== 300)), before);
    await second.page.keyboard.up('KeyW');
  });
  await playReadmeInNode({ report, server, project, tab: first });
  for (const tab of [first, second]) await report.check(`${tab.label}: no fault in the page`, () => must(tab.faults.length === 0, tab.faults.join(' | ')));
  await first.close();
}

/** The program of the README for Node, whose player comes into view of the tab with the program for browsers. */
async function playReadmeInNode({ report, server, project, tab }) {
  await report.check('the tab shows the player of the README\'s program for Node', async () => {
    const readme = fs.readFileSync(path.join(project, 'node_modules/@truestep/client/README.md'), 'utf8');
    fs.writeFileSync(path.join(project, 'bot.mjs'), readmeFile(readme, 'bot.mjs').replace("'http://127.0.0.1:8090'", `'http://127.0.0.1:${server.ports.web}'`));
    await run('npm', ['install', '--no-audit', '--no-fund', '--offline', path.join(here, 'node_modules/ws')], { cwd: project });
    const bot = spawn('node', ['bot.mjs'], { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '', warned = '';
    bot.stdout.on('data', (b) => (said += b));
    bot.stderr.on('data', (b) => (warned += b)); // Node may warn there
    try {
      await tab.until('the bot', () => globalThis.drawn?.has('o Bot')).catch((e) => { throw new Error(`${e.message}; the program said ${said}${warned}`); });
      // The tab may draw the player before the program has received all of its own world.
      await waitUntil(() => said + warned, { ms: WAIT_MS, accept: () => said.startsWith('Bot is in Field\n'), what: 'the program says where its player is' });
    } finally {
      bot.kill('SIGKILL');
    }
  });
}

/** Two players of the package see each other walk. browser: a started one, or undefined; origin: where the folder DIR/project is served. */
export async function playPackage({ report, server, dir, browser, origin }) {
  const project = path.join(dir, 'project');
  fs.mkdirSync(project, { recursive: true });
  if (!(await report.check('the packages that build the npm package are installed', async () => {
    if (!fs.existsSync(path.join(source, 'node_modules/typescript-api'))) await npmCI(source);
    return true;
  }, INSTALL_MS))) return;
  const packed = await report.check('the npm package is packed, with types and without sources', async () => {
    await run('npm', ['run', 'build'], { cwd: source });
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', dir], { cwd: source });
    const [{ filename, files }] = JSON.parse(stdout);
    const names = files.map((f) => f.path);
    for (const want of ['dist/index.js', 'dist/index.d.ts', 'dist/blocks/index.js', 'dist/blocks/index.d.ts', 'dist/blocks/walking.js', 'dist/blocks/walking.d.ts', 'README.md', 'API.md', 'LICENSE']) must(names.includes(want), `no ${want}`);
    must(!names.some((n) => n.endsWith('.ts') && !n.endsWith('.d.ts')), 'sources are in the package');
    return path.join(dir, filename);
  });
  if (!packed) return;
  await report.check('the npm package installs into a fresh project', async () => {
    fs.writeFileSync(path.join(project, 'package.json'), '{"private":true,"type":"module"}');
    await run('npm', ['install', '--no-audit', '--no-fund', '--offline', packed], { cwd: project });
  });
  await report.check('two players that use the package in Node see each other walk, without a correction', async () => {
    const player = async (name) => {
      const { stdout } = await run('node', [path.join(here, 'package_test_player.mjs'), project, path.join(here, 'node_modules/ws/wrapper.mjs'), `http://127.0.0.1:${server.ports.web}`, name], { timeout: 120000 });
      return JSON.parse(stdout.trim().split('\n').pop());
    };
    const [ann, bob] = await Promise.all([player('Ann'), player('Bob')]);
    must(ann.moved.includes('Bob') && bob.moved.includes('Ann'), JSON.stringify([ann, bob]));
    for (const p of [ann, bob]) must(p.corrections === 0 && p.off < 0.1 && p.transport === 'ws', JSON.stringify(p));
  });
  if (browser) await playReadme({ report, server, browser, project, origin });
}
