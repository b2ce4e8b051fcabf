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

const usage = `node e2e/console/shots.mjs --server BIN --out DIR [options]
  --server BIN     the truestep binary
  --out DIR        folder for the pictures, which is created
  --sizes LIST     widths of the window: 1440, 1024, 844 (a phone on its side), 390 (a phone); default all
  --themes LIST    light, dark; default both
  --pages LIST     only these: map, player, npc, players, corrections, correction, charts, day, held, accounts, account, audit, bans, mutes, whitelist, chat, server, search, keys, login, lost
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

const { cutOff } = await import('./checks/layout.mjs');

/** Starts clients, which are killed with this process. */
function swarm(...args) {
  const child = spawn(path.resolve(o.server), ['swarm', ...args, '--duration', '1h', '--json'], { stdio: 'ignore' });
  process.on('exit', () => child.kill('SIGKILL'));
  return child;
}

/** How each page is reached. ctx: ids that the API gives. */
const pages = {
  map: (s) => s.goTo('#/map'),
  player: (s, ctx) => s.goTo(`#/map?area=${ctx.player.areaId}&player=${ctx.player.entity}&follow=1`),
  npc: async (s, ctx) => {
    await s.goTo(`#/map?area=${ctx.npc.areaId}&npc=${ctx.npc.entity}`);
    await s.waitVisible('npc-panel');
  },
  players: (s) => s.goTo('#/players'),
  corrections: async (s) => {
    await s.goTo('#/corrections?weight=all');
    await s.waitVisible('correction');
    const expand = s.get('expand');
    if (await expand.count()) await expand.first().click();
  },
  correction: (s, ctx) => s.goTo(`#/corrections/${ctx.entry}`),
  charts: (s) => s.goTo('#/charts'),
  day: async (s) => {
    await s.goTo('#/charts?span=1d');
    await s.waitVisible('long-charts');
  },
  held: (s) => s.goTo('#/held'),
  accounts: async (s) => {
    await s.goTo('#/accounts');
    await s.waitVisible('account-row');
  },
  account: async (s, ctx) => {
    await s.goTo(`#/accounts?account=${encodeURIComponent(ctx.player.account)}`);
    await s.waitVisible('account');
  },
  audit: (s) => s.goTo('#/audit'),
  bans: async (s) => {
    await s.goTo('#/audit');
    await (await s.waitVisible('tab-bans')).click();
  },
  mutes: (s) => s.goTo('#/audit?tab=mutes'),
  whitelist: (s) => s.goTo('#/audit?tab=whitelist'),
  chat: (s) => s.goTo('#/audit?tab=chat&span=1d'),
  server: (s) => s.goTo('#/audit?tab=server'),
  search: async (s) => {
    await s.goTo('#/players');
    await s.get('open-search').click();
  },
  keys: async (s) => {
    await s.goTo('#/players');
    await s.press('?');
  },
};

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
        if (name === 'search' || name === 'keys' || name === 'account') await screen.press('Escape');
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
const { players } = await server.api.get('/players');
const player = players.find((p) => p.held + p.corrected > 0) ?? players[0];
const { entries } = await server.api.get('/corrections?verdict=held,corrected&weight=suspicious,unusual&limit=1');
await server.api.call('POST', `/players/${player.entity}/message`, { text: 'Welcome to the Vale' });
await server.api.call('POST', `/players/${player.entity}/freeze`, { frozen: true });
const { npcs } = await server.api.get('/npcs');
const npc = npcs.find((n) => n.areaId !== player.areaId); // where few fight
for (const [path, rule] of [
  ['/bans', { account: players.find((p) => p !== player).account, for: '30d', reason: 'sold gold' }], ['/bans', { network: '198.51.100.0/24', reason: 'attacks on logins' }],
  ['/mutes', { account: player.account, reason: 'shouting' }], ['/whitelist/accounts', { account: player.account }],
]) {
  const { status, body } = await server.api.call('POST', path, rule);
  if (status !== 200) throw new Error(`POST ${path} is answered with status ${status}: ${body.error?.message}`);
}
await takeAll(browser, server, { player, npc, entry: entries[0]?.id ?? 1 });
if (wanted('lost')) await takeLost(browser, server);
for (const child of clients) child.kill('SIGKILL');
await browser.close();
await server.kill();
console.log(found === 0 ? 'nothing is cut off, and axe-core finds no violation' : `${found} defects`);
process.exit(found === 0 ? 0 : 1);
