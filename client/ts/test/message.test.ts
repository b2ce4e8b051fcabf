import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { act, hello, input, NO_HANDLE, parse } from '../src/message.js';
import { newAvatar } from '../src/blocks/avatar.js';
import { ProtocolError, Reader } from '../src/snapshot.js';
import { builtin } from './snapshot.test.js';

const vectors: { name: string; toServer: boolean; hex: string }[] = JSON.parse(readFileSync(new URL('vectors/messages.json', import.meta.url), 'utf8'));
const bytes = (name: string): Buffer => Buffer.from(vectors.find((v) => v.name === name)!.hex, 'hex');

/** What each message of the vectors means. */
const meaning: Record<string, object> = {
  refused: { code: 0x42, reason: 2, seconds: 30, text: 'full' },
  enter: { handle: 2, kind: 1, state: Int32Array.of(-1, 5), body: { handle: 2, mask: 31, door: 'rs', level: 4, healthMax: 100, height: 29, name: 'Ann' } },
  body: { body: { handle: 2, mask: 18, door: '', level: 5, healthMax: 0, height: 0, name: 'B' } },
  leave: { handle: 3, reason: 3 },
  event: { tick: 9, kind: 1, who: 1, other: 2, value: -1, text: '' },
  answer: { number: 7, reason: 17, asked: 3, allowed: 2.5, text: '' },
  'answer of the game': { number: 7, reason: 18, text: 'No' },
  'enter with slow fields': { handle: 2, kind: 0, state: Int32Array.of(5), body: { mask: 63, name: 'A', fields: [9] } },
  'body with slow fields': { body: { handle: 2, mask: 32, fields: [1, -1] } },
  'game event': { tick: 9, event: 1, who: 2, other: NO_HANDLE, args: [3], text: 'hi' },
  'area fields': { values: [1, -2] },
  bye: { reason: 5, resume: true, text: 'x' },
  area: { area: { area: 1, ground: 'aa00000000000000', run: 3, own: 5, name: 'Vale' } },
  own: { tick: 100, serial: 2, reason: 1, what: 1 },
  welcome: { run: 1, known: false, ticks: 20, tick: 2 ** 40, own: 5, area: { area: 1, ground: '0000000000000000', run: 1, own: 5, name: 'V' }, schema: '0800000000000000' },
  'welcome back': { run: 0, known: true, ticks: 60, tick: 9, own: 5, area: { area: 0, ground: '0000000000000000', run: 0, own: 5, name: '' } },
};
const avatar = { x: 1, y: 64, z: -2.5, vy: -0.5, pitch: 10, yaw: -90, flags: 2049, collided: 2, jumpDelay: 3, swimPose: 4, jumpBoost: 1, levitation: 2, slowFalling: 3, depthStrider: 5, glideBoost: 300 };

describe('messages of the server', () => {
  for (const v of vectors.filter((v) => !v.toServer)) {
    it(`messages of the server are read as it wrote them: ${v.name}`, () => {
      const b = Buffer.from(v.hex, 'hex');
      expect(parse(b)).toMatchObject(meaning[v.name]!);
      if (v.name === 'own' || v.name.startsWith('welcome')) expect(parse(b)).toMatchObject({ avatar });
      for (let n = 1; n < b.length; n++) expect(() => parse(b.subarray(0, n)), `the first ${n} bytes`).toThrow(ProtocolError);
      expect(() => parse(Buffer.concat([b, Buffer.of(0)]))).toThrow(ProtocolError);
    });
  }

  it('a Welcome of a server that lacks the coding of snapshots is refused', () => {
    const welcome = bytes('welcome');
    welcome.writeUInt32LE(0, 2); // the features of the server
    expect(() => parse(welcome)).toThrow('older');
  });

  it('messages with an unknown code are skipped', () => expect(parse(Buffer.of(0x7f, 1, 2))).toBeUndefined());
});

describe('messages of the client', () => {
  it('messages of the client have the bytes that the server expects', () => {
    expect(Buffer.from(act({ number: 7, verb: 2, tick: 20, seen: 0x010203, handle: NO_HANDLE, text: 'hi' }))).toEqual(bytes('act'));
    const command = act({ number: 8, verb: 6, tick: 20, seen: 1, handle: 5, text: 'x', command: 2, args: [-1, 7] });
    expect(Buffer.from(command)).toEqual(bytes('command'));
    const h = bytes('hello');
    const token = new Uint8Array(16);
    token[0] = 9;
    const mine = Buffer.from(hello(token, '0102000000000000', 't'));
    h.writeUInt32LE(1, 5); // features: the vector contains 3, this client sends 1 (FeatureMotion)
    expect(mine).toEqual(h);
    const r = new Reader(builtin);
    Object.assign(r, { run: 2, newest: 300, mask: 5n });
    const a = { ...newAvatar(), x: 1, y: 2, z: 3, vy: 0.5 };
    const entries = [{ keys: 1 | 16384, yaw: -16384, pitch: -90, strafe: 127, forward: -127 }, { keys: 64, yaw: 0, pitch: 0, strafe: 0, forward: 127 }];
    expect(Buffer.from(input(r, { heard: 9, barrier: 4, seen: 0xabcdef, tick: 1000, avatar: a, entries }))).toEqual(bytes('input'));
  });
});
