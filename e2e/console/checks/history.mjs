// Figures that survive restarts: in the API, and on the charts of a day.
import { equal, must } from '../../lib/assert.mjs';
import { axeViolations } from '../axe.mjs';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The server must have been started more than once, and the first run must have had players for minutes. */
export async function historyChecks({ report, screen, server }) {
  await report.check('the history has figures of the runs before and after a restart, and the charts of a day mark it', async () => {
    const figures = () => server.api.get(`/history?from=${Date.now() - HOUR_MS}&names=players`); // one value per 10 s
    const second = (h) => (h.restarts[1] - h.from) / h.stepMs; // number of the interval in which the second run began
    // A run of less than 10 s has no figures and is not listed. So there may be fewer restarts than server.starts, but this run lasts.
    const ofThisRun = (h) => h.restarts.length > 1 && h.restarts.at(-1) >= server.startedMs;
    const history = await screen.until(figures, ofThisRun, 'figures of this run and an earlier one');
    must(history.figures[0].values.some((v, i) => i < second(history) && v > 0), 'no players before the restart');
    await screen.goTo('#/charts?span=1d');
    const charts = await screen.waitVisible('long-charts');
    const { restarts } = await server.api.get(`/history?from=${Date.now() - DAY_MS}&names=players`);
    must(restarts.length > 0, 'the figures of a day have no restart');
    await screen.until(() => charts.getAttribute('data-restarts'), (n) => Number(n) === restarts.length, 'marks of restarts');
    await screen.until(() => charts.locator('canvas').count(), (n) => n >= 6, 'charts with lines');
    equal(await axeViolations(screen), [], 'axe');
    await screen.screenshot('charts-day');
  });
  await report.check('the charts of a day have a line for each door and each area with players', () => groupCheck({ screen, server }));
}

async function groupCheck({ screen, server }) {
  const { figures } = await server.api.get(`/history?from=${Date.now() - DAY_MS}&names=${encodeURIComponent('players.*')}`);
  const { doors } = await server.api.get('/world');
  const groups = { door: (name) => doors.find((d) => d.name === name).title, area: (name) => name };
  for (const [group, title] of Object.entries(groups)) {
    const prefix = `players.${group}.`;
    const want = figures.filter((f) => f.name.startsWith(prefix) && f.values.some((v) => v > 0)).map((f) => title(f.name.slice(prefix.length)));
    must(want.length > (group === 'door' ? 1 : 0), `the history has players of ${want} by ${group}`); // none was elsewhere for long
    const keys = screen.get('long-charts').locator('.chart', { hasText: `by ${group}` }).locator('.chart-key');
    await screen.until(() => keys.allInnerTexts(), (all) => want.every((name) => all.some((key) => key.trim().startsWith(name))), `lines of players by ${group}, want ${want},`);
  }
}
