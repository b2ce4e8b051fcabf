// The frame tables of the seed, played with two frames of delay each way. Frame 0 is the tick of the event.
import { copy } from '../physics.mjs';
import { feet } from '../packets.mjs';
import { agree, find } from './join.mjs';
import { drained, settled } from './correct.mjs';
import { equal, must, near } from '../../lib/assert.mjs';

const PLAYS = 11; // more, while packets come late
const PLAYED_MS = 240000;

/** Lets fn play with two frames of delay each way; plays again when the machine was too slow for exact frames. */
async function delayed(A, fn) {
  for (let again = 0; ; again++) {
    await drained(A, 1200);
    A.up = A.down = 2;
    A.carriers.late = 0;
    try {
      await A.frames(10);
      return await fn();
    } catch (e) {
      if (A.carriers.late === 0 || again === PLAYS) throw e;
    } finally {
      A.up = A.down = 0;
      A.script = A.tamper = A.holdUntil = A.onFrame = undefined;
      A.hands.move = [0, 0];
      await A.frames(15);
    }
  }
}

/** strict: the server's threshold is below what one frame of sneaking makes, 0.0686 blocks. */
export async function frameChecks(t, A, B, { strict = false } = {}) {
  const { report } = t;
  await report.check('off by one: corrected for frame 0, replayed to 3, in sync at (6, 4)', async () => {
    await settled(A, B);
    await delayed(A, () => offByOne(A));
  }, PLAYED_MS);
  await report.check('knocked back: one motion, no correction, in sync at (6, 4)', async () => {
    await B.walkTo(A.pos[0] + 1.5, A.pos[2], { reach: 0.4 });
    await drained(B, 1200); // a blow waits behind all inputs, and A walks away meanwhile
    await settled(A, B);
    await delayed(A, () => knocked(A, B));
    await agree(A, B, 0.001);
  }, PLAYED_MS);
  await report.check('sneak on and off, the answer names its tick: nothing changes, bit for bit', async () => {
    await settled(A, B);
    await delayed(A, () => sneak(A, { withTick: true }));
  }, PLAYED_MS);
  await report.check('the same with the tick taken off the answer: first mismatch at (9, 7)', async () => {
    await delayed(A, () => sneak(A, { withTick: false, strict }));
    A.state.pos[0] += 3; // what is left of the difference is below the threshold, so a greater one is mended with it
    await A.frames(20);
    await agree(A, B, 0.02);
  }, PLAYED_MS);
}

// The client is one block west of where the server has it, from tick T on.
async function offByOne(A) {
  const mark = A.carriers.log.length;
  const T = A.tick + 8;
  A.script = () => ({ move: [0, 1], yaw: 180 });
  await A.until(() => A.tick >= T - 1, 'frame 0');
  A.state.pos[0] -= 1;
  const said = {};
  A.onFrame = (tick, s) => (said[tick - T] = s.pos[0]);
  await A.frames(14);
  await A.until(() => A.carriers.since(mark, 'correction').length > 0, 'a correction'); // so that one that is late counts as such
  const news = A.carriers.since(mark, 'correction');
  equal(news.map((p) => [p.tick - T, p.handled - T, p.how]), [[0, 4, 'filed']], 'corrections: tick, frame, how');
  equal(A.rewind.replays.filter(({ from }) => from === T).map((r) => [r.from - T, r.to - T, r.changed.map((c) => c - T)]), [[0, 3, [0, 1, 2, 3]]], 'replay');
  for (const n of [0, 1, 2, 3]) near([said[n]], [said[4] - 1], 0.01, `said in frame ${n}`);
  for (const n of [0, 1, 2, 3]) near([A.rewind.after(T + n).pos[0]], [said[4]], 0.01, `known of frame ${n} afterwards`);
  near([feet([news[0].params.position.x, 0, 0])[0]], [said[4]], 0.01, 'where the server had it in frame 0');
}

async function knocked(A, B) {
  const mark = A.carriers.log.length;
  const before = A.rewind.replays.length;
  const me = await find(B, A.name);
  A.script = () => ({ move: [0, 1], yaw: 180 });
  await A.frames(5);
  B.attack(me.runtimeId);
  await A.until(() => A.carriers.since(mark, 'motion').length > 0, 'a motion');
  await A.frames(20);
  const motions = A.carriers.since(mark, 'motion');
  equal(motions.length, 1, 'motions');
  const T = motions[0].tick;
  must(T > 0, 'the motion names no tick');
  equal([motions[0].handled - T, motions[0].how], [4, 'filed'], 'handled in frame, how');
  equal(A.carriers.since(mark, 'correction').map((p) => p.tick - T), [], 'corrections');
  const replay = A.rewind.replays.slice(before).find(({ from }) => from === T);
  equal([replay?.from - T, replay?.to - T, replay?.changed.map((c) => c - T)], [0, 3, [0, 1, 2, 3]], 'replay');
  const { velocity: v } = motions[0].params;
  must(Math.hypot(v.x, v.z) > 0.05 && v.y > 0, `thrown by ${JSON.stringify(v)}`);
  const at = A.sent.get(T).state.pos;
  const away = (at[0] - B.pos[0]) * v.x + (at[2] - B.pos[2]) * v.z;
  must(away > 0, 'thrown towards the attacker');
}

// On in frame 2, off in frame 4. The carrier may take the tick off the answer, and is handled at frame 7 as tabled.
async function sneak(A, { withTick, strict }) {
  const mark = A.carriers.log.length;
  const T = A.tick + 10; // frame 0
  const flags = { 2: ['start_sneaking'], 4: ['stop_sneaking'] };
  A.script = (tick) => ({ move: [0, 1], yaw: 180, flags: flags[tick - T] });
  const known = {};
  A.onFrame = (tick, s) => (known[tick - T] = copy(s));
  A.holdUntil = (p) => {
    if (!['data', 'attributes'].includes(p.name) || p.tick < T) return undefined;
    const due = p.tick + 5; // the server of the table flushes one frame after it handled the input
    if (!withTick) p.tick = 0;
    return due;
  };
  await A.frames(30);
  const data = A.carriers.since(mark, 'data').filter((p) => p.due >= T);
  const corrections = A.carriers.since(mark, 'correction').map((p) => p.tick - T);
  must(data.length >= 1, 'no answer to the sneak');
  equal(data[0].handled - T, 7, 'frame in which the answer is handled');
  if (!withTick) {
    equal(known[7].sneaking, true, 'what the client believes in frame 7');
    const wrong = Object.keys(known).map(Number).find((n) => n >= 5 && known[n].sneaking);
    equal(wrong, 7, 'first frame that the server plays otherwise');
    if (strict) equal(corrections[0], 7, 'first frame that the server corrects');
    return;
  }
  equal(data.map((p) => p.tick - T).slice(0, 2), [2, 4], 'ticks of the answers');
  equal(corrections, [], 'corrections');
  for (const replay of A.rewind.replays.filter(({ from }) => from >= T)) equal(replay.changed, [], `replay from ${replay.from - T}`);
  equal([2, 3, 4, 5, 6, 7].map((n) => known[n].sneaking), [true, true, false, false, false, false], 'sneaking in frames 2 to 7');
}
