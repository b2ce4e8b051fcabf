// Corrections: if a client reports a false position for a tick, the server corrects it at that tick.
import { feet } from '../packets.mjs';
import { agree, checkPath } from './join.mjs';
import { equal, must, near } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const eyesOf = ({ position: p }) => [p.x, p.y, p.z];
const moved = (packet, dx) => ({ ...packet, position: { ...packet.position, x: packet.position.x + dx } });

export async function correctChecks(t, A, B) {
  const { report } = t;
  await report.check('a false position is corrected at its own tick to the predicted state', async () => {
    await settled(A, B);
    const mark = A.selfPackets.log.length;
    const seen = B.others.find(A.name).path.length;
    const falseTick = A.tick + 4;
    A.script = () => ({ move: [0, 1], yaw: 90 });
    A.tamper = (packet, tick) => (tick === falseTick ? moved(packet, 0.6) : packet);
    await A.frames(20);
    A.tamper = undefined;
    await corrected(A, mark);
    await A.frames(10);
    A.script = undefined;
    const corrections = A.selfPackets.since(mark, 'correction');
    equal(corrections.map((p) => p.tick), [falseTick], 'ticks of the corrections');
    const { params } = corrections[0];
    const { state } = A.sent.get(falseTick);
    near(feet(eyesOf(params)), state.pos, 1e-5, 'corrected to');
    near([params.delta.x, params.delta.y, params.delta.z], state.vel, 1e-6, 'velocity');
    equal(params.on_ground, state.onGround, 'on ground');
    equal(params.prediction_type, 'player', 'prediction type');
    await agree(A, B, 0.001);
    checkPath(B.others.find(A.name).path.slice(seen), A, falseTick - 40); // B's view of the 40 ticks before A came to rest
  });
  await report.check('a displaced client is corrected once and in sync after one round trip', async () => {
    await settled(A, B);
    const mark = A.selfPackets.log.length;
    A.state.pos[0] += 0.8;
    const displaced = A.tick + 1;
    await corrected(A, mark);
    await A.frames(30);
    const corrections = A.selfPackets.since(mark, 'correction');
    equal(corrections.map((p) => p.tick), [displaced], 'ticks of the corrections');
    await agree(A, B, 0.001);
  });
  await report.check('a client that ignores corrections is corrected again after a delay, and others do not see it move', async () => {
    await settled(A, B);
    const from = [...A.pos];
    const mark = A.selfPackets.log.length;
    A.ignores = ({ name }) => name === 'correction';
    A.state.pos[0] += 3;
    await A.frames(40);
    await corrected(A, mark, 2);
    const corrections = A.selfPackets.since(mark, 'correction');
    for (let i = 1; i < corrections.length; i++) {
      const gap = corrections[i].tick - corrections[i - 1].tick;
      must(gap > 5 && gap <= 60, `${gap} ticks between two corrections`);
    }
    near(B.others.find(A.name).pos, from, 0.05, 'position as others show it');
    for (const { params } of corrections) near(feet(eyesOf(params)), from, 0.05, 'corrected to');
    A.ignores = undefined;
    await A.until(() => Math.hypot(...A.pos.map((v, i) => v - from[i])) < 0.05, 'return to its position');
    await agree(A, B, 0.001);
  });
  await report.check('the error of a client that drifts slowly is bounded', async () => {
    await settled(A, B);
    const from = [...A.pos];
    let shift = 0;
    A.tamper = (packet) => moved(packet, (shift += 0.001));
    await A.frames(100);
    A.tamper = undefined;
    near(B.others.find(A.name).pos, from, 0.11 * 5 + 0.01, 'position after five seconds of 0.02 blocks each');
    await A.frames(20);
    await agree(A, B, 0.02);
  });
}

/** Waits until `many` corrections have arrived since the index mark of A's log. */
const corrected = (A, mark, many = 1) => A.until(() => A.selfPackets.since(mark, 'correction').length >= many, `correction ${many}`);

/** Waits until A stands still, the server has processed A's inputs, and B shows A at its position. */
export async function settled(A, B) {
  A.controls.move = [0, 0];
  await drained(A);
  await A.frames(15);
  await agree(A, B, 0.02);
}

/**
 * Sends no input for ms, so that the server can process the inputs that it has queued because it skipped ticks or because they exceeded
 * the input rate. The server processes one input per tick, and so does not catch up while a client sends. A check without corrections
 * begins with this: of more than 40 queued inputs the server drops the oldest, and corrects the client. The default is the time of 40 ticks.
 */
export async function drained(A, ms = 2000) {
  A.stop();
  await sleep(ms);
  A.run();
  await A.frames(5);
}
