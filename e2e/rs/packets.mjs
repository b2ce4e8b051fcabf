// Bodies of packets: encoders of the client's packets, and decoders of the server's.
import { Reader, Writer } from './bytes.mjs';
import { pack, unpack } from './huffman.mjs';
import { C, S } from './tables.mjs';

const NONE = 65535;

/** Encoders; each returns [opcode, body]. */
export const say = {
  walk: (x, z, ctrl = false) => [C.MOVE_GAMECLICK, new Writer().u16LA(x).u16LA(z).u8(ctrl ? 1 : 0).take()],
  minimap: (x, z, ctrl = false) => [C.MOVE_MINIMAPCLICK, new Writer().u16LA(x).u16LA(z).u8(ctrl ? 1 : 0, -1, -1).u16(0)
    .u8(57, 0, 0, 89).u16(0).u16(0).u8(63).take()],
  attack: (index, ctrl = 0) => [C.OPPLAYER1, new Writer().u8(ctrl).u16(index).take()],
  chat: (text, colour = 0, effect = 0) => [C.MESSAGE_PUBLIC, new Writer().u8(colour, effect).bytes(pack(text)).take()],
  command: (text) => [C.CLIENT_CHEAT, new Writer().u8(0, 0).cstr(text).take()],
  button: (iface, component) => [C.IF_BUTTON1, new Writer().u32M3(iface * 65536 + component).u16LA(NONE).u16(NONE).take()],
  face: (x, z) => [C.FACE_SQUARE, new Writer().u16LA(z).u16L(x).take()],
  window: (mode, width, height) => [C.WINDOW_STATUS, new Writer().u8(mode).u16(width).u16(height).u8(0).take()],
  pong: (body) => [C.SEND_PING_REPLY, body],
  mapBuilt: () => [C.MAP_BUILD_COMPLETE, Buffer.alloc(0)],
  stillHere: () => [C.NO_TIMEOUT, Buffer.alloc(0)],
};

function gameMessage(r) {
  const m = { type: r.smart(), flags: r.u32() };
  const names = r.u8();
  if (names & 1) m.name = r.cstr();
  if (names & 2) m.plainName = r.cstr();
  return { ...m, text: r.cstr() };
}

function publicMessage(r) {
  const index = r.u16();
  const style = r.u16();
  return { index, colour: style >> 8, effect: style & 255, rank: r.u8(), text: unpack(r) };
}

const readers = {
  [S.SET_PLAYER_OP]: (r) => ({ priority: r.u8A(), cursor: r.u16L(), text: r.cstr(), slot: r.u8N() }),
  [S.UPDATE_RUNENERGY]: (r) => ({ percent: r.u8() }),
  [S.VARBIT_SMALL]: (r) => ({ value: r.u8S(), id: r.u16A() }),
  [S.VARBIT_LARGE]: (r) => ({ value: r.u32(), id: r.u16() }),
  [S.VARP_SMALL]: (r) => ({ id: r.u16(), value: r.s8A() }),
  [S.VARP_LARGE]: (r) => ({ value: r.u32M3(), id: r.u16A() }),
  [S.SET_MAP_FLAG]: (r) => ({ x: r.u8(), z: r.u8A() }),
  [S.IF_OPENTOP]: (r) => ({ iface: r.u16LA(), type: r.u8S() }),
  [S.UPDATE_STAT]: (r) => ({ level: r.u8S(), skill: r.u8A(), xp: r.u32L() }),
  [S.MESSAGE_GAME]: gameMessage,
  [S.MESSAGE_PUBLIC]: publicMessage,
  [S.REDUCE_ATTACK_PRIORITY]: (r) => ({ value: r.u8S() }),
  [S.SHOW_FACE_HERE]: (r) => ({ value: r.u8N() }),
};

/** Fields of a server packet, undefined if readers has none for it. */
export function readPacket(op, body) {
  const read = readers[op];
  if (!read) return undefined;
  const r = new Reader(body);
  const p = read(r);
  r.done(`packet ${op}`);
  return p;
}
