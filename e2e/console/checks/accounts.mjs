// Stored accounts through the page: found, changed, exported, merged and deleted while their players are away.
import fs from 'node:fs';
import { equal, must } from '../../lib/assert.mjs';
import { ANSWER } from '../../rs/login.mjs';
import { axeViolations } from '../axe.mjs';
import { Bob } from '../players.mjs';
import { confirm } from './actions.mjs';

const GOLD = 777;

/** A RuneScape player joins, which makes an account, and leaves. */
async function visit(server, name, password) {
  const player = new Bob(server, name);
  if (password) player.client.password = password;
  const code = await player.client.login();
  if (code === ANSWER.OK) await player.close();
  return code;
}

export async function accountChecks({ report, screen, server }) {
  const account = (name) => server.api.call('GET', `/accounts/${encodeURIComponent(name)}`);
  const character = async (name) => (await account(name)).body.characters[0];
  const away = (name) => screen.until(async () => (await account(name)).body.online, (online) => online === false, `${name} is stored`);
  screen.expectFaults(/status of 404 .*\/accounts\//); // the page may ask for an account that was just merged or deleted
  await report.check('accounts of players who are away are found by the start of a name, and by door', async () => {
    for (const name of ['Dot', 'Dora']) equal(await visit(server, name), ANSWER.OK, `answer to the login of ${name}`);
    for (const name of ['Dot', 'Dora']) await away(name);
    await screen.openView('accounts', 'accounts');
    await screen.get('account-search').fill('Do');
    const rows = ([first = '', second = '']) => /^Dora Dora rs /.test(first) && /^Dot Dot rs /.test(second);
    await screen.until(() => screen.texts('account-row'), (all) => all.length === 2 && rows(all), 'two accounts');
    await screen.get('account-door').selectOption('bedrock');
    await screen.until(() => screen.text('empty').catch(() => ''), (t) => /No account matches/.test(t), 'empty list');
    await screen.get('account-door').selectOption('');
    await screen.get('account-search').fill('Dot');
    await screen.until(() => screen.texts('account-row'), (all) => all.length === 1 && all[0].startsWith('Dot Dot rs '), 'one account');
    equal(await axeViolations(screen), [], 'axe');
    await screen.screenshot('accounts');
  });
  await report.check('an account is shown with its character, which can be changed', async () => {
    await screen.get('account-open').click();
    await screen.waitVisible('account');
    await screen.until(() => screen.get('account-character').count(), (n) => n === 1, 'characters');
    equal(await axeViolations(screen), [], 'axe');
    await screen.screenshot('account');
    await screen.get('character-edit').click();
    await screen.get('edit-gold').fill('many');
    must(await screen.get('action-confirm').isDisabled(), 'a change to "many" gold can be confirmed');
    await screen.get('edit-gold').fill(String(GOLD));
    await confirm(screen, 'Dot was changed');
    await screen.until(() => screen.text('account-character').catch(() => ''), (t) => t.includes(`${GOLD} gold`), 'gold on the page');
    equal((await character('Dot')).sheet.gold, GOLD, 'gold of the API');
    await screen.get('character-give').click();
    await screen.get('item-name').fill('bread');
    await screen.get('item-amount').fill('2');
    await confirm(screen, 'Dot has 2 more of bread');
    const loaves = async () => (await character('Dot')).items.filter((i) => i.item === 'Bread').reduce((n, i) => n + i.amount, 0);
    must((await loaves()) >= 2, `${await loaves()} loaves`);
  });
  await report.check('an export contains the account, its character and the actions of operators', async () => {
    const download = screen.page.waitForEvent('download');
    await (await screen.waitVisible('account-export')).click();
    const file = JSON.parse(fs.readFileSync(await (await download).path(), 'utf8'));
    equal([file.truestepExport, file.account.name, file.account.characters[0].sheet.gold], [1, 'Dot', GOLD], 'version, account and gold');
    must(file.journal.audit.some((e) => e.action === 'edit_character'), `the audit of the export has ${file.journal.audit.map((e) => e.action)}`);
  });
  await report.check('a new password is shown once, and is the only one that is valid', async () => {
    await (await screen.waitVisible('account-secret')).click();
    await screen.get('action-confirm').click();
    await screen.waitVisible('account-password');
    const password = await screen.text('new-password');
    equal(await axeViolations(screen), [], 'axe');
    await screen.press('Escape');
    equal(await visit(server, 'Dot'), ANSWER.CREDENTIALS, 'answer to the old password');
    equal(await visit(server, 'Dot', password), ANSWER.OK, 'answer to the new password');
    await away('Dot');
    equal((await character('Dot')).sheet.gold, GOLD, 'gold after the player was back');
  });
  await report.check('a merge moves the characters to the other account and deletes the first', async () => {
    await screen.goTo('#/accounts?q=do&account=Dora');
    await (await screen.waitVisible('account-merge')).click();
    await screen.get('merge-into').fill('Dot');
    await confirm(screen, 'Dora was merged');
    await screen.until(() => screen.texts('account-row'), (all) => all.length === 1 && all[0].includes('Dot, Dora'), 'one account with both characters');
    equal((await account('Dora')).status, 404, 'status of the merged account');
  });
  await report.check('an account is deleted only after its name has been typed', async () => {
    await screen.goTo('#/accounts?q=do&account=Dot');
    await (await screen.waitVisible('account-delete')).click();
    await screen.get('delete-name').fill('Do');
    must(await screen.get('action-confirm').isDisabled(), 'the account can be deleted without its whole name');
    await screen.get('delete-name').fill('Dot');
    await confirm(screen, 'Dot was deleted');
    await screen.until(() => screen.text('empty').catch(() => ''), (t) => /No account matches/.test(t), 'empty list');
    equal((await account('Dot')).status, 404, 'status of the deleted account');
    const { entries } = await server.api.get('/audit?limit=10');
    for (const action of ['export_account', 'reset_secret', 'merge_account', 'delete_account']) must(entries.some((e) => e.action === action), `${action} is not among ${entries.map((e) => e.action)}`);
  });
}
