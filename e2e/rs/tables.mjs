// Sizes of all packets of revision 667, in order of their opcodes: a number for a fixed size, b if the size is sent before the
// content in one byte, s if in two bytes.

export const VAR_BYTE = -1;
export const VAR_SHORT = -2;

const parse = (text) => text.trim().split(/\s+/).map((s) => (s === 'b' ? VAR_BYTE : s === 's' ? VAR_SHORT : Number(s)));

/** By opcode of the client, 0..93. */
export const clientSizes = parse(`
  7 b 7 4 8 4 8 b b 3
  8 7 5 2 3 4 0 b 8 3
  8 15 2 1 7 8 16 7 3 b
  b 3 b 0 4 7 b b b 12
  11 b 15 3 b 7 3 7 0 3
  3 b 8 3 6 7 0 3 2 b
  b 8 3 4 8 11 3 3 b 7
  b 4 s 16 b 4 7 3 b b
  b 8 3 18 6 2 7 6 b 4
  b 8 3 1`);

/** By opcode of the server, 0..144. */
export const serverSizes = parse(`
  6 b 6 12 0 7 s s 6 10
  0 3 s 1 3 0 3 0 4 8
  b b 10 6 b 0 3 0 4 6
  s 4 b s 6 2 4 s 0 6
  b 7 b s 10 2 3 4 5 1
  s 0 6 b b 2 28 s 6 0
  7 20 16 5 3 6 10 3 1 s
  s 2 2 4 11 3 9 s 8 s
  s 12 6 7 6 s 0 s s b
  17 b 4 6 b 6 7 b 6 b
  1 3 b 2 8 b 8 4 12 10
  b 3 6 3 4 8 b 5 s 6
  s 6 10 1 1 2 4 6 s 4
  9 b s b 1 0 6 8 b s
  s 2 0 s 5`);

/** Opcodes of the server that this client understands. Others are framed and counted. */
export const S = {
  SET_PLAYER_OP: 1, UPDATE_RUNENERGY: 13, VARBIT_SMALL: 14, SEND_PING: 19, SERVER_TICK_END: 25, VARP_LARGE: 39,
  REBUILD_NORMAL: 43, SHOW_FACE_HERE: 49, LOGOUT_FULL: 51, SET_MAP_FLAG: 55, LOGOUT: 59, IF_OPENTOP: 67, PLAYER_INFO: 69,
  VARBIT_LARGE: 84, MESSAGE_PUBLIC: 91, UPDATE_STAT: 93, VARP_SMALL: 101, MESSAGE_GAME: 102, REDUCE_ATTACK_PRIORITY: 124,
};

/** Opcodes of the client that this one sends. */
export const C = {
  SEND_PING_REPLY: 6, MOVE_GAMECLICK: 12, OPPLAYER1: 14, NO_TIMEOUT: 16, MAP_BUILD_COMPLETE: 33, MESSAGE_PUBLIC: 36,
  IF_BUTTON1: 61, FACE_SQUARE: 63, CLIENT_CHEAT: 70, MOVE_MINIMAPCLICK: 83, WINDOW_STATUS: 87,
};
