import { describe, expect, it } from "vitest";
import type { Frame } from "../src/live/decode";
import { nearTurn, Sample, Timeline } from "../src/live/timeline";

function frame(time: number, actors: [id: number, x: number, z: number, yaw?: number][], area = 0): Frame {
  return {
    area,
    tick: time / 50,
    time,
    count: actors.length,
    ids: Float64Array.from(actors, (a) => a[0]),
    x: Float32Array.from(actors, (a) => a[1]),
    y: new Float32Array(actors.length),
    z: Float32Array.from(actors, (a) => a[2]),
    yaw: Float32Array.from(actors, (a) => a[3] ?? 0),
    health: new Uint8Array(actors.length),
    flags: new Uint8Array(actors.length),
    kind: new Uint8Array(actors.length),
  };
}

function at(frames: Frame[], time: number): Record<number, [number, number]> | null {
  const t = new Timeline();
  for (const f of frames) t.push(f);
  const s = new Sample();
  if (!t.sample(time, s)) return null;
  const places: Record<number, [number, number]> = {};
  for (let i = 0; i < s.count; i++) places[s.frame!.ids[i]] = [s.x[i], s.z[i]];
  return places;
}

describe("Timeline.sample", () => {
  it("sample returns false without a frame", () => {
    expect(at([], 100)).toBeNull();
  });

  it("sample interpolates linearly between two frames", () => {
    const frames = [frame(100, [[1, 0, 0]]), frame(200, [[1, 10, -4]])];
    expect(at(frames, 150)![1]).toEqual([5, -2]);
    expect(at(frames, 175)![1]).toEqual([7.5, -3]);
  });

  it("sample returns the first frame for earlier times and the last frame for later ones", () => {
    const frames = [frame(100, [[1, 0, 0]]), frame(200, [[1, 10, 0]])];
    expect(at(frames, 20)![1]).toEqual([0, 0]);
    expect(at(frames, 900)![1]).toEqual([10, 0]);
  });

  it("sample interpolates even the fastest flight, but no teleport", () => {
    const jump = [frame(100, [[1, 0, 0]]), frame(200, [[1, 300, 0]])];
    expect(at(jump, 120)![1]).toEqual([0, 0]);
    expect(at(jump, 180)![1]).toEqual([300, 0]);
    const slewRate = [frame(100, [[1, 0, 0]]), frame(200, [[1, 12, 0]])];
    expect(at(slewRate, 150)![1]).toEqual([6, 0]);
  });

  it("sample matches actors by id when rows shift", () => {
    const frames = [frame(100, [[1, 0, 0], [2, 50, 0], [3, 90, 0]]), frame(200, [[3, 92, 0], [2, 54, 0], [9, 7, 7]])];
    expect(at(frames, 150)).toEqual({ 3: [91, 0], 2: [52, 0], 9: [7, 7] });
  });

  it("sample interpolates yaw along the shorter turn", () => {
    const t = new Timeline();
    t.push(frame(100, [[1, 0, 0, 6.2]]));
    t.push(frame(200, [[1, 0, 0, 0.1]]));
    const s = new Sample();
    t.sample(150, s);
    expect(Math.abs(nearTurn(s.yaw[0] - (6.2 + nearTurn(0.1 - 6.2) / 2)))).toBeLessThan(1e-5);
    expect(Math.abs(nearTurn(s.yaw[0]))).toBeLessThan(0.1);
  });

  it("the timeline discards old frames after a server restart or a change of area", () => {
    expect(at([frame(9000, [[1, 0, 0]]), frame(100, [[1, 5, 5]])], 50)![1]).toEqual([5, 5]);
    expect(at([frame(100, [[1, 0, 0]]), frame(200, [[1, 5, 5]], 1)], 150)![1]).toEqual([5, 5]);
  });

  it("sampled positions move continuously while time advances", () => {
    const t = new Timeline();
    const s = new Sample();
    let last = 0;
    for (let ms = 0; ms < 3000; ms += 100) t.push(frame(ms, [[1, ms / 100, 0]]));
    for (let ms = 2000; ms < 2900; ms += 7) {
      t.sample(ms, s);
      if (last > 0) expect(s.x[0] - last).toBeLessThan(0.1);
      expect(s.x[0]).toBeGreaterThanOrEqual(last);
      last = s.x[0];
    }
  });
});
