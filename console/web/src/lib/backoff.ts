// Backoff spaces out attempts: each failure doubles the wait up to a limit, and luck spreads many pages that lost the
// same server. A connection that lasted counts as a success and starts over.
export class Backoff {
  private failures = 0;

  constructor(
    private readonly first = 500, // ms
    private readonly limit = 10_000, // ms
    private readonly luck: () => number = Math.random, // 0..1
  ) {}

  // next is the wait in ms before the coming attempt: within a quarter of the doubled one.
  next(): number {
    const plain = Math.min(this.limit, this.first * 2 ** Math.min(this.failures, 30));
    this.failures++;
    return Math.round(plain * (0.75 + 0.5 * this.luck()));
  }

  // attempts is how many failures there were in a row.
  get attempts(): number {
    return this.failures;
  }

  reset(): void {
    this.failures = 0;
  }
}
