import { describe, expect, it } from "vitest";
import { CommandQueue, type Command } from "../src/past/commands";
import { axisStep, axisTimes, clampTime, firstWidth, gapsOf, growing, hour, isRecorded, liveView, markPath, nearestMark, placeOf, timeAt, viewAround, widthText, zoomView, type Mark, type Recorded } from "../src/past/strip";
import { allowedRadius, relativeText, watchOf } from "../src/past/watch";
import { recordedOf, watchDenied } from "../src/past/tapes";
import { Playhead } from "../src/live/playhead";

function queue() {
  const sent: Command[] = [];
  return { sent, queue: new CommandQueue((c) => sent.push(c)) };
}

describe("CommandQueue", () => {
  it("the queue sends the newest seek when the last command was carried out", () => {
    const { sent, queue: q } = queue();
    for (let i = 0; i < 10; i++) q.push({ do: "seek", at: i }, i * 10);
    expect(sent).toEqual([{ do: "seek", at: 0 }]);
    q.answered(100);
    expect(sent).toEqual([{ do: "seek", at: 0 }, { do: "seek", at: 9 }]);
    q.answered(200);
    expect(q.busy).toBe(false);
  });

  it("the queue adds up steps, and a step replaces a queued play command", () => {
    const { sent, queue: q } = queue();
    q.push({ do: "pause" }, 0);
    q.push({ do: "play", speed: 4 }, 1);
    for (let i = 0; i < 30; i++) q.push({ do: "step", ticks: 1 }, 2);
    q.answered(100);
    expect(sent).toEqual([{ do: "pause" }, { do: "step", ticks: 20 }]);
  });

  it("the queue sends at most 25 commands a second, even without answers", () => {
    const { sent, queue: q } = queue();
    for (let now = 0; now < 1000; now += 5) {
      q.push({ do: "seek", at: now }, now);
      q.answered(now);
    }
    expect(sent.length).toBeGreaterThan(20);
    expect(sent.length).toBeLessThanOrEqual(25);
    q.push({ do: "pause" }, 1010);
    q.flush(3000);
    q.flush(4500);
    expect(sent[sent.length - 1]).toEqual({ do: "pause" });
  });
});

const recorded: Recorded = { spans: [{ from: 1000, to: 5000 }, { from: 9000, to: 20_000 }], tickMs: 50 };

describe("the time bar", () => {
  it("the time bar moves a time in a gap to the beginning of the next span, and a time outside the recording into it", () => {
    expect([0, 3000, 6000, 9500, 99_000].map((t) => clampTime(recorded, t))).toEqual([1000, 3000, 9000, 9500, 20_000]);
    expect(clampTime({ spans: [], tickMs: 50 }, 5)).toBeNull();
    expect([999, 1000, 5001, 9000].map((t) => isRecorded(recorded, t))).toEqual([false, true, false, true]);
    expect(gapsOf(recorded, { from: 0, to: 30_000 })).toEqual([{ from: 5000, to: 9000 }]);
    expect(gapsOf(recorded, { from: 9500, to: 30_000 })).toEqual([]);
  });

  it("the last span of the time bar reaches the present while the server records", () => {
    expect(growing(recorded, 22_000).spans[1].to).toBe(22_000);
    expect(growing(recorded, 60_000).spans[1].to).toBe(20_000);
    expect(growing({ spans: [], tickMs: 50 }, 5).spans).toEqual([]);
  });

  it("the time bar shows the whole recording, up to an hour", () => {
    expect(firstWidth(recorded, 20_000)).toBe(120_000);
    expect(firstWidth({ spans: [{ from: 0, to: 5 * hour }], tickMs: 50 }, 5 * hour)).toBe(hour);
    expect(["30 s", "2 min", "1 h", "1 h 30 min"]).toEqual([30_000, 120_000, hour, 1.5 * hour].map(widthText));
  });

  it("the time bar keeps its view while the time is inside, and moves it otherwise", () => {
    const view = { from: 100_000, to: 220_000 };
    expect(viewAround(view, 150_000, 120_000, 900_000)).toBe(view);
    const on = viewAround(view, 219_000, 120_000, 900_000);
    expect(on.to - on.from).toBe(120_000);
    expect(on.from).toBeGreaterThan(view.from);
    expect(viewAround(view, 890_000, 120_000, 900_000).to).toBe(900_000);
    expect(liveView(900_000, 30_000)).toEqual({ from: 870_000, to: 900_000 });
  });

  it("the time bar zooms around a time whose position on the bar does not change", () => {
    const view = { from: 100_000, to: 220_000 };
    const near = zoomView(view, 0.5, 130_000, hour, 900_000);
    expect(near).toEqual({ from: 115_000, to: 175_000 });
    expect(zoomView(view, 1000, 130_000, hour, 900_000).to).toBeLessThanOrEqual(900_000);
    expect(timeAt(view, placeOf(view, 130_000, 600), 600)).toBeCloseTo(130_000);
  });

  it("the time bar labels full units of the operator's clock", () => {
    const step = axisStep({ from: 0, to: 120_000 }, 700, 84);
    expect(step).toBe(15_000);
    expect(axisTimes({ from: 1000, to: 61_000 }, 30_000, 0)).toEqual([30_000, 60_000]);
    expect(axisTimes({ from: 1000, to: 61_000 }, 30_000, 10_000)).toEqual([20_000, 50_000]);
  });

  it("the time bar finds the nearest mark and draws one stroke for each pixel", () => {
    const marks: Mark[] = [{ at: 1000, kind: "held", shade: "s", text: "a" }, { at: 1001, kind: "corrected", shade: "s", text: "b" }, { at: 9000, kind: "held", shade: "t", text: "d" }, { at: 60_000, kind: "died", shade: "s", text: "c" }];
    const view = { from: 0, to: 120_000 };
    expect(nearestMark(marks, view, 300, 600, 3)?.text).toBe("c");
    expect(nearestMark(marks, view, 200, 600, 3)).toBeNull();
    expect(markPath(marks, "s", view, 600, 1, 2)).toBe("M5.5 1V2");
  });
});

describe("a watched correction", () => {
  const entry = { id: 3, at: "2026-01-01T00:00:10.000Z", allowed: 2, unit: "blocks", areaId: 0 };
  const at = Date.parse(entry.at);

  it("a watched correction is played from five seconds before to five seconds after it", () => {
    expect(watchOf(entry)).toEqual({ id: 3, from: at - 5000, at, until: at + 5000 });
    expect([-3240, 0, 449].map(relativeText)).toEqual(["−3.2 s", "+0.0 s", "+0.4 s"]);
  });

  it("a watched correction has a radius if its allowed figure is a distance", () => {
    const area = { tiles: { unitsPerTile: 4 }, blocks: { unitsPerBlock: 3 } } as Parameters<typeof allowedRadius>[1];
    expect(allowedRadius(entry, area)).toBe(6);
    expect(allowedRadius({ allowed: 2, unit: "units" }, area)).toBe(2);
    expect(allowedRadius({ allowed: 2, unit: "ms" }, area)).toBeNull();
    expect(allowedRadius({ allowed: NaN, unit: "units" }, area)).toBeNull();
  });

  it("a correction can be watched while it is recorded", () => {
    const tapes = (r: Recorded | null) => new Map([[0, r]]);
    expect(watchDenied(entry, tapes({ spans: [{ from: at - 1, to: at + 1 }], tickMs: 50 }))).toBeNull();
    expect(watchDenied(entry, tapes({ spans: [{ from: at + 1, to: at + 9 }], tickMs: 50 }))).toMatch(/no longer/);
    expect(watchDenied(entry, tapes(null))).toMatch(/not recorded/);
    expect(recordedOf({ recording: false, tickMs: 50, from: null, to: null, spans: [] })).toBeNull();
  });
});

describe("Playhead", () => {
  it("the playhead plays a recording at its speed, never beyond what has arrived", () => {
    const p = new Playhead();
    p.play(4, 400);
    let last = NaN;
    for (let local = 0; local <= 3000; local += 10) {
      if (local % 100 === 0) p.observe(1_000_000 + local * 4, local);
      const shown = p.advance(local);
      if (!Number.isNaN(last)) expect(shown).toBeGreaterThanOrEqual(last);
      expect(shown).toBeLessThanOrEqual(1_000_000 + local * 4);
      last = shown;
    }
    expect(last).toBeGreaterThan(1_000_000 + 2400 * 4);
  });

  it("the playhead shows an earlier time at once, and rests when paused", () => {
    const p = new Playhead();
    p.play(1, 50);
    p.observe(5000, 0);
    p.advance(0);
    p.pause();
    p.observe(2000, 10);
    expect(p.advance(10)).toBe(2000);
    expect(p.advance(500)).toBe(2000);
  });
});
