// Installs playwright-core, once, and Chromium if there is none. node e2e/console/setup.mjs; does nothing when all is there.
import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { needChromium } from './chromium.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const stamp = path.join(here, 'node_modules', '.installed');
const wanted = crypto.createHash('sha256').update(fs.readFileSync(path.join(here, 'package-lock.json'))).digest('hex');

function installed() {
  try {
    return fs.readFileSync(stamp, 'utf8') === wanted;
  } catch {
    return false;
  }
}

if (!installed()) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const env = { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' }; // the system's browser is the one under test
  execFileSync(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: here, stdio: 'inherit', env });
  fs.writeFileSync(stamp, wanted);
}

try {
  needChromium();
} catch (e) {
  console.error(e.message);
  process.exit(1);
}
