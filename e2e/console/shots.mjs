// Screenshots of every page of the console at several sizes in both themes, over a demo server with a crowd of clients, some of which
// cheat. node e2e/console/shots.mjs --server BIN --out DIR
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import './setup.mjs';
import { Server } from '../lib/server.mjs';
import { sleep } from '../lib/wait.mjs';

const { Browser } = await import('./browser.mjs'); // after setup.mjs, which installs what it imports
const { axeViolations } = await import('./axe.mjs');
const { clearPages, leavePage, pages, preparePages } = await import('./pages.mjs');
const { cutOff } = await import('./checks/layout.mjs');

const usage = `node e2e/console/shots.mjs --server BIN --out DIR [options]
  --server BIN     the truestep binary
  --out DIR        folder for the pictures, which is created
  --sizes LIST     widths of the window: 1440, 1024, 844 (a phone on its side), 390 (a phone); default all
  --themes LIST    light, dark; default both
  --pages LIST     only these: login, lost, ${Object.keys(pages).join(', ')}
  --clients N      clients of each kind; default 12
  --warm SECONDS   time to play before the first picture; default 20
Prints a line for each picture, and what is cut off or what axe-core finds on it. Exit status 1 if there is anything.`;

const { values: o } = parseArgs({
  options: {
    server: { type: 'string' }, out: { type: 'string' }, sizes: { type: 'string', default: '1440,1024,844,390' }, themes: { type: 'string', default: 'dark,light' },
    pages: { type: 'string' }, clients: { type: 'string', default: '12' }, warm: { type: 'string', default: '20' }, help: { type: 'boolean' },
  },
});
if (o.help || !o.server || !o.out) {
  console.log(usage);
  process.exit(o.help ? 0 : 2);
}

const sizes = { 1440: { width: 1440, height: 900 }, 1024: { width: 1024, height: 768 }, 844: { width: 844, height: 390, phone: true }, 390: { width: 390, height: 844, phone: true } };

/** Starts clients, which are killed with this process. */
function swarm(...args) {
  const child = spawn(path.resolve(o.server), ['swarm', ...args, '--duration', '1h', '--json'], { stdio: 'ignore' });
  process.on('exit', () => child.kill('SIGKILL'));
  return child;
}

let found = 0;

async function shoot(screen, name) {
  await sleep(1500);
  await screen.page.screenshot({ path: path.join(o.out, `${name}.png`) });
  const bad = [...(await screen.page.evaluate(cutOff)), ...(await axeViolations(screen))];
  console.log(`${name}.png`);
  for (const line of bad) console.log(`  ${line}`);
  found += bad.length;
}

const wanted = (page) => !o.pages || o.pages.split(',').includes(page);

async function takeAll(browser, server, ctx) {
  for (const size of o.sizes.split(',')) {
    for (const theme of o.themes.split(',')) {
      const screen = await browser.screen({ label: `${size} ${theme}`, base: server.consoleBase, dark: theme === 'dark', ...sizes[size] });
      if (wanted('login')) {
        await screen.open();
        await screen.waitVisible('login');
        await shoot(screen, `login-${size}-${theme}`);
      }
      await screen.logIn(server.consoleToken);
      for (const [name, open] of Object.entries(pages)) {
        if (!wanted(name)) continue;
        await open(screen, ctx);
        await shoot(screen, `${name}-${size}-${theme}`);
        await leavePage(screen);
      }
      if (wanted('lost')) screen.keep = `${size}-${theme}`;
      else await screen.context.close();
    }
  }
}

/** The pages after the server was killed. */
async function takeLost(browser, server) {
  const screens = browser.screens.filter((s) => s.keep);
  for (const s of screens) await s.goTo('#/map');
  await sleep(2000);
  await server.kill();
  for (const s of screens) {
    await s.waitVisible('lost');
    await shoot(s, `lost-${s.keep}`);
    await s.goTo('#/charts');
    await shoot(s, `lost-charts-${s.keep}`);
  }
}

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'console-shots-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
fs.mkdirSync(o.out, { recursive: true });
const server = new Server({ bin: o.server, dir, doors: ['rcce', 'rs', 'bedrock', 'web'], console: true, extra: ['--demo', '--demo-bots', '6'] });
process.on('exit', () => server.killNow());
const browser = new Browser();
await server.start();
const n = o.clients;
const cheats = String(Math.ceil(n / 3));
const clients = [
  swarm('rcce', '--server', `127.0.0.1:${server.ports.rcce}`, '-n', n, '--mixed'),
  swarm('bedrock', '--addr', `127.0.0.1:${server.ports.bedrock}`, '-n', n, '--honest', String(n - cheats), '--cheat', 'speed,teleport', '--mixed'),
];
await browser.launch();
await sleep(Number(o.warm) * 1000);
const ctx = await preparePages(server.api);
await server.api.call('POST', `/players/${ctx.player.entity}/message`, { text: 'Welcome to the Vale' });
await server.api.call('POST', `/players/${ctx.player.entity}/freeze`, { frozen: true });
await takeAll(browser, server, ctx);
await clearPages(ctx);
if (wanted('lost')) await takeLost(browser, server);
for (const child of clients) child.kill('SIGKILL');
await browser.close();
await server.kill();
console.log(found === 0 ? 'nothing is cut off, and axe-core finds no violation' : `${found} defects`);
process.exit(found === 0 ? 0 : 1);
