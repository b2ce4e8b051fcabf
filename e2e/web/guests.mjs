// The page of a server that admits no guests: it says so, and players log in there.
import { must } from '../lib/assert.mjs';
import { sleep } from '../lib/wait.mjs';

/** Why there is no way in, once the page says so and has the button to log in. */
const reason = () => document.getElementById('login').offsetWidth > 0 && document.querySelector('#state p').textContent;
const plays = (name) => globalThis.world?.link.state === 'open' && world.self.name === name && document.getElementById('state').hidden;

async function createAccount(screen, name) {
  await screen.page.click('#login');
  await screen.page.fill('#account input[name=username]', name);
  await screen.page.fill('#account input[name=secret]', 'correct horse battery');
  await screen.page.click('#account button[value=create]');
  await screen.until(`the page plays ${name}`, plays, name);
}

export async function playWithoutGuests({ report, server, browser }) {
  const url = `http://127.0.0.1:${server.ports.web}/?transport=ws&fps=4`;
  const page = await browser.openURL(url, 'page');
  await report.check('a page without a way in says why, and its button lets a player log in', async () => {
    const why = await page.until('the reason', reason);
    must(why.includes('no guests'), why);
    await createAccount(page, 'Dora');
  });
  await report.check('damage numbers are limited, end without an animation, and are not made in a hidden page', async () => {
    const hit = (n) => {
      for (let i = 0; i < n; i++) world.emit('struck', { victim: world.self, damage: 1, missed: false });
      return document.querySelectorAll('.hit').length;
    };
    await page.page.addStyleTag({ content: '.hit { animation: none !important; }' }); // as in a hidden page, animations do not end
    await page.until('a picture', () => document.querySelector('.label'));
    const shown = await page.get(hit, 200);
    must(shown > 0 && shown <= 40, `${shown} numbers`);
    await page.until('all have ended', () => document.querySelectorAll('.hit').length === 0);
    await page.get(() => Object.defineProperty(document, 'hidden', { value: true }));
    must((await page.get(hit, 10)) === 0, 'the hidden page has numbers');
  });
  const busy = await browser.openURL(url, 'page with retries', { script: () => {
    const fetch = globalThis.fetch;
    globalThis.asked = 0; // number of guest logins that the page has tried; each gets the answer that the server is busy
    globalThis.fetch = (to, o) => {
      if (!String(to).endsWith('/ticket') || JSON.parse(o.body).secret) return fetch(to, o);
      asked++;
      return Promise.resolve(new Response('{"error":"busy"}', { status: 503 }));
    };
  } });
  await report.check('a login ends the attempts of the page to enter as a guest', async () => {
    await busy.until('the reason', reason);
    await createAccount(busy, 'Emma');
    const before = await busy.get(() => asked);
    await sleep(Math.min(1500 * 2 ** before, 60_000) + 1000); // longer than the wait before any next try: 1.5 s x 2^n after n tries
    must(await busy.get(plays, 'Emma'), 'the page does not show the game any more');
    must((await busy.get(() => asked)) === before, 'the page has tried again as a guest');
  });
  for (const s of [page, busy]) await report.check(`${s.label}: no fault in the page`, () => must(s.faults.length === 0, s.faults.join(' | ')));
  await page.close();
  await busy.close();
}
