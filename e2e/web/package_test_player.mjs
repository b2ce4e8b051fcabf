// A Node program that uses the packed npm package to play, as an author's program would.
// node package_test_player.mjs PROJECT WS-MODULE URL NAME
// Prints one line of JSON when its player has walked and it has seen another player walk.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [project, ws, url, name] = process.argv.slice(2);
const resolve = createRequire(path.join(project, 'index.js')).resolve;
const load = (id) => import(pathToFileURL(resolve(id)).href);
const { connect } = await load('@truestep/client');
const { body } = await load('@truestep/client/blocks');
const { WebSocket } = await import(pathToFileURL(ws).href);

const world = await connect(url, { name, body, WebSocket });
const seen = new Map();
const began = Date.now();
let rest = 0; // time at which the player stopped; 0 while it walks
const timer = setInterval(() => {
  world.input({ forward: rest ? 0 : 1, yaw: (Date.now() / 20) % 360 });
  world.frame();
  for (const a of world.actors.values()) {
    if (a.id === world.self.id || a.kind !== 'player') continue;
    const from = seen.get(a.name);
    if (!from) seen.set(a.name, { x: a.x, z: a.z, far: 0 });
    else from.far = Math.max(from.far, Math.hypot(a.x - from.x, a.z - from.z));
  }
  const moved = [...seen].filter(([, s]) => s.far > 0.5).map(([n]) => n);
  const walked = Date.now() - began;
  if (!rest && ((moved.length && walked > 5000) || walked > 20000)) rest = Date.now();
  if (!rest || Date.now() < rest + 2000) return; // wait until the server has processed all inputs
  clearInterval(timer);
  const off = Math.hypot(world.self.x - world.self.truth.x, world.self.z - world.self.truth.z);
  console.log(JSON.stringify({ moved, corrections: world.link.corrections, transport: world.link.transport, off, name: world.self.name }));
  void world.close().then(() => process.exit(0));
}, 33);
