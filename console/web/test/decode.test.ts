import { describe, expect, it } from "vitest";
import { decodeFrame, decodeMessage, flagDead, flagPlayer } from "../src/live/decode";

interface Actor {
  id: number;
  x: number;
  y: number;
  z: number;
  yaw: number;
  health: number;
  flags: number;
}

function encode(actors: Actor[], { version = 1, area = 3, tick = 77, time = 1_767_323_045_000, count = actors.length } = {}): ArrayBuffer {
  const buffer = new ArrayBuffer(24 + 24 * actors.length);
  const v = new DataView(buffer);
  v.setUint8(0, version);
  v.setUint16(2, area, true);
  v.setUint32(4, count, true);
  v.setBigUint64(8, BigInt(tick), true);
  v.setFloat64(16, time, true);
  actors.forEach((a, i) => {
    const at = 24 + 24 * i;
    v.setUint32(at, a.id % 2 ** 32, true);
    v.setUint32(at + 4, Math.floor(a.id / 2 ** 32), true);
    v.setFloat32(at + 8, a.x, true);
    v.setFloat32(at + 12, a.y, true);
    v.setFloat32(at + 16, a.z, true);
    v.setUint16(at + 20, a.yaw, true);
    v.setUint8(at + 22, a.health);
    v.setUint8(at + 23, a.flags);
  });
  return buffer;
}

const ann: Actor = { id: 7, x: 1.5, y: 2, z: -3.25, yaw: 16384, health: 255, flags: flagPlayer };

describe("decodeFrame", () => {
  it("decodeFrame decodes every field", () => {
    const wolf = { ...ann, id: 2 ** 40 + 5, health: 0, flags: flagDead };
    const f = decodeFrame(encode([ann, wolf]))!;
    expect(f).toMatchObject({ area: 3, tick: 77, time: 1_767_323_045_000, count: 2 });
    expect([...f.ids]).toEqual([7, 2 ** 40 + 5]);
    expect([f.x[0], f.y[0], f.z[0]]).toEqual([1.5, 2, -3.25]);
    expect(f.yaw[0]).toBeCloseTo(Math.PI / 2);
    expect([f.health[0], f.flags[1]]).toEqual([255, flagDead]);
  });

  it("decodeFrame decodes a frame without actors", () => {
    expect(decodeFrame(encode([]))!.count).toBe(0);
  });

  it("decodeFrame refuses every truncated frame", () => {
    const whole = encode([ann, ann]);
    for (let n = 0; n < whole.byteLength; n++) expect(decodeFrame(whole.slice(0, n)), `${n} bytes`).toBeNull();
  });

  it("decodeFrame refuses trailing bytes, another version and a wrong count", () => {
    const longer = new Uint8Array(49);
    longer.set(new Uint8Array(encode([ann])));
    expect(decodeFrame(longer.buffer)).toBeNull();
    expect(decodeFrame(encode([ann], { version: 2 }))).toBeNull();
    expect(decodeFrame(encode([ann], { count: 2 }))).toBeNull();
    expect(decodeFrame(encode([ann], { count: 0xffffffff }))).toBeNull();
    expect(decodeFrame(encode([ann], { time: NaN }))).toBeNull();
    expect(decodeFrame(encode([ann], { time: -1 }))).toBeNull();
  });

  it("decodeFrame drops only actors with an invalid id or position", () => {
    const f = decodeFrame(encode([{ ...ann, x: NaN }, { ...ann, id: 8 }, { ...ann, z: Infinity }, { ...ann, id: 2 ** 53 + 2 ** 32 }]))!;
    expect(f.count).toBe(1);
    expect(f.ids[0]).toBe(8);
  });

  it("decodeFrame never throws on random bytes", () => {
    let seed = 1;
    for (let round = 0; round < 2000; round++) {
      const bytes = new Uint8Array(24 + 24 * (round % 4));
      for (let i = 0; i < bytes.length; i++) bytes[i] = (seed = (seed * 48271) % 2147483647) & 255;
      if (round % 2 === 0) bytes.set([1, 0, 0, 0, round % 4, 0, 0, 0]);
      const f = decodeFrame(bytes.buffer);
      if (f) for (let i = 0; i < f.count; i++) expect(Number.isFinite(f.x[i] + f.y[i] + f.z[i])).toBe(true);
    }
  });
});

describe("decodeMessage", () => {
  it("decodeMessage decodes every known message", () => {
    expect(decodeMessage('{"type":"hello","area":0,"rate":10,"tickRate":20}')).toEqual({ type: "hello", area: 0, rate: 10, tickRate: 20, tickMs: 0 });
    expect(decodeMessage('{"type":"reset"}')).toEqual({ type: "reset" });
    expect(decodeMessage('{"type":"state","at":5000,"tick":7,"playing":true,"speed":4,"end":false,"gap":{"from":1,"to":2,"reloaded":true}}')).toEqual({ type: "state", at: 5000, tick: 7, playing: true, speed: 4, end: false, gap: { from: 1, to: 2, reloaded: true } });
    expect(decodeMessage('{"type":"error","message":"damaged"}')).toEqual({ type: "error", message: "damaged" });
    expect(decodeMessage('{"type":"hit","by":7,"on":31,"damage":4}')).toEqual({ type: "hit", by: 7, on: 31, damage: 4 });
    expect(decodeMessage('{"type":"died","id":31}')).toEqual({ type: "died", id: 31 });
    const message = decodeMessage('{"type":"actors","add":[{"id":7,"name":"Ann","door":"rcce","template":2,"player":true}],"remove":[31]}');
    expect(message).toEqual({ type: "actors", add: [{ id: 7, name: "Ann", door: "rcce", template: 2, player: true }], remove: [31] });
  });

  it("decodeMessage returns null for unknown messages", () => {
    for (const text of ["", "null", "[]", "7", '"hello"', "{", '{"type":"other"}', '{"type":"hit","by":-1,"on":2}', '{"type":"hit","by":"7","on":2}', '{"type":"died"}', '{"type":"died","id":1e300}', '{"type":"entry"}', '{"type":"entry","entry":{"id":1,"at":"never","verdict":"held"}}', '{"type":"entry","entry":{"id":1,"at":"2026-01-01T00:00:00Z","verdict":"loved"}}']) {
      expect(decodeMessage(text), text).toBeNull();
    }
  });

  it("decodeMessage keeps the valid items of a list", () => {
    const message = decodeMessage('{"type":"actors","add":[null,{"id":"x"},{"id":5},{"id":6,"name":9,"door":7}],"remove":[1,-1,"2",1.5]}');
    expect(message).toEqual({
      type: "actors",
      add: [
        { id: 5, name: "", door: null, template: 0, player: false },
        { id: 6, name: "", door: null, template: 0, player: false },
      ],
      remove: [1],
    });
  });

  it("decodeMessage fills in missing fields of an entry", () => {
    const message = decodeMessage('{"type":"entry","entry":{"id":1,"at":"2026-01-01T00:00:00.000Z","verdict":"held","asked":"much","from":{"x":1,"y":2},"pos":{"x":1,"y":2,"z":3},"rttMs":null}}');
    expect(message).toMatchObject({ type: "entry", entry: { asked: 0, from: null, pos: { x: 1, y: 2, z: 3 }, rttMs: null, times: 1, player: "" } });
  });
});
