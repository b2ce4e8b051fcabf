// A client with three.js in the third person. It draws the ground from the same blocks with which it predicts its player.
import * as THREE from 'three';
import { connect, type Actor } from '@truestep/client';
import { body } from '@truestep/client/blocks';

const COLOURS: Record<string, number> = { rcce: 0xe0a34a, rs: 0x6cb4e8, bedrock: 0x86c36a, web: 0xd98bd0 };
const note = document.getElementById('note')!;
const server = new URLSearchParams(location.search).get('server') ?? 'http://127.0.0.1:8090';
const world = await connect(server, { name: 'Trey', body });

const renderer = new THREE.WebGLRenderer({ antialias: true });
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x9cc8e8);
scene.fog = new THREE.Fog(0x9cc8e8, 25, 46);
scene.add(new THREE.HemisphereLight(0xffffff, 0x55604a, 2.2), new THREE.DirectionalLight(0xfff2d0, 1.4));
const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100);

// The ground: a cube for the highest block of each column within RADIUS of the player.
const RADIUS = 44;
const blocks = new THREE.InstancedMesh(new THREE.BoxGeometry(1, 4, 1).translate(0.5, -2, 0.5), new THREE.MeshLambertMaterial(), 4 * RADIUS * RADIUS);
blocks.frustumCulled = false;
scene.add(blocks);
let centre = { x: Infinity, z: Infinity };
function drawGround(): void {
  const cx = Math.floor(world.self.x), cz = Math.floor(world.self.z);
  if (Math.hypot(cx - centre.x, cz - centre.z) < 8) return;
  centre = { x: cx, z: cz };
  const place = new THREE.Matrix4(), colour = new THREE.Color();
  for (let i = 0; i < blocks.count; i++) {
    const x = cx - RADIUS + (i % (2 * RADIUS)), z = cz - RADIUS + Math.floor(i / (2 * RADIUS)), y = world.area.ground.surface(x, z);
    blocks.setMatrixAt(i, place.makeTranslation(x, y, z));
    const grass = world.area.ground.at(x, Math.ceil(y) - 1, z).word === 'grass_block';
    blocks.setColorAt(i, colour.setHex(grass ? 0x7fb35a : 0xa79a88).multiplyScalar(0.94 + 0.06 * ((x + z) & 1)));
  }
  blocks.instanceMatrix.needsUpdate = true;
  if (blocks.instanceColor) blocks.instanceColor.needsUpdate = true;
}

// Figures: a body with a head that looks along its yaw, and a name above.
const figures = new Map<number, THREE.Group>();
function enter(a: Actor): void {
  const skin = new THREE.MeshLambertMaterial({ color: COLOURS[a.door] ?? 0xc8bca8, transparent: true });
  const h = a.height;
  const torso = new THREE.Mesh(new THREE.CapsuleGeometry(0.26 * (h / 1.8), h * 0.45, 4, 12).translate(0, h * 0.36, 0), skin);
  const head = new THREE.Mesh(new THREE.BoxGeometry(h * 0.24, h * 0.24, h * 0.24).translate(0, h * 0.84, 0), skin);
  const nose = new THREE.Mesh(new THREE.BoxGeometry(0.06, 0.06, 0.1).translate(0, h * 0.84, h * 0.14), new THREE.MeshLambertMaterial({ color: 0x222222 }));
  const figure = new THREE.Group().add(torso, head, nose, sign(a.name, h + 0.3));
  figures.set(a.id, figure);
  scene.add(figure);
}
function sign(text: string, y: number): THREE.Sprite {
  const g = document.createElement('canvas').getContext('2d')!;
  g.canvas.width = 256, g.canvas.height = 48;
  g.font = 'bold 26px system-ui', g.textAlign = 'center', g.lineWidth = 5;
  g.strokeText(text, 128, 32);
  g.fillStyle = '#fff';
  g.fillText(text, 128, 32);
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: new THREE.CanvasTexture(g.canvas), depthWrite: false }));
  sprite.scale.set(2, 0.375, 1);
  sprite.position.y = y;
  return sprite;
}
world.on('enter', enter);
world.on('leave', ({ actor }) => {
  figures.get(actor.id)?.removeFromParent();
  figures.delete(actor.id);
});
world.on('area', () => (centre = { x: Infinity, z: Infinity }));
world.on('corrected', (c) => (note.textContent = `pulled back by ${c.distance.toFixed(2)} blocks: ${c.sentence}`));
world.on('state', (l) => (note.textContent = l.state === 'open' ? '' : `${l.state} ${l.sentence}`));

// The mouse turns the view. A click attacks an actor in front of the player.
const look = { yaw: 0, pitch: 0.3 };
const held = new Set<string>();
addEventListener('keydown', (e) => held.add(e.code));
addEventListener('keyup', (e) => held.delete(e.code));
addEventListener('mousemove', (e) => {
  if (!document.pointerLockElement) return;
  look.yaw += e.movementX * 0.15;
  look.pitch = Math.min(1.2, Math.max(0.05, look.pitch + e.movementY * 0.003));
});
renderer.domElement.addEventListener('click', () => {
  if (!document.pointerLockElement) return void renderer.domElement.requestPointerLock();
  const me = world.self, ahead = (look.yaw * Math.PI) / 180;
  const near = [...world.actors.values()].filter((a) => a !== me && !a.dead && Math.hypot(a.x - me.x - 1.5 * -Math.sin(ahead), a.z - me.z - 1.5 * Math.cos(ahead)) < 2)[0];
  if (near) void world.attack(near).then((a) => a.ok || (note.textContent = a.sentence));
});
const resize = (): void => {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
};
addEventListener('resize', resize);
resize();

renderer.setAnimationLoop(() => {
  const key = (code: string): number => Number(held.has(code));
  world.input({ forward: key('KeyW') - key('KeyS'), strafe: key('KeyA') - key('KeyD'), yaw: look.yaw, jump: held.has('Space'), sprint: held.has('ShiftLeft') });
  world.frame();
  drawGround();
  for (const a of world.actors.values()) {
    const f = figures.get(a.id);
    if (!f) continue;
    f.position.set(a.x, a.y, a.z);
    f.rotation.set(0, (-a.yaw * Math.PI) / 180, a.dead ? Math.PI / 2 : 0);
  }
  const me = world.self, back = (look.yaw * Math.PI) / 180;
  camera.position.set(me.x + Math.sin(back) * Math.cos(look.pitch) * 6, me.y + 1.6 + Math.sin(look.pitch) * 6, me.z - Math.cos(back) * Math.cos(look.pitch) * 6);
  camera.lookAt(me.x, me.y + 1.4, me.z);
  renderer.render(scene, camera);
});
