// Who is let in, by what, and what he is told if not.
import { equal, must } from '../../lib/assert.mjs';

export async function doorChecks({ report, browser, server }) {
  const screen = await browser.screen({ label: 'login', base: server.consoleBase });
  screen.excuse(/status of 401/); // the browser says so of every refused request
  await report.check('without a token there is a login, and nothing else', async () => {
    await screen.open();
    await screen.shown('login');
    must(!(await screen.get('shell').count()), 'the console is shown');
    must(!(await screen.get('login-note').count()), 'a complaint is shown to somebody who has done nothing');
    equal((await screen.page.request.get(`${server.consoleBase}/api/v1/world`)).status(), 401, 'status of GET /world');
  });
  await report.check('a wrong token is refused with a sentence', async () => {
    await screen.get('login-token').fill('not-a-token');
    await screen.get('login-submit').click();
    await screen.until(() => screen.text('login-note'), (t) => /does not know this token/.test(t), 'the sentence');
    must(!(await screen.get('shell').count()), 'the console is shown');
  });
  await report.check('so is a wrong one in the address, which does not stay there', async () => {
    await screen.open(`#token=${'A'.repeat(43)}`);
    await screen.page.reload();
    await screen.shown('login');
    await screen.open(`#token=${'B'.repeat(43)}`);
    await screen.until(() => screen.text('login-note'), (t) => /does not know this token/.test(t), 'the sentence');
    must(!screen.page.url().includes('token'), `the address is ${screen.page.url()}`);
  });
  await report.check('the address that the server prints logs in, and no script can read the token afterwards', async () => {
    await screen.logIn(server.consoleToken);
    must(!screen.page.url().includes('token'), `the address is ${screen.page.url()}`);
    const kept = await screen.page.evaluate(() => [document.cookie, JSON.stringify(localStorage), JSON.stringify(sessionStorage), JSON.stringify(history.state)].join(' '));
    must(!kept.includes(server.consoleToken) && !kept.includes('truestep='), `the page can read ${kept}`);
    const [cookie] = await screen.context.cookies();
    equal([cookie.name, cookie.httpOnly, cookie.sameSite], ['truestep', true, 'Strict'], 'the cookie');
  });
  await report.check('a reload stays logged in, a log-out does not', async () => {
    await screen.page.reload();
    await screen.shown('shell');
    await screen.get('operator').click();
    await screen.get('log-out').click();
    await screen.shown('login');
    equal(await screen.text('login-note'), 'You have logged out.', 'the note');
    await screen.page.reload();
    await screen.shown('login');
  });
  await screen.context.close();
  await policyChecks({ report, browser, server });
}

/** What the page may not do even if it wanted to; it also shows that these tests would notice. */
async function policyChecks({ report, browser, server }) {
  const screen = await browser.screen({ label: 'policy', base: server.consoleBase });
  screen.excuse(/status of 401/);
  await report.check('the page can neither ask other servers nor run scripts of its own text', async () => {
    await screen.open();
    await screen.shown('login');
    const elsewhere = await screen.page.evaluate(() => fetch('http://127.0.0.1:9/').then(() => 'answered', () => 'refused'));
    equal(elsewhere, 'refused', 'a request to another server');
    const ran = await screen.page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.body.append(script);
      return window.ran === true;
    });
    must(!ran, 'a script in the text of the page was run');
    for (const what of [/connect-src http:\/\/127\.0\.0\.1:9/, /script-src-elem inline/]) {
      await screen.until(async () => screen.complaints, (list) => list.some((c) => what.test(c)), `a complaint like ${what}`);
    }
    screen.complaints.length = 0;
  });
  screen.excuse(/./); // news of what was provoked may come late
  await screen.context.close();
}
