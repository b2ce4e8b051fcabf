// Waiting with a time limit, so that a suite never hangs on a client or a server that does not respond.

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * Calls probe every `every` ms until accept(value) is true, and returns that value. After `ms` it throws an error with what, the
 * name of the awaited value, and the last value.
 */
export async function waitUntil(probe, { ms, every = 100, accept = Boolean, what }) {
  for (const end = performance.now() + ms; ; await sleep(every)) {
    const value = await probe();
    if (accept(value)) return value;
    if (performance.now() >= end) throw new Error(`${what}: the value is still ${JSON.stringify(value)} after ${ms} ms`);
  }
}

/** Runs at most `most` asynchronous functions at the same time; the others wait for their turn. */
export class Turns {
  #free;
  #waiting = [];

  constructor(most) {
    this.#free = most;
  }

  /** Settles with the result of run, once run has had its turn. */
  async run(run) {
    if (this.#free > 0) this.#free--;
    else await new Promise((turn) => this.#waiting.push(turn));
    try {
      return await run();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}

/** Settles with the result of promise, or rejects after ms. */
export async function withTimeout(promise, ms) {
  let timer;
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(reject, ms, new Error(`not done in ${ms} ms`));
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
