// A game's own data: fields of actors and areas, commands and events, as the schema of the server declares them.

import type { ArgSchema, Field, Kind } from './snapshot.js';

/** The data of a game. `truestep schema --ts` prints it for a world file. */
export interface GameData {
  player: object;
  npc: object;
  area: object;
  commands: object;
  events: object;
}

/** A value of a field or argument: a number in units, or one of the words of the schema. */
export type Value = number | string;

/** The type parameter for a game whose types are not known at compile time. */
export interface AnyGame extends GameData {
  player: Record<string, Value>;
  npc: Record<string, Value>;
  area: Record<string, Value>;
  commands: Record<string, Record<string, unknown>>;
  events: Record<string, Record<string, unknown>>;
}

export type Fields = Record<string, Value>;

/** Number of fields that every actor has in snapshots: x, y, z, yaw, health, flags. */
export const BUILTIN = 6;

/**
 * Converts a number of steps to a number in units or a word. Numbers are rounded to a digit below the step, so that 3 steps of
 * 0.1 are 0.3.
 */
export function valueOf(f: { step?: number; words?: string[] }, steps: number): Value {
  if (f.words?.length) return f.words[steps] ?? f.words[0]!;
  const step = f.step ?? 1;
  return step >= 1 ? steps * step : Number((steps * step).toPrecision(12));
}

/** Converts a number in units or a word to steps. */
export function stepsOf(a: ArgSchema, value: unknown): number {
  if (a.words?.length) {
    const i = a.words.indexOf(String(value));
    if (i < 0) throw new TypeError(`${a.name}: ${JSON.stringify(value)} is none of ${a.words.join(', ')}`);
    return i;
  }
  if (!Number.isFinite(value)) throw new TypeError(`${a.name}: ${JSON.stringify(value)} is not a number`);
  return Math.round(value as number / (a.step ?? 1));
}

/** Sets the slow fields of an actor or area from a message. */
export function setFields(to: Fields, schema: readonly Field[] | undefined, steps: ArrayLike<number>, knows: (f: Field) => boolean): void {
  schema?.forEach((f, i) => {
    if (i < steps.length && knows(f)) to[f.name] = valueOf(f, steps[i]!);
    else delete to[f.name];
  });
}

/** The game's fields of a kind in snapshots, and those among them that are predicted. */
export function extrasOf(kind: Kind | undefined): { fields: Field[]; lines: number[] } {
  const fields = kind?.fields.slice(BUILTIN) ?? [];
  return { fields, lines: fields.flatMap((f, i) => (f.derived ? [i] : [])) };
}
