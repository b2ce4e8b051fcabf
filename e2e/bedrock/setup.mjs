// Installs the npm client of this suite, once. node e2e/bedrock/setup.mjs
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from '../lib/packages.mjs';

const modules = await installPackages(path.dirname(fileURLToPath(import.meta.url)));

// raknet-native loads its library from a folder named after the kernel's major version. The library for Linux 5 also runs on
// later kernels, so it is linked there; npm's install scripts, which would build another library, are disabled.
if (process.platform === 'linux') {
  const builds = path.join(modules, 'raknet-native', 'prebuilds');
  const own = path.join(builds, `linux-${os.release().split('.')[0]}-${process.arch}`);
  if (!fs.existsSync(own)) fs.cpSync(path.join(builds, `linux-5-${process.arch}`), own, { recursive: true });
}
