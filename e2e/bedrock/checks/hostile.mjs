// Hostile packets within a session: the sender is disconnected or ignored, and others are not affected.
import crypto from 'node:crypto';
import zlib from 'node:zlib';
import { attack, authInput, chat, clickAir, respawn, respawnAction, useItem } from '../packets.mjs';
import { watchBystanders } from './bystanders.mjs';
import { must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const MB = 1 << 20;
const DROPPED_MS = 40000; // a session without a login times out after 10 s
const FLAGS_AT = 34; // offset of the presence byte of input_data in an encoded PlayerAuthInput of protocol 2169

const input = (tick, more = {}) => ({ ...authInput({ tick, at: [0.5, 65.62, 0.5], delta: [0, -0.0784, 0], move: [0, 0], yaw: 0, flags: [] }), ...more });
const zigzag = (n) => n * 2;
const varint = (n) => {
  const out = [];
  for (; n > 127; n = Math.floor(n / 128)) out.push((n & 127) | 128);
  return Buffer.from([...out, n]);
};

const encode = (E, name, params) => E.client.serializer.createPacketBuffer({ name, params });

/** An encoded input with bytes in place of its flags. */
function inputWithFlags(E, bytes, params = {}) {
  const whole = encode(E, 'player_auth_input', input(E.tick + 1, { ...params, input_data: [] }));
  return Buffer.concat([whole.subarray(0, FLAGS_AT), bytes, whole.subarray(FLAGS_AT + 2)]);
}
const flagList = (...ids) => Buffer.concat([Buffer.from([1]), varint(ids.length), ...ids.map((id) => varint(zigzag(id)))]);

/** One packet of each kind that clients send. */
const kinds = (E) => ({
  player_auth_input: input(E.tick + 1),
  'player_auth_input with an item': input(E.tick + 1, {
    input_data: ['item_interact'], transaction: { legacy: { legacy_request_id: 0 }, actions_presence: true, actions: [], data: clickAir([0.5, 65.62, 0.5]) },
  }),
  'player_auth_input with blocks': input(E.tick + 1, { input_data: ['block_action'], block_action: [{ action: 'start_break', position: { x: 1, y: 63, z: 2 }, face: 1 }] }),
  'player_auth_input with a vehicle': input(E.tick + 1, { input_data: ['client_predicted_vehicle'], vehicle_rotation: { x: 0, z: 45 }, predicted_vehicle: 7n }),
  inventory_transaction: attack(2n, [0.5, 65.62, 0.5]),
  'inventory_transaction of an item': useItem([0.5, 65.62, 0.5]),
  text: chat('Eve', 'hello'),
  respawn: respawn(E.runtimeId, [0, 64, 0]),
  player_action: respawnAction(E.runtimeId),
  animate: { action_id: 'swing_arm', runtime_entity_id: E.runtimeId, data: 0, has_swing_source: true, swing_source: 'attack' },
  interact: { action_id: 'mouse_over_entity', target_entity_id: 2n, has_position: true, position: { x: 1, y: 2, z: 3 } },
  request_chunk_radius: { chunk_radius: 4, max_radius: 8 },
  network_stack_latency: { timestamp: 5n, needs_response: 0 },
  set_local_player_as_initialized: { runtime_entity_id: 99n },
  client_cache_status: { enabled: true },
  resource_pack_client_response: { response_status: 'completed', response_status_name: 'resourcepackstackfinished', resourcepackids: [] },
  request_network_settings: { client_protocol: 2169 },
  client_to_server_handshake: {},
});

export async function hostileChecks(t, A, B) {
  const { report, server } = t;
  const watch = await watchBystanders(A, B);
  /** Adds a check that runs fn with a new client, Eve, while two bystanders are watched. dropped: the server must disconnect Eve. */
  const hostile = (name, fn, { dropped = false, ms } = {}) => report.check(name, async () => {
    const E = t.bot('Eve');
    try {
      await E.join();
      E.run();
      await E.frames(3);
      await fn(E);
      if (dropped) await E.until(() => E.closed, 'disconnect', DROPPED_MS).catch(() => must(E.closed, 'not disconnected'));
      else await sleep(150);
    } finally {
      await E.close();
    }
    await watch.check();
    await A.until(() => !A.others.find('Eve'), 'removal of Eve');
    must(server.running && server.faults().length === 0, server.faults()[0] ?? 'the server exited');
  }, ms);

  await hostile('noise in place of an encrypted batch disconnects the sender', async (E) => {
    E.client.sendMCPE(Buffer.concat([Buffer.from([0xfe]), crypto.randomBytes(300)]), true);
  }, { dropped: true });
  await hostile('an encrypted batch of 100 MB of zeros disconnects the sender', async (E) => {
    const before = await server.counters('process_resident_memory_bytes');
    E.client.encrypt(Buffer.alloc(100 * MB));
    await E.until(() => E.closed, 'disconnect', DROPPED_MS).catch(() => {});
    const after = await server.counters('process_resident_memory_bytes');
    const grown = Object.values(after)[0] - Object.values(before)[0];
    must(grown < 100 * MB, `memory grew by ${Math.round(grown / MB)} MB`);
  }, { dropped: true });
  await hostile('a batch of a thousand packets disconnects the sender', async (E) => {
    const one = encode(E, 'client_cache_status', { enabled: false });
    E.client.encrypt(Buffer.concat(Array(1000).fill(Buffer.concat([varint(one.length), one]))));
  }, { dropped: true });
  await hostile('packets with wrong lengths and empty packets do not affect others', async (E) => {
    for (const bytes of [[0], [5, 1], [255, 255, 255, 255, 15], [255, 255, 255, 255, 255, 255], []]) {
      E.client.encrypt(Buffer.from(bytes));
    }
  });
  await hostile('unknown packets, packets of sub-clients and server packets do not affect others', async (E) => {
    for (const id of [1023, 0, 200, 7, 11, 12, 58, 161, 19, 39, 40, 0x400 | 144, 0x1000 | 9]) {
      E.client.sendBuffer(Buffer.concat([varint(id), crypto.randomBytes(40)]));
      await sleep(30);
    }
  });
  for (const name of ['player_auth_input', 'player_auth_input with an item', 'player_auth_input with blocks', 'player_auth_input with a vehicle',
    'inventory_transaction', 'inventory_transaction of an item', 'text', 'respawn', 'player_action', 'animate', 'interact', 'request_chunk_radius',
    'network_stack_latency', 'set_local_player_as_initialized', 'client_cache_status', 'resource_pack_client_response', 'request_network_settings', 'client_to_server_handshake']) {
    await hostile(`${name} truncated, with noise and with trailing bytes, does not affect others`, async (E) => {
      const params = kinds(E)[name];
      const whole = encode(E, name.split(' ')[0], params);
      const step = Math.max(1, Math.floor(whole.length / 40));
      for (let n = 0; n < whole.length && !E.closed; n += step) {
        E.client.sendBuffer(whole.subarray(0, n));
        if (n % 10 === 0) await sleep(5);
      }
      for (let i = 0; i < 20 && !E.closed; i++) {
        const noisy = Buffer.from(whole);
        for (let k = 0; k < 3; k++) noisy[2 + crypto.randomInt(Math.max(1, noisy.length - 2))] = crypto.randomInt(256);
        E.client.sendBuffer(noisy);
        await sleep(5);
      }
      E.client.sendBuffer(Buffer.concat([whole, Buffer.alloc(50)]));
    });
  }
  await hostile('unknown, repeated and a thousand input flags, and flags without data, do not affect others', async (E) => {
    const list = [
      flagList(70), flagList(-1 >>> 0), flagList(10, 10), flagList(...Array.from({ length: 1000 }, (_, i) => i % 66)), flagList(35), flagList(34), flagList(36), flagList(45),
      Buffer.from([1, 255, 255, 255, 255, 15]), Buffer.from([2]), Buffer.from([0]),
    ];
    for (const bytes of list) {
      E.client.sendBuffer(inputWithFlags(E, bytes));
      await sleep(20);
    }
    E.client.sendBuffer(encode(E, 'player_auth_input', input(E.tick + 1, { input_data: [], vehicle_rotation: { x: 0, z: 0 }, predicted_vehicle: 7n })));
    E.client.sendBuffer(encode(E, 'player_auth_input', input(E.tick + 1, { input_data: [], transaction_presence: false, vehicle_rotation_presence: false })));
  });
  await hostile('a thousand attacks and item uses do not affect others', async (E) => {
    for (let i = 0; i < 1000 && !E.closed; i++) {
      E.client.queue('inventory_transaction', i & 1 ? attack(A.runtimeId, [0.5, 65.62, 0.5]) : useItem([0.5, 65.62, 0.5]));
      if (i % 200 === 0) await sleep(25);
    }
  });
  await hostile('three thousand inputs at once do not affect others', async (E) => {
    E.stop();
    for (let i = 0; i < 3000 && !E.closed; i++) {
      E.client.queue('player_auth_input', input(E.tick + i));
      if (i % 300 === 0) await sleep(25);
    }
  });
  await hostile('oversized chat, control characters and floods of chat are limited', async (E) => {
    const mark = A.texts.length;
    E.client.write('text', chat('Eve', 'x'.repeat(100000)));
    E.client.write('text', chat('Eve', '\u0000\u0007\n\u001b[31m\u202e'));
    for (let i = 0; i < 200 && !E.closed; i++) E.client.queue('text', chat('Eve', `spam ${i}`));
    await sleep(500);
    for (const { message } of A.texts.slice(mark)) {
      // eslint-disable-next-line no-control-regex
      must(message.length < 2000 && !/[\u0000-\u001f]/.test(message), `A received ${JSON.stringify(message.slice(0, 40))}`);
    }
    must(A.texts.length - mark < 150, `${A.texts.length - mark} lines received`);
  });
  await hostile('extreme chunk radius requests are limited', async (E) => {
    for (const radius of [1000000, 0, -5, 2147483647, -2147483648]) E.client.write('request_chunk_radius', { chunk_radius: radius, max_radius: 255 });
    const had = E.packets.get('level_chunk');
    await E.frames(20);
    must((E.packets.get('level_chunk') ?? 0) - had < 5000, 'too many chunks');
  });
  await hostile('a second login in a session disconnects the sender', async (E) => {
    for (const name of ['resource_pack_client_response', 'set_local_player_as_initialized', 'client_to_server_handshake', 'request_network_settings']) {
      E.client.write(name, kinds(E)[name]);
      await sleep(50);
    }
    E.client.sendLogin();
  }, { dropped: true });
  await beforeLogin(t, watch);
}

/** Hostile input before the login and the encryption, each on a connection of its own. */
async function beforeLogin(t, watch) {
  const { report } = t;
  const batch = (...packets) => Buffer.concat([Buffer.from([0xfe]), ...packets.map((p) => Buffer.concat([varint(p.length), p]))]);
  const compressed = (bytes) => Buffer.concat([Buffer.from([0xfe, 0]), zlib.deflateRawSync(bytes)]);
  const settings = batch(Buffer.from('c10100000879', 'hex'));
  const login = (identity, client) => {
    const one = (s) => Buffer.concat([Buffer.from(Int32Array.of(s.length).buffer), Buffer.from(s)]);
    const request = Buffer.concat([one(identity), one(client)]);
    const packet = Buffer.concat([varint(1), Buffer.from('00000879', 'hex'), varint(request.length), request]);
    return compressed(Buffer.concat([varint(packet.length), packet]));
  };
  const unsigned = JSON.stringify({ Certificate: '{"chain":[""]}', AuthenticationType: 2, Token: 'eyJhbGciOiJub25lIn0.eyJ4bmFtZSI6IkFkYSJ9.' });
  const inputs = {
    'noise as the first batch': [batch(crypto.randomBytes(200))],
    'an input before the login': [settings, compressed(Buffer.from([2, 0x90, 1]))],
    'a login of 100 MB': [settings, compressed(Buffer.alloc(100 * MB))],
    'snappy with a claimed size of 4 GB': [settings, Buffer.from([0xfe, 1, 255, 255, 255, 255, 15, 0, 0])],
    'an unknown compression': [settings, Buffer.from([0xfe, 7, 1, 2, 3])],
    'a login of brackets': [settings, login('['.repeat(100000), 'a.b.c')],
    'an unsigned login': [settings, login(unsigned, unsigned)],
    'a login with wrong lengths': [settings, compressed(Buffer.from([12, 1, 0, 0, 8, 0x79, 255, 255, 255, 127, 1, 2, 3, 4]))],
  };
  await report.check('hostile input before the login disconnects the sender without effect on others', async () => {
    await Promise.all(Object.entries(inputs).map(async ([what, batches]) => {
      const E = t.bot('Eve');
      E.connect();
      const { connection } = E.client;
      const hold = new Promise((done) => (connection.onConnected = done));
      connection.onEncapsulated = () => {}; // prevents the login that the package would start
      E.client.status = 1;
      await hold;
      for (const bytes of batches) {
        connection.sendReliable(bytes, true);
        await sleep(40);
      }
      await E.until(() => E.closed, `disconnect after ${what}`, DROPPED_MS).catch(() => must(E.closed, `${what}: not disconnected`));
    }));
    await watch.end();
  }, 300000);
}
