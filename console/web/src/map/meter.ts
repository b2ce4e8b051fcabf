// Meter measures the page's frames per second and script time per frame over about the last second.
export class Meter {
  private starts: number[] = []; // start times of the last frames, local ms
  private script = 0;

  frame(start: number, spent: number): void {
    this.starts.push(start);
    while (this.starts.length > 1 && start - this.starts[0] > windowMs) this.starts.shift();
    this.script = this.script === 0 ? spent : this.script * 0.95 + spent * 0.05;
  }

  // pause resets the measurement. It is called when the page is hidden and draws nothing, which must not count as slow.
  pause(): void {
    this.starts = [];
  }

  get fps(): number {
    const n = this.starts.length;
    return n < 2 ? 0 : ((n - 1) * 1000) / (this.starts[n - 1] - this.starts[0]);
  }

  get scriptMs(): number {
    return this.script;
  }
}

const windowMs = 1000;
