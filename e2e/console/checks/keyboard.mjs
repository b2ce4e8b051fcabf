// The page by keyboard alone.
import { equal, must } from '../../lib/assert.mjs';

/** The focused element, and whether the focus is visible; runs in the page. */
function focus() {
  const e = document.activeElement;
  const style = getComputedStyle(e);
  const ring = e.matches(':focus-visible') && ((style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none');
  return { id: e.dataset?.testid ?? e.className, ring, inside: Boolean(e.closest('dialog')) };
}

export async function keyboardChecks({ report, browser, server }) {
  const screen = await browser.screen({ label: 'keyboard', base: server.consoleBase });
  screen.expectFaults(/status of 401/);
  const { page } = screen;
  await report.check('the keyboard alone logs in', async () => {
    await screen.open();
    await screen.waitVisible('login');
    await screen.waitFocus('login-token');
    await page.keyboard.insertText(server.consoleToken);
    await screen.press('Enter');
    await screen.waitVisible('shell');
  });
  await report.check('Tab reaches the content and every view with a visible focus', async () => {
    await screen.waitLive();
    await screen.press('Tab');
    equal((await page.evaluate(focus)).id, 'skip', 'first stop');
    const stops = [];
    for (let i = 0; i < 30 && !stops.some((s) => s.id === 'map'); i++) {
      await screen.press('Tab');
      stops.push(await page.evaluate(focus));
    }
    for (const id of ['open-search', 'theme', 'operator', 'nav-map', 'nav-players', 'nav-corrections', 'nav-charts', 'nav-held', 'nav-audit', 'area-tab', 'map']) {
      const stop = must(stops.find((s) => s.id === id), `Tab does not reach ${id}`);
      must(stop.ring, `the focus on ${id} is not visible`);
    }
  });
  await report.check('two-key shortcuts open every view', async () => {
    for (const [key, name] of [['p', 'players'], ['c', 'corrections'], ['h', 'charts'], ['b', 'held'], ['a', 'audit'], ['m', 'map']]) {
      await screen.chord('g', key);
      await screen.until(() => page.url(), (u) => u.includes(`#/${name}`), `address after g ${key}`);
    }
  });
  await report.check('the help dialog keeps the focus and returns it when closed', async () => {
    await page.getByTestId('nav-charts').focus();
    await screen.press('?');
    await screen.waitVisible('keys-help');
    for (let i = 0; i < 4; i++) {
      await screen.press('Tab');
      const at = await page.evaluate(focus);
      must(at.inside || at.id === '', `the focus leaves the dialog for ${at.id}`);
    }
    await screen.press('g', 'p');
    must(!page.url().includes('#/players'), 'shortcuts work behind the dialog');
    await screen.screenshot('keys-help');
    await screen.press('Escape');
    await screen.until(() => screen.get('keys-help').count(), (n) => n === 0, 'open dialogs');
    await screen.until(async () => (await page.evaluate(focus)).id, (id) => id === 'nav-charts', 'focus afterwards');
  });
  await report.check('the keyboard opens a player, and opens and cancels an action', async () => {
    await screen.chord('g', 'p');
    const row = screen.get('player-row').filter({ hasText: 'Bob' });
    await row.focus();
    await screen.press('Enter');
    await screen.until(() => screen.text('player-name').catch(() => ''), (t) => t === 'Bob', 'name in the panel');
    await screen.get('act-message').focus();
    await screen.press('Enter');
    await screen.waitVisible('action-dialog');
    await screen.waitFocus('action-text');
    await page.keyboard.type('gc'); // these letters must not act as shortcuts
    await screen.press('Escape');
    await screen.until(() => screen.get('action-dialog').count(), (n) => n === 0, 'open dialogs');
    await screen.until(async () => (await page.evaluate(focus)).id, (id) => id === 'act-message', 'focus afterwards');
    await screen.press('Escape');
    await screen.until(() => screen.get('player-panel').count(), (n) => n === 0, 'open panels');
  });
  await screen.context.close();
}
