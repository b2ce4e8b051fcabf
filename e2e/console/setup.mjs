// Installs playwright-core, once, and Chromium if there is none. node e2e/console/setup.mjs
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { needChromium } from '../lib/chromium.mjs';
import { installPackages } from '../lib/packages.mjs';

// The browser under test is the system's Chromium, not one that playwright downloads.
await installPackages(path.dirname(fileURLToPath(import.meta.url)), { PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' });

try {
  await needChromium();
} catch (e) {
  console.error(e.message);
  process.exit(1);
}
