// Input rate: too few inputs, too many, and in the wrong order.
import { authInput } from '../packets.mjs';
import { agree } from './join.mjs';
import { drained, settled } from './correct.mjs';
import { equal, formatPosition, must, near } from '../../lib/assert.mjs';

const shownBy = (B, A) => B.others.find(A.name);

export async function rateChecks(t, A, B) {
  const { report } = t;
  await report.check('ten inputs in one batch move the player ten steps', async () => {
    await settled(A, B);
    const mark = A.selfPackets.log.length;
    const from = [...A.pos];
    A.stop();
    A.script = () => ({ move: [0, 1], yaw: 180 });
    A.holdOutput();
    for (let i = 0; i < 10; i++) A.frame();
    A.releaseOutput();
    A.script = undefined;
    A.run();
    await A.frames(40);
    await drained(A, 800);
    must(A.selfPackets.since(mark, 'correction').length <= 1, `${A.selfPackets.since(mark, 'correction').length} corrections`);
    must(from[2] - A.pos[2] > 1.5, `moved by ${from[2] - A.pos[2]}`);
    await agree(A, B);
  });
  await report.check('others see a player in the air stand still while it sends no input', async () => {
    await settled(A, B);
    A.press('start_jumping', 'jumping');
    await A.frames(4);
    A.stop();
    const high = A.sent.get(A.tick).state.pos;
    must(high[1] > 64.5, `only ${formatPosition(high)}`);
    try {
      await B.until(() => Math.hypot(...shownBy(B, A).pos.map((v, i) => v - high[i])) <= 0.01, `${A.name} at its last position`);
      const from = shownBy(B, A).path.length;
      await B.frames(60);
      for (const pos of shownBy(B, A).path.slice(from)) near(pos, high, 0.01, 'position without input');
    } finally {
      A.run();
    }
    await A.until(() => Math.abs(A.pos[1] - 64) <= 0.001, 'landing');
    await agree(A, B);
  });
  await report.check('25 inputs a second move no faster than 20', async () => {
    await settled(A, B);
    const from = [...shownBy(B, A).pos];
    A.script = () => ({ move: [0, 1], yaw: 180 });
    const start = performance.now();
    A.run(40);
    await A.frames(200);
    const seconds = (performance.now() - start) / 1000;
    const distance = Math.hypot(...shownBy(B, A).pos.map((v, i) => v - from[i]));
    A.script = undefined;
    await drained(A, 2500);
    const allowed = (20 * seconds + 21) * 0.2159;
    must(distance <= allowed, `${distance.toFixed(2)} blocks in ${seconds.toFixed(1)} s, ${allowed.toFixed(2)} are allowed`);
    await A.frames(20);
    must(A.online, A.closeReason());
    await agree(A, B, 0.05);
  });
  await report.check('an input after a gap of ticks moves the player one step, and is corrected at its tick', async () => {
    await settled(A, B);
    const mark = A.selfPackets.log.length;
    const gap = A.tick + 12; // first of three ticks that are simulated but not sent
    A.script = () => ({ move: [0, 1], yaw: 180 });
    A.tamper = (p, tick) => (tick >= gap && tick < gap + 3 ? undefined : p);
    await A.until(() => A.selfPackets.since(mark, 'correction').length > 0, 'correction');
    await A.frames(10);
    A.tamper = A.script = undefined;
    await A.frames(20);
    const corrections = A.selfPackets.since(mark, 'correction');
    equal(corrections.map((p) => p.tick - gap), [3], 'ticks of the corrections, from the gap on');
    const { z } = corrections[0].params.position;
    const before = A.sent.get(gap - 1).state.pos[2];
    near([before - z], [0.2159], 0.001, 'way of the server from the last input before the gap to the first after it');
    await agree(A, B, 0.001);
  });
  await report.check('inputs with repeated, lower, zero or far future ticks do not move the player', async () => {
    await settled(A, B);
    const at = [...A.pos];
    const forge = (tick) => ({ ...authInput({ tick: 1, at: [at[0] + 5, 65.62, at[2]], delta: [0, 0, 0], move: [0, 1], yaw: 0, flags: [] }), tick });
    const now = BigInt(A.tick);
    const ticks = [now, now - 1n, now - 50n, 0n, 1n];
    for (const tick of ticks) A.post('player_auth_input', forge(tick));
    await A.frames(10);
    near(shownBy(B, A).pos, at, 0.01, 'position as others show it');
    must(A.online, A.closeReason());
    const last = A.tick;
    A.post('player_auth_input', forge(BigInt(last) + 1000000n));
    A.post('player_auth_input', forge(2n ** 63n + 5n));
    A.post('player_auth_input', forge(2n ** 64n - 1n));
    await A.frames(30);
    must(A.online, A.closeReason());
    near(shownBy(B, A).pos, at, 0.3, 'position as others show it afterwards');
    await agree(A, B, 0.05);
  });
  await report.check('inputs with NaN, infinity or a move vector beyond 1 do not move the player faster', async () => {
    await settled(A, B);
    const at = [...A.pos];
    const wrong = [
      (p) => ({ ...p, position: { ...p.position, x: NaN } }),
      (p) => ({ ...p, yaw: Infinity, pitch: NaN }),
      (p) => ({ ...p, delta: { x: -Infinity, y: NaN, z: 0 } }),
      (p) => ({ ...p, move_vector: { x: NaN, z: NaN } }),
      (p) => ({ ...p, position: { x: 1e30, y: 3e9, z: -1e30 } }),
    ];
    for (const spoil of wrong) {
      const tick = A.tick + 1;
      A.tamper = (p, n) => (n === tick ? spoil(p) : p);
      await A.frames(8);
      near(shownBy(B, A).pos, at, 0.02, 'position as others show it');
    }
    A.tamper = undefined;
    await A.frames(10);
    must(A.online, A.closeReason());
    const from = [...shownBy(B, A).pos];
    A.tamper = (p) => ({ ...p, move_vector: { x: 0, z: 50 }, position: { ...p.position, z: p.position.z - 2 }, yaw: 180 });
    await A.frames(10);
    A.tamper = undefined;
    const distance = Math.hypot(...shownBy(B, A).pos.map((v, i) => v - from[i]));
    must(distance < 3, `${distance} blocks in ten ticks`);
    await A.frames(20);
    await agree(A, B, 0.05);
  });
  await report.check('a claim of an unknown vehicle is corrected as a player on foot', async () => {
    await settled(A, B);
    const at = [...A.pos];
    const tick = A.tick + 2;
    const mark = A.selfPackets.log.length;
    A.tamper = (p, n) => {
      if (n !== tick) return p;
      const position = { ...p.position, x: p.position.x + 20 };
      return { ...p, position, input_data: [...p.input_data, 'client_predicted_vehicle'], vehicle_rotation: { x: 0, z: 0 }, predicted_vehicle: 77n };
    };
    const answers = () => [...A.selfPackets.since(mark, 'correction'), ...A.selfPackets.since(mark, 'teleport')];
    await A.until(() => answers().length > 0, 'correction');
    await A.frames(20);
    A.tamper = undefined;
    near(shownBy(B, A).pos, at, 0.02, 'position as others show it');
    equal(answers().map((p) => [p.tick - tick, p.params.prediction_type ?? 'player']), [[0, 'player']], 'tick and prediction type of the answer');
  });
}

const delays = [[0, 0, 0], [100, 1, 1], [300, 3, 3]]; // [RTT in ms, frames of delay to the server, frames of delay to the client]

/** One check function for each network delay: a client walks while a watcher stands. Correct clients need no correction at any delay. */
export const lagChecks = (t, watcher) => delays.map(([ms, up, down]) => (bot) => (
  t.report.check(`a walk of 200 ticks with an RTT of ${ms} ms needs no correction`, () => walkWithDelay(bot, watcher, { up, down }))
));

async function walkWithDelay(A, B, { up, down }) {
  await settled(A, B);
  Object.assign(A, { up, down });
  const mark = A.selfPackets.log.length;
  const first = A.tick;
  A.script = (tick) => {
    const n = tick - first;
    const flags = n % 30 === 9 ? ['start_jumping', 'jumping'] : n % 50 === 20 ? ['start_sprinting'] : n % 50 === 40 ? ['stop_sprinting'] : [];
    return { move: [n % 70 > 50 ? 0.5 : 0, 1], yaw: (n * 7.3) % 360, flags };
  };
  await A.frames(200);
  A.script = undefined;
  await A.frames(20);
  Object.assign(A, { up: 0, down: 0 });
  equal(A.selfPackets.since(mark, 'correction').map((p) => p.tick - first), [], 'ticks of corrections');
  await agree(A, B);
}

/** Checks of a server with movement = "accept": it follows client positions without corrections, within limits. */
export async function acceptChecks(t, A, B) {
  await t.report.check('accepted movement follows client positions without corrections', async () => {
    await settled(A, B);
    const mark = A.selfPackets.log.length;
    A.state.pos[0] += 20;
    await A.frames(20);
    equal(A.selfPackets.since(mark, 'correction').length, 0, 'corrections');
    await agree(A, B, 0.02);
    const at = [...A.pos];
    const tick = A.tick + 2;
    A.tamper = (p, n) => (n === tick ? { ...p, position: { x: NaN, y: Infinity, z: 1e30 } } : p);
    await A.frames(20);
    A.tamper = undefined;
    near(shownBy(B, A).pos, at, 0.02, 'position after NaN');
    must(A.online, A.closeReason());
  });
}
