// The clock for drawing. It estimates the server's time from the arrival of snapshots, and chooses the delay at which other
// actors are drawn, so that jitter is not visible (web specification, section 6).

const MIN_DELAY = 100;
const MAX_DELAY = 300;

export class Clock {
  /** Delay of drawing behind the server's time, ms. */
  delay = MIN_DELAY;
  private offset = Infinity; // smallest difference so far between the local arrival time of a snapshot and its server time, ms
  private risen = 0;
  private late = new Float64Array(100);
  private n = 0;
  private target = MIN_DELAY;
  private moved = 0;
  private drawn = -Infinity;

  /** Discards the estimate of the server's time, for example after a change of servers. */
  reset(): void {
    this.offset = Infinity;
    this.drawn = -Infinity;
    this.n = 0;
  }

  /**
   * Records that the snapshot of a server time arrived at the local time now, both in ms. gap is the time between two received states of
   * an actor if one snapshot between them is lost, in ms.
   */
  arrived(now: number, server: number, gap: number): void {
    const off = now - server;
    if (off < this.offset) this.offset = off;
    else if (now > this.risen) this.offset = Math.min(off, this.offset + (now - this.risen) * 0.001);
    this.risen = now;
    this.late[this.n++ % this.late.length] = off - this.offset;
    if (this.n % 20 === 0) {
      const sorted = this.late.slice(0, Math.min(this.n, this.late.length)).sort();
      const p95 = sorted[Math.floor(0.95 * (sorted.length - 1))]!;
      this.target = Math.min(Math.max(50 + Math.max(50, p95) + (gap > MIN_DELAY ? 50 : 0), MIN_DELAY), MAX_DELAY);
    }
  }

  /** Returns the server time to draw, ms. It never decreases. */
  drawAt(now: number): number {
    const step = 0.03 * Math.max(0, Math.min(now - this.moved, 100));
    this.moved = now;
    this.delay += Math.max(-step, Math.min(this.target - this.delay, step));
    if (this.offset === Infinity) return 0;
    return (this.drawn = Math.max(this.drawn, now - this.offset - this.delay));
  }
}

/** Pace adjusts the speed of the client's ticks so that about one input waits at the server, by 2 % for each that waits beyond it. */
export class Pace {
  rate = 1;
  private waits = new Uint8Array(40).fill(1);
  private n = 0;

  /** Records the number of inputs that wait at the server, which a snapshot reports. */
  heard(waits: number): void {
    this.waits[this.n++ % 40] = waits;
    if (this.n % 10) return;
    const p10 = this.waits.slice().sort()[4]!;
    this.rate = 1 - 0.02 * Math.min(p10 - 1, 10); // 1.02 if none waits
  }
}
