// Backoff spaces out attempts: each failure doubles the wait up to a limit, with random jitter so that many pages do not
// reconnect to one server at the same time. reset starts again with the first wait.
export class Backoff {
  private failures = 0;

  constructor(
    private readonly first = 500, // ms
    private readonly limit = 10_000, // ms
    private readonly random: () => number = Math.random, // 0..1
  ) {}

  // next returns the wait in ms before the next attempt. The wait is random within 25 % above and below its plain value.
  next(): number {
    const plain = Math.min(this.limit, this.first * 2 ** Math.min(this.failures, 30));
    this.failures++;
    return Math.round(plain * (0.75 + 0.5 * this.random()));
  }

  // attempts is the number of consecutive failures.
  get attempts(): number {
    return this.failures;
  }

  reset(): void {
    this.failures = 0;
  }
}
