// The accessibility checker axe-core on the page that a screen shows.
import fs from 'node:fs';
import { createRequire } from 'node:module';

const source = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules of axe: WCAG 2.2 AA and best practices, such as the order of headings. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const SETTLE_MS = 10000; // time limit: text that fades in or out, such as a toast, has too little contrast for a moment

/**
 * The violations on the page, or in its topmost dialog, each as one line with its elements. A page with violations is checked again until
 * it has none or SETTLE_MS have passed. contrast: also check the contrast of texts, which takes half of the time.
 */
export async function axeViolations(screen, { contrast = true } = {}) {
  for (const end = performance.now() + SETTLE_MS; ; await screen.waitFrames(6)) {
    await settle(screen);
    const found = await violationsNow(screen, contrast);
    if (found.length === 0 || performance.now() > end) return found;
  }
}

/** Waits until all finite animations have ended and the page has drawn its state. */
export async function settle(screen) {
  await screen.page.evaluate(() => Promise.allSettled(document.getAnimations()
    .filter((a) => Number.isFinite(a.effect.getComputedTiming().endTime)).map((a) => a.finished)));
  await screen.waitFrames(2);
}

async function violationsNow(screen, contrast) {
  if (!(await screen.page.evaluate(() => Boolean(window.axe)))) await screen.page.evaluate(source);
  return screen.page.evaluate(async ({ tags: values, contrast: enabled }) => {
    const options = { runOnly: { type: 'tag', values }, resultTypes: ['violations'], rules: { 'color-contrast': { enabled } } };
    const { violations } = await window.axe.run([...document.querySelectorAll('dialog[open]')].at(-1) ?? document, options);
    return violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => `${n.target.join(' ')} ${(n.any[0] ?? n.all[0] ?? n.none[0])?.message ?? ''}`).join(' | ')}${v.nodes.length > 3 ? ` and ${v.nodes.length - 3} more` : ''}`);
  }, { tags, contrast });
}
