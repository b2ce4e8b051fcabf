// Every page and dialog of the console, and how a screen reaches it. The layout checks visit them, and shots.mjs takes pictures.
import { must } from '../lib/assert.mjs';

const NETWORK = '198.51.100.0/24'; // network with a ban in the list
const LISTED = 'a friend of the house'; // account in the whitelist
const RULES = [
  ['/bans', { network: NETWORK, reason: 'attacks on logins' }],
  ['/whitelist/accounts', { account: LISTED }],
];

async function post(api, path, body) {
  const { status, body: answer } = await api.call('POST', path, body);
  must(status === 200, `POST ${path} is answered with status ${status}: ${answer.error?.message}`);
}

/**
 * Makes what the pages show: bans, a mute and a whitelist that is off. Resolves with the context of `pages`: player, a player as the API
 * lists it, and entry, the id of a correction. The player is the one with the given name, or else a RealmCrafter client, because its
 * account has a password. A client that was held or corrected is preferred.
 */
export async function preparePages(api, name) {
  const { players } = await api.get('/players');
  const known = name ? players.filter((p) => p.name === name) : players.filter((p) => p.door === 'rcce');
  const player = must(known.find((p) => p.held + p.corrected > 0) ?? known[0], name ? `${name} is not in the world` : 'no RealmCrafter client is in the world');
  const { entries } = await api.get('/corrections?verdict=held,corrected&weight=suspicious,unusual&limit=1');
  for (const [path, rule] of RULES) await post(api, path, rule);
  await post(api, '/mutes', { account: player.account, reason: 'shouting', for: '30d' });
  await post(api, '/announce', { text: 'Market at noon' });
  await post(api, `/players/${player.entity}/give`, { item: 'Bread', amount: 2 });
  return { api, player, entry: must(entries[0], 'no player was held or corrected').id };
}

/** Lifts the rules of preparePages. */
export async function clearPages({ api, player }) {
  for (const [path, of] of [['/bans', NETWORK], ['/mutes', player.account], ['/whitelist/accounts', LISTED]]) {
    const { status } = await api.call('DELETE', `${path}/${encodeURIComponent(of)}`);
    must(status === 200, `DELETE ${path}/${of} is answered with status ${status}`);
  }
}

/** Goes to an address and waits for an element of the page. */
const at = (hash, testid) => async (s, ctx) => {
  await s.goTo(typeof hash === 'string' ? hash : hash(ctx));
  await s.waitVisible(testid);
};

/** A dialog that a button of a page opens. */
const dialog = (page, button, testid = 'action-dialog') => async (s, ctx) => {
  await page(s, ctx);
  await (await s.waitVisible(button)).click();
  await s.waitVisible(testid);
};

/** The panel of an area, which phones show on request. */
async function areaPanel(s) {
  await s.goTo('#/map?area=0');
  await s.waitVisible('map');
  if (!(await s.get('area-panel').count())) await s.get('toggle-panel').click();
}

const panel = at((ctx) => `#/players?player=${ctx.player.entity}`, 'act-ban');
const account = at((ctx) => `#/accounts?account=${encodeURIComponent(ctx.player.account)}`, 'account');
const tab = (name, testid) => at(`#/audit?tab=${name}`, testid);

/** {name: function of a screen and the context}. Each resolves when the page is shown; leavePage() ends its dialogs. */
export const pages = {
  map: async (s) => {
    await s.goTo('#/map');
    await s.waitVisible('map');
    await s.waitLive();
  },
  player: at((ctx) => `#/map?area=${ctx.player.areaId}&player=${ctx.player.entity}&follow=1`, 'act-ban'),
  npc: async (s, ctx) => {
    const { npcs } = await ctx.api.get('/npcs'); // asked for each picture, because NPCs die
    const npc = must(npcs.find((n) => n.areaId !== ctx.player.areaId), 'no NPC is in another area'); // in other areas NPCs seldom fight
    await s.goTo(`#/map?area=${npc.areaId}&npc=${npc.entity}`);
    await s.waitVisible('npc-panel');
  },
  spawn: dialog(areaPanel, 'spawn'),
  past: at((ctx) => `#/map?area=${ctx.player.areaId}&at=${Date.now() - 4000}&player=${ctx.player.entity}`, 'past-player-panel'),
  players: at('#/players', 'player-row'),
  panel,
  message: dialog(panel, 'act-message'),
  teleport: dialog(panel, 'act-teleport'),
  freeze: dialog(panel, 'act-freeze'),
  kick: dialog(panel, 'act-kick'),
  unmute: dialog(panel, 'act-mute'),
  ban: dialog(panel, 'act-ban'),
  give: dialog(panel, 'act-give'),
  take: dialog(panel, 'act-take'),
  attribute: dialog(panel, 'act-attribute'),
  corrections: async (s) => {
    await s.goTo('#/corrections?weight=all');
    await s.waitVisible('correction');
    const expand = s.get('expand');
    if (await expand.count()) await expand.first().click();
  },
  correction: at((ctx) => `#/corrections/${ctx.entry}`, 'around'),
  charts: at('#/charts', 'charts'),
  day: at('#/charts?span=1d', 'long-charts'),
  held: at('#/held', 'held-door'),
  accounts: at('#/accounts', 'account-row'),
  account,
  password: dialog(account, 'account-secret'),
  merge: dialog(account, 'account-merge'),
  delete: dialog(account, 'account-delete'),
  change: dialog(account, 'character-edit'),
  audit: at('#/audit', 'audit-row'),
  bans: tab('bans', 'bans-row'),
  'ban-account': dialog(tab('bans', 'bans-row'), 'ban-account'),
  'ban-network': dialog(tab('bans', 'bans-row'), 'ban-network'),
  pardon: dialog(tab('bans', 'bans-row'), 'pardon'),
  mutes: tab('mutes', 'mutes-row'),
  mute: dialog(tab('mutes', 'mutes-row'), 'mute-account'),
  whitelist: tab('whitelist', 'whitelist-row'),
  'whitelist-on': dialog(tab('whitelist', 'whitelist-row'), 'whitelist-switch'),
  chat: at('#/audit?tab=chat&span=1d', 'chat-row'),
  server: tab('server', 'plan-submit'),
  restart: dialog(tab('server', 'plan-submit'), 'plan-submit'),
  reload: dialog(tab('server', 'reload'), 'reload'),
  reloaded: async (s) => {
    await s.goTo('#/audit?tab=server');
    await (await s.waitVisible('reload')).click();
    await (await s.waitVisible('action-confirm')).click();
    await s.waitVisible('reload-close');
  },
  search: async (s, ctx) => {
    await s.goTo('#/players');
    await s.get('open-search').click();
    await s.get('search-field').fill(ctx.player.name);
    await s.waitVisible('found');
  },
  keys: async (s) => {
    await s.goTo('#/players');
    await s.press('?');
    await s.waitVisible('keys-help');
  },
  operator: async (s) => {
    await s.goTo('#/players');
    await s.get('operator').click();
    await s.waitVisible('log-out');
  },
};

/** Closes the dialogs and the menu of a page. */
export async function leavePage(s) {
  const open = s.page.locator('dialog[open]');
  while (await open.count()) await s.press('Escape');
  const menu = s.page.locator('details.operator[open] summary');
  if (await menu.count()) await menu.click();
}
