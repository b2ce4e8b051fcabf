// The page of the web door. A visitor enters the world with one click.

import * as THREE from 'three';
import { body } from '../../../../client/ts/src/blocks/index.ts';
import { connect, RefusedError, World, type Actor, type Impair } from '../../../../client/ts/src/index.ts';
import { offerAccounts, type Account } from './account.ts';
import { Controls } from './controls.ts';
import { Figures } from './figures.ts';
import { GamePanel } from './game.ts';
import { Labels } from './labels.ts';
import { HAZE } from './light.ts';
import { Pursuit } from './pursuit.ts';
import { Terrain } from './terrain.ts';

const $ = <T extends HTMLElement = HTMLElement>(id: string): T => document.getElementById(id) as T;
const query = new URLSearchParams(location.search);

// Whether a processor draws the pictures, not a graphics card.
const software = ((): boolean => {
  const gl = document.createElement('canvas').getContext('webgl2'), names = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl?.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER) as string | undefined;
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name ?? '');
})();
const renderer = new THREE.WebGLRenderer({ canvas: $<HTMLCanvasElement>('view'), antialias: devicePixelRatio < 2 && !software });
renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
const scene = new THREE.Scene();
scene.background = new THREE.Color(HAZE);
const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 120);
const terrain = new Terrain();
scene.add(terrain.group);
const ring = new THREE.Mesh(new THREE.RingGeometry(0.45, 0.55, 32).rotateX(-Math.PI / 2), new THREE.MeshBasicMaterial({ color: 0xffe0a0, transparent: true, opacity: 0.8 }));
const truth = new THREE.LineSegments(new THREE.EdgesGeometry(new THREE.BoxGeometry(0.6, 1.8, 0.6).translate(0, 0.9, 0)), new THREE.LineBasicMaterial({ color: 0x7df9ff }));
truth.visible = false;
scene.add(ring, truth);

const labels = new Labels($('labels'));
const controls = new Controls($('view'), $('stick'), $('jump'));
const game = new GamePanel($('game'), log);
const figures = new Figures(scene);
const impair: Impair = {}; // impairments that the sliders set; kept when the page plays another player
let world: World | undefined;
let foe: Pursuit | undefined;
let goal: { x: number; z: number } | undefined;
let nextBlow = 0;
let rested = false; // no controls were in use when the last picture was drawn
let began = 0;

// The detail of the picture adapts to the speed of the machine, from the best to the cheapest: the resolution as a share of that of
// the screen, and whether the figures are coarse.
const SHARPEST = Math.min(devicePixelRatio, 2);
const DETAIL = [[1, false], [1, true], [0.8, true], [0.64, true], [0.5, true]] as const;
const SLOW = software ? 50 : 25, FAST = 55; // pictures per second below which there is less detail, and above which there is more
let detail = 0;
let fast = 0; // consecutive seconds with fast pictures
let patience = 1; // seconds with fast pictures after which there is more detail

function adaptDetail(picturesPerSecond: number): void {
  const before = detail;
  fast = picturesPerSecond > FAST ? fast + 1 : 0;
  if (picturesPerSecond < SLOW) detail = Math.min(detail + (picturesPerSecond < SLOW / 2 ? 2 : 1), DETAIL.length - 1);
  else if (detail > 0 && fast >= patience) {
    detail--;
    fast = 0;
    patience = Math.min(2 * patience, 60); // so that the detail does not alternate if the machine is in between
  }
  if (detail === before) return;
  const [resolution, coarse] = DETAIL[detail]!;
  figures.coarse = coarse;
  renderer.setPixelRatio(SHARPEST * resolution);
  resize();
}

let redraw = true; // the next picture is drawn even if nothing has moved
let hidden = false; // the page was hidden since pictures are counted, so their number says nothing about the machine

function resize(): void {
  redraw = true;
  renderer.setSize(innerWidth, innerHeight, false);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
for (const event of ['visibilitychange', 'webglcontextrestored']) addEventListener(event, () => (redraw = true), true);
addEventListener('visibilitychange', () => (hidden = true), true);
resize();

function log(text: string, tone = ''): void {
  const li = document.createElement('li');
  li.textContent = text;
  li.className = tone;
  $('log').append(li);
  while ($('log').children.length > 8) $('log').firstElementChild!.remove();
  setTimeout(() => li.remove(), 12_000 + 60 * text.length); // long lines take longer to read
}

/** Covers the world with a title and a text, and with a button to log in if no player is in the world; an empty title uncovers it. */
function show(title: string, text: string, login = false): void {
  const s = $('state');
  s.hidden = title === '';
  $('login').hidden = !login;
  s.querySelector('h1')!.textContent = title;
  s.querySelector('p')!.textContent = text;
}

let attempt = 0; // number of the newest attempt to enter the world; an older attempt that succeeds later is given up
let pause = 1500; // ms after which the page tries again to enter as a guest; Infinity if that is useless
let retry: ReturnType<typeof setTimeout> | undefined;

/** Enters the world as a guest. Repeats failed attempts until one succeeds, the server refuses the guest for good, or a player logs in. */
async function start(): Promise<void> {
  if (!attempt) show('Entering', ''); // later attempts leave the reason and the button on the screen
  const name = query.get('name'), mine = attempt + 1;
  try {
    await play(name ? { name } : {});
  } catch (e) {
    if (mine !== attempt) return;
    show('No way in', e instanceof Error ? e.message : String(e), true);
    const seconds = e instanceof RefusedError ? e.seconds || Infinity : 0;
    pause = Math.max(1000 * seconds, Math.min(2 * pause, 60_000));
    startLater();
  }
}

function startLater(): void {
  if (pause < Infinity) retry = setTimeout(start, pause);
}

/** Enters the world with an account. If that fails and there is no player, the page goes on trying as a guest. */
async function logIn(who: Account): Promise<void> {
  const mine = attempt + 1;
  try {
    await play(who);
  } catch (e) {
    if (mine === attempt && !world) startLater();
    throw e;
  }
}

/** Enters the world as another player in place of the present one. If that fails, the present player stays. */
async function play(who: Partial<Account>): Promise<void> {
  clearTimeout(retry);
  const mine = ++attempt;
  const how = query.get('transport');
  const next = await connect(location.origin, { ...who, body, impair, transport: how === 'ws' || how === 'wt' ? how : 'auto' });
  if (mine !== attempt) {
    void next.close();
    throw new Error('another player was chosen meanwhile');
  }
  const before = world;
  world = next;
  void before?.close();
  figures.clear();
  labels.clear();
  goal = foe = undefined;
  (globalThis as { world?: World }).world = world; // make the world available in the browser's console, and for tests
  listen(world);
  game.open(world);
  terrain.load(world.area.ground);
  $('name').textContent = world.self.name;
  $('area').textContent = world.area.name;
  show('', '');
  began = performance.now();
  setTimeout(() => ($('hint').style.opacity = '0'), 15_000);
}

function listen(w: World): void {
  const on: World['on'] = (name, f) => w.on(name, (e) => w === world && f(e)); // ignores events of a player that the page no longer plays
  on('enter', (a) => figures.enter(a));
  on('leave', ({ actor }) => {
    figures.leave(actor);
    labels.remove(actor);
    if (foe?.victim === actor) foe = undefined;
  });
  on('area', (a) => {
    terrain.load(a.ground);
    $('area').textContent = a.name;
    goal = foe = undefined;
    labels.clear();
    for (const el of [$('view'), $('labels')]) el.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 900, easing: 'ease-out' });
  });
  on('said', ({ actor, text }) => {
    if (actor) labels.say(actor, text);
    log(`${actor?.name ?? 'somebody'}: ${text}`);
  });
  on('told', ({ text, tone }) => log(text, tone === 'system' ? 'told' : tone));
  on('experience', ({ points }) => log(`+${points} experience`, 'combat'));
  on('struck', ({ attacker, victim, damage, missed }) => {
    if (attacker) figures.strikes(attacker);
    if (victim) labels.hit(victim, missed ? 'miss' : String(damage), camera);
  });
  on('died', ({ name, killer }) => log(killer ? `${name} was slain by ${killer.name}` : `${name} died`, 'combat'));
  on('corrected', (c) => {
    const li = document.createElement('li');
    li.textContent = `${c.distance.toFixed(2)} blocks: ${c.sentence}`;
    $('corrections').prepend(li);
    while ($('corrections').children.length > 5) $('corrections').lastElementChild!.remove();
  });
  on('state', (l) => {
    document.body.classList.toggle('resuming', l.state !== 'open');
    if (l.state === 'resuming') show('Resuming', 'the connection was lost');
    else if (l.state === 'closed') show('The connection is closed', l.sentence || 'reload the page to come back', true);
    else show('', '');
  });
}

controls.onClick = (x, y) => {
  if (!world || world.link.state !== 'open') return;
  let best: { a: Actor; d: number } | undefined;
  for (const a of world.actors.values()) {
    if (a === world.self || a.dead) continue;
    const p = labels.project(a, camera, 0.9);
    const d = p ? Math.hypot(p.x - x, p.y - y) : Infinity;
    if (d < 46 && (!best || d < best.d)) best = { a, d };
  }
  if (best?.a !== foe?.victim) foe = best && new Pursuit(best.a); // a further click on the same actor forgets nothing
  goal = undefined;
  if (foe) return;
  const ray = new THREE.Raycaster();
  ray.setFromCamera(new THREE.Vector2((x / innerWidth) * 2 - 1, 1 - (y / innerHeight) * 2), camera);
  const hit = ray.intersectObjects(terrain.group.children)[0];
  if (hit) goal = { x: hit.point.x, z: hit.point.z };
};

controls.onTalk = () => {
  $('say').hidden = false;
  $('line').focus();
};
$('say').addEventListener('submit', (e) => {
  e.preventDefault();
  const line = $<HTMLInputElement>('line');
  if (line.value.trim()) void world?.say(line.value.trim()).then((a) => a.ok || log(a.sentence, 'warning'));
  line.value = '';
  line.blur();
});
$('line').addEventListener('blur', () => ($('say').hidden = true));
$('line').addEventListener('keydown', (e) => e.key === 'Escape' && $('line').blur());
$('wake').addEventListener('click', () => void world?.wake());
controls.onNumbers = () => {
  $('numbers').hidden = !$('numbers').hidden;
  truth.visible = !$('numbers').hidden;
  redraw = true;
};
for (const [id, scale, unit] of [['latency', 1, 'ms'], ['jitter', 1, 'ms'], ['loss', 0.01, '%']] as const) {
  const slider = $<HTMLInputElement>(id);
  const output = slider.nextElementSibling as HTMLOutputElement;
  const set = (): void => {
    output.value = `${slider.value} ${unit}`;
    impair[id] = Number(slider.value) * scale;
  };
  slider.addEventListener('input', set);
  set();
}

const SPEED = 4.3, SPRINT = 5.6; // blocks per second

/** Converts the state of the controls to keys of the player, which apply for about dt seconds, and attacks. */
function steer(w: World, now: number, dt: number): void {
  const me = w.self;
  let { forward, strafe } = controls;
  const moving = forward !== 0 || strafe !== 0;
  if (moving) goal = foe = undefined;
  if (foe?.victim.dead) foe = undefined;
  const to = foe?.victim ?? goal;
  let yaw: number | undefined;
  if (moving) {
    // The forward key moves the player away from the camera.
    const dx = -Math.sin(controls.turn), dz = -Math.cos(controls.turn);
    const x = dx * forward + dz * strafe, z = dz * forward - dx * strafe;
    yaw = (Math.atan2(-x, z) * 180) / Math.PI;
    forward = Math.min(1, Math.hypot(forward, strafe));
  } else if (to) {
    const d = Math.hypot(to.x - me.x, to.z - me.z);
    yaw = (Math.atan2(me.x - to.x, to.z - me.z) * 180) / Math.PI;
    const near = foe?.near ?? 0.4, way = d - near + Math.min(0.2, near);
    forward = d > near ? Math.min(1, way / (dt * (controls.sprint ? SPRINT : SPEED))) : 0; // slower if the next picture would be too late to stop
    if (foe?.strikes(d) && now >= nextBlow) {
      nextBlow = now + 600;
      const pursuit = foe;
      void w.attack(pursuit.victim).then((a) => {
        const told = pursuit.answered(a, d);
        if (told) log(a.sentence, 'warning');
        else if (a.reason === 'out_of_range') nextBlow = 0; // a refused blow takes no time
      });
    } else if (goal && forward === 0) goal = undefined;
  } else forward = 0;
  strafe = 0;
  const idle = yaw === undefined && !controls.jump && !controls.sneak;
  if (idle && rested) return; // do not overwrite keys that a program has set with world.input
  rested = idle;
  w.input(yaw === undefined ? { forward: 0, strafe: 0, jump: controls.jump, sprint: false, sneak: controls.sneak } : { forward, strafe, yaw, jump: controls.jump, sprint: controls.sprint, sneak: controls.sneak });
}

let last = performance.now();
let frames = 0;
let drawn = 0;
let framesAt = last;
let fps = 0;
let bytes = 0;
let perSecond = 0;
let health = NaN; // the value of the health bar

function numbers(w: World): void {
  const l = w.link, me = w.self;
  const rows: [string, string][] = [
    ['transport', l.transport === 'wt' ? 'WebTransport' : 'WebSocket'], ['round trip', `${l.rtt.toFixed(0)} ms`], ['others drawn', `${l.delay.toFixed(0)} ms late`],
    ['inputs waiting', String(l.waits)], ['lost', `${(100 * l.loss).toFixed(1)} %`], ['actors', String(w.actors.size)],
    ['received', `${(perSecond / 1024).toFixed(1)} KiB/s, ${w.actors.size ? ((perSecond * w.tickTime) / 1000 / w.actors.size).toFixed(1) : 0} B an actor`],
    ['prediction off truth', `${Math.hypot(me.x - me.truth.x, me.y - me.truth.y, me.z - me.truth.z).toFixed(2)} blocks`], ['corrections', String(l.corrections)],
    ['pictures', `${fps.toFixed(0)}/s, ${renderer.info.render.calls} draw calls`], ['at', `${me.x.toFixed(1)} ${me.y.toFixed(1)} ${me.z.toFixed(1)}`],
  ];
  const table = $('numbers').querySelector('table')!;
  while (table.rows.length < rows.length) table.insertRow().append(document.createElement('td'), document.createElement('td'));
  rows.forEach(([k, v], i) => {
    table.rows[i]!.cells[0]!.textContent = k;
    table.rows[i]!.cells[1]!.textContent = v;
  });
}

// The URL parameter fps limits the number of rendered frames per second, for machines without a graphics card.
const limit = Number(query.get('fps')) || Infinity;
const least = 1000 / limit - 1;
const seenFrom = new THREE.Matrix4(); // the camera's projection and place in the newest drawn picture
const seesFrom = new THREE.Matrix4();

/** Draws a picture, unless it would be the same as the newest one: a world in which nothing moves costs no power. */
function draw(now: number, dt: number, grown: boolean): void {
  const moved = figures.update(camera, now, dt);
  seesFrom.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  if (!moved && !grown && !redraw && !truth.visible && seesFrom.equals(seenFrom)) return;
  seenFrom.copy(seesFrom);
  redraw = false;
  drawn++;
  renderer.render(scene, camera);
}

/** Ends a second of which the pictures were counted. */
function measure(w: World, now: number): void {
  const ms = now - framesAt;
  fps = (frames * 1000) / ms;
  perSecond = (Math.max(w.link.bytes - bytes, 0) * 1000) / ms; // bytes is larger if it was counted for another player
  bytes = w.link.bytes;
  if (limit === Infinity && !hidden && drawn > frames / 2) adaptDetail(fps);
  frames = drawn = 0;
  hidden = false;
  framesAt = now;
  const players = [...w.actors.values()].filter((a) => a.kind === 'player').length;
  $('online').textContent = `${players} ${players === 1 ? 'player' : 'players'} here`;
}

function picture(now: number): void {
  requestAnimationFrame(picture);
  if (now - last < least) {
    try {
      world?.frame(now);
    } catch {} // between two areas
    return;
  }
  const passed = Math.min((now - last) / 1000, 1), dt = Math.min(passed, 0.1);
  last = now;
  frames++;
  if (!world) {
    if (redraw) renderer.render(scene, camera);
    redraw = false;
    return;
  }
  try {
    world.self;
  } catch {
    return; // between two areas
  }
  if (now - framesAt > 1000) measure(world, now); // before drawing, because a change of the resolution clears the picture
  steer(world, now, passed);
  world.frame(now);
  const me = world.self;
  ring.position.set(me.x, me.y + 0.04, me.z);
  truth.position.set(me.truth.x, me.truth.y, me.truth.z);
  const grown = terrain.follow(me.x, me.z);
  const sink = 1 - Math.min((now - began) / 2500, 1);
  const distance = controls.distance + 26 * sink ** 3, tilt = controls.tilt + (1.45 - controls.tilt) * sink ** 3;
  camera.position.set(
    me.x + Math.sin(controls.turn) * Math.cos(tilt) * distance, me.y + 1 + Math.sin(tilt) * distance, me.z + Math.cos(controls.turn) * Math.cos(tilt) * distance,
  );
  camera.lookAt(me.x, me.y + 1, me.z);
  draw(now, dt, grown);
  labels.update(world.actors.values(), me, camera);
  if (me.health !== health) {
    health = me.health;
    ($('health').firstElementChild as HTMLElement).style.width = `${100 * health}%`;
    $('health').setAttribute('aria-valuenow', String(Math.round(100 * health)));
  }
  $('dead').hidden = !me.dead;
  game.update(world);
  if (!$('numbers').hidden) numbers(world);
}

requestAnimationFrame(picture);
offerAccounts(logIn);
void start();
