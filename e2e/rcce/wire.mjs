// Messages above ENet: one type byte and a payload, little-endian. Encoders for what a client sends; decoders for
// what a server sends, which throw a LayoutError on anything but the exact layout. Facts: docs/wire/rcce.md 2-3.
import crypto from 'node:crypto';

export const type = {
  newClient: 0, createAccount: 1, verifyAccount: 2, fetchCharacter: 3, createCharacter: 4, deleteCharacter: 5,
  changeArea: 9, newActor: 11, startGame: 12, actorGone: 13, standardUpdate: 14, inventoryUpdate: 15, chat: 16,
  weather: 17, attack: 18, actorDead: 19, rightClick: 20, statUpdate: 22, gold: 24, nameChange: 25, xpUpdate: 32, actorEffect: 36,
  projectile: 37, itemHealth: 45, jump: 46, dismount: 47, floatingNumber: 48, reposition: 49, bubble: 52, kicked: 60,
};

const LOCAL_EVENTS = [200, 201, 202];
const MAX_KNOWN = 62;
const NO_ACTOR = 65535;

export class LayoutError extends Error {}

const fail = (what) => {
  throw new LayoutError(what);
};

/** Cursor over one payload. Every read is checked; done() refuses trailing bytes. */
export class Reader {
  constructor(b) {
    this.b = b;
    this.pos = 0;
  }
  #take(n, what) {
    if (this.pos + n > this.b.length) fail(`${what}: needs ${n} bytes at ${this.pos}, payload has ${this.b.length}`);
    this.pos += n;
    return this.pos - n;
  }
  get left() {
    return this.b.length - this.pos;
  }
  u8(what) { return this.b.readUInt8(this.#take(1, what)); }
  u16(what) { return this.b.readUInt16LE(this.#take(2, what)); }
  i16(what) { return this.b.readInt16LE(this.#take(2, what)); }
  u32(what) { return this.b.readUInt32LE(this.#take(4, what)); }
  i32(what) { return this.b.readInt32LE(this.#take(4, what)); }
  bytes(n, what) {
    const at = this.#take(n, what);
    return this.b.subarray(at, at + n);
  }
  str8(what) { return this.bytes(this.u8(what), what).toString('latin1'); }
  str16(what) { return this.bytes(this.u16(what), what).toString('latin1'); }
  rest() { return this.bytes(this.left, 'rest'); }
  f32(what) {
    const v = this.b.readFloatLE(this.#take(4, what));
    if (!Number.isFinite(v)) fail(`${what}: not a finite number`);
    return v;
  }
  /** World coordinate: strictly inside ±100000. */
  coord(what) {
    const v = this.f32(what);
    if (Math.abs(v) >= 100000) fail(`${what}: ${v} outside the world`);
    return v;
  }
  upTo(max, what, width = 'u8') {
    const v = this[width](what);
    if (v > max) fail(`${what}: ${v} > ${max}`);
    return v;
  }
  flag(what) { return this.upTo(1, what); }
  rid(what) {
    const v = this.u16(what);
    if (v === 0 || v === NO_ACTOR) fail(`${what}: runtime id ${v}`);
    return v;
  }
  done() {
    if (this.left > 0) fail(`${this.left} bytes left over of ${this.b.length}`);
  }
}

// ---- client to server -------------------------------------------------------

const u8 = (v) => Buffer.from([v & 255]);
const u16 = (v) => Buffer.from([v & 255, (v >> 8) & 255]);
const f32 = (v) => {
  const b = Buffer.alloc(4);
  b.writeFloatLE(v);
  return b;
};
const str8 = (s) => Buffer.concat([u8(s.length), Buffer.from(s, 'latin1')]);
const msg = (t, ...parts) => Buffer.concat([u8(t), ...parts]);

export const md5 = (password) => crypto.createHash('md5').update(password, 'latin1').digest('hex');
const credentials = ({ user, password }) => Buffer.concat([str8(user), str8(md5(password))]);

/** Subtracts 26 from every byte and reverses the string. */
export const obfuscate = (email) => Buffer.from(Buffer.from(email, 'latin1').map((b) => b - 26)).reverse().toString('latin1');

export const encode = {
  newClient: () => msg(type.newClient),
  createAccount: (a) => msg(type.createAccount, credentials(a), str8(obfuscate(a.email))),
  verifyAccount: (a) => msg(type.verifyAccount, credentials(a)),
  fetchCharacter: (a, slot) => msg(type.fetchCharacter, credentials(a), u8(slot)),
  startGame: (a, slot) => msg(type.startGame, credentials(a), u8(slot)),
  createCharacter: (a, { actor, gender = 0, face = 0, hair = 0, beard = 0, body = 0, points = [], name }) =>
    msg(type.createCharacter, credentials(a), u16(actor), Buffer.from([gender, face, hair, beard, body]),
      Buffer.from(Array.from({ length: 40 }, (_, i) => points[i] ?? 0)), Buffer.from(name, 'latin1')),
  standardUpdate: ({ destX, destZ, y, x, z, running = 0, backward = 0 }) =>
    msg(type.standardUpdate, f32(destX), f32(destZ), f32(y), f32(x), f32(z), u8(running), u8(backward)),
  attack: (rid) => msg(type.attack, u16(rid)),
  chat: (text) => msg(type.chat, Buffer.from(text, 'latin1')),
  jump: () => msg(type.jump),
  rightClick: (rid) => msg(type.rightClick, u16(rid)),
  dismount: () => msg(type.dismount),
  swap: (rid, from, to) => msg(type.inventoryUpdate, Buffer.from('S'), u16(rid), u8(from), u8(to), u16(0)),
  changeAreaDone: () => msg(type.changeArea),
  repositionDone: () => msg(type.reposition),
};

// ---- server to client -------------------------------------------------------

function status(letters) {
  return (r) => {
    const c = String.fromCharCode(r.u8('status'));
    if (!letters.includes(c)) fail(`status ${JSON.stringify(c)}, want one of ${letters}`);
    return { status: c };
  };
}

function roster(r) {
  const characters = [];
  while (r.left > 0) {
    characters.push({
      name: r.str8('name'), actor: r.u16('actor'), gender: r.flag('gender'), face: r.upTo(4, 'face'),
      hair: r.upTo(4, 'hair'), beard: r.upTo(4, 'beard'), body: r.upTo(4, 'body'),
    });
  }
  if (characters.length > 10) fail(`${characters.length} characters`);
  for (const c of characters) if (c.name.length < 1 || c.name.length > 32) fail(`character name of ${c.name.length} bytes`);
  return characters;
}

function verifyAccount(r) {
  const { status: s } = status('YPBL')(r);
  return s === 'Y' ? { status: s, characters: roster(r) } : { status: s };
}

function itemInstance(r) {
  const id = r.u16('item');
  const attributes = Array.from({ length: 40 }, () => r.u16('item attribute') - 5000);
  return { id, attributes, health: r.upTo(100, 'item health') };
}

function fetchCharacter(r) {
  const sub = String.fromCharCode(r.u8('sub'));
  if (sub === 'N') return { sub };
  if (sub === 'F') return { sub, quests: r.u16('quests'), spells: r.u16('spells') };
  if (sub === 'C') return fetchSheet(r, String.fromCharCode(r.u8('part')));
  if (sub === 'S') {
    const spells = [];
    while (r.left > 0) {
      spells.push({ level: r.u16('level'), id: r.u16('id'), thumb: r.u16('thumb'), recharge: r.u16('recharge'), name: r.str16('name'), text: r.str16('description'), memorised: r.flag('memorised') });
    }
    return { sub, spells };
  }
  if (sub === 'Q') {
    const quests = [];
    while (r.left > 0) quests.push({ name: r.str8('name'), status: r.str16('status') });
    return { sub, quests };
  }
  return fail(`sub ${JSON.stringify(sub)}`);
}

function fetchSheet(r, part) {
  if (part === '1') {
    const m = { sub: 'C1', gold: r.u32('gold'), reputation: r.i16('reputation'), level: r.u16('level'), xp: r.u32('xp'), faction: r.upTo(99, 'faction'), value: [], max: [] };
    for (let i = 0; i < 40; i++) {
      m.value.push(r.u16('value'));
      m.max.push(r.u16('max'));
    }
    return m;
  }
  if (part !== '3') return fail(`sub C${part}`);
  const items = [];
  while (r.left > 0) {
    const slot = r.u8('slot');
    if (slot < 46) items.push({ slot, item: itemInstance(r), amount: r.u16('amount') });
    else if (slot !== 99) fail(`slot ${slot}`);
  }
  return { sub: 'C3', items };
}

function startGame(r) {
  if (r.left === 1) return status('N')(r);
  if (r.left === 2) return { rid: r.rid('runtime id') };
  const start = r.u8('start slot');
  if (start > 33 || start % 3 !== 0) fail(`start slot ${start}`);
  const slots = [0, 1, 2].map(() => r.bytes(r.u16('slot length'), 'slot'));
  for (const s of slots) {
    const kind = s.length === 0 ? '' : String.fromCharCode(s[0]);
    if (kind !== '' && kind !== 'S' && !(kind === 'I' && s.length === 3)) fail(`action-bar slot ${s.toString('hex')}`);
  }
  return { start, slots };
}

function changeArea(r) {
  const m = {
    x: r.coord('x'), y: r.coord('y'), z: r.coord('z'), yaw: r.f32('yaw'), pvp: r.flag('pvp'),
    gravity: r.upTo(1000, 'gravity', 'u16'), area: r.u32('area handle'), weather: r.upTo(5, 'weather'), name: r.str8('area name'),
  };
  if (m.area === 0) fail('area handle 0');
  if (m.name.length === 0) fail('area name empty');
  return m;
}

const AFTER_TAG = 127; // number of bytes after the tag in a NewActor without a gender byte

function newActor(r) {
  const m = {
    area: r.u32('area handle'), rid: r.rid('runtime id'), level: r.u16('level'), xp: r.u32('xp'), template: r.u16('template'),
    x: r.coord('x'), y: r.coord('y'), z: r.coord('z'), yaw: r.f32('yaw'), isPlayer: r.flag('isPlayer'),
    name: r.str8('name'), tag: r.str8('tag'),
  };
  // A real client knows from the template whether there is a gender byte; here the length tells.
  if (r.left !== AFTER_TAG && r.left !== AFTER_TAG + 1) fail(`${r.left} bytes behind the tag, want ${AFTER_TAG} or ${AFTER_TAG + 1}`);
  m.gender = r.left > AFTER_TAG ? r.flag('gender') : null;
  m.reputation = r.i16('reputation');
  for (const k of ['face', 'hair', 'body', 'beard']) m[k] = r.upTo(4, k, 'u16');
  for (const k of ['speed', 'speedMax', 'health', 'healthMax']) m[k] = r.upTo(0x7fff, k, 'u16');
  for (const k of ['weapon', 'shield', 'hat', 'chest']) m[k] = r.u16(k);
  m.faction = r.upTo(99, 'home faction');
  m.ratings = Array.from({ length: 100 }, () => r.upTo(200, 'faction rating'));
  return m;
}

function actorGone(r) {
  const wide = r.left === 4;
  const rid = wide ? r.u32('runtime id') : r.u16('runtime id');
  if (rid === 0 || rid >= NO_ACTOR) fail(`runtime id ${rid}`);
  return { rid, wide };
}

/** ctx.self: own runtime id; ctx.flies(rid) and ctx.energy: true, false, or undefined when not known. */
function standardUpdate(r, ctx) {
  const size = r.left;
  const m = {
    rid: r.rid('runtime id'), x: r.coord('x'), z: r.coord('z'), running: r.flag('isRunning'), backward: r.flag('walkingBackward'),
    destX: r.coord('destX'), destZ: r.coord('destZ'), mount: r.u16('mount'),
  };
  if (m.running && m.backward) fail('running backward');
  if (m.mount === NO_ACTOR || m.mount === m.rid) fail(`mount ${m.mount}`);
  const self = ctx.self === m.rid;
  if (size === 24) {
    if (ctx.self !== undefined && !self) fail(`energy tail for ${m.rid}, which is not the recipient ${ctx.self}`);
    if (ctx.energy === false) fail('energy tail, but no energy attribute is configured');
    m.energy = r.u16('energy');
  } else if (size === 26) {
    if (self) fail('Y tail in the own echo');
    if (ctx.flies?.(m.rid) === false) fail(`Y tail for ${m.rid}, which does not fly`);
    m.y = r.coord('y');
  } else if (self && ctx.energy === true) {
    fail('own echo without the energy tail');
  } else if (!self && ctx.flies?.(m.rid) === true) {
    fail(`no Y tail for ${m.rid}, which flies`);
  }
  return m;
}

function inventoryUpdate(r) {
  const sub = String.fromCharCode(r.u8('sub'));
  switch (sub) {
    case 'O': return { sub, rid: r.rid('rid'), weapon: r.u16('weapon'), shield: r.u16('shield'), chest: r.u16('chest'), hat: r.u16('hat'), gubbins: [...r.bytes(6, 'gubbins')] };
    case 'D': return { sub, amount: r.u16('amount'), x: r.coord('x'), y: r.coord('y'), z: r.coord('z'), handle: r.u32('handle'), item: itemInstance(r) };
    case 'P': return { sub, handle: r.u32('handle') };
    case 'R': return { sub, handle: r.u32('handle'), slot: r.upTo(45, 'slot') };
    case 'T': return { sub, slot: r.upTo(45, 'slot'), amount: r.u16('amount') };
    case 'G': return { sub, handle: r.u32('handle'), item: r.u16('item'), amount: r.u16('amount') };
    default: return fail(`sub ${JSON.stringify(sub)}`);
  }
}

const chatColours = { 0xfe: 'yellow', 0xfd: 'red', 0xfc: 'magenta', 0xfb: 'green', 0xfa: 'rgb' };

function chat(r) {
  if (r.left === 0) fail('empty chat');
  const colour = chatColours[r.b[0]] ?? '';
  if (colour) r.u8('prefix');
  const rgb = colour === 'rgb' ? [...r.bytes(3, 'colour')] : null;
  return { colour, rgb, text: r.rest().toString('latin1') };
}

function attack(r, ctx) {
  const sub = String.fromCharCode(r.u8('sub'));
  if (sub === 'O') {
    const m = { sub, attacker: r.rid('attacker'), victim: r.rid('victim') };
    if (m.attacker === m.victim) fail(`${m.attacker} attacks itself`);
    if (ctx.self !== undefined && (m.attacker === ctx.self || m.victim === ctx.self)) fail('O sent to a party of the fight');
    return m;
  }
  if (sub !== 'H' && sub !== 'Y') return fail(`sub ${JSON.stringify(sub)}`);
  const m = { sub, rid: r.rid('other') };
  const wire = r.u16('damage+1');
  if (wire > 0x7fff) fail(`damage+1 = ${wire}: clients disagree above 32767`);
  m.damage = wire - 1;
  m.damageType = r.upTo(19, 'damage type');
  if (m.damage < 0 && m.damageType !== 0) fail(`miss with damage type ${m.damageType}`);
  if (m.rid === ctx.self) fail(`${sub} names the recipient`);
  return m;
}

function statUpdate(r) {
  const sub = String.fromCharCode(r.u8('sub'));
  if (sub === 'R') return { sub, rid: r.rid('rid'), reputation: r.i16('reputation') };
  if (sub !== 'A' && sub !== 'M') return fail(`sub ${JSON.stringify(sub)}`);
  return { sub, rid: r.rid('rid'), attribute: r.upTo(39, 'attribute'), value: r.upTo(0x7fff, 'value', 'u16') };
}

function xpUpdate(r) {
  const sub = String.fromCharCode(r.u8('sub'));
  switch (sub) {
    case 'B': return { sub, bar: r.u8('bar') };
    case 'M': return { sub, gained: r.i32('gained') };
    case 'U': return { sub, level: r.u16('level') };
    case 'L': return { sub, rest: r.rest().toString('hex') }; // the wire document does not describe the layout
    default: return fail(`sub ${JSON.stringify(sub)}`);
  }
}

function goldChange(r) {
  const sub = String.fromCharCode(r.u8('sub'));
  if (sub !== 'U' && sub !== 'D') fail(`sub ${JSON.stringify(sub)}`);
  return { sub, amount: r.i32('amount') };
}

function actorEffect(r) {
  const sub = String.fromCharCode(r.u8('sub'));
  switch (sub) {
    case 'A': return { sub, handle: r.u32('handle'), icon: r.u16('icon'), name: r.rest().toString('latin1') };
    case 'E': return { sub, attribute: r.upTo(39, 'attribute'), delta: r.i32('delta') };
    case 'R': return { sub, handle: r.u32('handle'), amounts: Array.from({ length: 40 }, () => r.i32('amount')) };
    default: return fail(`sub ${JSON.stringify(sub)}`);
  }
}

function reposition(r) {
  const sub = String.fromCharCode(r.u8('sub'));
  const rid = r.rid('rid');
  if (sub === 'R') return { sub, rid, yaw: r.f32('yaw') };
  if (sub !== 'M') return fail(`sub ${JSON.stringify(sub)}`);
  const m = { sub, rid, x: r.coord('x'), y: r.coord('y'), z: r.coord('z'), ignoreCollision: r.flag('ignoreCollision') };
  if (r.left === 1) m.extra = r.u8('extra');
  return m;
}

const projectile = (r) => ({
  source: r.rid('source'), target: r.rid('target'), mesh: r.u16('mesh'), tex1: r.u16('tex1'), tex2: r.u16('tex2'),
  homing: r.flag('homing'), speed: r.u8('speed'), emitter1: r.str8('emitter1'), emitter2: r.rest().toString('latin1'),
});

// name, decoder, whole payload sizes (undefined: the decoder decides)
const packets = new Map([
  [type.createAccount, ['CreateAccount', status('YN'), [1]]],
  [type.verifyAccount, ['VerifyAccount', verifyAccount]],
  [type.fetchCharacter, ['FetchCharacter', fetchCharacter]],
  [type.createCharacter, ['CreateCharacter', status('YIN'), [1]]],
  [type.changeArea, ['ChangeArea', changeArea]],
  [type.newActor, ['NewActor', newActor]],
  [type.startGame, ['StartGame', startGame]],
  [type.actorGone, ['ActorGone', actorGone, [2, 4]]],
  [type.standardUpdate, ['StandardUpdate', standardUpdate, [22, 24, 26]]],
  [type.inventoryUpdate, ['InventoryUpdate', inventoryUpdate]],
  [type.chat, ['ChatMessage', chat]],
  [type.weather, ['WeatherChange', (r) => ({ area: r.u32('area'), weather: r.upTo(5, 'weather') }), [5]]],
  [type.attack, ['AttackActor', attack, [5, 6]]],
  [type.actorDead, ['ActorDead', (r) => ({ rid: r.rid('dead'), killer: r.left ? r.rid('killer') : null }), [2, 4]]],
  [type.statUpdate, ['StatUpdate', statUpdate, [5, 6]]],
  [type.gold, ['GoldChange', goldChange, [5]]],
  [type.nameChange, ['NameChange', (r) => ({ rid: r.rid('rid'), name: r.str8('name'), tag: r.rest().toString('latin1') })]],
  [type.xpUpdate, ['XPUpdate', xpUpdate]],
  [type.actorEffect, ['ActorEffect', actorEffect]],
  [type.projectile, ['Projectile', projectile]],
  [type.itemHealth, ['ItemHealth', (r) => ({ slot: r.upTo(45, 'slot'), health: r.upTo(100, 'health', 'u16') }), [3]]],
  [type.jump, ['Jump', (r) => ({ rid: r.rid('rid') }), [2]]],
  [type.floatingNumber, ['FloatingNumber', (r) => ({ rid: r.rid('rid'), amount: r.i32('amount'), rgb: [...r.bytes(3, 'rgb')] }), [9]]],
  [type.reposition, ['RepositionActor', reposition, [7, 16, 17]]],
  [type.bubble, ['BubbleMessage', (r) => ({ rid: r.rid('rid'), rgb: [...r.bytes(3, 'rgb')], text: r.rest().toString('latin1') })]],
  [type.kicked, ['KickedPlayer', () => ({}), [0]]],
]);

export const nameOf = (t) => packets.get(t)?.[0] ?? `type ${t}`;

/**
 * Decodes one message of the server (type byte first). Throws LayoutError. A type whose layout the wire document does not
 * give is returned with raw set.
 */
export function decode(message, ctx = {}) {
  if (message.length === 0) fail('empty message');
  const t = message[0];
  if (LOCAL_EVENTS.includes(t)) fail(`type ${t} is an event of the client's own library`);
  if (t > MAX_KNOWN) fail(`unknown type ${t}`);
  const payload = message.subarray(1);
  const entry = packets.get(t);
  if (!entry) return { type: t, packet: `type ${t}`, raw: payload };
  const [name, read, sizes] = entry;
  try {
    if (sizes && !sizes.includes(payload.length)) fail(`payload of ${payload.length} bytes, want ${sizes.join(' or ')}`);
    const r = new Reader(payload);
    const m = read(r, ctx);
    r.done();
    return { type: t, packet: name, ...m };
  } catch (e) {
    if (e instanceof LayoutError) throw new LayoutError(`${name}: ${e.message}`);
    throw e;
  }
}
