// Sight: each client shows the others by name and at the right position, standing and walking.
import { worldUnits } from '../../lib/adapters.mjs';
import { must } from '../../lib/assert.mjs';
import { agreement, mismatch } from '../../lib/oracle.mjs';
import { pausedMs } from '../../lib/pauses.mjs';
import { playerPositions } from '../../lib/truth.mjs';
import { sleep, waitUntil } from '../../lib/wait.mjs';
import { distance, start, WAIT_MS } from '../places.mjs';

const SETTLE_MS = 700; // time until all clients show a standing player: a little more than a cycle of the slowest door
const NPC_SLACK = 5; // tolerance in units for positions of an NPC, which may be walking
const CONSOLE_SLACK = 0.05; // tolerance in units for positions from the console API, which rounds them

export const pairs = (players) => players.flatMap((a) => players.filter((b) => b !== a).map((b) => [a, b]));

/** Waits until a shows b within slack units of the position that b's own client has. */
export async function agree(a, b, slack = a.adapter.slack + b.adapter.slack) {
  await agreement({ ...a.adapter, slack }, { viewer: a, subject: b.name, see: () => a.positionOf(b.name), truth: () => b.position });
}

/** Makes all players stand in a line, two tiles apart. */
export async function lineUp(players, around = start) {
  await Promise.all(players.map((p, i) => p.walk({ x: around.x + (i - 1) * 7, z: around.z })));
  await sleep(SETTLE_MS);
}

export async function sightChecks({ report }, players) {
  for (const [a, b] of pairs(players)) {
    await report.check(`${a.door} client shows the ${b.door} player by name where it stands`, async () => {
      await a.until(() => a.positionOf(b.name), `sight of ${b.name}`);
      await agree(a, b);
    });
  }
  for (const name of ['Sheep', 'Pony']) {
    await report.check(`all clients show the ${name.toLowerCase()} at one place`, async () => {
      const [first, ...rest] = players;
      const wrong = () => rest.map((p) => mismatch(worldUnits(NPC_SLACK), p.positionOf(name), first.positionOf(name))).filter(Boolean);
      await waitUntil(() => (first.positionOf(name) ? wrong() : ['not in sight']), { ms: WAIT_MS, accept: (list) => list.length === 0, what: `places of the ${name}` });
    });
  }
}

/** Compares the positions at which each client shows all players, itself included, with the server's positions. */
export async function truthChecks({ report, server }, players, when) {
  for (const viewer of players) {
    await report.check(`${viewer.door} client shows every player where the server has it, ${when}`, async () => {
      const adapter = { ...viewer.adapter, slack: viewer.adapter.slack + CONSOLE_SLACK };
      const differences = async () => {
        const truth = await playerPositions(server.api);
        return players.map(({ name }) => [name, mismatch(adapter, name === viewer.name ? viewer.position : viewer.positionOf(name), truth.get(name))])
          .filter(([, wrong]) => wrong).map(([name, wrong]) => `${name} ${wrong}`);
      };
      await waitUntil(differences, { ms: WAIT_MS, accept: (list) => list.length === 0, what: 'differences' });
    });
  }
}

const WALK = 45.5; // units: at least four steps in cycles of 600 ms even for the fastest player, and within sight of all
const MIN_STEPS = 3; // minimum number of steps that a viewer is shown; on a busy machine, two may be shown as one

// The longest step between two updates that a viewer may show, in units, by the viewer's door. It is twice the distance that the fastest
// player walks between two updates, because an update may be late on a busy machine. reach() adds the distance walked during pauses of
// server and clients.
const maxSteps = { rcce: 15, rs: 25, bedrock: 8 };
const updateMs = { rcce: 200, rs: 600, bedrock: 100 };
const MAX_SPEED = 0.025; // units/ms; a sprinting Bedrock player reaches 0.02
const CATCH_UP_MS = 1500; // time after a pause within which clients and server have caught up

/** The longest allowed step to the nth position after the first, in units. */
function reach(viewer, path, n) {
  const [from, to] = [path[n - 1].t, path[n].t];
  const gaps = path.slice(1, n).map((p, i) => (p.t < from - CATCH_UP_MS ? 0 : Math.max(0, p.t - path[i].t - updateMs[viewer.door])));
  const silent = gaps.reduce((sum, ms) => sum + ms, 0);
  return Math.max(maxSteps[viewer.door], MAX_SPEED * (to - from + pausedMs(from - CATCH_UP_MS, to) + silent));
}

/** All players walk a line at the same time; each sees the others walk without a jump. */
export async function walkChecks(t, players) {
  await Promise.all(players.map((walker) => walkCheck(t, players, walker)));
}

async function walkCheck({ report }, players, walker) {
  const viewers = players.filter((p) => p !== walker);
  const tracks = viewers.map((viewer) => viewer.trackPositions(walker.name));
  const from = walker.position;
  await report.check(`${walker.door} player walks ${WALK} units`, async () => {
    must(await walker.walk({ x: from.x, z: from.z - WALK }), `stands at ${JSON.stringify(walker.position)}`);
    await sleep(1300);
  });
  for (const [i, viewer] of viewers.entries()) {
    await report.check(`${viewer.door} client shows the ${walker.door} player walk there without a jump`, async () => {
      await agree(viewer, walker); // then the viewer has received all steps
      const path = tracks[i]();
      const steps = path.slice(1).map((p, n) => distance(p, path[n]));
      const jump = steps.findIndex((s, n) => s > reach(viewer, path, n + 1));
      must(jump < 0, `a step of ${steps[jump]?.toFixed(1)} units in ${Math.round(path[jump + 1]?.t - path[jump]?.t)} ms`);
      const moves = steps.filter((s) => s > 0.01).length;
      must(moves >= MIN_STEPS, `only ${moves} steps, of ${steps.map((s) => s.toFixed(1))} units`);
      const total = steps.reduce((x, y) => x + y, 0);
      must(total < WALK * 1.5, `steps of ${total.toFixed(1)} units in total for a walk of ${WALK}`);
    });
  }
}

/** All players see each other again in the area that they came to. */
export async function reunionChecks({ report }, players) {
  for (const [a, b] of pairs(players)) {
    await report.check(`behind the gate the ${a.door} client shows the ${b.door} player again`, async () => {
      await a.until(() => a.positionOf(b.name), `sight of ${b.name}`);
      await agree(a, b);
    });
  }
}
