// Connections and logins that limits have held back: the top bar shows them within seconds and links to the list, which the
// server updates once a minute.
import { equal, must } from '../../lib/assert.mjs';
import { Client } from '../../rcce/client.mjs';

const TRIES = 8; // number of wrong passwords on one connection; the server checks five a minute
const LIST_MS = 75000; // time limit until the server has written the list

/** Guesses a password until the server holds the connection back. */
async function guess(server) {
  const account = { user: 'Nobody', password: 'wrong', email: '' };
  const client = new Client({ host: '127.0.0.1', port: server.ports.rcce, label: 'guesser', account });
  await client.connect();
  try {
    for (let i = 0; i < TRIES; i++) must((await client.verify()).status !== 'Y', 'a wrong password was accepted');
  } finally {
    await client.disconnect();
  }
}

/** Provokes a held back login. The server writes the list once a minute: heldBackChecks reads it later. */
export async function heldBackAlarm({ report, server, screen }) {
  await report.check('the empty list of held back logins says that it is empty', async () => {
    await screen.openView('held', 'empty');
    must((await screen.text('empty')).includes('Nobody has been held back'), 'the empty list does not say that it is empty');
  });
  await report.check('the top bar names the network that is held back, and links to the list', async () => {
    await guess(server);
    await screen.openView('players', 'players');
    await screen.until(() => screen.text('held-back').catch(() => ''), (t) => /Held back: rcce: 127\.0\.0\.0\/24 \(client\) \d+ times/.test(t), 'alarm');
    await screen.get('held-back').click();
    await screen.until(() => screen.page.url(), (u) => u.endsWith('#/held'), 'address');
  });
}

/** heldBackAlarm must have been called. */
export async function heldBackChecks({ report, server, screen }) {
  await screen.goTo('#/held');
  await report.check('the list shows network, door, limit and number of held back logins as the API returns them', async () => {
    await screen.until(() => screen.get('held-row').count(), (n) => n === 1, 'rows', LIST_MS);
    const [entry] = (await server.api.get('/held-back')).entries;
    equal([entry.door, entry.budget, entry.network, entry.kind], ['rcce', 'client', '127.0.0.0/24', 'login'], 'entry of the API');
    const cells = await screen.get('held-row').locator('td').allInnerTexts();
    equal(cells.slice(1, 5).map((c) => c.trim()), [entry.network, 'rcce', 'wrong passwords of the connection', String(entry.times)], 'cells');
    must(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+$/.test(cells[5].trim()), `since is "${cells[5]}"`);
    equal(await screen.page.getByRole('columnheader').allInnerTexts(), ['Time', 'Network', 'Door', 'Limit', 'Times', 'Since'], 'headers by role');
    must(await screen.page.getByRole('table', { name: /held back/ }).count(), 'the table has no name');
    await screen.screenshot('view-held');
  });
  await report.check('the list of one door has only its entries', async () => {
    await screen.get('held-door').selectOption('console');
    await screen.waitVisible('empty');
    await screen.get('held-door').selectOption('rcce');
    await screen.until(() => screen.get('held-row').count(), (n) => n === 1, 'rows');
  });
}
