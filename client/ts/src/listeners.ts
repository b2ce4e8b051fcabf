// The listeners of a world.

import type { Actor, Events, GameEvent } from './api.js';
import type { GameData } from './game.js';

export abstract class Listeners<G extends GameData> {
  abstract readonly actors: ReadonlyMap<number, Actor<G>>;
  private listeners: Record<string, Set<(e: never) => void>> = {}; // by name of the event, with "game " before names of the game's events
  protected late: { at: number; play: () => void }[] = []; // events to emit later; at is a time of performance.now

  /** Calls f with each event of a name. For the event enter it first calls f with each actor that is shown already. */
  on<K extends keyof Events>(name: K, f: (e: Events<G>[K]) => void): () => void {
    if (name === 'enter') this.actors.forEach((a) => call(f as (a: Actor<G>) => void, a));
    return this.listen(name, f);
  }

  /** Calls f with each event of the game of a name. */
  onGame<K extends keyof G['events'] & string>(name: K, f: (e: GameEvent<G, K>) => void): () => void {
    return this.listen(`game ${name}`, f);
  }

  private listen(name: string, f: (e: never) => void): () => void {
    const all = (this.listeners[name] ??= new Set());
    all.add(f);
    return () => void all.delete(f);
  }

  // Calls the listeners of an event. The type of the event's actors does not know the fields of this world's game.
  protected emit<K extends keyof Events>(name: K, e: Events[K]): void {
    const all = this.listeners[name] ?? new Set();
    for (const f of [...all]) if (all.has(f)) call(f, e as never); // a listener that another one adds or removes meanwhile is not called
  }

  // Emits the delayed events whose time has come, in the order of their arrival.
  protected playLate(now: number): void {
    for (let e; (e = this.late[0]) && e.at <= now; e.play()) this.late.shift();
  }
}

// Calls a listener. If it throws, the error is reported like an uncaught one, because it must not end the connection.
function call<E>(f: (e: E) => void, e: E): void {
  try {
    f(e);
  } catch (error) {
    (globalThis.reportError ?? console.error)(error);
  }
}
