// Without a mouse.
import { equal, must } from '../../lib/assert.mjs';

/** What has the focus, and whether one can see that; runs in the page. */
function focus() {
  const e = document.activeElement;
  const style = getComputedStyle(e);
  const ring = e.matches(':focus-visible') && ((style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none');
  return { id: e.dataset?.testid ?? e.className, ring, inside: Boolean(e.closest('dialog')) };
}

export async function keyChecks({ report, browser, server }) {
  const screen = await browser.screen({ label: 'keyboard', base: server.consoleBase });
  screen.excuse(/status of 401/);
  const { page } = screen;
  await report.check('the keyboard alone logs in', async () => {
    await screen.open();
    await screen.shown('login');
    await screen.focused('login-token');
    await page.keyboard.insertText(server.consoleToken);
    await screen.press('Enter');
    await screen.shown('shell');
  });
  await report.check('Tab reaches the content and every view, and one sees where one is', async () => {
    await screen.live();
    await screen.press('Tab');
    equal((await page.evaluate(focus)).id, 'skip', 'the first stop');
    const stops = [];
    for (let i = 0; i < 30 && !stops.some((s) => s.id === 'map'); i++) {
      await screen.press('Tab');
      stops.push(await page.evaluate(focus));
    }
    for (const id of ['open-search', 'theme', 'operator', 'nav-map', 'nav-players', 'nav-corrections', 'nav-charts', 'nav-audit', 'area-tab', 'map']) {
      const stop = must(stops.find((s) => s.id === id), `Tab does not reach ${id}`);
      must(stop.ring, `nothing shows that ${id} has the focus`);
    }
  });
  await report.check('two keys go to every view', async () => {
    for (const [key, name] of [['p', 'players'], ['c', 'corrections'], ['h', 'charts'], ['a', 'audit'], ['m', 'map']]) {
      await screen.chord('g', key);
      await screen.until(() => page.url(), (u) => u.includes(`#/${name}`), `the address after g ${key}`);
    }
  });
  await report.check('the help opens, holds the focus, and gives it back', async () => {
    await page.getByTestId('nav-charts').focus();
    await screen.press('?');
    await screen.shown('keys-help');
    for (let i = 0; i < 4; i++) {
      await screen.press('Tab');
      const at = await page.evaluate(focus);
      must(at.inside || at.id === '', `the focus leaves the dialog for ${at.id}`);
    }
    await screen.press('g', 'p');
    must(!page.url().includes('#/players'), 'keys reach the page behind the dialog');
    await screen.shot('keys-help');
    await screen.press('Escape');
    await screen.until(() => screen.get('keys-help').count(), (n) => n === 0, 'dialogs');
    await screen.until(async () => (await page.evaluate(focus)).id, (id) => id === 'nav-charts', 'the focus afterwards');
  });
  await report.check('a player is opened and a deed begun and left without a mouse', async () => {
    await screen.chord('g', 'p');
    const row = (await screen.shown('player-row')).filter({ hasText: 'Bob' });
    await row.focus();
    await screen.press('Enter');
    await screen.until(() => screen.text('player-name').catch(() => ''), (t) => t === 'Bob', 'his panel');
    await screen.get('act-message').focus();
    await screen.press('Enter');
    await screen.shown('deed');
    await screen.focused('deed-text');
    await page.keyboard.type('gc'); // letters of a text are no shortcuts
    await screen.press('Escape');
    await screen.until(() => screen.get('deed').count(), (n) => n === 0, 'dialogs');
    await screen.until(async () => (await page.evaluate(focus)).id, (id) => id === 'act-message', 'the focus afterwards');
    await screen.press('Escape');
    await screen.until(() => screen.get('player-panel').count(), (n) => n === 0, 'panels');
  });
  await screen.context.close();
}
