// The frame tables of Mojang's PlayerMovementOverview, played with two frames of delay in each direction. Frame 0 is the tick
// of the event. A pair (c, s) is a client frame and a server frame.
import { copy } from '../physics.mjs';
import { array, feet } from '../packets.mjs';
import { agree, find } from './join.mjs';
import { settled } from './correct.mjs';
import { equal, must, near } from '../../lib/assert.mjs';

const LIMIT_MS = 240000;

/**
 * Runs fn with two frames of delay in each direction. fn sets A.waitsFor, so that the frames that handle an answer of the server
 * are played once the answer has arrived. The frame tables are thus exact, whatever the speed of the machine.
 */
async function withDelay(A, fn) {
  A.up = A.down = 2;
  try {
    await A.frames(10);
    await fn();
  } finally {
    A.up = A.down = 0;
    A.script = A.tamper = A.holdUntil = A.onFrame = A.waitsFor = undefined;
    A.controls.move = [0, 0];
    await A.frames(15);
  }
}

/** Whether A has received a packet of a kind about its tick since the index mark of its log. */
const received = (A, mark, name, tick) => A.selfPackets.since(mark, name).some((p) => p.about === tick);

/** strict: the server's threshold is below the error of one frame of sneaking, 0.0686 blocks. */
export async function frameChecks(t, A, B, { strict = false } = {}) {
  const { report } = t;
  await report.check('client and server have each position of the second example, from [0, 0] to [1, 4], and are in sync at (6, 4)', async () => {
    await settled(A, B);
    await withDelay(A, () => secondExample(A));
  }, LIMIT_MS);
  await report.check('knockback is one motion packet without a correction, and client and server are in sync at (6, 4)', async () => {
    await B.walkTo(A.pos[0] + 1.5, A.pos[2], { reach: 0.4 });
    await settled(B, A); // the attack would wait behind B's queued inputs, and A would walk away meanwhile
    await settled(A, B);
    await withDelay(A, () => knockback(A, B));
    await agree(A, B, 0.001);
  }, LIMIT_MS);
  await report.check('sneaking answered by a packet with a tick is replayed bit-identically', async () => {
    await settled(A, B);
    await withDelay(A, () => sneak(A, { withTick: true }));
  }, LIMIT_MS);
  await report.check('sneaking answered by a packet without a tick first causes a mismatch at (9, 7)', async () => {
    await settled(A, B);
    await withDelay(A, () => sneak(A, { withTick: false, strict }));
    A.state.pos[0] += 3; // the remaining difference is below the server's threshold, so make it larger: then the server corrects it
    await A.frames(20);
    await agree(A, B, 0.02);
  }, LIMIT_MS);
}

// The second example of PlayerMovementOverview. In frame 0 the server has the player one block farther east than the client. Positions
// are [blocks east, ticks of walking north], relative to the client in frame 0. A row has a pair of frames (client, server), and then: the
// client's position after its frame, the input that the server gets, the server's position after it, and the client's replay.
const SECOND_EXAMPLE = [
  { frames: [2, 0], client: [0, 2], said: [0, 0], server: [1, 0] },
  { frames: [3, 1], client: [0, 3], said: [0, 1], server: [1, 1] },
  { frames: [4, 2], client: [1, 4], said: [0, 2], server: [1, 2], replay: [[1, 0], [1, 1], [1, 2], [1, 3]] },
  { frames: [5, 3], client: [1, 5], said: [0, 3], server: [1, 3] },
  { frames: [6, 4], client: [1, 6], said: [1, 4], server: [1, 4] },
];
const WALK = 0.21585904; // blocks a tick

async function secondExample(A) {
  const mark = A.selfPackets.log.length;
  const T = A.tick + 20; // frame 0, at which the player has its full speed
  A.script = () => ({ move: [0, 1], yaw: 180 });
  await A.until(() => A.tick >= T - 1, 'frame 0');
  A.state.pos[0] -= 1;
  A.waitsFor = (n) => n < T + 4 || received(A, mark, 'correction', T);
  const after = {}; // positions at the end of each frame, before any replay
  A.onFrame = (tick, s) => (after[tick - T] = [...s.pos]);
  await A.frames(14);
  const corrections = A.selfPackets.since(mark, 'correction');
  equal(corrections.map((p) => [p.tick - T, p.handled - T, p.how]), [[0, 4, 'filed']], 'corrections: tick, frame, how');
  equal(A.rewind.replays.filter(({ from }) => from === T).map((r) => [r.from - T, r.to - T, r.changed.map((c) => c - T)]), [[0, 3, [0, 1, 2, 3]]], 'replay');
  const [x0, , z0] = after[0];
  const place = ([x, , z]) => [x - x0, (z0 - z) / WALK];
  const truth = (n) => A.rewind.after(T + n).pos; // position by the server, which sent no further correction
  for (const { frames: [c, s], client, said, server, replay = [] } of SECOND_EXAMPLE) {
    near(place(after[c]), client, 0.01, `client after frame (${c}, ${s})`);
    near(place(after[s]), said, 0.01, `input of frame (${c}, ${s})`);
    near(place(truth(s)), server, 0.01, `server in frame (${c}, ${s})`);
    replay.forEach((to, n) => near(place(truth(n)), to, 0.01, `replay of ${n} in frame (${c}, ${s})`));
  }
  near(place(feet(array(corrections[0].params.position))), [1, 0], 0.01, 'correction of frame 0');
}

async function knockback(A, B) {
  const mark = A.selfPackets.log.length;
  const before = A.rewind.replays.length;
  const target = await find(B, A.name);
  A.script = () => ({ move: [0, 1], yaw: 180 });
  await A.frames(5);
  // From now on A plays no frame until it receives the motion. The motion has the tick of the last input that the server has received.
  const last = A.tick;
  A.waitsFor = () => A.selfPackets.since(mark, 'motion').length > 0;
  await B.until(() => Math.hypot(...target.pos.map((v, i) => v - A.sent.get(last - A.up).state.pos[i])) < 0.001, `sight of ${A.name} where its last input leads`);
  B.attack(target.runtimeId);
  await A.until(() => A.selfPackets.since(mark, 'motion').length > 0, 'motion');
  await A.frames(20);
  const motions = A.selfPackets.since(mark, 'motion');
  equal(motions.length, 1, 'motions');
  const T = motions[0].tick;
  must(T > 0, 'the motion has no tick');
  equal([motions[0].handled - T, motions[0].how], [4, 'filed'], 'handled in frame, how');
  equal(A.selfPackets.since(mark, 'correction').map((p) => p.tick - T), [], 'corrections');
  const replay = A.rewind.replays.slice(before).find(({ from }) => from === T);
  equal([replay?.from - T, replay?.to - T, replay?.changed.map((c) => c - T)], [0, 3, [0, 1, 2, 3]], 'replay');
  const { velocity: v } = motions[0].params;
  must(Math.hypot(v.x, v.z) > 0.05 && v.y > 0, `velocity ${JSON.stringify(v)}`);
  const at = A.sent.get(T).state.pos;
  const away = (at[0] - B.pos[0]) * v.x + (at[2] - B.pos[2]) * v.z;
  must(away > 0, 'knocked toward the attacker');
}

// Sneaking starts in frame 2 and stops in frame 4. The client handles the answer of the server in frame 7, as in the table. If
// withTick is false, the tick is removed from the answer before that.
async function sneak(A, { withTick, strict }) {
  const mark = A.selfPackets.log.length;
  const T = A.tick + 10; // frame 0
  const flags = { 2: ['start_sneaking'], 4: ['stop_sneaking'] };
  A.script = (tick) => ({ move: [0, 1], yaw: 180, flags: flags[tick - T] });
  const states = {};
  A.onFrame = (tick, s) => (states[tick - T] = copy(s));
  A.holdUntil = (p) => {
    if (!['data', 'attributes'].includes(p.name) || p.tick < T) return undefined;
    const due = p.tick + 5; // in the table the server answers one frame after it has handled the input
    if (!withTick) p.tick = 0;
    return due;
  };
  A.waitsFor = (n) => [2, 4].every((f) => n < T + f + 5 || received(A, mark, 'data', T + f));
  await A.frames(30);
  const data = A.selfPackets.since(mark, 'data').filter((p) => p.due >= T);
  const corrections = A.selfPackets.since(mark, 'correction').map((p) => p.tick - T);
  must(data.length >= 1, 'no answer to sneaking');
  equal(data[0].handled - T, 7, 'frame in which the answer is handled');
  if (!withTick) {
    equal(states[7].sneaking, true, 'sneaking of the client in frame 7');
    const wrong = Object.keys(states).map(Number).find((n) => n >= 5 && states[n].sneaking);
    equal(wrong, 7, 'first mismatched frame');
    if (strict) equal(corrections[0], 7, 'first frame that the server corrects');
    return;
  }
  equal(data.map((p) => p.tick - T).slice(0, 2), [2, 4], 'ticks of the answers');
  equal(corrections, [], 'corrections');
  for (const replay of A.rewind.replays.filter(({ from }) => from >= T)) equal(replay.changed, [], `replay from ${replay.from - T}`);
  equal([2, 3, 4, 5, 6, 7].map((n) => states[n].sneaking), [true, true, false, false, false, false], 'sneaking in frames 2 to 7');
}
