import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import './setup.mjs';
import { skipHoles } from './raknet_native.mjs';

const { Client } = createRequire(import.meta.url)('raknet-native');

test('a client of raknet-native receives every packet of a list that has holes', () => {
  class Patched extends Client {}
  Patched.prototype.startListening = Client.prototype.startListening;
  skipHoles(Patched);
  const client = Object.create(Patched.prototype);
  let native;
  client.client = { listen: (receive) => (native = receive) };
  const seen = [];
  client.emit = (name, { buffer }) => seen.push([name, ...buffer]);
  client.startListening();
  const packets = [new Uint8Array([0xfe, 1]), new Uint8Array([0xfe, 2])];
  packets.length = 4;
  native(packets, '127.0.0.1/19132', '1');
  assert.deepEqual(seen, [['encapsulated', 0xfe, 1], ['encapsulated', 0xfe, 2]]);
});
