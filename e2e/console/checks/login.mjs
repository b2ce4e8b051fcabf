// Login: which tokens the page accepts, and its message for each token that it refuses.
import { equal, must } from '../../lib/assert.mjs';
import { axeViolations } from '../axe.mjs';
import { cutOff, faint } from './layout.mjs';

export async function loginChecks({ report, browser, server }) {
  const screen = await browser.screen({ label: 'login', base: server.consoleBase });
  screen.expectFaults(/status of 401/); // the browser logs every refused request
  await report.check('the page without a token shows only the login', async () => {
    await screen.open();
    await screen.waitVisible('login');
    must(!(await screen.get('shell').count()), 'the console is shown');
    must(!(await screen.get('login-note').count()), 'a note is shown before any attempt');
    equal((await screen.page.request.get(`${server.consoleBase}/api/v1/world`)).status(), 401, 'status of GET /world');
  });
  await report.check('a wrong token is refused with an explanation', async () => {
    // On a busy machine the page may give up its first request after 10 s. It then asks to try again.
    const submit = async () => {
      await screen.get('login-token').fill('not-a-token');
      await screen.get('login-submit').click();
      return screen.until(() => screen.text('login-note'), (t) => /does not know this token|cannot be reached/.test(t), 'sentence');
    };
    while (/cannot be reached/.test(await submit())) await sleep(1000);
    must(!(await screen.get('shell').count()), 'the console is shown');
    for (const colorScheme of ['light', 'dark']) {
      await screen.page.emulateMedia({ colorScheme });
      for (const rule of [cutOff, faint]) equal(await screen.page.evaluate(rule), [], `defects of the login in ${colorScheme}`);
      equal(await axeViolations(screen), [], `violations found by axe-core in ${colorScheme}`);
    }
  });
  await report.check('a wrong token in the address is refused and removed from the address', async () => {
    await screen.open(`#token=${'A'.repeat(43)}`);
    await screen.page.reload();
    await screen.waitVisible('login');
    await screen.open(`#token=${'B'.repeat(43)}`);
    await screen.until(() => screen.text('login-note'), (t) => /does not know this token/.test(t), 'sentence');
    must(!screen.page.url().includes('token'), `the address is ${screen.page.url()}`);
  });
  await report.check('the printed address logs in, and no script can read the token afterwards', async () => {
    await screen.logIn(server.consoleToken);
    must(!screen.page.url().includes('token'), `the address is ${screen.page.url()}`);
    const kept = await screen.page.evaluate(() => [document.cookie, JSON.stringify(localStorage), JSON.stringify(sessionStorage), JSON.stringify(history.state)].join(' '));
    must(!kept.includes(server.consoleToken) && !kept.includes('truestep='), `the page can read ${kept}`);
    const [cookie] = await screen.context.cookies();
    equal([cookie.name, cookie.httpOnly, cookie.sameSite], ['truestep', true, 'Strict'], 'cookie');
  });
  await report.check('a session survives a reload and ends with a log-out', async () => {
    await screen.page.reload();
    await screen.waitVisible('shell');
    await screen.get('operator').click();
    await screen.get('log-out').click();
    await screen.waitVisible('login');
    equal(await screen.text('login-note'), 'You have logged out.', 'note');
    await screen.page.reload();
    await screen.waitVisible('login');
  });
  await screen.context.close();
  await policyChecks({ report, browser, server });
}

/** The content policy of the page, and that this suite reports violations of it. */
async function policyChecks({ report, browser, server }) {
  const screen = await browser.screen({ label: 'policy', base: server.consoleBase });
  screen.expectFaults(/status of 401/);
  await report.check('the content policy blocks requests to other hosts and inline scripts', async () => {
    await screen.open();
    await screen.waitVisible('login');
    const elsewhere = await screen.page.evaluate(() => fetch('http://127.0.0.1:9/').then(() => 'answered', () => 'refused'));
    equal(elsewhere, 'refused', 'a request to another server');
    const ran = await screen.page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.body.append(script);
      return window.ran === true;
    });
    must(!ran, 'an inline script was run');
    for (const what of [/connect-src http:\/\/127\.0\.0\.1:9/, /script-src-elem inline/]) {
      await screen.until(async () => screen.faults, (list) => list.some((c) => what.test(c)), `fault like ${what}`);
    }
    screen.faults.length = 0;
  });
  screen.expectFaults(/./); // the browser may report the provoked violations late
  await screen.context.close();
}
