// Clock estimates the server's clock from the timestamps of frames, and the interpolation delay: how far behind the server's
// clock to draw so that two frames to interpolate between have nearly always arrived.
//
// The fastest frame has the least network delay, so the minimum of (arrival - timestamp) within a window is the measured
// offset. The estimate is slewed toward it at 5 % of real time, so that drawn motion does not jump when latency changes.
export class Clock {
  private best: number[] = []; // minimum offset of each bucket, newest last
  private bucketEnds = 0; // local ms
  private offset = NaN; // local time minus server time in ms, as used by the method now
  private measured = NaN; // local time minus server time in ms, as last measured
  private late = 0; // jitter: by how many ms frames arrive later than the fastest one; decays
  private at = 0; // local time in ms at which offset was last adjusted

  // observe records a frame's timestamp and the local time of its arrival, both in ms.
  observe(server: number, local: number): void {
    const offset = local - server;
    if (local >= this.bucketEnds) {
      this.best.push(offset);
      if (this.best.length > buckets) this.best.shift();
      this.bucketEnds = local + bucketMs;
    } else {
      const last = this.best.length - 1;
      this.best[last] = Math.min(this.best[last], offset);
    }
    this.measured = Math.min(...this.best);
    this.late = Math.max(offset - this.measured, this.late * 0.98);
    if (Number.isNaN(this.offset) || Math.abs(this.measured - this.offset) > snapMs) {
      this.offset = this.measured;
      this.at = local;
    }
  }

  // now returns the server's time at a local time; NaN before the first frame. Local times must not decrease.
  now(local: number): number {
    const step = Math.max(0, local - this.at) * slewRate;
    this.at = Math.max(this.at, local);
    this.offset += Math.max(-step, Math.min(step, this.measured - this.offset));
    return local - this.offset;
  }

  // delay returns the interpolation delay in ms for frames that are interval ms apart.
  delay(interval: number): number {
    return Math.min(maxDelay, Math.max(minDelay, interval + 30 + this.late));
  }

  reset(): void {
    this.best = [];
    this.bucketEnds = 0;
    this.offset = NaN;
    this.measured = NaN;
    this.late = 0;
  }
}

const buckets = 8;
const bucketMs = 2000;
const slewRate = 0.05;
const snapMs = 1000; // ms; a larger change is caused by another clock (server restart, laptop sleep), not by latency
const minDelay = 150; // ms
const maxDelay = 500; // ms
