import assert from 'node:assert/strict';
import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';
import test from 'node:test';
import { Line } from './line.mjs';

/** A server that sends everything back, over TCP and UDP on one port; senders lists the ports of datagrams. */
async function echo() {
  const line = new Line(0); // only to find a port that is free for both
  const port = await line.start();
  line.close();
  const senders = [];
  const tcp = net.createServer((c) => c.on('error', () => {}).pipe(c)).listen(port, '127.0.0.1');
  const udp = dgram.createSocket('udp4');
  udp.on('message', (b, from) => {
    senders.push(from.port);
    udp.send(b, from.port, from.address);
  });
  await Promise.all([once(tcp, 'listening'), new Promise((done) => udp.bind(port, '127.0.0.1', done))]);
  return { port, senders, close: () => (tcp.close(), udp.close()) };
}

test('a stalled connection passes no bytes and stays open, and a new connection passes bytes', async () => {
  const server = await echo();
  const line = new Line(server.port);
  const port = await line.start();
  const first = net.connect(port, '127.0.0.1');
  first.write('a');
  assert.equal(String((await once(first, 'data'))[0]), 'a');
  assert.equal(line.stall(), 1);
  let heard = '';
  first.on('data', (b) => (heard += b));
  first.on('close', () => (heard += 'closed'));
  first.write('b');
  const second = net.connect(port, '127.0.0.1');
  second.write('c');
  assert.equal(String((await once(second, 'data'))[0]), 'c');
  assert.equal(heard, '');
  first.destroy();
  second.destroy();
  line.close();
  server.close();
});

test('datagrams come from a new port after a move, and answers reach the client', async () => {
  const server = await echo();
  const line = new Line(server.port);
  const port = await line.start();
  const client = dgram.createSocket('udp4');
  for (const text of ['a', 'b']) {
    client.send(text, port, '127.0.0.1');
    assert.equal(String((await once(client, 'message'))[0]), text);
    assert.equal(line.moveToNewPorts(), 1);
  }
  assert.notEqual(server.senders[0], server.senders[1]);
  client.close();
  line.close();
  server.close();
});
