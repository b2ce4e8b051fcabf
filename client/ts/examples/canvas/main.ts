// A client on a 2D canvas in about 50 lines: each actor is a dot. Start npm run example:canvas, then open http://127.0.0.1:5173.
import { connect, type Actor } from '@truestep/client';
import { body } from '@truestep/client/blocks';

const canvas = document.querySelector('canvas')!;
const g = canvas.getContext('2d')!;
const held = new Set<string>();
addEventListener('keydown', (e) => held.add(e.code));
addEventListener('keyup', (e) => held.delete(e.code));

const server = new URLSearchParams(location.search).get('server') ?? 'http://127.0.0.1:8090';
const world = await connect(server, { name: 'Dot', body });
const said = new Map<number, string>();
world.on('said', ({ actor, text }) => actor && said.set(actor.id, text));
world.on('corrected', (c) => console.log(`pulled back by ${c.distance.toFixed(2)} blocks: ${c.sentence}`));
canvas.addEventListener('click', (e) => {
  const to = { x: world.self.x + (e.offsetX - canvas.width / 2) / SCALE, z: world.self.z + (e.offsetY - canvas.height / 2) / SCALE };
  const near = [...world.actors.values()].filter((a) => a !== world.self).sort((a, b) => distance(a, to) - distance(b, to))[0];
  if (near && distance(near, to) < 1) void world.attack(near).then((a) => a.ok || console.log(a.sentence));
});

const SCALE = 14; // pixels per block
const distance = (a: { x: number; z: number }, b: { x: number; z: number }): number => Math.hypot(a.x - b.x, a.z - b.z);

function picture(): void {
  const x = Number(held.has('KeyD')) - Number(held.has('KeyA')), z = Number(held.has('KeyS')) - Number(held.has('KeyW'));
  const yaw = (Math.atan2(-x, z) * 180) / Math.PI;
  world.input(x || z ? { forward: 1, yaw, jump: held.has('Space') } : { forward: 0, jump: held.has('Space') });
  world.frame();
  g.setTransform(1, 0, 0, 1, 0, 0);
  g.fillStyle = '#5c7d3f';
  g.fillRect(0, 0, canvas.width, canvas.height);
  g.translate(canvas.width / 2 - world.self.x * SCALE, canvas.height / 2 - world.self.z * SCALE);
  for (const a of world.actors.values()) dot(a);
  requestAnimationFrame(picture);
}

function dot(a: Actor): void {
  g.fillStyle = a === world.self ? '#ffd27a' : a.kind === 'player' ? '#8cf' : '#ca9';
  g.globalAlpha = a.dead ? 0.3 : 1;
  g.beginPath();
  g.arc(a.x * SCALE, a.z * SCALE, 6, 0, 7);
  g.fill();
  g.fillStyle = '#fff';
  g.fillText(said.get(a.id) ?? a.name, a.x * SCALE + 8, a.z * SCALE - 6);
}

picture();
