// Vectors V1..V41 of docs/wire/rcce.md section 8, and input that a strict client refuses.
import test from 'node:test';
import assert from 'node:assert/strict';
import { decode, encode, LayoutError, md5, obfuscate } from './wire.mjs';

const hex = (s) => Buffer.from(s.replaceAll(' ', ''), 'hex');
const account = { user: 'rustbot', password: 'rustpass', email: 'rust@bot.com' };
const credentials = '07 72757374626f74 20 3563326237333965623837393065663065616137366133393039396661353830';

const v = {
  V1: hex('0e 0000e642 0000a4c1 00005040 0000c842 0000a4c1 01 00'),
  V2: hex('0e 00002041 0000a041 00000000 00000041 00009041 01 01'),
  V5: hex('0e 0201 0000c842 0000a4c1 01 00 0000e642 0000a4c1 0000'),
  V6: hex('0e 0100 0000c842 0000a4c1 00 00 0000c842 0000a4c1 0000 5700'),
  V7: hex('0e 2c01 00004841 0000f840 00 00 00002042 0000f840 0000 00007a42'),
  V8: hex('0e 0500 0000803f 00000040 01 00 00004040 00008040 3412'),
  V9: hex('12 2c01'),
  V11: hex('12 48 2c01 1900 03'),
  V12: hex('12 48 2c01 0000 00'),
  V13: hex('12 59 0100 1900 03'),
  V14: hex('12 4f 0100 2c01'),
  V15: hex('12 48 2c01 ffff 00'),
  V16: hex('12 48 2c01 0100 00'),
  V17: hex('12 48 2c01 0080 00'),
  V18: hex('12 48 2c01 0000 13'),
  V19: hex('16 41 2c01 00 4c00'),
  V20: hex('16 41 2c01 00 fbff'),
  V21: hex('16 52 0100 f6ff'),
  V22: hex('13 2c01 0100'),
  V23a: hex('0d 2c010000'),
  V23b: hex('0d 2c01'),
  V24: hex('25 0100 2c01 ffff 0f00 0f00 01 46 07 44656661756c74 46697265 62616c6c'),
  V25: hex(`02 ${credentials}`),
  V26: hex(`01 ${credentials} 0c 535549145a5548265a595b58`),
  V27: hex('02 59 08 5275737461726f6f 0100 00 00 00 00 00'),
  V28: hex(`0c ${credentials} 00`),
  V29: hex('0c 0100'),
  V30: hex('0c 21 0000 0000 0000'),
  V31: hex('09 0000c842 00005040 0000a4c1 0000b442 01 2c01 04030201 00 06 506c61696e73'),
  V32: hex(`0b 04030201 2c01 0400 00000000 0700 00004841 00007a42 0000f840 00000000 00 03526174 00 00 0000
    0000000000000000 3200 6400 6400 6400 ffffffffffffffff 02 ${'64'.repeat(100)}`.replaceAll('\n', '')),
  V33: hex('31 4d 0100 0000c842 00005040 0000a4c1 00 00'),
  V34: hex('2d 00 6300'),
  V35: hex('10 fe 57656c636f6d65'),
  V36: hex('10 fa ffe164 437269746963616c21'),
  V37: hex('20 4d 11000000'),
  V38: hex('03 46 0000 0000'),
  V39: hex('24 41 09000000 0c00 506f69736f6e'),
  V40: hex('24 45 00 fdffffff'),
  V41: hex(`04 ${credentials} 0100 ${'00'.repeat(45)} 5275737461726f6f`),
};

const refuses = (bytes, ctx) => assert.throws(() => decode(bytes, ctx), LayoutError);
const reads = (bytes, want, ctx) => {
  const m = decode(bytes, ctx);
  for (const [k, value] of Object.entries(want)) assert.deepEqual(m[k], value, k);
  return m;
};

test('client messages are encoded as in the vectors', () => {
  const same = (got, want) => assert.equal(got.toString('hex'), want.toString('hex'));
  same(encode.standardUpdate({ destX: 115, destZ: -20.5, y: 3.25, x: 100, z: -20.5, running: 1 }), v.V1);
  same(encode.standardUpdate({ destX: 10, destZ: 20, y: 0, x: 8, z: 18, running: 1, backward: 1 }), v.V2);
  same(encode.attack(300), v.V9);
  same(encode.verifyAccount(account), v.V25);
  same(encode.createAccount(account), v.V26);
  same(encode.startGame(account, 0), v.V28);
  same(encode.createCharacter(account, { actor: 1, name: 'Rustaroo' }), v.V41);
  assert.equal(encode.fetchCharacter(account, 2).at(-1), 2);
  assert.deepEqual(encode.newClient(), hex('00'));
  assert.deepEqual(encode.jump(), hex('2e'));
  assert.deepEqual(encode.chat('hi'), hex('10 6869'));
});

test('the password is hashed and the e-mail obfuscated', () => {
  assert.equal(md5('rustpass'), '5c2b739eb8790ef0eaa76a39099fa580');
  assert.equal(Buffer.from(obfuscate('rust@bot.com'), 'latin1').toString('hex'), '535549145a5548265a595b58');
});

test('StandardUpdate has 22 bytes, 24 for the recipient, 26 for other flying actors', () => {
  reads(v.V5, { rid: 0x0102, x: 100, z: -20.5, running: 1, backward: 0, destX: 115, destZ: -20.5, mount: 0 });
  reads(v.V6, { rid: 1, energy: 87 }, { self: 1 });
  refuses(v.V6, { self: 2 });
  reads(v.V6, { energy: 87 }); // without self: this message may overtake the one that tells the own runtime id
  refuses(v.V6, { self: 1, energy: false });
  reads(v.V7, { rid: 300, y: 62.5 }, { self: 1, flies: () => true });
  reads(v.V7, { rid: 300, y: 62.5 }, { self: 1 });
  refuses(v.V7, { self: 300 });
  refuses(v.V7, { self: 1, flies: () => false });
  refuses(v.V5, { self: 1, flies: () => true });
  refuses(v.V5, { self: 0x0102, energy: true });
  reads(v.V8, { rid: 5, mount: 0x1234 });
});

test('StandardUpdate with values that a client would misread is refused', () => {
  for (const n of [1, 21, 22]) refuses(v.V5.subarray(0, n));
  refuses(Buffer.concat([v.V5, hex('00')]));
  refuses(hex('0e 0201 0000c07f 0000a4c1 01 00 0000e642 0000a4c1 0000')); // NaN
  refuses(hex('0e 0201 0050c347 0000a4c1 01 00 0000e642 0000a4c1 0000')); // 100000
  refuses(hex('0e 0201 0000c842 0000a4c1 01 01 0000e642 0000a4c1 0000')); // running backward
  refuses(hex('0e 0201 0000c842 0000a4c1 02 00 0000e642 0000a4c1 0000'));
  refuses(hex('0e 0000 0000c842 0000a4c1 01 00 0000e642 0000a4c1 0000')); // runtime id 0
});

test('AttackActor H and Y have 6 bytes, O has 5, and damage within the range of all clients', () => {
  reads(v.V11, { sub: 'H', rid: 300, damage: 24, damageType: 3 }, { self: 1 });
  reads(v.V12, { sub: 'H', rid: 300, damage: -1, damageType: 0 });
  reads(v.V13, { sub: 'Y', rid: 1, damage: 24 }, { self: 300 });
  reads(v.V14, { sub: 'O', attacker: 1, victim: 300 }, { self: 2 });
  reads(v.V16, { damage: 0 });
  refuses(v.V14, { self: 1 });
  refuses(v.V14, { self: 300 });
  for (const never of [v.V15, v.V17, v.V18]) refuses(never);
  refuses(hex('12 48 2c01 1900'));
  refuses(hex('12 4f 0100 2c01 00'));
  refuses(hex('12 48 2c01 1900 14'));
});

test('StatUpdate, ActorDead, ActorGone and RepositionActor are decoded', () => {
  reads(v.V19, { sub: 'A', rid: 300, attribute: 0, value: 76 });
  refuses(v.V20);
  reads(v.V21, { sub: 'R', rid: 1, reputation: -10 });
  refuses(hex('16 52 0100 f6ff 00'));
  refuses(hex('16 41 2c01 28 4c00'));
  reads(v.V22, { rid: 300, killer: 1 });
  reads(hex('13 2c01'), { rid: 300, killer: null });
  refuses(hex('13 2c01 01'));
  reads(v.V23a, { rid: 300, wide: true });
  reads(v.V23b, { rid: 300, wide: false });
  refuses(hex('0d 2c010100'));
  reads(v.V33, { sub: 'M', rid: 1, x: 100, y: 3.25, z: -20.5, ignoreCollision: 0, extra: 0 });
  assert.equal(reads(v.V33.subarray(0, 17), { sub: 'M' }).extra, undefined);
  reads(hex('31 52 0100 0000b442'), { sub: 'R', yaw: 90 });
  refuses(hex('31 0100 0000c842 00005040 0000a4c1 00 00')); // SetArea as the original server sends it, without the sub byte
});

test('answers to login requests are decoded', () => {
  const m = reads(v.V27, { status: 'Y' });
  assert.deepEqual(m.characters, [{ name: 'Rustaroo', actor: 1, gender: 0, face: 0, hair: 0, beard: 0, body: 0 }]);
  reads(hex('02 59'), { characters: [] });
  for (const s of ['50', '42', '4c']) decode(hex(`02 ${s}`));
  refuses(hex('02 5000'));
  refuses(hex('02 4e'));
  refuses(v.V27.subarray(0, 12));
  reads(hex('01 59'), { status: 'Y' });
  refuses(hex('01 5900'));
  reads(hex('04 49'), { status: 'I' });
  reads(v.V38, { sub: 'F', quests: 0, spells: 0 });
  const sheet = Buffer.concat([hex('03 4331 64000000 f6ff 0300 e8030000 02'), Buffer.alloc(160, 1)]);
  const c1 = reads(sheet, { sub: 'C1', gold: 100, reputation: -10, level: 3, xp: 1000, faction: 2 });
  assert.equal(c1.value.length, 40);
  refuses(sheet.subarray(0, -1));
  reads(hex('03 4333 63'), { items: [] });
});

test('messages of world entry are decoded', () => {
  reads(v.V29, { rid: 1 });
  reads(v.V30, { start: 33 });
  refuses(hex('0c 22 0000 0000 0000'));
  refuses(hex('0c 21 0000 0000'));
  refuses(hex('0c 0000'));
  reads(v.V31, { x: 100, y: 3.25, z: -20.5, yaw: 90, pvp: 1, gravity: 300, area: 0x01020304, weather: 0 });
  assert.equal(decode(v.V31).name, 'Plains');
  refuses(v.V31.subarray(0, -1));
  refuses(Buffer.concat([v.V31, hex('00')]));
});

test('NewActor is decoded with and without the gender byte', () => {
  const want = { area: 0x01020304, rid: 300, level: 4, xp: 0, template: 7, x: 12.5, y: 62.5, z: 7.75, isPlayer: 0, speed: 50, speedMax: 100, health: 100, healthMax: 100, weapon: 65535, faction: 2 };
  const m = reads(v.V32, { ...want, gender: 0 });
  assert.equal(m.name, 'Rat');
  assert.equal(m.ratings.length, 100);
  const at = 1 + 31 + 4 + 1;
  const bare = Buffer.concat([v.V32.subarray(0, at), v.V32.subarray(at + 1)]);
  reads(bare, { ...want, gender: null });
  refuses(bare.subarray(0, -1));
  refuses(Buffer.concat([v.V32, hex('00')]));
});

test('the remaining messages are decoded', () => {
  reads(v.V24, { source: 1, target: 300, mesh: 65535, homing: 1, speed: 70, emitter1: 'Default', emitter2: 'Fireball' });
  reads(v.V34, { slot: 0, health: 99 });
  reads(v.V35, { colour: 'yellow', text: 'Welcome' });
  reads(v.V36, { colour: 'rgb', rgb: [0xff, 0xe1, 0x64], text: 'Critical!' });
  reads(v.V37, { sub: 'M', gained: 17 });
  reads(hex('20 42 07'), { sub: 'B', bar: 7 });
  reads(v.V39, { sub: 'A', handle: 9, icon: 12 });
  reads(v.V40, { sub: 'E', attribute: 0, delta: -3 });
  reads(hex('2e 0100'), { rid: 1 });
  refuses(hex('2e'));
});

test('message types that a server must not send are refused', () => {
  for (const t of [200, 201, 202, 63, 255]) refuses(Buffer.from([t]));
  refuses(Buffer.alloc(0));
});

test('every shorter prefix of a message of fixed size is refused', () => {
  const free = new Set(['V24', 'V27', 'V35', 'V36', 'V39']); // these messages end in a text or a list, so a prefix may be valid
  const fromClient = new Set(['V1', 'V2', 'V9', 'V25', 'V26', 'V28', 'V41', 'V15', 'V17', 'V18', 'V20']);
  const shorterIsAnother = new Set(['V6', 'V7', 'V22', 'V23a', 'V33', 'V30']); // a prefix may be valid: sizes are checked above
  for (const [name, bytes] of Object.entries(v)) {
    if (free.has(name) || fromClient.has(name) || shorterIsAnother.has(name)) continue;
    for (let n = 0; n < bytes.length; n++) {
      if (bytes[0] === 12 && n === 2) continue; // this prefix is one byte, a status letter, which is refused because of its value
      assert.throws(() => decode(bytes.subarray(0, n)), LayoutError, `${name} cut to ${n}`);
    }
  }
});
