export { connect, RefusedError, World } from './world.js';
export type { Actor, Answer, Corrected, Events, Link, Options, Self } from './world.js';
export type { Impair, Ticket } from './link.js';
export { ProtocolError } from './snapshot.js';
export type { Schema } from './snapshot.js';
