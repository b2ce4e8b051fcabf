// examples/capturetheflag in a browser: the page shows the game's fields, and its buttons send the game's commands.
import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { must } from '../lib/assert.mjs';
import { waitUntil } from '../lib/wait.mjs';
import { WAIT_MS } from './browser.mjs';

const repository = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const STOP_LIMIT_MS = 15000;

/** The text of the page's panel with the fields of the game. */
const fields = () => document.querySelector('#game p')?.textContent ?? '';
const logged = (text) => document.getElementById('log').textContent.includes(text);

export async function playGame({ report, dir, browser }) {
  const bin = path.join(dir, 'capturetheflag');
  if (!(await report.check('the example capturetheflag is built', async () => {
    await promisify(execFile)('go', ['build', '-o', bin, './examples/capturetheflag'], { cwd: repository });
    return true;
  }))) return;
  const game = spawn(bin, ['-data', path.join(dir, 'game'), '-web', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => game.kill('SIGKILL');
  process.on('exit', kill);
  let output = '', exit;
  for (const stream of [game.stdout, game.stderr]) stream.setEncoding('utf8').on('data', (s) => { output += s; });
  game.on('exit', (code, signal) => { exit = { code, signal }; });
  try {
    const url = await report.check('the game prints the link of its page', () => waitUntil(() => {
      must(!exit, `it has ended: ${output}`);
      return /^play (http:\S+)/m.exec(output)?.[1];
    }, { ms: WAIT_MS, what: 'the link' }));
    if (url) await playInBrowser({ report, url, browser });
  } finally {
    await report.check('the game ends with status 0 when it is interrupted', async () => {
      game.kill('SIGINT');
      await waitUntil(() => exit, { ms: STOP_LIMIT_MS, what: 'the end' });
      must(exit.code === 0, `${JSON.stringify(exit)}: ${output.slice(-500)}`);
    });
    process.off('exit', kill);
    kill();
  }
}

async function playInBrowser({ report, url, browser }) {
  const page = await browser.openURL(`${url}?transport=ws&name=Ann&fps=4`, 'game');
  const press = (label) => page.page.locator('#game button', { hasText: new RegExp(`^${label}$`) }).click();
  await report.check('the page shows the fields of the area and of the own player, and a button for each choice of a command', async () => {
    await page.until('a connection', () => globalThis.world?.link.state === 'open');
    const want = 'red score 0  ·  blue score 0  ·  team none  ·  flag none  ·  coins 10'; // those of the area come before the player's
    await waitUntil(() => page.get(fields), { ms: WAIT_MS, accept: (text) => text === want, what: 'fields' });
    const buttons = () => page.get(() => [...document.querySelectorAll('#game button')].map((b) => b.textContent));
    await waitUntil(buttons, { ms: WAIT_MS, accept: (all) => all.join() === 'join red,join blue,buy bread,buy sword', what: 'buttons' });
  });
  await report.check('the button "join red" makes the player a member of the red team, which the page shows', async () => {
    await press('join red');
    await page.until('the field', () => document.querySelector('#game p').textContent.includes('team red'));
    await page.until('the announcement', () => document.getElementById('log').textContent.includes('Ann joins Red.'));
    await page.until('the red base, to which the rules have moved the player', () => Math.abs(world.self.x + 10) < 1);
  });
  await report.check('a command that the rules refuse changes no field and says why', async () => {
    const before = await page.get(fields);
    await press('buy bread');
    await page.until('the refusal', logged, 'Go to the trader first.');
    must((await page.get(fields)) === before, `the fields are now ${await page.get(fields)}`);
  });
  await page.shot('game');
  await report.check('game: no fault in the page', () => must(page.faults.length === 0, page.faults.join(' | ')));
  await page.close();
}
