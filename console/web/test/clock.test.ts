import { describe, expect, it } from "vitest";
import { Backoff } from "../src/lib/backoff";
import { Clock } from "../src/live/clock";

describe("Clock", () => {
  it("the clock estimates the offset of the server despite jitter", () => {
    const c = new Clock();
    const jitter = [40, 5, 25, 0, 60, 10, 3, 0, 33, 12];
    for (let i = 0; i < 200; i++) {
      c.observe(1_000_000 + i * 100, 500 + i * 100 + jitter[i % 10]);
      c.now(500 + i * 100 + jitter[i % 10]);
    }
    expect(Math.abs(c.now(500 + 200 * 100) - (1_000_000 + 200 * 100))).toBeLessThan(2);
  });

  it("the clock returns NaN before the first frame", () => {
    expect(new Clock().now(5)).toBeNaN();
  });

  it("the clock slews instead of jumping when the latency changes", () => {
    const c = new Clock();
    for (let i = 0; i < 300; i++) c.observe(i * 100, i * 100 + 20);
    let before = c.now(30_000);
    for (let i = 300; i < 400; i++) {
      c.observe(i * 100, i * 100 + 200); // 180 ms slower from now on
      for (let ms = 0; ms < 100; ms += 16) {
        const now = c.now(i * 100 + 200 + ms);
        expect(now - before).toBeLessThan(400);
        expect(now).toBeGreaterThanOrEqual(before);
        before = now;
      }
    }
  });

  it("the clock jumps to a server time that differs by more than a second", () => {
    const c = new Clock();
    c.observe(1000, 1000);
    c.observe(1000, 60_000_000);
    for (let i = 0; i < 20; i++) c.observe(1000 + i * 2000, 60_000_000 + i * 2000);
    expect(c.now(60_040_000)).toBeCloseTo(41_000, -2);
  });

  it("the clock delays by 150 ms without jitter, more with jitter, and at most 500 ms", () => {
    const c = new Clock();
    for (let i = 0; i < 50; i++) c.observe(i * 100, i * 100 + 5);
    expect(c.delay(100)).toBe(150);
    c.observe(5000, 5000 + 205);
    expect(c.delay(100)).toBeGreaterThan(300);
    c.observe(5100, 5100 + 3005);
    expect(c.delay(100)).toBe(500);
  });
});

describe("Backoff", () => {
  it("the backoff doubles up to its limit and can be reset", () => {
    const b = new Backoff(500, 10_000, () => 0.5);
    expect([1, 2, 3, 4, 5, 6, 7].map(() => b.next())).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
    expect(b.attempts).toBe(7);
    b.reset();
    expect(b.next()).toBe(500);
  });

  it("the backoff jitters by up to a quarter and does not overflow after many failures", () => {
    expect(new Backoff(1000, 10_000, () => 0).next()).toBe(750);
    expect(new Backoff(1000, 10_000, () => 1).next()).toBe(1250);
    const b = new Backoff(500, 10_000, () => 0.5);
    for (let i = 0; i < 5000; i++) expect(b.next()).toBeLessThanOrEqual(10_000);
  });
});
