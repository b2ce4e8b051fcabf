// Hostile input: bytes that no real client sends must not affect other players.
import crypto from 'node:crypto';
import dgram from 'node:dgram';
import { type } from '../wire.mjs';
import { joinAs } from './login.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const MEMORY_LIMIT = 200; // maximum growth of the server's memory through hostile input, in MiB

export async function hostileChecks(t) {
  const { report, server, client } = t;
  const account = { user: 'rustbot3', password: 'rustpass', email: 'rust3@bot.com' };
  const C = client('C', account);
  const before = server.memoryMiB();
  await report.check('a third player enters the world', () => joinAs(C, 'Rustina'));
  await report.check('messages of every type with random payloads of 0..64 bytes do not affect others', () => undisturbed(t, () => randomMessages(C)));
  await report.check('large and fragmented messages do not affect others', () => undisturbed(t, () => largeMessages(t, C)));
  await report.check('malformed datagrams inside a session do not affect others', () => undisturbed(t, () => insideSession(t, C)));
  C.violations = C.allViolations().filter((v) => !v.includes('enet:')); // expected: forged commands cause wrong acks
  t.vanished = { c: C, rid: C.rid, since: Date.now() };
  C.abort();
  await report.check('malformed datagrams outside any session do not affect others', () => undisturbed(t, () => outsideSession(t)));
  await report.check('after hostile input the server still runs, and its memory is bounded', async () => {
    must(server.running, `server exited: ${server.tail()}`);
    equal(server.faults().join(' | '), '', 'faults in the log');
    const grown = server.memoryMiB() - before;
    must(grown < MEMORY_LIMIT, `memory grew by ${grown.toFixed(0)} MiB`);
  });
}

// Runs an attack; B must stay connected, receive its echoes, and be heard by A.
async function undisturbed({ B, A }, attack) {
  const echoes = B.me.echoes;
  const started = Date.now();
  await attack();
  await sleep(700);
  const pace = () => (Date.now() - started) / Math.max(1, B.me.echoes - echoes);
  must(await B.until(() => pace() < 700, 15000), `B got an echo every ${pace().toFixed(0)} ms`);
  must(B.connected, 'B lost its connection');
  const from = A.mark();
  const word = crypto.randomBytes(4).toString('hex');
  B.say(word);
  must(await A.waitFor((m) => m.type === type.chat && m.text.endsWith(word), { from, timeout: 15000 }), 'A received no line of B');
}

async function reenter(C) {
  if (C.connected && C.inWorld) return;
  for (let attempt = 1; ; attempt++) {
    C.abort();
    await sleep(400);
    try {
      return await C.enter(); // the server may disconnect a client for malformed input, but must let it log in again
    } catch (e) {
      if (attempt === 10) throw e; // wait: the server may still be saving the account's record
    }
  }
}

async function randomMessages(C) {
  for (let id = 0; id < 256; id++) {
    for (const length of [0, 1, 2, 3, 5, 22, crypto.randomInt(65), 64]) {
      await reenter(C);
      C.send(Buffer.concat([Buffer.from([id]), crypto.randomBytes(length)]), length % 2 === 0);
    }
    await sleep(8);
  }
  await sleep(300);
  await reenter(C);
}

async function largeMessages(t, C) {
  for (const size of [1367, 1368, 1369, 4000, 20000, 30000]) {
    for (const id of [type.chat, type.standardUpdate, type.inventoryUpdate]) {
      await reenter(C);
      C.send(Buffer.concat([Buffer.from([id]), Buffer.alloc(size, 0x41)]));
    }
    await sleep(50);
  }
  await sleep(300);
}

// Sends raw datagrams to the server that have the session and slot of client C and come from C's address.
async function insideSession(t, C) {
  await reenter(C);
  const { peer } = C.socket;
  const head = (timed) => {
    const h = Buffer.alloc(timed ? 8 : 6);
    peer.sessionID.copy(h);
    h.writeUInt16BE(peer.remoteID | (timed ? 0x8000 : 0), 4);
    return h;
  };
  const commands = [
    '86010000ffff41', '860100', '8601', '86', '00000000', '0c000000', '0f0000000000',
    '88010005 0005 0001 ffffffff 00000000 ffffffff 00000000 41', // 2^32-1 fragments
    '88010005 0005 0001 00000002 00000001 7fffffff 7ffffffe 41',
    '88010005 0005 0001 00000000 00000000 00000000 00000000 41',
    '88010005 0009 0001 00000001 00000000 00000001 00000000 41',
    '8601 7fff 0001 41', '8601 8001 0001 41', '86fe 0001 0001 41', '86ff 0001 0001 41',
    '0702 ffff 0001 0001 0e', '4901 0000 ffff 0001 41', '01ff 0000 ffff ffff', '0101 0000 1234 5678',
    '8aff 0001 00000001 00000001', '8bff 0001 00000000 00000000 00000000', '82ff0001', '83ff0001',
  ];
  for (const c of commands) {
    const bytes = Buffer.from(c.replaceAll(' ', ''), 'hex');
    for (const timed of [true, false]) C.socket.raw(Buffer.concat([head(timed), bytes]));
  }
  for (let i = 0; i < 400; i++) {
    C.socket.raw(Buffer.concat([head(i % 2 === 0), crypto.randomBytes(crypto.randomInt(1, 120))]));
    if (i % 50 === 0) await sleep(5);
  }
  for (let i = 0; i < 64; i++) C.socket.raw(Buffer.concat([head(true), Buffer.from(`86010${(i % 10).toString(16)}000001`, 'hex')]));
  await sleep(300);
}

async function outsideSession({ server, host }) {
  const s = dgram.createSocket('udp4');
  let answered = 0;
  s.on('message', (b) => (answered += b.length));
  let sent = 0;
  const send = (b) => {
    sent += b.length;
    s.send(b, server.ports.rcce, host);
  };
  for (let i = 0; i < 500; i++) {
    send(crypto.randomBytes(crypto.randomInt(0, 200)));
    const known = Buffer.concat([crypto.randomBytes(4), Buffer.from([0x80, i % 8, 0, 0]), crypto.randomBytes(30)]);
    send(known); // an existing peer slot with a random session
    if (i % 50 === 0) await sleep(5);
  }
  for (const channels of [0, 256, 0xffffffff, 65536]) send(connect(channels));
  for (const size of [8, 12, 30, 47]) send(connect(254).subarray(0, size));
  send(Buffer.alloc(0));
  send(Buffer.alloc(8000, 0x82));
  await sleep(1500);
  s.close();
  must(answered <= sent, `${answered} bytes answered to ${sent}`);
}

function connect(channels) {
  const b = Buffer.alloc(48);
  crypto.randomBytes(4).copy(b);
  b.writeUInt16BE(0xffff, 4);
  b.write('82ff00010000057800008000', 8, 'hex');
  b.writeUInt32BE(channels, 20);
  b.copy(b, 44, 0, 4);
  return b;
}

