// World entry, sight, movement, chat: docs/wire/rcce.md 3.3, 3.4, 5.
import { distance } from '../client.mjs';
import { type, encode } from '../wire.mjs';
import { worldUnits } from '../../lib/adapters.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { mismatch } from '../../lib/oracle.mjs';
import { sleep } from '../../lib/wait.mjs';

export async function entryChecks(t) {
  const { report, A, B, world } = t;
  let entry = [];
  await report.check('a login, a character sheet, a new connection and StartGame enter the world', async () => (entry = await A.enter()));
  await report.check('world entry sends ChangeArea first, a runtime id, 12 action-bar chunks and the level bar', () => entryMessages(entry, A, world));
  await report.check('the server echoes the player\'s own position about every 200 ms', () => echoPace(A));
  await report.check('a second player enters the world', () => B.enter());
  await report.check('players are announced to each other once, with names and full layout', () => mutualSight(A, B));
  await report.check('both clients show the same NPCs', () => sameNpcs(A, B));
}

async function entryMessages(entry, A, world) {
  const order = entry.map((m) => m.type);
  equal(entry[0]?.packet, 'ChangeArea', 'first message');
  equal(A.area.name, world.start.area, 'area');
  must(distance(entry[0], world.start) < 10, `starts at ${entry[0].x}, ${entry[0].z}`);
  const starts = entry.filter((m) => m.type === type.startGame);
  equal(starts.filter((m) => m.rid).length, 1, 'runtime ids');
  const slots = starts.filter((m) => m.slots).map((m) => m.start);
  equal(String(slots.sort((a, b) => a - b)), String(Array.from({ length: 12 }, (_, i) => 3 * i)), 'chunks');
  must(order.indexOf(type.startGame) > order.indexOf(type.changeArea), 'StartGame before ChangeArea');
  must(entry.some((m) => m.type === type.xpUpdate && m.sub === 'B'), 'no message XPUpdate B was received');
  equal(entry.filter((m) => m.type === type.changeArea).length, 1, 'ChangeArea messages');
}

const ECHOES = 14;

// A pause of the machine makes a long gap, followed by short ones. So the check waits for a median of the latest gaps without pauses.
async function echoPace(A) {
  const from = A.mark();
  const times = () => A.all((m) => m.type === type.standardUpdate && m.rid === A.rid, from).map((m) => m.t).slice(-ECHOES);
  const gaps = () => times().slice(1).map((t, i) => t - times()[i]).sort((x, y) => x - y);
  const pace = () => gaps()[gaps().length >> 1];
  must(await A.until(() => times().length === ECHOES && pace() > 140 && pace() < 380, 30000), `${pace()} ms between two echoes, of ${gaps()}`);
}

async function mutualSight(A, B) {
  const a = must(await B.until(() => B.actors.get(A.rid), 15000), 'B has no NewActor of A');
  const b = must(await A.until(() => A.actors.get(B.rid), 15000), 'A has no NewActor of B');
  equal(a.name, A.character.name, 'name of A');
  equal(b.name, B.character.name, 'name of B');
  equal(a.isPlayer + b.isPlayer, 2, 'isPlayer');
  equal(a.area, b.area, 'area handle');
  must(a.health > 0 && a.health <= a.healthMax, `health ${a.health}/${a.healthMax}`);
  equal(A.all((m) => m.type === type.newActor && m.rid === B.rid).length, 1, 'NewActor of B');
  must(await B.until(() => B.actors.get(A.rid).updates > 1, 15000), 'B gets no StandardUpdate of A');
}

async function sameNpcs(A, B) {
  const npcs = (c) => [...c.actors.values()].filter((a) => !a.isPlayer).map((a) => a.rid).sort((x, y) => x - y).join();
  must(await A.until(() => npcs(A) !== '' && npcs(A) === npcs(B), 15000), `A shows ${npcs(A)}; B shows ${npcs(B)}`);
}

export async function movementChecks(t) {
  const { report, A, B, world } = t;
  await report.check('a walk of 40 steps changes X by more than 5 for the other client', () => walk(A, B));
  await report.check('the server walks a player toward its destination', () => serverWalks(A));
  await report.check('claims just below the speed rule are accepted', () => legalClaims(A, world));
  await report.check('running backward is changed to walking backward', () => backward(A, B));
  await report.check('a StandardUpdate of 21 or 23 bytes is dropped', () => wrongSizes(A));
  await report.check('NaN and infinite claims do not move the player', () => notFiniteClaims(A));
  await report.check('claims of a distant position are held, and then the player is repositioned', () => teleport(A, B));
  await report.check('a flood of small claims does not exceed the speed rule', () => flood(A, world));
  await report.check('the player walks back to the start', async () => must(await A.goTo(world.start, { style: 'claim', step: t.step(A), within: 4 }), `at ${A.me.x}, ${A.me.z}`));
}

async function stop(c) {
  c.claimAt({ x: c.me.x, z: c.me.z });
  await sleep(450);
  await c.echoed();
}

async function walk(A, B) {
  const before = B.actors.get(A.rid).x;
  const start = A.me.x;
  const end = await A.walkSteps(40);
  must(await B.until(() => Math.abs(B.actors.get(A.rid).x - before) > 5, 15000), `B showed X ${before} -> ${B.actors.get(A.rid)?.x}`);
  must(await A.until(() => Math.abs(A.me.x - end.x) < 20, 15000), `claimed ${end.x}, echo ${A.me.x}, started at ${start}`);
  await stop(A);
  await stop(A);
  const seen = B.actors.get(A.rid);
  must(await B.until(() => !mismatch(worldUnits(1), seen, A.me), 15000), `B about A: ${mismatch(worldUnits(1), seen, A.me)}`);
}

async function serverWalks(A) {
  const to = { x: A.me.x - 14, z: A.me.z };
  must(await A.goTo(to, { style: 'echo', within: 2, timeout: 30000 }), `stands at ${A.me.x}, wanted ${to.x}`);
  await stop(A);
}

async function legalClaims(A, world) {
  const ratio = A.sheet.value[world.speedStat] / A.sheet.max[world.speedStat];
  const step = 0.85 * 0.15 * (ratio + 0.5) * 140;
  const claim = { x: A.me.x, z: A.me.z };
  const from = A.mark();
  await new Promise((done) => {
    let left = 20; // number of claims: they end farther from the origin, as which the server reads NaN, than one claim may move
    A.pilot = () => {
      if (left-- === 0) {
        A.pilot = null;
        return done();
      }
      claim.x += step * world.open.dx;
      claim.z += step * world.open.dz;
      return { ...claim, destX: claim.x, destZ: claim.z };
    };
  });
  await sleep(450);
  await A.echoed();
  must(distance(A.me, claim) < 1, `claimed ${claim.x.toFixed(1)}, ${claim.z.toFixed(1)}, echo ${A.me.x.toFixed(1)}, ${A.me.z.toFixed(1)}`);
  equal(A.all(type.reposition, from).length, 0, 'RepositionActor messages');
}

async function backward(A, B) {
  const ridA = A.rid;
  const from = B.mark();
  for (let i = 0; i < 6; i++) {
    A.claimAt({ x: A.me.x, z: A.me.z, running: 1, backward: 1 });
    await sleep(140);
  }
  must(await B.waitFor((m) => m.type === type.standardUpdate && m.rid === ridA && m.backward === 1 && m.running === 0, { from }), 'B received no such update');
  await stop(A);
}

async function wrongSizes(A) {
  await stop(A);
  const at = { ...A.me };
  const whole = encode.standardUpdate({ destX: at.x + 40, destZ: at.z + 40, y: at.y, x: at.x, z: at.z, running: 1 });
  for (let i = 0; i < 5; i++) {
    A.send(whole.subarray(0, -1), false);
    A.send(Buffer.concat([whole, Buffer.from([0])]), false);
    await sleep(140);
  }
  must(distance(A.me, at) < 1, `moved from ${at.x}, ${at.z} to ${A.me.x}, ${A.me.z}`);
}

async function notFiniteClaims(A) {
  await stop(A);
  const at = { ...A.me };
  for (const bad of [NaN, Infinity, -Infinity, 1e30]) {
    A.claimAt({ x: at.x, z: at.z });
    A.claimAt({ x: at.x + bad, z: at.z + bad, destX: at.x, destZ: at.z, y: at.y });
    await sleep(140);
  }
  await stop(A);
  must(distance(A.me, at) < 60, `moved from ${at.x}, ${at.z} to ${A.me.x}, ${A.me.z}`);
}

async function teleport(A, B) {
  for (let i = 0; i < 5; i++) {
    A.claimAt({ x: A.me.x, z: A.me.z });
    await sleep(140);
  }
  const at = { ...A.me };
  const [fromA, fromB, ridA] = [A.mark(), B.mark(), A.rid];
  const repositioned = () => A.all((m) => m.type === type.reposition && m.sub === 'M' && m.rid === ridA, fromA)[0];
  for (let i = 0; i < 60 && !repositioned(); i++) {
    A.claimAt({ x: at.x + 500, z: at.z + 500, destX: at.x, destZ: at.z });
    await sleep(140);
  }
  await stop(A);
  const far = (c, from) => Math.max(...c.all((m) => m.type === type.standardUpdate && m.rid === ridA, from).map((m) => distance(m, at)));
  must(far(A, fromA) < 100, `own echo ${far(A, fromA)} units from the last position`);
  must(far(B, fromB) < 100, `B showed A ${far(B, fromB)} units from its last position`);
  const m = must(repositioned(), 'no RepositionActor M after 60 refused claims');
  must(distance(m, at) < 100, `repositioned ${distance(m, at)} units from the last position`);
}

const MAX_ALLOWANCE = 2; // seconds of movement that a standing player accumulates at most: docs/decisions/0003-accumulating-allowance.md

async function flood(A, world) {
  const ratio = A.sheet.value[world.speedStat] / A.sheet.max[world.speedStat];
  const unitsPerSecond = 0.15 * (ratio + 0.5) * 1000;
  for (let i = 0; i < 8; i++) {
    A.claimAt({ x: A.me.x, z: A.me.z });
    await sleep(140);
  }
  const at = { ...A.me };
  const claim = { x: at.x, z: at.z };
  const start = performance.now();
  for (let i = 0; i < 100; i++) {
    for (let k = 0; k < 6; k++) {
      claim.x += 1.9 * world.open.dx;
      claim.z += 1.9 * world.open.dz;
      A.claimAt(claim);
    }
    await sleep(10);
  }
  await sleep(300);
  const moved = distance(A.me, at);
  const seconds = (performance.now() - start) / 1000; // about 1.5 on an idle machine, in which 1,140 units are claimed
  const allowed = (MAX_ALLOWANCE + seconds) * unitsPerSecond;
  must(moved < allowed, `${moved.toFixed(0)} units in ${seconds.toFixed(1)} s, ${allowed.toFixed(0)} are allowed`);
  await stop(A);
}

export async function speechChecks({ report, A, B }) {
  await report.check('a line of chat reaches both players as <Name> text', () => chat(A, B));
  await report.check('empty lines and unknown commands are not relayed', () => droppedChat(A, B));
  await report.check('a jump is relayed to both players', () => jump(A, B));
}

const isLine = (text) => (m) => m.type === type.chat && m.text === text;

async function chat(A, B) {
  for (const [speaker, other, text] of [[A, B, 'hello there'], [B, A, 'general greeting, 100 %']]) {
    const line = `<${speaker.character.name}> ${text}`;
    const [fromOwn, fromOther] = [speaker.mark(), other.mark()];
    speaker.say(text);
    const received = must(await other.waitFor(isLine(line), { from: fromOther }), `${other.label} did not get ${JSON.stringify(line)}`);
    must(await speaker.waitFor(isLine(line), { from: fromOwn }), `${speaker.label} did not get its own line`);
    equal(received.colour, '', 'colour prefix');
  }
}

async function droppedChat(A, B) {
  const from = B.mark();
  A.send(encode.chat(''));
  A.say('/e2e-no-such-command');
  A.say('\\e2e-no-such-command');
  await sleep(600);
  equal(B.all(type.chat, from).length, 0, 'lines at B');
}

async function jump(A, B) {
  const [fromA, fromB, ridA] = [A.mark(), B.mark(), A.rid];
  const isJump = (m) => m.type === type.jump && m.rid === ridA;
  A.jump();
  must(await B.waitFor(isJump, { from: fromB }), 'B received no jump');
  must(await A.waitFor(isJump, { from: fromA }), 'A received no jump');
}
