import assert from 'node:assert/strict';
import test from 'node:test';
import { Reader } from './bytes.mjs';
import { Isaac } from './crypto.mjs';
import { FrameReader, clientFrame } from './framing.mjs';
import { codeOf, pack, unpack } from './huffman.mjs';
import { readRebuild } from './login.mjs';
import { readPacket, say } from './packets.mjs';

const hex = (s) => Buffer.from(s.replace(/\s/g, ''), 'hex');
const sent = ([op, body]) => clientFrame(new Isaac([1, 2, 3, 4]), op, body).toString('hex');

const clientFrames = [
  ['P01 attack', say.attack(7), '4c 00 0007'],
  ['P03 attack the last', say.attack(2047), '4c 00 07ff'],
  ['P04 chat', say.chat('hello'), '62 06 00 00 05 838c70'],
  ['P05 chat in red, waving', say.chat('hello', 1, 1), '62 06 01 01 05 838c70'],
  ['P06 chat with capitals', say.chat('Hello, world!', 6, 4), '62 0c 06 04 0d 0db8c7011fb2b15008'],
  ['P07 face', say.face(3222, 3218), '7d 120c 960c'],
  ['P07 minimap', say.minimap(3222, 3218), '91 160c 120c 00 ffff 0000 39 00 00 59 0000 0000 3f'],
  ['P07 still here', say.stillHere(), '4e'],
  ['P08 button', say.button(750, 1), '7b ee02 0100 7fff ffff'],
];
for (const [name, packet, want] of clientFrames) {
  test(name, () => assert.equal(sent(packet), want.replace(/ /g, '')));
}

const serverFrames = [
  ['P09', '19 0b 81 ffff 41747461636b00 ff', { priority: 1, cursor: 65535, text: 'Attack', slot: 1 }],
  ['P10', '19 0b 80 2a00 466f6c6c6f7700 fd', { priority: 0, cursor: 42, text: 'Follow', slot: 3 }],
  ['P11', '75 76 83 82040000', { level: 10, skill: 3, xp: 1154 }],
  ['P12 priority', '94 80', { value: 0 }],
  ['P12 energy', '25 64', { percent: 100 }],
  ['P12 flag', '4f 46 c2', { x: 70, z: 66 }],
  ['P12 top', '5b 6a02 80', { iface: 746, type: 0 }],
  ['P13 game', '7e 0f 00 00000000 00 57656c636f6d652e00', { type: 0, flags: 0, text: 'Welcome.' }],
  ['P13 trade', '7e 24 64 00000000 01 426f6200 77697368657320746f207472616465207769746820796f752e00',
    { type: 100, flags: 0, name: 'Bob', text: 'wishes to trade with you.' }],
  ['P13 public', '73 09 0007 0000 00 05838c70', { index: 7, colour: 0, effect: 0, rank: 0, text: 'hello' }],
  ['P17 logout', '53', undefined],
  ['P17 logout to the login screen', '4b', undefined],
  ['P18 varbit', '6c 00000064 1c1e', { value: 100, id: 7198 }],
  ['P18 varp', '7d 00ad 81', { id: 173, value: 1 }],
];
for (const [name, bytes, want] of serverFrames) {
  test(name, () => {
    const r = new FrameReader(new Isaac([51, 52, 53, 54]));
    r.feed(hex(bytes));
    const f = r.next();
    assert.deepEqual(readPacket(f.op, f.body), want);
    assert.equal(r.pending, 0);
    for (let n = 0; want && n < f.body.length; n++) assert.throws(() => readPacket(f.op, f.body.subarray(0, n)));
  });
}

test('codes of packed text form a complete prefix code', () => {
  const codes = { ' ': '001', e: '011', a: '0100', o: '1100', t: '1110', h: '10000', l: '10001', A: '000001101' };
  for (const [c, code] of Object.entries(codes)) assert.equal(codeOf(c.charCodeAt(0)), code, c);
  const all = Array.from({ length: 256 }, (_, i) => codeOf(i));
  assert.equal(all.reduce((sum, c) => sum + 2 ** -c.length, 0), 1);
});

test('packed text survives packing and unpacking', () => {
  for (const text of ['', 'hello', 'Hello, world!', 'The quick brown fox {|} 0123456789 ~']) {
    const r = new Reader(pack(text));
    assert.equal(unpack(r), text);
    assert.equal(r.left, 0);
  }
  assert.throws(() => unpack(new Reader(hex('05838c'))));
});

test('readRebuild reads the map around 3200,3200', () => {
  const m = readRebuild(new Reader(Buffer.concat([hex('00 01 9001 0190'), Buffer.alloc(64)])));
  assert.deepEqual([m.size, m.force, m.zoneX, m.zoneZ, m.baseX, m.keys], [104, 1, 400, 400, 3152, 4]);
  assert.throws(() => readRebuild(new Reader(Buffer.concat([hex('00 01 9001 0190'), Buffer.alloc(48)]))));
});
