import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { findChromium, needChromium } from './chromium.mjs';

function folder(t, ...programs) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'chromium-'));
  t.after(() => fs.rmSync(dir, { recursive: true }));
  for (const p of programs) fs.writeFileSync(path.join(dir, p), '', { mode: 0o755 });
  return dir;
}

test('the name chromium is preferred to others anywhere in PATH', (t) => {
  const [a, b] = [folder(t, 'google-chrome'), folder(t, 'chromium')];
  assert.equal(findChromium({ PATH: [a, b].join(path.delimiter) }), path.join(b, 'chromium'));
});

test('CHROMIUM names the program, and no other is used if it is not executable', (t) => {
  const dir = folder(t, 'chromium', 'mine');
  assert.equal(findChromium({ PATH: dir, CHROMIUM: path.join(dir, 'mine') }), path.join(dir, 'mine'));
  assert.equal(findChromium({ PATH: dir, CHROMIUM: path.join(dir, 'other') }), undefined);
});

test('a file or folder that is not executable is ignored', (t) => {
  const dir = folder(t);
  fs.writeFileSync(path.join(dir, 'chromium'), '', { mode: 0o644 });
  fs.mkdirSync(path.join(dir, 'google-chrome'));
  assert.equal(findChromium({ PATH: dir }), undefined);
  assert.equal(findChromium({}), undefined);
});

// Sets PATH to a folder with env, a sudo that runs its command, and the given apt-get.
function machine(t, aptGet) {
  const dir = folder(t);
  fs.symlinkSync('/usr/bin/env', path.join(dir, 'env'));
  fs.writeFileSync(path.join(dir, 'sudo'), '#!/bin/sh\nshift\nexec "$@"\n', { mode: 0o755 });
  if (aptGet) fs.writeFileSync(path.join(dir, 'apt-get'), `#!/bin/sh\n${aptGet}\n`, { mode: 0o755 });
  const { PATH, CHROMIUM } = process.env;
  t.after(() => Object.assign(process.env, { PATH }, CHROMIUM ? { CHROMIUM } : {}));
  process.env.PATH = dir;
  delete process.env.CHROMIUM;
  return dir;
}

test('a missing Chromium is installed with apt-get', async (t) => {
  const dir = machine(t, '[ "$1" = install ] && : > "${0%/*}/chromium" && /bin/chmod +x "${0%/*}/chromium"; exit 0');
  assert.equal(await needChromium(), path.join(dir, 'chromium'));
});

test('a Chromium whose download fails twice is installed', async (t) => {
  const dir = machine(t, `[ "$1" = install ] || exit 0
tries="\${0%/*}/tries"
echo x >> "$tries"
[ "$(/usr/bin/wc -l < "$tries")" -ge 3 ] || exit 100
: > "\${0%/*}/chromium" && /bin/chmod +x "\${0%/*}/chromium"`);
  assert.equal(await needChromium(), path.join(dir, 'chromium'));
});

test('a Chromium that cannot be installed is an error with the fix', async (t) => {
  machine(t);
  await assert.rejects(needChromium, /^Error: the end-to-end test of the console needs Chromium: install the package chromium/);
});
