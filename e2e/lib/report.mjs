// The report of a suite: one line for each check, and the closing line with the counts.
import { Failure } from './assert.mjs';
import { withTimeout } from './wait.mjs';

const CHECK_LIMIT_MS = 180000; // default time limit of a check
const MAX_DETAIL = 700; // maximum length of the detail of a failure

/**
 * The message of an error as one line, without terminal colours. It has all lines: the first one of a browser command that timed out names
 * neither the element nor what covers it.
 */
export function oneLine({ message }) {
  const text = message.replace(/\x1b\[[0-9;]*m/g, '').split('\n').map((l) => l.trim()).filter(Boolean).join(' / ');
  return text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}...` : text;
}

export class Report {
  /** suite: the name in the closing line, such as "e2e-rs". out receives each line. */
  constructor(suite, out = console.log) {
    Object.assign(this, { suite, out, passed: 0, failed: 0 });
  }

  /**
   * Runs one check and returns what run returned. The check fails, and returns undefined, when run throws or takes longer
   * than limit ms. E2E_TIMES=1 prints the duration of each check, E2E_STACK=1 the stack of each unexpected error.
   */
  async check(name, run, limit = CHECK_LIMIT_MS) {
    const start = performance.now();
    try {
      const value = await withTimeout(run(), limit);
      this.passed++;
      this.out(`ok  ${name}${process.env.E2E_TIMES ? ` (${Math.round(performance.now() - start)} ms)` : ''}`);
      return value;
    } catch (e) {
      this.fail(name, oneLine(e));
      if (!(e instanceof Failure) && process.env.E2E_STACK) console.error(e.stack);
      return undefined;
    }
  }

  /** Counts and prints a failure outside of any check. */
  fail(name, detail) {
    this.failed++;
    this.out(`FAIL ${name}: ${detail}`);
  }

  /** Returns a report that prints prefix before each name and note, and counts in this report. */
  of(prefix) {
    return {
      check: (name, run, limit) => this.check(`${prefix}: ${name}`, run, limit),
      fail: (name, detail) => this.fail(`${prefix}: ${name}`, detail),
      note: (line) => this.note(`${prefix}: ${line}`),
    };
  }

  note(line) {
    this.out(`note ${line}`);
  }

  /** Adds the counts of a suite that ran in another process. */
  add({ passed, failed }) {
    this.passed += passed;
    this.failed += failed;
  }

  closingLine() {
    return `${this.suite}: ${this.passed} passed, ${this.failed} failed`;
  }

  /** Prints the closing line and returns the exit status of the suite. */
  close() {
    this.out(this.closingLine());
    return this.failed > 0 ? 1 : 0;
  }
}

/** The counts of the closing line of a suite, undefined for any other line. */
export function parseClosingLine(suite, line) {
  const m = new RegExp(`^${suite}: (\\d+) passed, (\\d+) failed$`).exec(line);
  return m ? { passed: Number(m[1]), failed: Number(m[2]) } : undefined;
}
