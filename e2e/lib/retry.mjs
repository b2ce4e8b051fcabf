// Repeats downloads, because one reset connection must not fail a run.

const TRIES = 3;
const PAUSE_MS = 1000;

/**
 * Calls run until it does not throw, at most three times with pauses, and returns its result. Throws the last error. what names
 * the action in the line about a repetition. Blocks this process.
 */
export function retry(what, run, { pauseMs = PAUSE_MS, out = console.log } = {}) {
  for (let n = 1; ; n++) {
    try {
      return run();
    } catch (e) {
      if (n === TRIES) throw e;
      out(`${what} failed and is repeated: ${e.message.split('\n')[0]}`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
