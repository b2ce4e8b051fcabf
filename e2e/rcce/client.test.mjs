// The client's handling of messages, without a network.
import test from 'node:test';
import assert from 'node:assert/strict';
import { Client } from './client.mjs';
import { type } from './wire.mjs';

const hex = (s) => Buffer.from(s.replace(/\s/g, ''), 'hex');
const changeArea = hex('09 0000c842 00005040 0000a4c1 0000b442 01 2c01 04030201 00 06 506c61696e73');
const otherArea = hex('09 0000c842 00005040 0000a4c1 0000b442 01 2c01 05030201 00 06 506c61696e73');
const rat = hex(`0b 04030201 2c01 0400 00000000 0700 00004841 00007a42 0000f840 00000000 00 03526174 00 00 0000
  0000000000000000 3200 6400 6400 6400 ffffffffffffffff 02 ${'64'.repeat(100)}`);
const myID = hex('0c 0100');
const echo = hex('0e 0100 0000c842 0000a4c1 00 00 0000c842 0000a4c1 0000');
const ratMoves = hex('0e 2c01 00004841 0000f840 00 00 00002042 0000f840 0000');
const ratHealth = hex('16 41 2c01 00 4c00');

function inWorld(options = {}) {
  const sent = [];
  const c = new Client({ label: 'T', account: { user: 'u', password: 'p' }, ...options });
  c.socket = { send: (channel, data, reliable) => sent.push({ channel, data, reliable }), peer: { violations: [] } };
  c.connected = true;
  c.inWorld = true;
  const give = (...messages) => {
    for (const data of messages) c.receive({ data, reliable: data[0] !== type.standardUpdate, channel: data[0] === type.standardUpdate ? 2 : 1 });
  };
  return { c, sent, give };
}

test('the actor map follows NewActor, StandardUpdate, StatUpdate, ActorDead', () => {
  const { c, give } = inWorld();
  give(changeArea, myID, rat);
  assert.equal(c.rid, 1);
  assert.equal(c.area.name, 'Plains');
  assert.deepEqual([c.me.x, c.me.y, c.me.z], [100, 3.25, -20.5]);
  assert.equal(c.actors.get(300).hp, 100);
  give(ratMoves, ratHealth);
  assert.deepEqual([c.actors.get(300).destX, c.actors.get(300).hp, c.actors.get(300).updates], [40, 76, 1]);
  give(hex('13 2c01 0100'));
  assert.equal(c.actors.size, 0);
  assert.deepEqual(c.violations, []);
});

test('ChangeArea clears the actors only if the area handle changes', () => {
  const { c, give } = inWorld();
  give(changeArea, rat, changeArea);
  assert.equal(c.actors.size, 1);
  give(otherArea);
  assert.equal(c.actors.size, 0);
});

test('the own position follows the echo and RepositionActor', () => {
  const { c, give } = inWorld();
  give(changeArea, myID, hex('0e 0100 00004841 0000f840 00 00 00002042 0000f840 0000'));
  assert.deepEqual([c.me.x, c.me.z, c.me.destX, c.me.echoes], [12.5, 7.75, 40, 1]);
  give(hex('31 4d 0100 0000c842 00005040 0000a4c1 00 00'));
  assert.deepEqual([c.me.x, c.me.z], [100, -20.5]);
});

test('a message that a real client would drop is a violation', () => {
  const cases = [
    ['NewActor 300 before ChangeArea', (g) => g(rat)],
    ['NewActor 300 for area', (g) => g(otherArea, rat)],
    ['NewActor for myself', (g) => g(changeArea, hex('0c 2c01'), rat)],
    ['runtime id changed', (g) => g(changeArea, myID, hex('0c 0200'))],
    ['ActorDead names the recipient', (g) => g(changeArea, myID, hex('13 0100'))],
    ['StandardUpdate: payload of 21', (g) => g(changeArea, myID, echo.subarray(0, 22))],
    ['O sent to a party', (g) => g(changeArea, myID, hex('12 4f 0100 2c01'))],
  ];
  for (const [want, play] of cases) {
    const { c, give } = inWorld();
    play(give);
    assert.ok(c.violations.some((v) => v.includes(want)), `${want}: ${c.violations}`);
  }
});

test('a message on the wrong channel or with the wrong reliability is a violation', () => {
  const { c } = inWorld();
  c.receive({ data: changeArea, reliable: true, channel: 0 });
  c.receive({ data: hex('2e 0100'), reliable: false, channel: 2 });
  c.receive({ data: echo, reliable: true, channel: 1 });
  assert.deepEqual(c.violations, ['T: ChangeArea reliable on channel 0', 'T: Jump sent unreliable', 'T: StandardUpdate sent reliable']);
});

test('a world message before StartGame is a violation', () => {
  const { c, give } = inWorld();
  c.inWorld = false;
  give(hex('10 fe 57656c636f6d65'));
  assert.match(c.violations[0], /ChatMessage before StartGame/);
});

test('NewActor and updates that contradict the template are violations', () => {
  const { c, give } = inWorld({ world: { gendered: () => false, flies: (t) => t === 7, energy: true } });
  give(changeArea, myID, rat, ratMoves, echo);
  assert.match(c.violations[0], /gender byte present/);
  assert.match(c.violations[1], /no Y tail/);
  assert.match(c.violations[2], /without the energy tail/);
});

test('waitFor finds messages since a mark and times out', async () => {
  const { c, give } = inWorld();
  give(changeArea);
  const from = c.mark();
  const later = c.waitFor(type.newActor, { from, timeout: 1000 });
  give(rat);
  assert.equal((await later).rid, 300);
  assert.equal(await c.waitFor(type.changeArea, { from, timeout: 20 }), null);
});

test('messages 9 and 49 are acknowledged only with sendAcks', () => {
  const silent = inWorld();
  silent.give(changeArea);
  assert.equal(silent.sent.length, 0);
  const polite = inWorld({ sendAcks: true });
  polite.give(changeArea, myID, hex('31 4d 0100 0000c842 00005040 0000a4c1 00 00'));
  assert.deepEqual(polite.sent.map((s) => s.data[0]), [9, 49]);
});
