// Extended info of revision 667: nineteen blocks in the order in which a packet has them, which differs from the order of their mask
// bits.
import { Reader, Violation } from './bytes.mjs';

const EXTEND_1 = 0x80;
const EXTEND_2 = 0x800;
const NONE = 65535;

const list = (n, read) => Array.from({ length: n }, read);

const gfx = (id, delay, options) => (r) => {
  const g = { id: r[id](), heightdelay: r[delay](), options: r[options]() };
  const { heightdelay: hd, options: o } = g;
  return { id: g.id, height: hd >>> 16, delay: hd & 65535, rotation: o & 7, slot: (o >> 3) & 15, loop: o >> 7 };
};

const recolour = (r) => ({
  hue: r.s8S(), saturation: r.s8S(), lightness: r.s8N(), weight: r.u8(), start: r.u16LA(), end: r.u16(),
});

const exactMove = (r) => ({
  x1: r.s8S(), z1: r.s8(), x2: r.s8A(), z2: r.s8A(), t1: r.u16L(), t2: r.u16LA(), dir: r.u8A(),
});

function timerbar(r) {
  const w = r.u16A();
  return { sprite: w >> 15, duration: w & 32767, start: r.u8(), granularity: r.u8N() };
}

function hit(r) {
  const h = { type: r.smart() };
  if (h.type === 32767) Object.assign(h, { type: r.smart(), amount: r.smart(), soakType: r.smart(), soak: r.smart() });
  else if (h.type === 32766) h.hidden = true;
  else h.amount = r.smart();
  h.delay = r.smart();
  h.hp = r.u8N();
  return h;
}

function wornTarget(r) {
  let target = r.u16A();
  if ((target & 0xc000) === 0xc000) target = (target * 65536 + r.u16()) >>> 0;
  return { target, slots: r.u16A() };
}

function chat(r) {
  const text = r.cstr();
  if (text === '') throw new Violation('an empty CHAT block: the client reads its first character');
  return text;
}

/** [bit, name, reader], in wire order. */
export const BLOCKS = [
  [0x8000, 'WORN_ANIM', (r) => list(r.u8(), () => ({ seq: r.u16(), delay: r.u8N(), slots: r.u16LA() }))],
  [0x40, 'ANIM', (r) => ({ seq: list(4, () => r.u16L()), delay: r.u8A() })],
  [0x40000, 'GFX2', gfx('u16LA', 'u32M3', 'u8N')],
  [0x20000, 'RECOLOUR', recolour],
  [0x200, 'TEMP_SPEED', (r) => r.s8N()],
  [0x2000, 'TIMERBAR', timerbar],
  [0x80000, 'GFX3', gfx('u16L', 'u32M3', 'u8N')],
  [0x100000, 'CLANMATE', (r) => r.u8N()],
  [0x4, 'HITS', (r) => list(r.u8(), () => hit(r))],
  [0x10000, 'WORN_TARGETS', (r) => list(r.u8S(), () => wornTarget(r))],
  [0x8, 'APPEARANCE', (r) => Buffer.from(r.bytes(r.u8S()))],
  [0x4000, 'CHAT', chat],
  [0x400, 'P_ICON', (r) => r.u8S()],
  [0x1, 'SPEED', (r) => r.s8S()],
  [0x10, 'TARGET', (r) => r.u16A()],
  [0x1000, 'EXACT_MOVE', exactMove],
  [0x20, 'TURN', (r) => r.u16()],
  [0x2, 'GFX0', gfx('u16', 'u32L', 'u8A')],
  [0x100, 'GFX1', gfx('u16LA', 'u32M3', 'u8N')],
];

const KNOWN = BLOCKS.reduce((all, [bit]) => all | bit, EXTEND_1 | EXTEND_2);

/** Reads a mask and its blocks as {NAME: value}. */
export function readBlocks(r) {
  let mask = r.u8();
  if (mask & EXTEND_1) mask |= r.u8() << 8;
  if (mask & EXTEND_2) mask |= r.u8() << 16;
  if (mask & ~KNOWN) throw new Violation(`mask ${mask.toString(16)} has unknown bits`);
  const out = {};
  for (const [bit, name, read] of BLOCKS) if (mask & bit) out[name] = read(r);
  return out;
}

const WEAR = 13; // equipment positions on the wire

/** Parses appearance bytes. Throws for customised objects, which cannot be parsed without the client's cache. */
export function readAppearance(bytes) {
  const r = new Reader(bytes);
  const flags = r.u8();
  const a = { female: flags & 1, size: ((flags >> 3) & 7) + 1, title: [flags >> 6, r.s8()] };
  Object.assign(a, { pkIcon: r.s8(), prayerIcon: r.s8(), hidden: r.s8() });
  readWear(r, a);
  a.colours = list(10, () => r.u8());
  a.stance = r.u16();
  a.name = r.cstr();
  a.combat = r.u8();
  if (flags & 4) {
    a.skill = r.u16();
  } else {
    a.maxCombat = r.u8();
    a.range = r.u8();
  }
  const sound = r.u8();
  if (sound) a.sounds = { range: sound, ready: r.u16(), crawl: r.u16(), walk: r.u16(), run: r.u16(), volume: r.u8() };
  r.done('appearance');
  return a;
}

function readWear(r, a) {
  a.worn = [];
  for (let i = 0; i < WEAR; i++) {
    const hi = r.u8();
    const v = hi && (hi << 8) | r.u8();
    if (i === 0 && v === NONE) {
      a.npc = r.u16();
      a.team = r.u8();
      return;
    }
    if (v !== 0 && v < 256) throw new Violation(`worn object ${v}`);
    a.worn.push(v);
  }
  const customised = r.u16();
  for (let i = 0; i < 16; i++) {
    if (!(customised & (1 << i))) continue;
    if (!(a.worn[i] >= 32768)) throw new Violation(`customised position ${i} holds no object`);
    (a.customised ??= {})[i] = readCustomisation(r);
  }
}

// The packet does not contain how many models an object has; real clients find it in their cache. This reader assumes one.
function readCustomisation(r) {
  const flags = r.u8();
  const c = {};
  if (flags & 1) c.wear = [r.smart2or4(), r.smart2or4()];
  if (flags & 2) c.head = [r.smart2or4(), r.smart2or4()];
  if (flags & 4) c.recolour = nibbles(r.u16(), 4).map(() => r.u16());
  if (flags & 8) c.retexture = nibbles(r.u8(), 2).map(() => r.u16());
  return c;
}

const nibbles = (packed, n) => list(n, (_, i) => (packed >> (4 * i)) & 15).filter((v) => v !== 15);
