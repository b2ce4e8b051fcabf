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

test('chromium is taken before the others, wherever it is in PATH', (t) => {
  const [a, b] = [folder(t, 'google-chrome'), folder(t, 'chromium')];
  assert.equal(findChromium({ PATH: [a, b].join(path.delimiter) }), path.join(b, 'chromium'));
});

test('CHROMIUM names it, and nothing else is taken if that is no program', (t) => {
  const dir = folder(t, 'chromium', 'mine');
  assert.equal(findChromium({ PATH: dir, CHROMIUM: path.join(dir, 'mine') }), path.join(dir, 'mine'));
  assert.equal(findChromium({ PATH: dir, CHROMIUM: path.join(dir, 'other') }), undefined);
});

test('what cannot be run is none', (t) => {
  const dir = folder(t);
  fs.writeFileSync(path.join(dir, 'chromium'), '', { mode: 0o644 });
  fs.mkdirSync(path.join(dir, 'google-chrome'));
  assert.equal(findChromium({ PATH: dir }), undefined);
  assert.equal(findChromium({}), undefined);
});

// A machine with these programs and no others; sudo does what it is asked to.
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

test('where there is none, apt-get installs it', (t) => {
  const dir = machine(t, '[ "$1" = install ] && : > "${0%/*}/chromium" && /bin/chmod +x "${0%/*}/chromium"; exit 0');
  assert.equal(needChromium(), path.join(dir, 'chromium'));
});

test('who cannot install it is told what to install', (t) => {
  machine(t);
  assert.throws(needChromium, /^Error: the end-to-end test of the console needs Chromium: install the package chromium/);
});
