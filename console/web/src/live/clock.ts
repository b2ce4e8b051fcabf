// Clock estimates the server's clock from the times that frames bear, and how far behind it drawing must stay so that
// two frames are nearly always there to draw between.
//
// The frame that came fastest tells the offset best, so the least of (arrival - stamp) within a window counts. The
// estimate glides to it at 5 % of real time: drawn motion never jumps when the network's mood changes.
export class Clock {
  private best: number[] = []; // least offset of each bucket, newest last
  private bucketEnds = 0; // local ms
  private offset = NaN; // local - server, as used
  private aim = NaN; // local - server, as measured
  private late = 0; // ms that frames came later than the fastest, decaying
  private at = 0; // local ms of the last reading

  // observe takes a frame's stamp and the local time of its arrival, both ms.
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
    this.aim = Math.min(...this.best);
    this.late = Math.max(offset - this.aim, this.late * 0.98);
    if (Number.isNaN(this.offset) || Math.abs(this.aim - this.offset) > snapMs) {
      this.offset = this.aim;
      this.at = local;
    }
  }

  // now is the server's time at a local time; NaN before the first frame. Times must not run backward.
  now(local: number): number {
    const step = Math.max(0, local - this.at) * glide;
    this.at = Math.max(this.at, local);
    this.offset += Math.max(-step, Math.min(step, this.aim - this.offset));
    return local - this.offset;
  }

  // delay is how many ms behind the server's clock to draw, frames being interval ms apart.
  delay(interval: number): number {
    return Math.min(longestDelay, Math.max(leastDelay, interval + 30 + this.late));
  }

  reset(): void {
    this.best = [];
    this.bucketEnds = 0;
    this.offset = NaN;
    this.aim = NaN;
    this.late = 0;
  }
}

const buckets = 8;
const bucketMs = 2000;
const glide = 0.05;
const snapMs = 1000; // a larger step is another clock (a restart, a laptop that slept), not the network
const leastDelay = 150; // ms
const longestDelay = 500; // ms
