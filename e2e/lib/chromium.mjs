// Finds the system's Chromium, and installs Debian's package if there is none.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { isFinal, retry, runProgram } from './retry.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const INSTALL_MS = 600000; // time limit of each command of apt-get

const runs = (command, args) => spawnSync(command, args, { stdio: 'ignore', timeout: 10000 }).status === 0;
const isProgram = (file) => {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
};

/** The path of a Chromium: $CHROMIUM, or the first of the usual names in PATH; undefined if there is none. */
export function findChromium(env = process.env) {
  if (env.CHROMIUM) return isProgram(env.CHROMIUM) ? env.CHROMIUM : undefined;
  const folders = (env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((dir) => path.join(dir, name))).find(isProgram);
}

/** The command prefix that runs apt-get as root, undefined if there is none. */
function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  return runs('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined;
}

/** Installs Chromium with apt-get. Resolves with its path, with undefined if that is not possible. */
async function install() {
  const prefix = runs('apt-get', ['--version']) ? rootPrefix() : undefined;
  if (!prefix) return undefined;
  console.log('no Chromium found: installing the package chromium with apt-get');
  const once = async () => {
    let failure;
    for (const step of [['update', '-q'], ['install', '-q', '-y', '--no-install-recommends', 'chromium']]) {
      const [command, ...args] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...step];
      await runProgram(command, args, { limitMs: INSTALL_MS }).catch((e) => {
        if (isFinal(e)) throw e;
        failure = e; // the package may be installed nevertheless
      });
    }
    const installed = findChromium();
    if (!installed) throw failure ?? new Error('there is still no Chromium');
    return installed;
  };
  try {
    return await retry('the installation of chromium', once);
  } catch {
    return undefined;
  }
}

/** Resolves with the path of a Chromium, which is installed if needed. Rejects with an error with the fix if there is none. */
export async function needChromium() {
  const found = findChromium();
  if (found) return found;
  if (process.env.CHROMIUM) throw new Error(`CHROMIUM is ${process.env.CHROMIUM}, which is not an executable file`);
  const installed = await install();
  if (installed) return installed;
  throw new Error('the end-to-end test of the console needs Chromium: install the package chromium (Debian: apt-get install chromium), or set CHROMIUM to its path');
}
