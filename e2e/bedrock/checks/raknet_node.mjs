// A client with the third RakNet implementation, raknet-node, in a process of its own.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { blocks } from '../../lib/adapters.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { agreement } from '../../lib/oracle.mjs';

const script = fileURLToPath(new URL('../raknet_node.mjs', import.meta.url));

function play(...args) {
  return new Promise((done) => {
    execFile(process.execPath, [script, ...args.map(String)], { timeout: 60000 }, (error, out) => {
      const line = out.split('\n').find((l) => l.startsWith('{'));
      done(line ? JSON.parse(line) : undefined);
    });
  });
}

export async function raknetNodeCheck(t, watcher) {
  await t.report.check('a client with 1.26.45 over raknet-node joins, walks without corrections and is shown to others', async () => {
    let [result, name, seen] = [];
    for (let attempt = 0; attempt < 3 && !result; attempt++) {
      name = `Eli${attempt || ''}`; // a new name, because the session of the last attempt may not have timed out yet
      const played = play(t.server.ports.bedrock, name, '1.26.45', 'raknet-node');
      seen = await watcher.until(() => watcher.others.find(name), `sight of ${name}`, 60000).then(() => watcher.others.find(name), () => undefined);
      result = await played;
    }
    must(result, 'its process ended three times without a result');
    equal([result.corrections, result.violations], [0, []], 'corrections and violations');
    must(result.sees.includes(watcher.name), `its client shows ${result.sees}`);
    must(seen, `${watcher.name} has not shown ${name}`);
    await agreement(blocks(0.01), { viewer: watcher, subject: name, see: () => seen.pos, truth: () => result.pos });
    await watcher.until(() => ![...watcher.others.near.values()].some((o) => o.name.startsWith('Eli')), 'timeout of its session', 60000);
  }, 300000);
}
