// A client with PixiJS, seen from above: each actor is a round figure with a name, a health bar and, for a while, the last line it said.
import { Application, Container, Graphics, Text } from 'pixi.js';
import { connect, type Actor } from '@truestep/client';
import { body } from '@truestep/client/blocks';

const SCALE = 26; // pixels per block
const COLOURS: Record<string, number> = { rcce: 0xe0a34a, rs: 0x6cb4e8, bedrock: 0x86c36a, web: 0xd98bd0 };
const note = document.getElementById('note')!;
const line = document.getElementById('line') as HTMLInputElement;

const server = new URLSearchParams(location.search).get('server') ?? 'http://127.0.0.1:8090';
const world = await connect(server, { name: 'Pixie', body });

const app = new Application();
await app.init({ resizeTo: window, background: 0x3d5a34, antialias: true });
document.body.prepend(app.canvas);
const ground = new Graphics({ zIndex: -1 });
const scene = new Container({ sortableChildren: true });
scene.addChild(ground);
app.stage.addChild(scene);

class Figure extends Container {
  private shape = new Graphics().circle(0, 0, 9).fill(0xffffff).stroke({ width: 2, color: 0x222222 }).moveTo(0, 4).lineTo(0, 13).stroke({ width: 3, color: 0x222222 });
  private bar = new Graphics();
  private title: Text;
  private quiet = 0; // time of performance.now at which the chat line above the actor disappears; 0 if there is none

  constructor(private actor: Actor) {
    super();
    this.shape.tint = actor === world.self ? 0xffe0a0 : (COLOURS[actor.door] ?? 0xc8bca8);
    this.title = new Text({ text: actor.name, style: { fontSize: 12, fill: 0xffffff, stroke: { color: 0x222222, width: 3 } } });
    this.title.anchor.set(0.5, 2.2);
    this.addChild(this.shape, this.bar, this.title);
    this.zIndex = actor === world.self ? 1 : 0;
    this.eventMode = 'static';
    this.cursor = 'pointer';
    this.on('pointerdown', () => this.actor !== world.self && void world.attack(this.actor).then((a) => a.ok || tell(a.sentence)));
    scene.addChild(this);
  }

  say(text: string): void {
    this.title.text = text;
    this.quiet = performance.now() + 5000;
  }

  update(now: number): void {
    const a = this.actor;
    this.position.set(a.x * SCALE, a.z * SCALE);
    this.shape.rotation = (a.yaw * Math.PI) / 180;
    this.scale.set(1 + Math.max(0, a.y - world.area.ground.surface(Math.floor(a.x), Math.floor(a.z))) / 4); // a jumping actor looks nearer
    this.alpha = a.dead || a.lingering ? 0.35 : 1;
    this.bar.clear().rect(-14, -20, 28, 4).fill(0x222222).rect(-13, -19, 26 * a.health, 2).fill(a.health > 0.3 ? 0x9be15d : 0xff7b62);
    if (this.quiet && now > this.quiet) {
      this.title.text = a.name;
      this.quiet = 0;
    }
  }
}

const figures = new Map<number, Figure>();
const enter = (a: Actor): void => void figures.set(a.id, new Figure(a));
world.on('enter', enter);
world.on('leave', ({ actor }) => {
  figures.get(actor.id)?.destroy({ children: true });
  figures.delete(actor.id);
});
world.on('said', ({ actor, text }) => actor && figures.get(actor.id)?.say(text));
world.on('corrected', (c) => tell(`pulled back by ${c.distance.toFixed(2)} blocks: ${c.sentence}`));
world.on('state', (l) => tell(l.state === 'open' ? '' : `${l.state} ${l.sentence}`));
const tell = (text: string): void => void (note.textContent = text);

const held = new Set<string>();
addEventListener('keydown', (e) => {
  if (e.code === 'Enter' && document.activeElement !== line) line.focus();
  else if (e.code === 'Enter') {
    if (line.value.trim()) void world.say(line.value.trim());
    line.value = '';
    line.blur();
  } else if (document.activeElement !== line) held.add(e.code);
});
addEventListener('keyup', (e) => held.delete(e.code));

let drawn = { x: Infinity, z: Infinity };
world.on('area', () => (drawn = { x: Infinity, z: Infinity }));
/** Draws the ground around the player, lighter where it is higher, when the player has walked eight blocks. */
function drawGround(): void {
  const cx = Math.floor(world.self.x), cz = Math.floor(world.self.z), r = 44;
  if (Math.hypot(cx - drawn.x, cz - drawn.z) < 8) return;
  drawn = { x: cx, z: cz };
  ground.clear();
  for (let z = cz - r; z < cz + r; z++) {
    for (let x = cx - r; x < cx + r; x++) {
      const rise = Math.max(-4, Math.min(6, world.area.ground.surface(x, z) - world.area.ground.surface(cx, cz)));
      const shade = 0.72 + 0.04 * rise + 0.03 * ((x + z) & 1);
      ground.rect(x * SCALE, z * SCALE, SCALE, SCALE).fill([0.42 * shade, 0.6 * shade, 0.32 * shade]);
    }
  }
}

app.ticker.add(() => {
  const x = Number(held.has('KeyD')) - Number(held.has('KeyA')), z = Number(held.has('KeyS')) - Number(held.has('KeyW'));
  const jump = held.has('Space');
  world.input(x || z ? { forward: 1, yaw: (Math.atan2(-x, z) * 180) / Math.PI, jump } : { forward: 0, jump });
  world.frame();
  drawGround();
  for (const f of figures.values()) f.update(performance.now());
  scene.position.set(app.screen.width / 2 - world.self.x * SCALE, app.screen.height / 2 - world.self.z * SCALE);
});
