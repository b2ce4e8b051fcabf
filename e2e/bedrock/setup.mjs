// Installs the npm client of this suite, once. node e2e/bedrock/setup.mjs
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from '../lib/packages.mjs';

const modules = installPackages(path.dirname(fileURLToPath(import.meta.url)));

// raknet-native looks for its library in a folder named after the kernel's major version. The one for Linux 5 runs on later
// kernels too, and install scripts, which would build another, are off.
if (process.platform === 'linux') {
  const builds = path.join(modules, 'raknet-native', 'prebuilds');
  const own = path.join(builds, `linux-${os.release().split('.')[0]}-${process.arch}`);
  if (!fs.existsSync(own)) fs.cpSync(path.join(builds, `linux-5-${process.arch}`), own, { recursive: true });
}
