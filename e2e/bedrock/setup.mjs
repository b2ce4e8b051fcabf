// Installs the npm client, once. node e2e/bedrock/setup.mjs; does nothing when all is there.
import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const modules = path.join(here, 'node_modules');
const stamp = path.join(modules, '.installed');
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
  execFileSync(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: here, stdio: 'inherit' });
  fs.writeFileSync(stamp, wanted);
}

// raknet-native looks for its library in a folder with the number of the kernel. The one for Linux 5 runs on later ones,
// and scripts, which would build another, are off.
if (process.platform === 'linux') {
  const builds = path.join(modules, 'raknet-native', 'prebuilds');
  const own = path.join(builds, `linux-${os.release().split('.')[0]}-${process.arch}`);
  if (!fs.existsSync(own)) fs.cpSync(path.join(builds, `linux-5-${process.arch}`), own, { recursive: true });
}
