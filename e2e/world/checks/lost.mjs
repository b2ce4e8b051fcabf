// A player loses its connection during a fight: its actor lingers in the world and can be attacked. The reconnecting client
// takes over the same actor.
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';
import { distance } from '../places.mjs';
import { agree, lineUp } from './sight.mjs';

const FULL_HEALTH = 20;
const DAMAGE = 4; // health points that each hit costs
const LOST_MS = 35000; // time limit for the server to notice that a RealmCrafter client is lost, on a busy machine
const RETRY_MS = 500;
const SLACK = 0.01; // tolerance in units for the position of the lingering actor, which does not move

/** The RealmCrafter player fights the RuneScape player while the Bedrock player watches. */
export async function lostChecks({ report, server }, [a, b, watcher]) {
  const body = async () => (await server.api.player(a.name))?.entity;
  const share = () => watcher.healthOf(a.name) * FULL_HEALTH; // health of a as the watcher shows it
  let at;
  let entity;
  await lineUp([watcher, a, b]);
  const gone = watchRemovals(a, b, watcher);
  await report.check('a fighting rcce player that loses its socket lingers in the world and can be hit', async () => {
    await a.fight(b.name, () => b.health < FULL_HEALTH, undefined, { follow: false });
    must(b.health < FULL_HEALTH, `${b.name} was not hit`);
    [at, entity] = [a.position, await body()];
    a.client.abort();
    await b.fight(a.name, () => share() < FULL_HEALTH);
    await sleep(1500); // time in which hits that are on their way arrive
    must(share() > 0 && share() <= FULL_HEALTH - DAMAGE, `${share()} points of health`);
  });
  await report.check('the rcce player logs in again and takes over the same actor', async () => {
    await comeBack(a.client);
    equal(await body(), entity, 'entity');
    await a.until(() => a.client.me.echoes > 0 && a.positionOf(b.name), 'own echo and the other player');
    must(distance(a.position, at) < SLACK, `at ${JSON.stringify(a.position)}, was at ${JSON.stringify(at)}`);
    // The client receives its health after its position. A last hit may have arrived meanwhile.
    await a.until(() => a.health === share() && a.health <= FULL_HEALTH - DAMAGE, () => `health as the watcher shows it: it has ${a.health}, the watcher shows ${share()}`);
    for (const p of [b, watcher]) await agree(p, a);
    equal(gone(), [], 'clients that showed its removal');
  });
  await report.check('after the reconnect both players can hit each other', async () => {
    const [was, mine] = [b.health, a.health];
    await a.fight(b.name, () => b.health < was, undefined, { follow: false });
    must(b.health < was, `${b.name} was not hit`);
    await b.fight(a.name, () => a.health < mine);
    must(a.health < mine, `${a.name} was not hit`);
  });
}

/**
 * Starts to watch the RuneScape and the Bedrock client. Returns a function that lists those of the two that have removed player
 * a since.
 */
function watchRemovals(a, rs, bedrock) {
  const [mark, index] = [rs.mark(), rs.idOf(a.name)];
  return () => [
    ...(rs.changes.slice(mark.changes).some((c) => c.index === index && c.how === 'remove') ? [rs.name] : []),
    ...(bedrock.bot.others.gone.includes(a.name) ? [bedrock.name] : []),
  ];
}

/** Logs in as soon as the server has noticed the loss of the last connection; until then it answers L. */
async function comeBack(client) {
  for (const end = performance.now() + LOST_MS; ; await sleep(RETRY_MS)) {
    await client.connect();
    const { status } = await client.verify();
    await client.disconnect();
    if (status === 'Y') break;
    equal(status, 'L', 'status');
    must(performance.now() < end, `still online after ${LOST_MS} ms`);
  }
  await client.enter();
}
