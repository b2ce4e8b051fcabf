// Who is there, and where: standing and walking.
import { pausedMs } from '../../lib/pauses.mjs';
import { distance, start, stairs } from '../places.mjs';
import { must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

export const pairs = (players) => players.flatMap((a) => players.filter((b) => b !== a).map((b) => [a, b]));
const show = (p) => (p ? `${p.x.toFixed(2)}, ${p.z.toFixed(2)}` : 'nowhere');

/** Waits until a sees b where b is, as exactly as a's wire can tell. */
export async function agree(a, b, slack = a.slack + b.slack) {
  const fits = () => a.sees(b.name) && distance(a.sees(b.name), a.expects(b)) <= slack;
  await a.until(fits, 'agreement').catch(() => {});
  must(fits(), `${a.name} (${a.door}) sees ${b.name} (${b.door}) at ${show(a.sees(b.name))}, he is at ${show(a.expects(b))}`);
}

/** Everybody stands, a tile apart. */
export async function lineUp(players, around = start) {
  for (const [i, p] of players.entries()) await p.walk({ x: around.x + (i - 1) * 7, z: around.z });
  await sleep(700);
}

export async function seeChecks(t, players) {
  const { report } = t;
  for (const [a, b] of pairs(players)) {
    await report.check(`${a.door} sees ${b.door} by name, where he stands`, async () => {
      await a.until(() => a.sees(b.name), `${b.name} in sight`);
      await agree(a, b);
    });
  }
  for (const name of ['Sheep', 'Pony']) {
    await report.check(`all see the ${name.toLowerCase()} at one place`, async () => {
      for (const p of players) await p.until(() => p.sees(name), `a ${name}`);
      const [first, ...rest] = players.map((p) => p.sees(name));
      for (const other of rest) must(distance(first, other) < 5, `at ${show(first)} and ${show(other)}`);
    });
  }
}

const WALK = 45.5; // units: as far as a cycle of 600 ms shows the fastest of them in four steps, and nobody is out of sight
// The longest way between two words about somebody, in units: twice what the fastest of them goes between two words of
// that door, as a busy machine can be late. If it keeps the server from its work for longer he goes as far as he can in the
// time between the two; if it kept his client from its own, he makes good for that at once; and if it kept the server from
// reading what his client said, the server does, once it has told where he was before.
const strides = { rcce: 15, rs: 25, bedrock: 8 };
const words = { rcce: 200, rs: 600, bedrock: 100 }; // ms
const FASTEST = 0.025; // units/ms; who sprints among blocks is as fast as 0.02
const GOOD_MS = 1500; // within which a client or a server has made good for a pause

const FEWEST = 3; // steps; whoever is held back for a moment by a busy machine goes two in one

/** The longest way to the nth word after the first, in units. */
function reach(a, path, n) {
  const [from, to] = [path[n - 1].t, path[n].t];
  const gaps = path.slice(1, n).map((p, i) => (p.t < from - GOOD_MS ? 0 : Math.max(0, p.t - path[i].t - words[a.door])));
  const silent = gaps.reduce((sum, ms) => sum + ms, 0);
  return Math.max(strides[a.door], FASTEST * (to - from + pausedMs(from - GOOD_MS, to) + silent));
}

/** Each walks along and back, and the others see him go, without a jump. */
export async function walkChecks(t, players) {
  const { report } = t;
  for (const b of players) {
    const others = players.filter((p) => p !== b);
    const ends = others.map((a) => a.follow(b.name));
    const from = b.place;
    await report.check(`${b.door} walks ${WALK} units`, async () => {
      must(await b.walk({ x: from.x, z: from.z - WALK }), `he stands at ${show(b.place)}`);
      await sleep(1300);
    });
    for (const [i, a] of others.entries()) {
      await report.check(`${a.door} sees ${b.door} walk there without a jump`, async () => {
        const path = ends[i]();
        const steps = path.slice(1).map((p, n) => distance(p, path[n]));
        const jump = steps.findIndex((s, n) => s > reach(a, path, n + 1));
        must(jump < 0, `a step of ${steps[jump]?.toFixed(1)} units in ${Math.round(path[jump + 1]?.t - path[jump]?.t)} ms`);
        must(steps.filter((s) => s > 0.01).length >= FEWEST, `only ${steps.filter((s) => s > 0.01).length} steps`);
        const whole = steps.reduce((x, y) => x + y, 0);
        must(whole < WALK * 1.5, `${whole.toFixed(1)} units were shown for ${WALK}`);
        await agree(a, b);
      });
    }
    await b.walk(from);
  }
}

/** All meet again in the area that they came to. */
export async function meetChecks(t, players) {
  for (const [a, b] of pairs(players)) {
    await t.report.check(`behind the gate ${a.door} sees ${b.door} again`, async () => {
      await a.until(() => a.sees(b.name), `${b.name} in sight`);
      await agree(a, b);
    });
  }
}

export { stairs };
