import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ProtocolError, Reader, Schema } from '../src/snapshot.js';
import { appendAck } from '../src/message.js';
import { contextsOf, GAP, MORE } from '../src/prior.js';

interface Step { enter?: number; kind?: number; values?: number[]; snapshot?: string; taken?: boolean; ack?: string; states?: number; told?: number }

export const builtin: Schema = {
  kinds: ['player', 'npc'].map((name) => ({
    name,
    fields: [
      { name: 'x', derived: true, step: 1 / 64 }, { name: 'y', derived: true, step: 1 / 64 }, { name: 'z', derived: true, step: 1 / 64 },
      { name: 'yaw', wrap: 256, step: 1 / 256 }, { name: 'health', step: 1 / 255 }, { name: 'flags', step: 1 },
    ],
  })),
};

const streams: { name: string; schema?: Schema; steps: Step[] }[] = JSON.parse(readFileSync(new URL('vectors/snapshots.json', import.meta.url), 'utf8'));

/** FNV-1a over a sum, a handle and values, as in proto/web/vectors_test.go. */
function digest(sum: number, handle: number, values: Int32Array): number {
  const b = Buffer.alloc(6 + 4 * values.length);
  b.writeUInt32LE(sum, 0);
  b.writeUInt16LE(handle, 4);
  values.forEach((v, i) => b.writeInt32LE(v, 6 + 4 * i));
  let h = 0x811c9dc5;
  for (const c of b) h = Math.imul(h ^ c, 16777619) >>> 0;
  return h;
}

describe('snapshots', () => {
  it('the snapshot decoder starts with the probabilities of the server', () => {
    const file = readFileSync(new URL('../../../proto/web/prior.bin', import.meta.url));
    const fields = Array.from({ length: 36 }, (_, i) => [...contextsOf(i % 6, Math.floor(i / 6))]);
    expect([...MORE, ...GAP, ...fields.flat()]).toEqual(Array.from(file, (c) => (Math.min(Math.max(c << 7, 32), 32736) << 8) | 5));
  });

  for (const stream of streams) {
    it(`snapshots are decoded to the last bit: ${stream.name}`, () => {
      const reader = new Reader(stream.schema ?? builtin);
      let told = 0;
      stream.steps.forEach((s, i) => {
        if (s.enter !== undefined) {
          reader.enter(s.enter, s.kind!, s.values!);
          return;
        }
        let sum = 0, n = 0;
        const taken = reader.read(Buffer.from(s.snapshot!, 'hex'), (handle, values) => {
          sum = digest(sum, handle, values);
          n++;
        });
        told += n;
        const ack = Buffer.from(appendAck(reader)).toString('hex');
        expect([i, taken, n, sum, ack]).toEqual([i, s.taken, s.told, s.states, s.ack]);
      });
      expect(told).toBeGreaterThan(100);
    });
  }

  it('damaged snapshots change nothing', () => {
    const steps = streams[1]!.steps.slice(0, 60);
    const reader = new Reader(builtin);
    for (const s of steps) {
      if (s.enter !== undefined) reader.enter(s.enter, s.kind!, s.values!);
      else {
        const b = Buffer.from(s.snapshot!, 'hex');
        const before = reader.newest;
        for (let n = 0; n < 8; n++) expect(() => reader.read(b.subarray(0, n), () => {})).toThrow(ProtocolError);
        expect(reader.newest).toBe(before);
        reader.read(b, () => {});
      }
    }
    expect(() => new Reader(builtin).enter(1 << 14, 0, [0, 0, 0, 0, 0, 0])).toThrow(ProtocolError);
    expect(() => new Reader(builtin).enter(0, 2, [0, 0, 0, 0, 0, 0])).toThrow(ProtocolError);
  });
});
