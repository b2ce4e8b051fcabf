import assert from 'node:assert/strict';
import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';
import test from 'node:test';
import { freePorts, isFree } from './ports.mjs';

test('freePorts returns different free ports outside the range that clients get', async () => {
  const ports = [...await freePorts(20), ...await freePorts(20)];
  assert.equal(new Set(ports).size, 40);
  for (const port of ports) assert.ok(port >= 15000 && port < 30000 && await isFree(port), `port ${port}`);
});

test('a port that is taken for TCP is not free', async (t) => {
  const [port] = await freePorts(1);
  const server = net.createServer().listen(port, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  assert.equal(await isFree(port), false);
});

test('a port that is taken for UDP is not free', async (t) => {
  const [port] = await freePorts(1);
  const socket = dgram.createSocket('udp4');
  t.after(() => socket.close());
  socket.bind(port, '127.0.0.1');
  await once(socket, 'listening');
  assert.equal(await isFree(port), false);
});

test('an error that does not say that the port is taken is thrown', async (t) => {
  t.mock.method(net.Server.prototype, 'listen', function listen() {
    process.nextTick(() => this.emit('error', Object.assign(new Error('too many open files'), { code: 'EMFILE' })));
    return this;
  });
  await assert.rejects(isFree(15000), { code: 'EMFILE' });
});
