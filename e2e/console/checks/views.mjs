// Views: each opens by its link and by its address.
const views = [
  { name: 'map', title: 'Map', has: 'map' },
  { name: 'players', title: 'Players', has: 'players' },
  { name: 'corrections', title: 'Corrections', has: 'why-player' },
  { name: 'charts', title: 'Charts', has: 'charts' },
  { name: 'held', title: 'Held back', has: 'held-door' },
  { name: 'accounts', title: 'Accounts', has: 'accounts' },
  { name: 'audit', title: 'Admin', has: 'tab-bans' },
];

/** Runs before any player joins: on a busy machine correct players are corrected too. */
export async function emptyChecks({ report, screen }) {
  await report.check('empty lists say that they are empty', async () => {
    await screen.openView('audit');
    await screen.until(() => screen.text('empty'), (t) => /No operator has done anything yet/.test(t), 'empty audit');
    await screen.openView('corrections');
    await screen.until(() => screen.text('empty'), (t) => /Nobody has been pulled back/.test(t), 'empty corrections');
  });
}

export async function viewChecks({ report, screen }) {
  for (const { name, title, has } of views) {
    await report.check(`the view ${name} opens by its link`, async () => {
      await screen.openView(name, has);
      await screen.until(() => screen.page.title(), (t) => t.startsWith(`${title} · Truestep Vale`), 'title');
      await screen.until(() => screen.get(`nav-${name}`).getAttribute('aria-current'), (v) => v === 'page', 'aria-current of its link');
      if (name === 'players') await screen.until(() => screen.get('player-row').count(), (n) => n === 3, 'rows');
      await screen.screenshot(`view-${name}`);
    });
  }
  await report.check('the charts draw lines and the number of players of the API', async () => {
    await screen.openView('charts', 'charts');
    await screen.until(() => screen.get('charts').locator('canvas').count(), (n) => n >= 4, 'canvases');
    const drawnPixels = () => screen.get('charts').locator('canvas').evaluateAll((list) => list.map((c) => {
      const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
      return data.reduce((n, v, i) => n + (i % 4 === 3 && v > 0 ? 1 : 0), 0);
    }));
    await screen.until(drawnPixels, (list) => list.every((n) => n > 200), 'pixels drawn on each chart');
    const { online } = await screen.page.evaluate(async () => (await fetch('/api/v1/overview')).json());
    await screen.until(() => screen.page.locator('.tile', { hasText: 'Players' }).locator('dd').innerText(), (t) => t === String(online), 'players');
  });
  await report.check('the address of a view opens it after a reload', async () => {
    await screen.openView('players', 'players');
    await screen.page.reload();
    await screen.waitVisible('players');
    await screen.page.goBack();
    await screen.waitVisible('charts');
  });
  await screen.openView('map', 'map');
  await screen.waitLive();
}
