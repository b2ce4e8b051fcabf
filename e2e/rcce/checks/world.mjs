// Entering the world, seeing each other, moving, speaking: docs/wire/rcce.md 3.3, 3.4, 5.
import { distance } from '../client.mjs';
import { type, encode } from '../wire.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

export async function entryChecks(t) {
  const { report, A, B, world } = t;
  let burst = [];
  await report.check('login, character sheet, new connection, StartGame', async () => (burst = await A.enter()));
  await report.check('world entry: ChangeArea first, runtime id, 12 action-bar chunks, level bar', () => entryBurst(burst, A, world));
  await report.check('own position is echoed about every 200 ms', () => echoPace(A));
  await report.check('second player enters', () => B.enter());
  await report.check('players see each other once, with names and full layout', () => mutualSight(A, B));
  await report.check('both see the same inhabitants', () => sameInhabitants(A, B));
}

async function entryBurst(burst, A, world) {
  const order = burst.map((m) => m.type);
  equal(burst[0]?.packet, 'ChangeArea', 'first message');
  equal(A.area.name, world.start.area, 'area');
  must(distance(burst[0], world.start) < 10, `starts at ${burst[0].x}, ${burst[0].z}`);
  const starts = burst.filter((m) => m.type === type.startGame);
  equal(starts.filter((m) => m.rid).length, 1, 'runtime ids');
  const slots = starts.filter((m) => m.slots).map((m) => m.start);
  equal(String(slots.sort((a, b) => a - b)), String(Array.from({ length: 12 }, (_, i) => 3 * i)), 'chunks');
  must(order.indexOf(type.startGame) > order.indexOf(type.changeArea), 'StartGame before ChangeArea');
  must(burst.some((m) => m.type === type.xpUpdate && m.sub === 'B'), 'no XPUpdate B');
  equal(burst.filter((m) => m.type === type.changeArea).length, 1, 'ChangeArea messages');
}

const ECHOES = 14;

async function echoPace(A) {
  const from = A.mark();
  const times = () => A.all((m) => m.type === type.standardUpdate && m.rid === A.rid, from).map((m) => m.t);
  must(await A.until(() => times().length >= ECHOES, 30000), `${times().length} echoes in 30 s`);
  const gaps = times().slice(1).map((t, i) => t - times()[i]).sort((x, y) => x - y);
  const pace = gaps[gaps.length >> 1]; // a machine that stands still makes one long gap, and short ones behind it
  must(pace > 140 && pace < 380, `${pace} ms between two echoes, of ${gaps}`);
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

async function sameInhabitants(A, B) {
  const npcs = (c) => [...c.actors.values()].filter((a) => !a.isPlayer).map((a) => a.rid).sort((x, y) => x - y).join();
  must(await A.until(() => npcs(A) !== '' && npcs(A) === npcs(B), 15000), `A sees ${npcs(A)}; B sees ${npcs(B)}`);
}

export async function movementChecks(t) {
  const { report, A, B, world } = t;
  await report.check('walk: 40 steps, the other sees X change by more than 5', () => walk(A, B));
  await report.check('the server walks a player toward its destination', () => serverWalks(A));
  await report.check('claims just below the speed rule are accepted', () => fairClaims(A, world));
  await report.check('running backward becomes walking backward', () => backward(A, B));
  await report.check('StandardUpdate of 21 and 23 bytes is dropped', () => wrongSizes(A));
  await report.check('NaN and infinite claims move nobody', () => notNumbers(A));
  await report.check('teleport claims are held and then repositioned', () => teleport(A, B));
  await report.check('a flood of small claims gains no speed', () => flood(A, world));
  await report.check('back at the start', async () => must(await A.goTo(world.start, { style: 'claim', step: t.step(A), within: 4 }), `at ${A.me.x}, ${A.me.z}`));
}

async function stop(c) {
  c.claimAt({ x: c.me.x, z: c.me.z });
  await sleep(450);
  await c.heard();
}

async function walk(A, B) {
  const before = B.actors.get(A.rid).x;
  const start = A.me.x;
  const end = await A.walkSteps(40);
  must(await B.until(() => Math.abs(B.actors.get(A.rid).x - before) > 5, 15000), `B saw ${before} -> ${B.actors.get(A.rid)?.x}`);
  must(await A.until(() => Math.abs(A.me.x - end.x) < 20, 15000), `claimed ${end.x}, echo ${A.me.x}, started at ${start}`);
  await stop(A);
  await stop(A);
  const seen = B.actors.get(A.rid);
  must(await B.until(() => distance(seen, A.me) < 1, 15000), `echo ${A.me.x}, ${A.me.z}; B sees ${seen.x}, ${seen.z}`);
}

async function serverWalks(A) {
  const to = { x: A.me.x - 14, z: A.me.z };
  must(await A.goTo(to, { style: 'echo', within: 2, timeout: 30000 }), `stands at ${A.me.x}, wanted ${to.x}`);
  await stop(A);
}

async function fairClaims(A, world) {
  const ratio = A.sheet.value[world.speedStat] / A.sheet.max[world.speedStat];
  const step = 0.85 * 0.15 * (ratio + 0.5) * 140;
  const claim = { x: A.me.x, z: A.me.z };
  const from = A.mark();
  await new Promise((done) => {
    let left = 20; // farther from the origin than a claim can jump: what is not a number reads as 0
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
  await A.heard();
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
  must(await B.waitFor((m) => m.type === type.standardUpdate && m.rid === ridA && m.backward === 1 && m.running === 0, { from }), 'B never saw it');
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

async function notNumbers(A) {
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
  must(far(A, fromA) < 100, `own echo ${far(A, fromA)} units away`);
  must(far(B, fromB) < 100, `B saw A ${far(B, fromB)} units away`);
  const m = must(repositioned(), 'no RepositionActor M after 60 refused claims');
  must(distance(m, at) < 100, `repositioned ${distance(m, at)} units away`);
}

const SAVED = 2; // seconds of allowance that who stands may save: docs/decisions/0003-accumulating-allowance.md

async function flood(A, world) {
  const ratio = A.sheet.value[world.speedStat] / A.sheet.max[world.speedStat];
  const fair = 0.15 * (ratio + 0.5) * 1000;
  for (let i = 0; i < 8; i++) {
    A.claimAt({ x: A.me.x, z: A.me.z });
    await sleep(140);
  }
  const at = { ...A.me };
  const claim = { x: at.x, z: at.z };
  const began = performance.now();
  for (let i = 0; i < 100; i++) {
    for (let k = 0; k < 6; k++) {
      claim.x += 1.9 * world.open.dx;
      claim.z += 1.9 * world.open.dz;
      A.claimAt(claim);
    }
    await sleep(10);
  }
  await sleep(300);
  const gone = distance(A.me, at);
  const seconds = (performance.now() - began) / 1000; // one and a half, on a machine of its own, and a thousand units claimed
  const most = (SAVED + seconds) * fair;
  must(gone < most, `${gone.toFixed(0)} units in ${seconds.toFixed(1)} s, ${most.toFixed(0)} are allowed`);
  await stop(A);
}

export async function speechChecks({ report, A, B }) {
  await report.check('chat goes to both, in both directions, as <Name> text', () => chat(A, B));
  await report.check('empty chat and unknown commands are not relayed', () => silentChat(A, B));
  await report.check('a jump is relayed to everybody, the jumper too', () => jump(A, B));
}

const said = (text) => (m) => m.type === type.chat && m.text === text;

async function chat(A, B) {
  for (const [who, other, text] of [[A, B, 'hello there'], [B, A, 'general greeting, 100 %']]) {
    const line = `<${who.character.name}> ${text}`;
    const [fromOwn, fromOther] = [who.mark(), other.mark()];
    who.say(text);
    const heard = must(await other.waitFor(said(line), { from: fromOther }), `${other.label} did not get ${JSON.stringify(line)}`);
    must(await who.waitFor(said(line), { from: fromOwn }), `${who.label} did not get its own line`);
    equal(heard.colour, '', 'colour prefix');
  }
}

async function silentChat(A, B) {
  const from = B.mark();
  A.send(encode.chat(''));
  A.say('/e2e-no-such-command');
  A.say('\\e2e-no-such-command');
  await sleep(600);
  equal(B.all(type.chat, from).length, 0, 'lines at B');
}

async function jump(A, B) {
  const [fromA, fromB, ridA] = [A.mark(), B.mark(), A.rid];
  const mine = (m) => m.type === type.jump && m.rid === ridA;
  A.jump();
  must(await B.waitFor(mine, { from: fromB }), 'B saw no jump');
  must(await A.waitFor(mine, { from: fromA }), 'A saw no jump');
}
