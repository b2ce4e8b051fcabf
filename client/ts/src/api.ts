// The types of the public API: options, actors, events and the state of the connection.

import type { Body, Ground } from './blocks/index.js';
import type { AnyGame, GameData } from './game.js';
import type { Impair, Ticket, WebSocketClass } from './link.js';

export interface Options {
  /** Name of the player of a new guest; with `secret`, name of the account. */
  name?: string;
  /** Secret of the account `name`. The server accepts it only over HTTPS or from its own machine. */
  secret?: string;
  /** With `secret`: create the account if there is none of that name. */
  create?: boolean;
  /** With `secret`: a new secret, which replaces `secret` after the login. */
  newSecret?: string;
  /** Gets a token (JWT) from the game's own backend, which names the player. Called for each connection, a resumed one too. */
  token?: () => Promise<string>;
  /** Identity of an earlier guest. By default the browser stores it, and a second tab becomes another guest. */
  guest?: string;
  /** Gets a ticket in another way than from the server of the URL, such as through a lobby. */
  ticket?: () => Promise<Ticket>;
  transport?: 'auto' | 'wt' | 'ws';
  /** The WebSocket class, for programs without one. */
  WebSocket?: WebSocketClass;
  /** How the own player moves: `body` of @truestep/client/blocks. */
  body: Body;
  impair?: Impair;
  signal?: AbortSignal;
}

export interface Answer { ok: boolean; reason: string; sentence: string; asked: number; allowed: number }

/** An actor in the player's view. Its fields change with each call of World.frame. Lengths in blocks, yaw in degrees, health 0..1. */
export interface Actor<G extends GameData = AnyGame> {
  readonly id: number;
  readonly kind: string;
  readonly door: string; // name of the door through which the player entered; empty for an actor that is no player
  readonly name: string;
  readonly level: number;
  readonly height: number;
  readonly x: number; readonly y: number; readonly z: number;
  readonly yaw: number;
  readonly health: number;
  readonly dead: boolean;
  readonly lingering: boolean; // true for a player whose connection is lost
  /** Fields of the game: numbers in units, or words. Fields that this client may not see are missing. */
  readonly fields: Readonly<Partial<G['player'] & G['npc']>>;
}

/** The own player: the position at which it is drawn, and the position that the server has last sent. */
export interface Self<G extends GameData = AnyGame> extends Actor<G> {
  readonly truth: { readonly x: number; readonly y: number; readonly z: number };
}

export interface Corrected { reason: string; sentence: string; distance: number }

export interface Events<G extends GameData = AnyGame> {
  enter: Actor<G>;
  leave: { actor: Actor<G>; why: 'sight' | 'gone' | 'dead' };
  struck: { attacker?: Actor<G>; victim?: Actor<G>; damage: number; missed: boolean };
  shot: { attacker?: Actor<G>; target?: Actor<G> };
  died: { actor?: Actor<G>; name: string; killer?: Actor<G> };
  respawned: { actor?: Actor<G> };
  jumped: { actor?: Actor<G> };
  said: { actor?: Actor<G>; text: string };
  told: { tone: 'system' | 'warning' | 'combat' | 'announcement'; text: string };
  experience: { points: number };
  corrected: Corrected;
  area: { name: string; ground: Ground };
  state: Link;
  /** The fields of the area have changed. */
  fields: Readonly<G['area']>;
}

/** An event of the game: its arguments, and the actor that it is about, if it is shown. */
export type GameEvent<G extends GameData, K extends keyof G['events']> = G['events'][K] & { who?: Actor<G> };

export interface Link {
  readonly transport: 'wt' | 'ws';
  readonly state: 'open' | 'resuming' | 'closed';
  readonly rtt: number; // round-trip time, ms
  readonly loss: number; // share of lost snapshots, 0..1, computed anew after 100 received snapshots
  readonly delay: number; // ms by which other actors are drawn behind the server's time
  readonly waits: number; // number of inputs that wait at the server
  readonly bytes: number; // number of bytes received on this connection
  readonly corrections: number;
  readonly sentence: string; // sentence for the player that says why the connection was closed
}
