import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { Report } from './report.mjs';
import { Server } from './server.mjs';
import { withServer } from './suite.mjs';

delete process.env.E2E_TIMES; // the expected lines have no durations

/** A server whose binary is a script with the given body. */
function scripted(t, body, options = {}) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'server-'));
  t.after(() => fs.rmSync(dir, { recursive: true }));
  const bin = path.join(dir, 'truestep');
  fs.writeFileSync(bin, `#!${process.execPath}\n${body}\n`, { mode: 0o755 });
  return new Server({ bin, dir: path.join(dir, 'run'), metrics: false, ...options });
}

const ready = (...lines) => `console.log(${JSON.stringify([...lines, 'ready in 5 ms'].join('\n'))});`;
const forever = 'setInterval(() => {}, 1000);';
const onTerm = (statement) => `process.on('SIGTERM', () => { ${statement} }); ${forever}`;

test('start reads the addresses from the start screen', async (t) => {
  const screen = ready('  rcce     127.0.0.1:4001/udp', '  rs       127.0.0.1:4002/tcp', '  console  http://127.0.0.1:4003/#token=abc');
  const server = scripted(t, screen + forever, { doors: ['rcce', 'rs'], console: true });
  t.after(() => server.killNow());
  assert.equal(await server.start(), true);
  assert.deepEqual(server.ports, { rcce: 4001, rs: 4002 });
  assert.deepEqual([server.consoleBase, server.consolePort, server.consoleToken], ['http://127.0.0.1:4003', 4003, 'abc']);
});

test('start passes doors, world and extra arguments, and no TRUESTEP_ variables', async (t) => {
  process.env.TRUESTEP_TEST = '1';
  t.after(() => delete process.env.TRUESTEP_TEST);
  const server = scripted(t, `console.log(process.argv.join(' '), process.env.TRUESTEP_TEST); ${ready('rs 127.0.0.1:1/tcp')}${forever}`, {
    doors: ['rs'], world: 'w.toml', extra: ['--more'],
  });
  t.after(() => server.killNow());
  await server.start();
  const [{ text }] = server.lines;
  for (const want of ['--rs 127.0.0.1:0', '--rcce off', '--bedrock off', '--console off', '--world w.toml --more', 'undefined']) assert.ok(text.includes(want), text);
});

test('start chooses the ports of the console and the web door once, and a restart uses them again', async (t) => {
  const body = `const port = (flag) => process.argv[process.argv.indexOf(flag) + 1];
    console.log('  web  ' + port('--web') + '/tcp\\n  console  http://' + port('--console') + '/#token=abc');`;
  const server = scripted(t, body + ready() + forever, { doors: ['web'], console: true });
  t.after(() => server.killNow());
  await server.start();
  const ports = [server.consolePort, server.webPort];
  assert.ok(ports.every((port) => port >= 15000 && port < 30000) && ports[0] !== ports[1], `ports ${ports}`);
  await server.kill();
  await server.start();
  assert.deepEqual([server.consolePort, server.webPort], ports);
});

test('start rejects with the output when the server exits', async (t) => {
  const server = scripted(t, 'console.error("port taken"); process.exitCode = 2;');
  await assert.rejects(server.start(), /^Error: the server exited during its start \(\{"code":2,"signal":null\}\): port taken$/);
});

test('start rejects when a door is missing from the start screen', async (t) => {
  const server = scripted(t, ready() + forever, { doors: ['bedrock'] });
  t.after(() => server.killNow());
  await assert.rejects(server.start(), /no line matches .*bedrock.* in the server's output/);
});

test('stop resolves with the exit status', async (t) => {
  const server = scripted(t, onTerm('process.exit(3)') + ready());
  await server.start();
  const { code, killed } = await server.stop();
  assert.deepEqual([code, killed, server.running], [3, undefined, false]);
});

test('kill ends the process, and start runs it again', async (t) => {
  const server = scripted(t, ready() + forever);
  t.after(() => server.killNow());
  await server.start();
  await server.kill();
  assert.equal(server.running, false);
  await server.start();
  assert.equal(server.running, true);
});

test('faults are panics, data races and error logs', async (t) => {
  const lines = ['panic: x', 'WARNING: DATA RACE', '{"level":"ERROR","msg":"y"}', '{"level":"INFO","msg":"panic"}'];
  const server = scripted(t, ready(...lines) + forever);
  t.after(() => server.killNow());
  await server.start();
  assert.deepEqual(server.faults(), lines.slice(0, 3));
});

/** The lines that withServer reports for a server with this script. */
async function reported(t, body, play = async () => {}) {
  const lines = [];
  await withServer(new Report('e2e-x', (line) => lines.push(line)), scripted(t, body), play);
  return lines;
}

test('withServer reports a clean start and stop', async (t) => {
  assert.deepEqual(await reported(t, onTerm('process.exit(0)') + ready()), [
    'ok  server starts and prints its addresses', 'ok  server stops with exit status 0 and has logged no fault',
  ]);
});

test('withServer stops the server after an error in play, and reports both', async (t) => {
  const [, scenario, stop] = await reported(t, onTerm('process.exit(1)') + ready('panic: x'), async () => {
    throw new Error('no client');
  });
  assert.equal(scenario, 'FAIL scenario: no client');
  assert.equal(stop, 'FAIL server stops with exit status 0 and has logged no fault: panic: x');
});

test('withServer reports an exit status other than 0', async (t) => {
  const [, stop] = await reported(t, onTerm('process.exit(4)') + ready());
  assert.match(stop, /^FAIL server stops .*: the server ended with exit status 4: ready in 5 ms$/);
});
