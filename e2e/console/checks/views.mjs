// Every view opens, by its link and by its address.
import { equal } from '../../lib/assert.mjs';

const views = [
  { name: 'map', title: 'Map', has: 'map' },
  { name: 'players', title: 'Players', has: 'players' },
  { name: 'corrections', title: 'Corrections', has: 'why-player' },
  { name: 'charts', title: 'Charts', has: 'charts' },
  { name: 'audit', title: 'Audit', has: 'tab-bans' },
];

/** Before anybody comes in: on a machine that stands still honest players are pulled back, too. */
export async function emptyChecks({ report, screen }) {
  await report.check('what is empty says so', async () => {
    await screen.view('audit');
    await screen.until(() => screen.text('empty'), (t) => /No operator has done anything yet/.test(t), 'the empty audit');
    await screen.view('corrections');
    await screen.until(() => screen.text('empty'), (t) => /Nobody has been pulled back/.test(t), 'the empty corrections');
  });
}

export async function viewChecks({ report, screen }) {
  for (const { name, title, has } of views) {
    await report.check(`the view ${name} opens`, async () => {
      await screen.view(name, has);
      await screen.until(() => screen.page.title(), (t) => t.startsWith(`${title} · Truestep Vale`), 'its title');
      equal(await screen.get(`nav-${name}`).getAttribute('aria-current'), 'page', 'the mark on its link');
      if (name === 'players') await screen.until(() => screen.get('player-row').count(), (n) => n === 3, 'rows');
      await screen.shot(`view-${name}`);
    });
  }
  await report.check('the charts draw what the server counts', async () => {
    await screen.view('charts', 'charts');
    await screen.until(() => screen.get('charts').locator('canvas').count(), (n) => n >= 4, 'canvases');
    const inked = () => screen.get('charts').locator('canvas').evaluateAll((list) => list.map((c) => {
      const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
      return data.reduce((n, v, i) => n + (i % 4 === 3 && v > 0 ? 1 : 0), 0);
    }));
    await screen.until(inked, (list) => list.every((n) => n > 200), 'pixels drawn on each');
    const { online } = await screen.page.evaluate(async () => (await fetch('/api/v1/overview')).json());
    await screen.until(() => screen.page.locator('.tile', { hasText: 'Players' }).locator('dd').innerText(), (t) => t === String(online), 'players');
  });
  await report.check('the address of a view opens it after a reload', async () => {
    await screen.view('players', 'players');
    await screen.page.reload();
    await screen.shown('players');
    await screen.page.goBack();
    await screen.shown('charts');
  });
  await screen.view('map', 'map');
  await screen.live();
}
