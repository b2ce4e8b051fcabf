// Installs npm packages: those of a suite from its package-lock.json, once.
import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { retry } from './retry.mjs';

/** Runs npm ci in a folder, with more arguments and variables. A download that fails is repeated. */
export function npmCI(dir, args = [], env = {}) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const options = { cwd: dir, stdio: 'inherit', env: { ...process.env, ...env } };
  retry(`npm ci in ${dir}`, () => execFileSync(npm, ['ci', '--no-audit', '--no-fund', ...args], options));
}

/** Installs the packages unless this lock file is installed already. env: more variables for npm. Returns the path of node_modules. */
export function installPackages(dir, env = {}) {
  const modules = path.join(dir, 'node_modules');
  const stamp = path.join(modules, '.installed'); // digest of the installed lock file
  const digest = crypto.createHash('sha256').update(fs.readFileSync(path.join(dir, 'package-lock.json'))).digest('hex');
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === digest) return modules;
  npmCI(dir, ['--ignore-scripts'], env);
  fs.writeFileSync(stamp, digest);
  return modules;
}
