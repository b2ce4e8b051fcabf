// Installs npm packages: those of a suite from its package-lock.json, once.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { retry, runProgram } from './retry.mjs';

const TRY_MS = 300000; // time limit of one npm ci

/** Time limit in ms of a check that calls npmCI: one attempt may stall. */
export const INSTALL_MS = 2 * TRY_MS;

/** Runs npm ci in a folder, with more arguments and variables. A download that fails, or takes longer than TRY_MS, is repeated. */
export async function npmCI(dir, args = [], env = {}) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const options = { cwd: dir, limitMs: TRY_MS, env: { ...process.env, ...env } };
  await retry(`npm ci in ${dir}`, () => runProgram(npm, ['ci', '--no-audit', '--no-fund', ...args], options));
}

/** Installs the packages unless this lock file is installed already. env: more variables for npm. Resolves with the path of node_modules. */
export async function installPackages(dir, env = {}) {
  const modules = path.join(dir, 'node_modules');
  const stamp = path.join(modules, '.installed'); // digest of the installed lock file
  const digest = crypto.createHash('sha256').update(fs.readFileSync(path.join(dir, 'package-lock.json'))).digest('hex');
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === digest) return modules;
  await npmCI(dir, ['--ignore-scripts'], env);
  fs.writeFileSync(stamp, digest);
  return modules;
}
