export { connect, World } from './world.js';
export { RefusedError } from './connection.js';
export type { Actor, Answer, Corrected, Events, GameEvent, Link, Options, Self } from './api.js';
export type { AnyGame, GameData, Value } from './game.js';
export type { Impair, Ticket, WebSocketClass } from './link.js';
export { ProtocolError } from './snapshot.js';
export type { ArgSchema, CommandSchema, Field, Kind, Schema } from './snapshot.js';
