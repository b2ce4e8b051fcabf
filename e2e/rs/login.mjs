// The login: the client's request, and the server's answers.
import crypto from 'node:crypto';
import { Reader, Violation, Writer } from './bytes.mjs';
import { rsaEncrypt, xteaEncrypt } from './crypto.mjs';

export const REVISION = 667;
export const ANSWER = { OK: 2, CREDENTIALS: 3, ONLINE: 5, UPDATED: 6, RECONNECTED: 15 };

const ARCHIVES = 36;

/** Four random words: the XTEA key and the seed of both ISAAC ciphers. */
export function newKeys() {
  return [...new Uint32Array(crypto.randomBytes(16).buffer.slice(0, 16))];
}

/** The seeds of the two ciphers: [client to server, server to client]. */
export function seeds(keys) {
  return [keys, keys.map((k) => (k + 50) >>> 0)];
}

/** A whole login request, opcode 16. o: {key, keys, user, password, reconnect, build}. */
export function loginRequest({ key, keys, user, password, reconnect = false, build = REVISION }) {
  const rsa = rsaEncrypt(key, secret(keys, password));
  const hidden = xteaEncrypt(keys, details(user));
  const body = new Writer().u32(build).u8(reconnect ? 1 : 0).u16(rsa.length).bytes(rsa).bytes(hidden).take();
  return new Writer().u8(16).u16(body.length).bytes(body).take();
}

function secret(keys, password) {
  const w = new Writer().u8(10);
  for (const k of keys) w.u32(k);
  return w.u32(0).u32(0).cstr(password).bytes(crypto.randomBytes(16)).take();
}

function details(user) {
  const w = new Writer().cstr(user);
  w.u8(0xff).u8(2).u16(1024).u16(768).u8(0); // context, display mode (a resizable window), its width and height, no antialiasing
  w.bytes(Buffer.alloc(24, 0xff)).cstr('settings').u32(0);
  w.u8(1, 25); // options block: only its version
  machine(w);
  w.u32(0).u32(0).u32(0).u8(0).u8(0, 1, 0);
  for (let i = 0; i < ARCHIVES; i++) w.u32(0x1000 + i);
  return w.take();
}

function machine(w) {
  w.u8(5, 1, 1, 3, 5, 1, 6, 45, 0).u16(512).u8(2).u8(0, 8, 0).u16(2400).u8(0, 0, 0);
  for (let i = 0; i < 4; i++) w.u8(0).cstr('');
  w.u8(0).u16(0);
}

/** The fields after answer 2. */
export function readWelcome(bytes) {
  const r = new Reader(bytes);
  const w = {
    staff: r.u8(), level: r.u8(), underage: r.u8(), parentalChat: r.u8(), parentalAdvert: r.u8(), quickChat: r.u8(),
    index: r.u16(), member: r.u8(), birth: r.s24(), membersMap: r.u8(), owner: r.cstr(),
  };
  r.done('welcome');
  if (w.index < 1 || w.index > 2047) throw new Violation(`own index ${w.index}`);
  return w;
}

const AREAS = [104, 120, 136, 168];

/** The map around a zone, from a REBUILD_NORMAL body after its placement. */
export function readRebuild(r) {
  const area = r.u8N();
  if (AREAS[area] === undefined) throw new Violation(`build area ${area}`);
  const size = AREAS[area];
  const force = r.u8();
  const zoneX = r.u16L();
  const zoneZ = r.u16();
  const half = size >> 4;
  const squares = (zone) => ((zone + half) >> 3) - ((zone - half) >> 3) + 1;
  const keys = squares(zoneX) * squares(zoneZ);
  if (r.left !== keys * 16) throw new Violation(`${r.left} bytes of map keys for ${keys} squares`);
  r.bytes(r.left);
  return { size, force, zoneX, zoneZ, baseX: (zoneX - half) * 8, baseZ: (zoneZ - half) * 8, keys };
}
