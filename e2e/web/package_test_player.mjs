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
const MEETING_MS = 5000;
const ALONE_MS = 40000; // time limit for the other player to come: its process may start much later
const SETTLE_MS = 20000;
const seen = new Map();
const began = Date.now();
let met = 0; // time at which another player was first seen to walk; 0 before
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
  if (moved.length) met ||= Date.now();
  // Walk on for a while after the other player was seen to walk, so that it sees this one walk, too.
  if (!rest && ((met && Date.now() - met > MEETING_MS) || Date.now() - began > ALONE_MS)) rest = Date.now();
  const off = Math.hypot(world.self.x - world.self.truth.x, world.self.z - world.self.truth.z);
  const settled = Date.now() - rest > 2000 && off < 0.1; // the server has processed all inputs
  if (!rest || (!settled && Date.now() - rest < SETTLE_MS)) return;
  clearInterval(timer);
  console.log(JSON.stringify({ moved, corrections: world.link.corrections, transport: world.link.transport, off, name: world.self.name }));
  void world.close().then(() => process.exit(0));
}, 33);
