// Inputs too few, too many, and in the wrong order.
import { authInput } from '../packets.mjs';
import { agree } from './join.mjs';
import { drained, settled } from './correct.mjs';
import { equal, formatPosition, must, near } from '../../lib/assert.mjs';

const seen = (B, A) => B.others.find(A.name);

export async function rateChecks(t, A, B) {
  const { report } = t;
  await report.check('ten inputs in one batch are ten steps', async () => {
    await settled(A, B);
    const mark = A.carriers.log.length;
    const from = [...A.pos];
    A.stop();
    A.script = () => ({ move: [0, 1], yaw: 180 });
    A.hoard();
    for (let i = 0; i < 10; i++) A.frame();
    A.release();
    A.script = undefined;
    A.run();
    await A.frames(40);
    await drained(A, 800);
    must(A.carriers.since(mark, 'correction').length <= 1, `${A.carriers.since(mark, 'correction').length} corrections`);
    must(from[2] - A.pos[2] > 1.5, `moved by ${from[2] - A.pos[2]}`);
    await agree(A, B);
  });
  await report.check('in the air and silent it stands still for the others', async () => {
    await settled(A, B);
    A.press('start_jumping', 'jumping');
    await A.frames(4);
    A.stop();
    const high = A.sent.get(A.tick).state.pos;
    must(high[1] > 64.5, `only ${formatPosition(high)}`);
    try {
      await B.until(() => Math.hypot(...seen(B, A).pos.map((v, i) => v - high[i])) <= 0.01, `${A.name} where it fell silent`);
      const from = seen(B, A).path.length;
      await B.frames(60);
      for (const pos of seen(B, A).path.slice(from)) near(pos, high, 0.01, 'a move while it was silent');
    } finally {
      A.run();
    }
    await A.until(() => Math.abs(A.pos[1] - 64) <= 0.001, 'the ground');
    await agree(A, B);
  });
  await report.check('25 inputs a second are no faster than 20', async () => {
    await settled(A, B);
    const from = [...seen(B, A).pos];
    A.script = () => ({ move: [0, 1], yaw: 180 });
    const began = performance.now();
    A.run(40);
    await A.frames(200);
    const seconds = (performance.now() - began) / 1000;
    const way = Math.hypot(...seen(B, A).pos.map((v, i) => v - from[i]));
    A.script = undefined;
    await drained(A, 2500);
    const most = (20 * seconds + 21) * 0.2159;
    must(way <= most, `${way.toFixed(2)} blocks in ${seconds.toFixed(1)} s; at most ${most.toFixed(2)}`);
    await A.frames(20);
    must(A.online, A.ending());
    await agree(A, B, 0.05);
  });
  await report.check('ticks that are used, lower, none or far ahead move nobody', async () => {
    await settled(A, B);
    const at = [...A.pos];
    const lie = (tick) => ({ ...authInput({ tick: 1, at: [at[0] + 5, 65.62, at[2]], delta: [0, 0, 0], move: [0, 1], yaw: 0, flags: [] }), tick });
    const now = BigInt(A.tick);
    const forged = [now, now - 1n, now - 50n, 0n, 1n];
    for (const tick of forged) A.post('player_auth_input', lie(tick));
    await A.frames(10);
    near(seen(B, A).pos, at, 0.01, 'where the others see it');
    must(A.online, A.ending());
    const late = A.tick;
    A.post('player_auth_input', lie(BigInt(late) + 1000000n));
    A.post('player_auth_input', lie(2n ** 63n + 5n));
    A.post('player_auth_input', lie(2n ** 64n - 1n));
    await A.frames(30);
    must(A.online, A.ending());
    near(seen(B, A).pos, at, 0.3, 'where the others see it afterwards');
    await agree(A, B, 0.05);
  });
  await report.check('numbers that are none, and moves beyond 1, move nobody', async () => {
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
      near(seen(B, A).pos, at, 0.02, 'where the others see it');
    }
    A.tamper = undefined;
    await A.frames(10);
    must(A.online, A.ending());
    const from = [...seen(B, A).pos];
    A.tamper = (p) => ({ ...p, move_vector: { x: 0, z: 50 }, position: { ...p.position, z: p.position.z - 2 }, yaw: 180 });
    await A.frames(10);
    A.tamper = undefined;
    const way = Math.hypot(...seen(B, A).pos.map((v, i) => v - from[i]));
    must(way < 3, `${way} blocks in ten ticks`);
    await A.frames(20);
    await agree(A, B, 0.05);
  });
  await report.check('who claims a vehicle that is not there is corrected on its own feet', async () => {
    await settled(A, B);
    const at = [...A.pos];
    const tick = A.tick + 2;
    const mark = A.carriers.log.length;
    A.tamper = (p, n) => {
      if (n !== tick) return p;
      const position = { ...p.position, x: p.position.x + 20 };
      return { ...p, position, input_data: [...p.input_data, 'client_predicted_vehicle'], vehicle_rotation: { x: 0, z: 0 }, predicted_vehicle: 77n };
    };
    const told = () => [...A.carriers.since(mark, 'correction'), ...A.carriers.since(mark, 'teleport')];
    await A.until(() => told().length > 0, 'a correction');
    await A.frames(20);
    A.tamper = undefined;
    near(seen(B, A).pos, at, 0.02, 'where the others see it');
    equal(told().map((p) => [p.tick - tick, p.params.prediction_type ?? 'player']), [[0, 'player']], 'what it is told, and of which input');
  });
}

/** Honest walks over slow lines: nothing to correct, whatever the delay. */
export async function lagChecks(t, A, B) {
  for (const [ms, up, down] of [[0, 0, 0], [100, 1, 1], [300, 3, 3]]) {
    await t.report.check(`an honest walk of 200 ticks with ${ms} ms of round trip needs no correction`, async () => {
      await settled(A, B);
      Object.assign(A, { up, down });
      const mark = A.carriers.log.length;
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
      equal(A.carriers.since(mark, 'correction').map((p) => p.tick - first), [], 'ticks of corrections');
      await agree(A, B);
    });
  }
}

/** A server that takes positions as they are told: no corrections, but bounds. */
export async function blindChecks(t, A, B) {
  await t.report.check('where movement is accepted, positions count and nothing is corrected', async () => {
    await settled(A, B);
    const mark = A.carriers.log.length;
    A.state.pos[0] += 3;
    await A.frames(20);
    equal(A.carriers.since(mark, 'correction').length, 0, 'corrections');
    await agree(A, B, 0.02);
    const at = [...A.pos];
    const tick = A.tick + 2;
    A.tamper = (p, n) => (n === tick ? { ...p, position: { x: NaN, y: Infinity, z: 1e30 } } : p);
    await A.frames(20);
    A.tamper = undefined;
    near(seen(B, A).pos, at, 0.02, 'after a position that is none');
    must(A.online, A.ending());
  });
}
