// Counts checks and prints one line for each.
export class Report {
  constructor(out = console.log) {
    this.out = out;
    this.passed = 0;
    this.failed = 0;
    this.prefix = '';
  }

  /** Runs one check. It fails when fn throws, or takes longer than timeout ms. Returns what fn returned. */
  async check(name, fn, timeout = 180000) {
    let timer;
    const late = new Promise((_, no) => {
      timer = setTimeout(no, timeout, new Error(`not done in ${timeout} ms`));
    });
    try {
      const v = await Promise.race([fn(), late]);
      this.passed++;
      this.out(`ok  ${this.prefix}${name}`);
      return v;
    } catch (e) {
      this.failed++;
      this.out(`FAIL ${this.prefix}${name}: ${e.message.split('\n')[0]}`);
      if (!(e instanceof Failure) && process.env.E2E_STACK) console.error(e.stack);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  note(text) {
    this.out(`note ${this.prefix}${text}`);
  }

  summary() {
    this.out(`e2e-rcce: ${this.passed} passed, ${this.failed} failed`);
  }
}

export class Failure extends Error {}

/** Throws when ok is falsy; returns it otherwise. */
export function must(ok, detail) {
  if (!ok) throw new Failure(detail);
  return ok;
}

export function equal(got, want, what) {
  if (got !== want) throw new Failure(`${what}: got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}
