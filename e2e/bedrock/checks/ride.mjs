// Vehicles: the positions of client and server agree in each tick, with a tolerance of 0.01 blocks.
import fs from 'node:fs';
import { array, eyes } from '../packets.mjs';
import { kindOf } from '../mounts.mjs';
import { fromWire, onWire } from '../riding.mjs';
import { drained } from './correct.mjs';
import { agree, find } from './join.mjs';
import { equal, formatPosition, must, near } from '../../lib/assert.mjs';
import { waitUntil } from '../../lib/wait.mjs';

const tables = JSON.parse(fs.readFileSync(new URL('../testdata/vehicle_trajectories.json', import.meta.url), 'utf8'));
const still = { move: [0, 0] };
const forward = { move: [0, 1] };
const jump = ['jumping'];

/** Positions in stables.toml: the horse of lane n, and the boats of lane n on the lake and on ice. */
export const horseAt = (n) => [-38.5 + 6 * n, 4.5];
export const boatAt = (n) => [-32.5 + 12 * n, -14.5];
export const iceBoatAt = (n) => [50.5 + 6 * n, -15.5];
const walledHorse = [-49.5, 4.5];

const REFUSAL_MS = 20000; // time limit for the server to count a refusal
const WALK_MS = 120000; // time limit of a walk from the start to a lane, while a busy machine plays the frames of ten clients
const PASSES = 8;

const across = (a, b) => Math.hypot(a[0] - b[0], a[2] - b[2]);

/** Resolves with the vehicle of a kind that is nearest to a position, once one is in view. */
export async function vehicleAt(bot, kind, [x, z]) {
  const nearest = () => [...bot.others.near.values()].filter((a) => kindOf(a) === kind && across(a.pos, [x, 0, z]) < 3).at(0);
  await bot.until(nearest, `a ${kind} at ${x}, ${z}`);
  return nearest();
}

/** Mounts a vehicle and waits until the client drives it. A failure lists the links and teleports received and the server's refusals. */
export async function mount(bot, actor) {
  const mark = bot.mounts.links.length;
  const packets = bot.selfPackets.log.length;
  bot.mounts.request(actor);
  await bot.until(() => bot.mounts.since(mark).length > 0, 'link');
  const links = bot.mounts.since(mark).map((l) => [l.type, String(l.ridden)]);
  if (links[0][0] !== 1) {
    const teleports = bot.selfPackets.since(packets, 'teleport').length;
    throw new Error(`refused by links ${JSON.stringify(links)}; ${teleports} teleports since the request; refused so far: ${JSON.stringify(await bot.refusals?.())}`);
  }
  equal(links, [[1, String(actor.uniqueId)]], 'links: type, ridden');
  must(bot.state.vehicle, 'does not drive');
  await bot.frames(2);
  return actor;
}

/**
 * Walks to three blocks from the vehicle at a position and mounts it. Retries while the lingering rider of an earlier check
 * occupies the seat.
 */
async function mountAt(bot, kind, [x, z], from) {
  await bot.walkTo(x, from, { reach: 0.2, ms: WALK_MS });
  await drained(bot);
  for (let tries = 1; ; tries++) {
    try {
      return await mount(bot, await vehicleAt(bot, kind, [x, z]));
    } catch (e) {
      if (tries === 3 || !/"seat_taken"/.test(e.message)) throw e;
      await bot.frames(30);
    }
  }
}

/** Leaves the vehicle, to stand beside it, and waits for the link packet. */
async function leave(bot, [dx, dz] = [1.6, 0]) {
  const mark = bot.mounts.links.length;
  const { pos } = bot.state.vehicle ?? { pos: bot.state.carrier.pos };
  const feet = Math.floor(pos[1] + 0.5);
  bot.mounts.leave([pos[0] + dx, feet, pos[2] + dz]);
  await bot.until(() => bot.mounts.since(mark).some((l) => l.type === 0), 'link of type 0');
}

const corrections = (bot, mark = 0) => bot.selfPackets.since(mark, 'correction');
export const describe = (bot) => ({ tick, params: p }) => ({
  tick, type: p.prediction_type, sent: formatPosition(bot.sent.get(tick)?.at ?? [NaN, NaN, NaN]), server: formatPosition(array(p.position)),
  yaw: [bot.sent.get(tick)?.packet.vehicle_rotation?.z, p.rotation.z],
});

/** Throws if the client was corrected since the index mark of its log, or if a packet has moved its vehicle while it drove. */
function undisturbed(bot, mark = 0) {
  equal(corrections(bot, mark).map(describe(bot)), [], 'corrections');
  equal(bot.mounts.ownMoves, [], 'movements of the own vehicle');
}

/** Waits until the watcher shows the vehicle of bot within slack blocks of the position that bot itself has. */
async function shownTo(watcher, bot, slack = 0.01) {
  const shown = () => watcher.mounts.riddenBy(bot.name)?.pos;
  const off = () => Math.hypot(...(shown() ?? [NaN]).map((v, i) => v - onWire(bot.state.vehicle)[i]));
  await watcher.until(() => off() <= slack, `the vehicle of ${bot.name} within ${slack} of ${formatPosition(onWire(bot.state.vehicle))}`, 10000)
    .catch((e) => {
      throw new Error(`${e.message}, shown at ${shown()}`);
    });
}

/** Plays an input for a number of ticks. Returns the vehicle before and after, and its displacement. */
async function hold(bot, ticks, input) {
  const first = bot.tick + 1;
  const { vehicle: before } = bot.sent.get(bot.tick).state;
  bot.script = (tick) => (tick < first + ticks ? { yaw: 0, ...input } : { yaw: input.yaw ?? 0, ...still });
  await bot.frames(ticks);
  const { vehicle: after } = bot.sent.get(first + ticks - 1).state;
  return { before, after, first, moved: after.pos.map((v, i) => v - before.pos[i]) };
}

/** Waits until the vehicle rests and faces yaw, and the server has processed all inputs. */
async function face(bot, yaw) {
  bot.script = () => ({ ...still, yaw });
  const rests = ({ vel: [x, , z], yaw: y }) => Math.hypot(x, z) < 1e-4 && Math.abs(y - yaw) < 1e-3;
  await bot.until(() => rests(bot.state.vehicle), `the vehicle at rest, facing ${yaw}`, 30000);
  await drained(bot);
}

const versioned = (name, bot) => `${name}, ${bot.version}`;

const rows = (name) => tables[name].rows;
const distance = (name, tick) => rows(name)[tick - 1].pos[2] - 8.5;

/** Horses: mounting, gallop, turns, jumps, walls, a false position, leaving. */
export const horseCourse = (t, watcher, lane) => async (bot) => {
  const { report } = t;
  const named = (name) => versioned(name, bot);
  const [x, z] = horseAt(lane);
  await report.check(named('a player mounts a horse three blocks away and drives it in its next input'), async () => {
    const seen = watcher.mounts.links.length;
    const mark = bot.selfPackets.log.length;
    const horse = await mountAt(bot, 'horse', [x, z], z - 3);
    const self = await find(watcher, bot.name);
    await watcher.until(() => watcher.mounts.since(seen, self.uniqueId).some((l) => l.type === 1), 'the link for others');
    must(horse.flags.saddled && horse.flags.tamed && horse.flags.wasd_controlled && horse.flags.can_power_jump, `flags ${Object.keys(horse.flags).filter((k) => horse.flags[k] === true)}`);
    const told = (name) => horse.told.get(`minecraft:${name}`) ?? {};
    await bot.until(() => told('movement').tick > 0, 'attributes with a tick');
    near([told('movement').value, told('horse.jump_strength').value], [0.225, 0.7], 1e-6, 'attributes');
    const isRiding = (p) => p.params.metadata.some(({ key, value }) => key === 'flags' && value.riding);
    await bot.until(() => bot.selfPackets.since(mark, 'data').some(isRiding), 'data of the rider');
    await bot.frames(2);
    must(bot.sent.get(bot.tick).flags.has('client_predicted_vehicle'), 'the input does not have flag 45');
    await bot.frames(30);
    undisturbed(bot);
  });
  if (!bot.state.vehicle) return;
  await report.check(named('a horse gallops as in the trajectory'), async () => {
    await face(bot, 0);
    const { moved, after } = await hold(bot, 20, forward);
    near(moved, [0, 0, distance('horse_gallop', 20)], 0.001, 'moved in 20 ticks');
    near([after.yaw], [0], 1e-3, 'yaw');
    undisturbed(bot);
  });
  await report.check(named('a horse turns to where its driver looks'), async () => {
    await face(bot, 0);
    const { first } = await hold(bot, 20, { ...forward, yaw: 90 });
    const yaw = (n) => bot.sent.get(first + n - 1).state.vehicle.yaw;
    near([1, 2, 3, 10].map(yaw), [11.34, 21.25, 29.91, 67.01], 0.01, 'yaw after ticks 1, 2, 3, 10');
    undisturbed(bot);
  });
  await report.check(named('the height of a horse\'s jump depends on how long its driver holds the jump key'), async () => {
    await face(bot, 0);
    await hold(bot, 11, { ...still, flags: jump });
    const ground = bot.state.vehicle.pos[1];
    const { first } = await hold(bot, 24, still);
    const heights = Array.from({ length: 24 }, (_, i) => bot.sent.get(first + i).state.vehicle.pos[1] - ground);
    near([Math.max(...heights)], [3.124], 0.001, 'highest point');
    equal(heights.findIndex((h, i) => i > 0 && h === 0) + 12, 29, 'tick of landing');
    await hold(bot, 5, forward);
    await hold(bot, 4, { ...forward, flags: jump });
    const short = await hold(bot, 11, forward);
    const vertical = bot.sent.get(short.first).state.vehicle.vel[1];
    near([vertical], [rows('horse_jump_short_forward')[9].vel[1]], 1e-6, 'vertical speed after a short jump at a gallop');
    undisturbed(bot);
  });
  await report.check(named('a horse climbs a block in one tick and is stopped by one and a half'), async () => {
    bot.script = () => ({ ...forward, yaw: 0 });
    await bot.until(() => bot.state.vehicle.pos[2] > 62, 'the plateau', 30000);
    const climb = [...bot.sent.values()].filter(({ state: { vehicle: v } }) => v && v.pos[1] > 64 && v.pos[1] < 65).length;
    must(climb <= 60, `${climb} ticks between the heights`); // each earlier jump has some such ticks, too
    equal(bot.state.vehicle.pos[1], 65, 'height');
    await bot.frames(40);
    near([bot.state.vehicle.pos[2]], [71 - 0.7], 0.001, 'position at the wall');
    equal(bot.state.vehicle.pos[1], 65, 'height at the wall');
    undisturbed(bot);
    bot.script = () => ({ ...still, yaw: 0 });
    await bot.frames(20);
    await shownTo(watcher, bot);
  });
  await report.check(named('a displaced horse is corrected once with its state and is in sync after the replay'), () => displaced(bot, watcher));
  await report.check(named('a horse stays at its position when its player leaves it'), async () => {
    const mark = bot.selfPackets.log.length;
    await bot.frames(20);
    const at = bot.state.vehicle.pos;
    await leave(bot);
    await bot.frames(30);
    undisturbed(bot, mark);
    near([across(bot.pos, at)], [1.6], 0.05, 'distance from the horse');
    await agree(bot, watcher, 0.01);
    near((await vehicleAt(bot, 'horse', [at[0], at[2]])).pos, at, 0.01, 'the horse');
  });
};

/** The client displaces its moving vehicle once. The server must correct it once. */
async function displaced(bot, watcher) {
  const boat = bot.state.vehicle.kind === 'boat';
  const mark = bot.selfPackets.log.length;
  const seen = watcher.mounts.riddenBy(bot.name).path.length;
  const truth = []; // positions of the vehicle 30 ticks ago, after corrections
  bot.onFrame = (tick) => truth.push(...[bot.rewind.after(tick - 30)?.vehicle].filter(Boolean).map(onWire));
  const turn = boat ? { move: [0.3, 1] } : { move: [0, -1] };
  bot.script = () => ({ ...turn, yaw: 0 });
  await bot.frames(20);
  bot.state.vehicle.pos[0] += 0.8;
  const tick = bot.tick + 1;
  await bot.until(() => corrections(bot, mark).length > 0, 'correction');
  await bot.frames(40);
  bot.script = () => ({ ...still, yaw: 0 });
  equal(corrections(bot, mark).map((p) => [p.tick - tick, p.params.prediction_type]), [[0, 'vehicle']], 'corrections: tick, type');
  const { params } = corrections(bot, mark)[0];
  const { vehicle: sent } = bot.sent.get(tick).state;
  const expected = [onWire(sent)[0] - 0.8, ...onWire(sent).slice(1)];
  near(array(params.position), expected, 0.001, 'corrected to');
  near(array(params.delta), sent.vel, 1e-5, 'velocity');
  near([params.rotation.z], [sent.yaw], 0.001, 'yaw');
  if (boat) near([params.angular_velocity ?? NaN], [sent.angular], 1e-4, 'angular velocity');
  await bot.frames(boat ? 100 : 20);
  await shownTo(watcher, bot);
  await bot.frames(31);
  bot.onFrame = undefined;
  for (const pos of watcher.mounts.riddenBy(bot.name).path.slice(seen)) {
    const off = Math.min(...truth.map((p) => across(p, pos)));
    must(off < 0.02, `others see ${formatPosition(pos)}, ${off} blocks beside the way`);
  }
}

const relative = (v, [x, , z]) => Math.hypot(v.pos[0] - x, v.pos[2] - z);

/** Boats: paddles by stick and by touch, a false position, leaving. */
export const boatCourse = (t, watcher, lane) => async (bot) => {
  const { report } = t;
  const named = (name) => versioned(name, bot);
  await report.check(named('a boat is paddled forward, aside and back as in the trajectories'), async () => {
    const { before, after } = await paddleAtOnce(bot, boatAt(lane), 60);
    near([relative(after, before.pos)], [distance('boat_forward', 60)], 0.02, 'moved in 60 ticks'); // in the trajectory it also floats up
    near([onWire(after)[1]], [64], 0.001, 'height, which is that of the water');
    await settledBoat(bot);
    const left = await hold(bot, 15, { move: [1, 0] });
    near([left.before.yaw - left.after.yaw], [90 - 9.158], 0.5, 'turned in 15 ticks'); // in the trajectory, strokes begin at other ticks
    near([left.after.angular], [-5.805], 0.1, 'angular velocity');
    await settledBoat(bot);
    const back = await hold(bot, 20, { move: [0, -1] });
    near([relative(back.after, back.before.pos)], [Math.abs(distance('boat_back', 20))], 0.05, 'back in 20 ticks');
    undisturbed(bot);
  });
  if (!bot.state.vehicle) return;
  await report.check(named('paddle buttons that are held on a touch screen move a boat'), async () => {
    await settledBoat(bot);
    const held = await hold(bot, 20, { ...still, flags: ['paddling_left', 'paddling_right'] });
    must(relative(held.after, held.before.pos) > 5, `moved by ${relative(held.after, held.before.pos)}`);
    await hold(bot, 5, { ...still, flags: ['paddling_left'] });
    await hold(bot, 5, still);
    undisturbed(bot);
    await settledBoat(bot);
    await shownTo(watcher, bot);
  });
  await report.check(named('a displaced boat is corrected once with its state and is in sync after the replay'), () => displaced(bot, watcher));
};

/** Waits until the boat rests, and the server has processed all inputs. */
async function settledBoat(bot) {
  bot.script = () => ({ ...still, yaw: 0 });
  await bot.until(() => Math.hypot(...bot.state.vehicle.vel) < 1e-3 && Math.abs(bot.state.vehicle.angular) < 1e-2, 'the boat at rest', 30000);
  await drained(bot);
}

/** Mounts a boat and paddles forward from the first tick on, as in the trajectories, whose paddle strokes begin there. */
async function paddleAtOnce(bot, place, ticks) {
  let first;
  await bot.walkTo(place[0], -11.6, { reach: 0.2, ms: WALK_MS });
  await drained(bot);
  const boat = await vehicleAt(bot, 'boat', place);
  bot.script = (tick) => {
    if (bot.state.vehicle) first ??= tick;
    return { yaw: 0, ...(first === undefined || tick >= first + ticks ? still : forward) };
  };
  await mount(bot, boat);
  await bot.frames(ticks);
  const { vehicle: after } = bot.sent.get(first + ticks - 1).state;
  return { before: { pos: fromWire('boat', boat.pos) }, after };
}

export const iceCourse = (t, watcher, lane) => (bot) => t.report.check(versioned('a boat on packed ice speeds up as in the trajectory', bot), async () => {
  const { before, after } = await paddleAtOnce(bot, iceBoatAt(lane), 60);
  near([relative(after, before.pos)], [distance('boat_packed_ice', 60)], 0.02, 'moved in 60 ticks');
  near([Math.hypot(after.vel[0], after.vel[2])], [1.806], 0.001, 'speed');
  undisturbed(bot);
});

/** Two players in a boat. */
export const passengerCourse = (t, watcher, lane) => async (bot) => {
  const { report } = t;
  const friend = await joined(t, `${bot.name}b`, bot.version);
  await report.check(versioned('only the driver moves a boat, and its passenger moves with it', bot), async () => {
    await Promise.all([bot, friend].map((b, i) => b.walkTo(boatAt(lane)[0] + i, -11.6, { reach: 0.2, ms: WALK_MS })));
    await Promise.all([drained(bot), drained(friend)]);
    await mount(bot, await vehicleAt(bot, 'boat', boatAt(lane)));
    const mark = friend.mounts.links.length;
    friend.mounts.request(await vehicleAt(friend, 'boat', boatAt(lane)));
    await friend.until(() => friend.mounts.since(mark).length > 0, 'link of the passenger');
    equal(friend.mounts.since(mark).map((l) => l.type), [2], 'type of the passenger\'s link');
    await settledBoat(bot);
    friend.script = () => ({ move: [0, 1], yaw: 0, flags: ['paddling_left', 'paddling_right'] });
    const rest = await hold(bot, 30, still);
    near([rest.moved[0], rest.moved[2]], [0, 0], 0.001, 'moved by the passenger');
    await hold(bot, 40, forward);
    await settledBoat(bot);
    await friend.until(() => across(friend.mounts.ridden.pos, bot.state.vehicle.pos) < 0.01, 'the boat for its passenger');
    undisturbed(bot);
    equal(corrections(friend).map(describe(friend)), [], 'corrections of the passenger');
    friend.script = undefined;
  });
  await report.check(versioned('the passenger of a boat drives it when the driver leaves', bot), async () => {
    const mark = friend.mounts.links.length;
    await leave(bot);
    await friend.until(() => friend.state.vehicle, 'the seat of the driver');
    equal(friend.mounts.since(mark).map((l) => l.type), [1], 'type of the new driver\'s link');
    await friend.frames(3);
    const { moved } = await hold(friend, 40, forward);
    must(Math.hypot(moved[0], moved[2]) > 5, `moved by ${formatPosition(moved)}`);
    undisturbed(friend);
    await settledBoat(friend);
    await shownTo(bot, friend);
  });
  await friend.close();
};

/** Drives a vehicle with random inputs and a network delay. */
export const delayCourse = (t, watcher, lane, [ms, up, down]) => (bot) => t.report.check(`a ride of 200 ticks with an RTT of ${ms} ms needs no correction, ${bot.version}`, async () => {
  await bot.walkTo(horseAt(lane)[0], horseAt(lane)[1] - 3, { reach: 0.2, ms: WALK_MS });
  await drained(bot);
  await bot.frames(10);
  Object.assign(bot, { up, down });
  await bot.frames(10);
  await mount(bot, await vehicleAt(bot, 'horse', horseAt(lane)));
  const first = bot.tick;
  bot.script = (tick) => {
    const n = tick - first;
    const yaw = (n * 5) % 360;
    return { move: [n % 90 > 70 ? 1 : 0, n % 60 > 50 ? -1 : 1], yaw, flags: n % 50 > 40 ? jump : [] };
  };
  await bot.frames(200);
  bot.script = () => ({ ...still, yaw: 0 });
  await bot.frames(60);
  Object.assign(bot, { up: 0, down: 0 });
  undisturbed(bot);
  await shownTo(watcher, bot);
});

/** One more client that has joined. */
async function joined(t, name, version) {
  const bot = t.bot(name, { version });
  await bot.join();
  return bot.run();
}

const refusals = async (t) => Object.fromEntries(Object.entries(await t.server.counters('truestep_wishes_refused_total'))
  .map(([line, n]) => [line.match(/reason="([a-z_]+)"/)?.[1], n]));

/** The server must refuse these requests to mount. */
export const refusedMounts = (t, watcher, lane) => async (bot) => {
  await t.report.check(versioned('mounting is refused from afar, through a wall, on a taken seat and when dead', bot), async () => {
    const rider = await joined(t, `${bot.name}b`, bot.version);
    const [x, z] = horseAt(lane);
    await mountAt(rider, 'horse', [x, z], z - 3);
    const refuse = async (reason, actor) => {
      const before = (await refusals(t))[reason] ?? 0;
      const mark = bot.mounts.links.length;
      bot.mounts.request(actor);
      await waitUntil(() => refusals(t), { ms: REFUSAL_MS, accept: (now) => (now[reason] ?? 0) > before, what: `refusal as ${reason}` });
      await bot.frames(12);
      equal(bot.mounts.since(mark).filter((l) => l.type !== 0).map((l) => l.type), [], `${reason}: links of type 1 or 2`);
    };
    await bot.walkTo(x, z - 3, { reach: 0.3, ms: WALK_MS });
    await refuse('seat_taken', await vehicleAt(bot, 'horse', [x, z]));
    await bot.walkTo(walledHorse[0] + lane - 2, walledHorse[1] - 9, { reach: 0.3, ms: WALK_MS });
    await refuse('too_far', await vehicleAt(bot, 'horse', walledHorse));
    await bot.walkTo(walledHorse[0] + lane - 2, 0.5, { reach: 0.3, ms: WALK_MS });
    await refuse('covered', await vehicleAt(bot, 'horse', walledHorse));
    await bot.walkTo(x + 1, z - 3, { reach: 0.3, ms: WALK_MS });
    undisturbed(bot);
    const hitter = await joined(t, `${bot.name}c`, bot.version);
    await kill(bot, hitter);
    await refuse('dead', await vehicleAt(bot, 'horse', [x, z]));
    await Promise.all([rider, hitter].map((b) => b.close()));
  });
};

const health = (bot) => bot.attributes.get('minecraft:health');

/** The hitter hits a player until it is dead. */
async function kill(bot, hitter) {
  for (let i = 0; i < 40 && health(bot) > 0; i++) {
    const target = await find(hitter, bot.name);
    if (across(target.pos, hitter.pos) > 2) await hitter.walkTo(target.pos[0], target.pos[2] - 1.2, { reach: 0.6, ms: WALK_MS });
    hitter.attack(target.runtimeId);
    await hitter.frames(11);
  }
  equal(health(bot), 0, 'health');
}

/** Hostile clients: they claim to drive another player's vehicle or none, send NaN rotations, and toggle the vehicle flag. */
export const hostileRiders = (t, watcher, lane) => async (bot) => {
  const { report } = t;
  const named = (name) => versioned(name, bot);
  const rider = await joined(t, `${bot.name}b`, bot.version);
  const [x, z] = horseAt(lane);
  await report.check(named('a client that claims to drive another player\'s vehicle does not move it and is corrected as a player on foot'), async () => {
    await mountAt(rider, 'horse', [x, z], z - 3);
    await bot.walkTo(x + 2, z - 3, { reach: 0.3, ms: WALK_MS });
    await bot.frames(10);
    const horse = await vehicleAt(bot, 'horse', [x, z]);
    const before = (await refusals(t)).vehicle_foreign ?? 0;
    const mark = bot.selfPackets.log.length;
    const at = onWire(rider.state.vehicle);
    const tick = bot.tick + 2;
    bot.tamper = (p, n) => (n !== tick ? p : claim(p, horse.uniqueId, [at[0] + 20, at[1], at[2]]));
    await bot.until(() => corrections(bot, mark).length > 0, 'correction');
    await bot.frames(20);
    bot.tamper = undefined;
    equal(corrections(bot, mark).map((p) => [p.tick - tick, p.params.prediction_type]), [[0, 'player']], 'corrections: tick, type');
    near(onWire(rider.state.vehicle), at, 0.001, 'the horse');
    undisturbed(rider);
    await shownTo(watcher, rider);
    await waitUntil(() => refusals(t), { ms: REFUSAL_MS, accept: (now) => (now.vehicle_foreign ?? 0) > before, what: 'refusal as vehicle_foreign' });
  });
  await report.check(named('NaN rotations of a vehicle and a toggled vehicle flag neither crash the server nor move the vehicle'), async () => {
    await face(rider, 0);
    const mark = rider.selfPackets.log.length;
    const at = onWire(rider.state.vehicle);
    const first = rider.tick + 2;
    rider.tamper = (p, n) => (n === first ? { ...p, vehicle_rotation: { x: NaN, z: NaN } } : p);
    await rider.frames(15);
    equal(corrections(rider, mark).map(describe(rider)), [], 'corrections after NaN');
    const { vehicle_flips: flips = 0 } = await refusals(t);
    const second = rider.tick + 1;
    rider.tamper = (p, n) => (n < second + 12 && n % 2 ? onFoot(p) : p);
    await rider.frames(40);
    rider.tamper = undefined;
    await waitUntil(() => refusals(t), { ms: REFUSAL_MS, accept: (now) => (now.vehicle_flips ?? 0) > flips, what: 'refusal as vehicle_flips' });
    near(onWire(rider.state.vehicle), at, 0.01, 'the horse');
    must(rider.online, rider.closeReason());
    await shownTo(watcher, rider);
  });
  await rider.close();
};

const claim = (p, id, [x, y, z]) => ({
  ...p, position: { x, y, z }, input_data: [...p.input_data, 'client_predicted_vehicle'], vehicle_rotation: { x: 0, z: 0 }, predicted_vehicle: id,
});
const onFoot = ({ vehicle_rotation: _, predicted_vehicle: __, ...p }) => ({ ...p, input_data: p.input_data.filter((flag) => flag !== 'client_predicted_vehicle') });

/** A hit on a horse at a gallop. */
export const struckCourse = (t, watcher, lane) => (bot) => t.report.check(versioned('a hit on a galloping horse causes one correction of type 1, and the client is in sync after a round trip', bot), async () => {
  const hitter = await joined(t, `${bot.name}b`, bot.version);
  const [x, z] = horseAt(lane);
  await mountAt(bot, 'horse', [x, z], z - 3);
  await face(bot, 0);
  await hitter.walkTo(x - 1, z + 8, { reach: 0.3, ms: WALK_MS });
  const horse = await vehicleAt(hitter, 'horse', [x, z]);
  await hitter.frames(20);
  const mark = bot.selfPackets.log.length;
  const isStruck = () => corrections(bot, mark).length > 0;
  // Ride to and fro: on a busy machine the horse may pass before the attack arrives. There is one attack in each pass, because the correction
  // may arrive so late that a second attack would be a second hit.
  for (let pass = 0; pass < PASSES && !isStruck(); pass++) {
    bot.script = () => ({ ...forward, yaw: pass % 2 ? 180 : 0 });
    await hitter.until(() => isStruck() || across(horse.pos, hitter.pos) < 3, 'the horse');
    if (!isStruck()) hitter.attack(horse.runtimeId);
    await hitter.until(() => isStruck() || across(horse.pos, hitter.pos) > 6, 'the end of the pass');
  }
  must(isStruck(), 'no correction');
  await bot.frames(40);
  equal(corrections(bot, mark).map((p) => p.params.prediction_type), ['vehicle'], 'types of corrections');
  const { tick, params } = corrections(bot, mark)[0];
  must(Math.abs(params.delta.y) > 0.1 || Math.abs(params.delta.x) > 0.1, `velocity ${JSON.stringify(params.delta)}`);
  must(tick > 0, 'no tick');
  bot.script = () => ({ ...still, yaw: 0 });
  await bot.frames(20);
  await shownTo(watcher, bot);
  await hitter.close();
});

/** Cases in which the server unseats a rider: portals, death, disconnects. */
export const unseatedCourse = (t, watcher, lane) => async (bot) => {
  const { report } = t;
  const named = (name) => versioned(name, bot);
  const [x, z] = horseAt(lane);
  await report.check(named('a rider that enters a portal is unseated first, and the horse stays'), async () => {
    await mountAt(bot, 'horse', [x, z], z - 3);
    const mark = bot.order.length;
    bot.script = () => ({ ...forward, yaw: (Math.atan2(-(50.5 - bot.state.pos[0]), 20.5 - bot.state.pos[2]) * 180) / Math.PI });
    await bot.until(() => bot.order.slice(mark).includes('move_player'), 'teleport', 60000);
    bot.script = undefined;
    const order = bot.order.slice(mark);
    must(order.includes('set_entity_link') && order.indexOf('set_entity_link') < order.indexOf('move_player'), `the packets came in the order ${order}`);
    await bot.frames(20);
    near([bot.pos[0], bot.pos[2]], [-50.5, 40.5], 1, 'position');
    const horse = await vehicleAt(watcher, 'horse', [50.5, 20.5]);
    must(across(horse.pos, [50.5, 0, 20.5]) < 4, `the horse is at ${formatPosition(horse.pos)}`);
    await agree(bot, watcher, 0.02);
  });
  await report.check(named('a rider that dies is unseated first and lies beside the horse'), async () => {
    const friend = await joined(t, `${bot.name}b`, bot.version);
    await mountAt(friend, 'horse', horseAt(lane + 2), horseAt(lane + 2)[1] - 3);
    const mark = friend.order.length;
    const hitter = await joined(t, `${bot.name}e`, bot.version);
    await kill(friend, hitter);
    await hitter.close();
    await friend.until(() => friend.order.slice(mark).includes('respawn'), 'packet about its death');
    await friend.frames(10);
    const order = friend.order.slice(mark);
    must(order.includes('set_entity_link') && order.indexOf('set_entity_link') < order.indexOf('respawn'), `the packets came in the order ${order}`);
    must(!friend.state.vehicle, 'still drives');
    const horse = await vehicleAt(watcher, 'horse', horseAt(lane + 2));
    must(across(horse.pos, friend.pos) < 4, 'far from the horse');
    await friend.close();
  });
  await report.check(named('another player can mount the horse of a rider that has disconnected'), async () => {
    const [hx, hz] = horseAt(lane + 2);
    const friend = await joined(t, `${bot.name}c`, bot.version);
    await mountAt(friend, 'horse', [hx, hz], hz - 3);
    await friend.close();
    await watcher.until(() => !watcher.others.find(friend.name), 'the rider gone');
    const heir = await joined(t, `${bot.name}d`, bot.version);
    await mountAt(heir, 'horse', [hx, hz], hz - 3);
    await hold(heir, 20, forward);
    undisturbed(heir);
    await heir.close();
  });
};
