// Runs programs that download something and repeats them, because one reset connection must not fail a run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { sleep } from './wait.mjs';

const TRIES = 3;
const PAUSE_MS = 1000;
const INTERRUPTED = [130, 143]; // exit statuses of a program that ends itself after SIGINT or SIGTERM

/** Whether an error of runProgram would come again or the user has ended the program: it was interrupted, or does not exist. */
export const isFinal = (e) => ['SIGINT', 'SIGTERM'].includes(e.signal) || e.code === 'ENOENT' || INTERRUPTED.includes(e.code);

/**
 * Runs a program whose output is that of this process. Rejects if it cannot be started, if its exit status is not 0, or if it is not
 * done in limitMs, after which it is ended. The error's code is the exit status or the system's error; signal is what ended the program.
 */
export async function runProgram(command, args, { limitMs, ...options }) {
  const child = spawn(command, args, { stdio: 'inherit', ...options, timeout: limitMs });
  const kill = () => child.kill();
  process.on('exit', kill);
  try {
    const [code, signal] = await once(child, 'exit');
    if (child.killed) throw new Error(`${command} is not done in ${limitMs} ms`);
    if (code !== 0) throw Object.assign(new Error(`${command} ended with ${signal ?? `status ${code}`}`), { code, signal });
  } finally {
    process.off('exit', kill);
  }
}

/**
 * Calls run until the promise that it returns is fulfilled, at most three times with pauses, and resolves with its result. Rejects with
 * the last error, at once if that isFinal. what names the action in the line about a repetition.
 */
export async function retry(what, run, { pauseMs = PAUSE_MS, out = console.log } = {}) {
  for (let n = 1; ; n++) {
    try {
      return await run();
    } catch (e) {
      if (n === TRIES || isFinal(e)) throw e;
      out(`${what} failed and is repeated: ${e.message.split('\n')[0]}`);
      await sleep(pauseMs);
    }
  }
}
