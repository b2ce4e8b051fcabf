// Who says a false position is put right, at the tick of the lie.
import { feet } from '../packets.mjs';
import { agree, checkPath } from './join.mjs';
import { equal, must, near } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const eyesOf = ({ position: p }) => [p.x, p.y, p.z];
const moved = (packet, dx) => ({ ...packet, position: { ...packet.position, x: packet.position.x + dx } });

export async function correctChecks(t, A, B) {
  const { report } = t;
  await report.check('a false position is corrected at its own tick, to where our own model is', async () => {
    await settled(A, B);
    const mark = A.carriers.log.length;
    const seen = B.others.find(A.name).path.length;
    const lie = A.tick + 4;
    A.script = () => ({ move: [0, 1], yaw: 90 });
    A.tamper = (packet, tick) => (tick === lie ? moved(packet, 0.6) : packet);
    await A.frames(20);
    A.tamper = undefined;
    await corrected(A, mark);
    await A.frames(10);
    A.script = undefined;
    const news = A.carriers.since(mark, 'correction');
    equal(news.map((p) => p.tick), [lie], 'ticks of the corrections');
    const { params } = news[0];
    const { state } = A.sent.get(lie);
    near(feet(eyesOf(params)), state.pos, 1e-5, 'corrected to');
    near([params.delta.x, params.delta.y, params.delta.z], state.vel, 1e-6, 'velocity');
    equal(params.on_ground, state.onGround, 'on ground');
    equal(params.prediction_type, 'player', 'whom it is about');
    await agree(A, B, 0.001);
    checkPath(B.others.find(A.name).path.slice(seen), A, lie - 40); // 40 ticks before, it was still coming to rest
  });
  await report.check('who really is elsewhere is brought back, and is in sync after one round trip', async () => {
    await settled(A, B);
    const mark = A.carriers.log.length;
    A.state.pos[0] += 0.8;
    const gone = A.tick + 1;
    await corrected(A, mark);
    await A.frames(30);
    const news = A.carriers.since(mark, 'correction');
    equal(news.map((p) => p.tick), [gone], 'ticks of the corrections');
    await agree(A, B, 0.001);
  });
  await report.check('who ignores corrections gets more, not too soon, and moves nobody', async () => {
    await settled(A, B);
    const from = [...A.pos];
    const mark = A.carriers.log.length;
    A.stubborn = ({ name }) => name === 'correction';
    A.state.pos[0] += 3;
    await A.frames(40);
    await corrected(A, mark, 2);
    const news = A.carriers.since(mark, 'correction');
    for (let i = 1; i < news.length; i++) {
      const gap = news[i].tick - news[i - 1].tick;
      must(gap > 5 && gap <= 60, `${gap} ticks between two corrections`);
    }
    near(B.others.find(A.name).pos, from, 0.05, 'where the others see it');
    for (const { params } of news) near(feet(eyesOf(params)), from, 0.05, 'corrected to');
    A.stubborn = undefined;
    await A.until(() => Math.hypot(...A.pos.map((v, i) => v - from[i])) < 0.05, 'to be brought back');
    await agree(A, B, 0.001);
  });
  await report.check('a slow drift is bounded', async () => {
    await settled(A, B);
    const from = [...A.pos];
    let shift = 0;
    A.tamper = (packet) => moved(packet, (shift += 0.001));
    await A.frames(100);
    A.tamper = undefined;
    near(B.others.find(A.name).pos, from, 0.11 * 5 + 0.01, 'after five seconds of 0.02 blocks each');
    await A.frames(20);
    await agree(A, B, 0.02);
  });
}

/** Waits until so many corrections have come since a mark. */
const corrected = (A, mark, many = 1) => A.until(() => A.carriers.since(mark, 'correction').length >= many, `correction ${many}`);

/** Stands still, and everybody agrees where. */
export async function settled(A, B) {
  A.hands.move = [0, 0];
  await A.frames(15);
  await agree(A, B, 0.02);
}

/** Is silent for a while: meanwhile the server plays what it has stored beyond its credits, which else stays behind for good. */
export async function drained(A, ms) {
  A.stop();
  await sleep(ms);
  A.run();
  await A.frames(5);
}
