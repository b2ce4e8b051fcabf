import { expect, expectTypeOf, it } from 'vitest';
import { extrasOf, Fields, GameData, setFields, stepsOf, valueOf } from '../src/game.js';
import type { Answer, World } from '../src/index.js';
import { Motion } from '../src/motion.js';
import type { Kind } from '../src/snapshot.js';
import { builtin } from './snapshot.test.js';

const kind: Kind = {
  name: 'player',
  fields: [...builtin.kinds[0]!.fields, { name: 'mana', step: 0.1, max: 500 }, { name: 'heat', derived: true, step: 1 }, { name: 'team', step: 1, words: ['none', 'red'] }],
  slow: [{ name: 'rank', step: 1 }, { name: 'secret', step: 1, to: 'self' }],
};

it('the integer steps of a field are converted to numbers or words, and back', () => {
  expect(valueOf({ step: 0.1 }, 3)).toBe(0.3);
  expect(valueOf({ step: 5 }, -3)).toBe(-15);
  expect(valueOf({ step: 1, words: ['none', 'red'] }, 1)).toBe('red');
  expect(stepsOf({ name: 'a', type: 'number', step: 0.1 }, 0.3)).toBe(3);
  expect(stepsOf({ name: 'a', type: 'number', words: ['none', 'red'] }, 'red')).toBe(1);
  expect(() => stepsOf({ name: 'a', type: 'number', words: ['none', 'red'] }, 'blue')).toThrow('a: "blue" is none of none, red');
  expect(() => stepsOf({ name: 'a', type: 'number' }, NaN)).toThrow('not a number');
});

it('a slow field that the client may not see is missing', () => {
  const f: Fields = {};
  setFields(f, kind.slow, [3, 4], (d) => d.to !== 'self');
  expect(f).toEqual({ rank: 3 });
  setFields(f, kind.slow, [5, 6], () => true);
  expect(f).toEqual({ rank: 5, secret: 6 });
});

it('a field keeps its value between snapshots, or is predicted and interpolated if the schema says that it changes evenly', () => {
  const e = extrasOf(kind);
  expect(e.lines).toEqual([1]);
  const m = new Motion(e.fields.length, e.lines);
  const state = (mana: number, heat: number): number[] => [0, 0, 0, 0, 255, 0, mana, heat, 0];
  const speeds = [0, 0, 0, 0, 0, 0, 0, 2 * 16, 0];
  m.add(100, state(7, 50), speeds);
  m.add(120, state(9, 100), speeds); // the heat is 10 more than predicted
  const out = { x: 0, y: 0, z: 0, yaw: 0, health: 0, flags: 0, extra: new Float64Array(32) };
  m.draw(110, 120, out);
  expect([...out.extra.subarray(0, 2)]).toEqual([7, 70]);
  m.draw(118.5, 120, out);
  expect(out.extra[1]).toBeCloseTo((84 + 100) / 2);
  m.draw(123, 123, out);
  expect([...out.extra.subarray(0, 2)]).toEqual([9, 106]);
  m.draw(400, 135, out); // no further state arrived
  expect(out.extra[1]).toBe(130);
});

interface Wizards extends GameData {
  player: { mana: number; team: 'none' | 'red' };
  npc: { anger: number };
  area: { score: number };
  commands: { cast: { spell: number; target: { id: number } }; join: { team: 'none' | 'red' } };
  events: { burst: { power: number } };
}

it('the compiler checks the fields, commands and events of a game', () => {
  type W = World<Wizards>;
  expectTypeOf<W['self']['fields']['team']>().toEqualTypeOf<'none' | 'red' | undefined>();
  expectTypeOf<W['area']['fields']['score']>().toEqualTypeOf<number>();
  expectTypeOf<W['command']>().returns.toEqualTypeOf<Promise<Answer>>();
  const check = (w: W): void => {
    void w.command('join', { team: 'red' });
    // @ts-expect-error blue is no team
    void w.command('join', { team: 'blue' });
    // @ts-expect-error there is no command fly
    void w.command('fly', {});
    w.onGame('burst', (e) => expectTypeOf(e.power).toEqualTypeOf<number>());
  };
  expect(check).toBeDefined();
});
