// The third implementation of RakNet, in a process of its own.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { blocks } from '../../lib/adapters.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { agreement } from '../../lib/oracle.mjs';

const script = fileURLToPath(new URL('../lone.mjs', import.meta.url));

function play(...args) {
  return new Promise((done) => {
    execFile(process.execPath, [script, ...args.map(String)], { timeout: 60000 }, (error, out) => {
      const line = out.split('\n').find((l) => l.startsWith('{'));
      done(line ? JSON.parse(line) : undefined);
    });
  });
}

export async function loneCheck(t, watcher) {
  await t.report.check('Eli joins: 1.26.45 over raknet-node, walks without corrections and is seen', async () => {
    let [result, name] = [];
    for (let again = 0; again < 3 && !result; again++) {
      name = `Eli${again || ''}`; // the one before may not be missed yet
      result = await play(t.server.ports.bedrock, name, '1.26.45', 'raknet-node');
    }
    must(result, 'its process ended three times without a result');
    equal([result.corrections, result.violations], [0, []], 'corrections and what could not be read');
    must(result.sees.includes(watcher.name), `it sees ${result.sees}`);
    const seen = must(watcher.others.find(name), `${watcher.name} does not see it`);
    await agreement(blocks(0.01), { viewer: watcher, subject: name, see: () => seen.pos, truth: () => result.pos });
    await watcher.until(() => ![...watcher.others.near.values()].some((o) => o.name.startsWith('Eli')), 'its silence to end its session', 60000);
  }, 300000);
}
