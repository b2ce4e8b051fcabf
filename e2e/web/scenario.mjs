// The actions of players that use the page, and the checks of what other players see.
import { equal, must } from '../lib/assert.mjs';
import { Line } from '../lib/line.mjs';
import { pausedMs } from '../lib/pauses.mjs';
import { sleep, waitUntil } from '../lib/wait.mjs';
import { WAIT_MS } from './browser.mjs';
import { otherDoors, Others } from './others.mjs';

export const own = () => ({ x: world.self.x, y: world.self.y, z: world.self.z, truth: { ...world.self.truth }, corrections: world.link.corrections, name: world.self.name, health: world.self.health });
export const agreed = () => Math.hypot(world.self.x - world.self.truth.x, world.self.z - world.self.truth.z) < 0.1;
/** The page's player, once it is in the world. */
export const player = (screen) => screen.until('its own player', own);
export const distance = (a, b) => Math.hypot(a.x - b.x, a.z - b.z);

/** Waits until the page's player has moved by more than `blocks` since `from`, an earlier result of own. */
const untilMoved = (screen, from, blocks) =>
  screen.until(`it has moved by ${blocks} blocks`, (p) => Math.hypot(world.self.x - p.from.x, world.self.z - p.from.z) > p.blocks, { from, blocks });

/** Waits until the page's player no longer moves. Resolves with the player. */
async function atRest(screen) {
  for (let before; ; await sleep(500)) {
    const now = await player(screen);
    if (before && distance(before, now) < 0.01) return now;
    before = now;
  }
}

/** Waits until the page plays Ann within half a block of a place. */
const untilBackAt = (screen, place) => waitUntil(() => player(screen), {
  ms: WAIT_MS, accept: (now) => now.name === 'Ann' && distance(now, place) < 0.5, what: `Ann at ${place.x.toFixed(2)}, ${place.z.toFixed(2)}`,
});

/** Throws if the server has corrected the page's player since `before`, an earlier result of own. The message has the server's reasons. */
async function uncorrected(server, screen, before) {
  const { name, corrections } = await player(screen);
  if (corrections === before.corrections) return;
  await sleep(1000); // the journal is written with a delay
  const { entries } = await server.api.get(`/corrections?player=${encodeURIComponent(name)}&verdict=corrected&limit=5`);
  const why = entries.map((e) => `${e.at} ${e.reason}, ${e.asked} of ${e.allowed} ${e.unit}, ${e.times} times, the server late by ${e.lateMs} ms`);
  must(false, `${corrections - before.corrections} corrections: ${why.join(' | ')}`);
}

// What counts as a stall of the machine: at least so many ms of pauses of this process, or so many ticks that the server skipped, which are 1 s.
const STALL_MS = 1000;
const STALL_TICKS = 20;
const WT_FAILED = 'truestep.webtransport-failed'; // key of the page's storage while the page does not use WebTransport because it failed

/**
 * Resolves with a function that throws unless the page plays over WebTransport. In a stall of the machine its handshake may take longer
 * than the 2 s that the page waits; the page then uses WebSocket for 10 min. After a stall since the last success the page is therefore
 * loaded once more without that memory, but only once.
 */
async function watchTransport(report, server) {
  let from, skipped, reloaded = false; // from, skipped: time and number of skipped ticks at the last success
  const begin = async () => ([from, skipped] = [performance.now(), await server.skippedTicks()]);
  await begin();
  return async (page) => {
    const transport = () => page.get(() => world.link.transport);
    const first = await transport();
    if (first !== 'wt') {
      must(!reloaded, `the page plays over ${first} again after it was loaded once more`);
      must(await page.get((key) => localStorage.getItem(key) !== null, WT_FAILED), `the page plays over ${first} although it has not given WebTransport up`);
      const [paused, ticks] = [Math.round(pausedMs(from, performance.now())), (await server.skippedTicks()) - skipped];
      const stalls = [ticks >= STALL_TICKS && `the server skipped ${ticks} ticks`, paused >= STALL_MS && `this process paused for ${paused} ms`].filter(Boolean);
      must(stalls.length > 0, `the page plays over ${first} without a stall: ${ticks} ticks skipped, ${paused} ms of pauses`);
      report.note(`the page plays over ${first} because ${stalls.join(' and ')}; it is loaded once more`);
      reloaded = true;
      await page.get((key) => localStorage.removeItem(key), WT_FAILED);
      await page.page.reload();
      await page.until('the player is in the world', () => globalThis.world?.link.state === 'open');
    }
    equal(await transport(), 'wt', 'transport');
    await begin();
  };
}

/** The page in the embedded world, beside bots of every other door. */
export async function playVale({ report, server, browser }) {
  let page;
  const overWebTransport = await watchTransport(report, server);
  await report.check('the start screen begins with the link of the page', () => must(server.find(/^ {2}\w+ +(\S+)/) === `http://127.0.0.1:${server.ports.web}/`, 'another row is the first'));
  if (!(await report.check('a browser opens the page and its guest is in the world', async () => (page = await browser.open(server.ports.web, { label: 'guest' }))))) return;
  await report.check('the page plays over WebTransport', () => overWebTransport(page));
  for (const door of ['rcce', 'rs', 'bedrock']) {
    await report.check(`the page shows a player of the door ${door}`, () => page.until(`a player of ${door}`, (d) => [...world.actors.values()].some((a) => a.door === d), door));
  }
  await report.check('the page shows other actors moving', () =>
    page.until('an actor moves', () => {
      globalThis.seen ??= new Map([...world.actors.values()].filter((a) => a !== world.self).map((a) => [a.id, a.x + a.z]));
      return [...world.actors.values()].some((a) => seen.has(a.id) && Math.abs(seen.get(a.id) - a.x - a.z) > 1);
    }),
  );
  await report.check('the page draws the ground and the figures', () => page.until('a picture with many colours', () => {
    const c = document.getElementById('view');
    const small = document.createElement('canvas');
    small.width = small.height = 64;
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
      const g = small.getContext('2d');
      g.drawImage(c, 0, 0, 64, 64);
      const d = g.getImageData(0, 0, 64, 64).data;
      const colours = new Set();
      for (let i = 0; i < d.length; i += 4) colours.add((d[i] >> 3) << 10 | (d[i + 1] >> 3) << 5 | d[i + 2] >> 3);
      resolve(document.querySelectorAll('.label').length > 1 && colours.size > 50);
    })));
  }));
  await page.shot('vale');
  await report.check('keys make the player walk, and the server agrees without a correction', async () => {
    const from = await player(page);
    await page.page.keyboard.down('KeyW');
    await sleep(3000);
    await untilMoved(page, from, 2);
    await page.page.keyboard.up('KeyW');
    await page.until('the server has it at the same place', agreed);
    const to = await player(page);
    must(distance(from, to) > 2, `it walked ${distance(from, to).toFixed(2)} blocks`);
    await uncorrected(server, page, from);
  });
  await report.check('F3 shows the prediction beside the server\'s truth, the line and the bytes', async () => {
    await overWebTransport(page); // the page may have lost its connection and opened another one
    await page.page.keyboard.press('F3');
    const shown = () => page.get(() => Object.fromEntries([...document.querySelectorAll('#numbers tr')].map((r) => [...r.cells].map((c) => c.textContent))));
    const patterns = Object.entries({
      transport: /^WebTransport$/, 'round trip': /^\d+ ms$/, 'others drawn': /^\d+ ms late$/, 'inputs waiting': /^\d+$/, lost: /^[\d.]+ %$/, actors: /^\d+$/,
      received: /^[\d.]+ KiB\/s, [\d.]+ B an actor$/, 'prediction off truth': /^[\d.]+ blocks$/, corrections: /^\d+$/,
    });
    await waitUntil(shown, { ms: WAIT_MS, accept: (rows) => patterns.every(([name, pattern]) => pattern.test(rows[name])), what: 'figures' }); // some need a second of traffic
    await page.shot('figures');
  });
  await report.check('the sliders impair the line, and the player still walks without a correction', async () => {
    const before = await player(page);
    const slide = (id, value) => page.page.locator(`#${id}`).fill(String(value));
    for (const [id, value] of [['latency', 150], ['jitter', 30], ['loss', 5]]) await slide(id, value);
    must((await page.get(() => document.getElementById('latency').nextElementSibling.value)) === '150 ms', 'the panel does not show the latency');
    await page.page.keyboard.down('KeyS');
    await sleep(2000);
    await page.page.keyboard.up('KeyS');
    await page.until('a round trip of twice the latency, and loss', () => world.link.rtt > 290 && world.link.loss > 0);
    for (const id of ['latency', 'jitter', 'loss']) await slide(id, 0);
    await page.until('the server has it at the same place', agreed);
    await uncorrected(server, page, before);
    await page.page.keyboard.press('F3');
    must(await page.page.isHidden('#numbers'), 'the panel is still shown');
  });
  await report.check('a second tab of the browser is another player, which the first tab shows, also after a reload', async () => {
    const tab = await browser.open(server.ports.web, { label: 'second tab', beside: page });
    const name = (await player(tab)).name;
    await page.until('the player of the second tab', (n) => world.link.state === 'open' && world.self.name !== n && [...world.actors.values()].some((a) => a.name === n), name);
    await tab.page.reload();
    await tab.until('the same player is back', (n) => globalThis.world?.link.state === 'open' && world.self.name === n, name);
    await page.until('the first tab still has its player', (n) => world.link.state === 'open' && world.self.name !== n, name);
    equal(tab.faults, [], 'faults of the second tab');
    await tab.page.close();
  });
  let phone;
  await report.check('on a phone 360 pixels wide the page has a stick', async () => {
    phone = await browser.open(server.ports.web, { phone: true, transport: 'ws', label: 'phone' });
    await phone.page.locator('#stick').waitFor({ state: 'visible', timeout: WAIT_MS });
    const wide = await phone.get(() => document.documentElement.scrollWidth);
    must(wide <= 360, `the page is ${wide} pixels wide`);
  });
  if (phone) {
    await report.check('the stick makes the player walk', async () => {
      const from = await player(phone);
      const box = await phone.page.locator('#stick').boundingBox();
      const at = (type, x, y) => phone.page.locator('#stick').dispatchEvent(type, { pointerId: 7, pointerType: 'touch', clientX: x, clientY: y, bubbles: true, button: 0, buttons: 1 });
      await phone.get(() => { const s = document.getElementById('stick'); s.setPointerCapture = () => {}; s.hasPointerCapture = () => true; });
      await at('pointerdown', box.x + 60, box.y + 60);
      await at('pointermove', box.x + 60, box.y + 4);
      await untilMoved(phone, from, 1);
      await at('pointerup', box.x + 60, box.y + 4);
    });
    await phone.shot('phone');
  }
  const logIn = async (name, secret, button, newSecret) => {
    await page.page.click('#name');
    await page.page.fill('#account input[name=username]', name);
    await page.page.fill('#account input[name=secret]', secret);
    if (newSecret) {
      await page.page.click('#account summary');
      await page.page.fill('#account input[name=new]', newSecret);
    }
    await page.page.click(`#account button[value=${button}]`);
  };
  await report.check('a guest chooses a name and a secret, and the page then plays that account, over a line as the sliders say', async () => {
    await page.page.keyboard.press('F3');
    await page.page.locator('#latency').fill('150');
    await logIn('Dora', 'correct horse battery', 'create');
    await page.until('the page plays Dora', () => world.self.name === 'Dora' && document.getElementById('name').textContent === 'Dora' && !document.getElementById('account').open);
    await page.until('a round trip', () => world.link.rtt > 0);
    const rtt = await page.get(() => world.link.rtt);
    must(rtt >= 300, `the account has a round trip of ${rtt.toFixed(0)} ms with sliders at 150 ms one way`);
    await page.page.locator('#latency').fill('0');
    await page.page.keyboard.press('F3');
  });
  await report.check('a reloaded page plays the guest again, also after a login with a wrong secret', async () => {
    const guest = await page.get(() => localStorage.length);
    await page.page.reload();
    await page.until('the guest is back', () => globalThis.world?.link.state === 'open' && world.self.name !== 'Dora');
    await logIn('Dora', 'wrong horse battery', 'enter');
    await page.until('the dialog says why', () => document.querySelector('#account output').value.includes('the name or the secret is wrong'));
    const { name } = await player(page);
    must(name !== 'Dora' && guest > 0, `the page plays ${name}, and the browser has stored ${guest} values`);
    await page.shot('log-in');
  });
  await report.check('the right secret brings the player back', async () => {
    await page.page.click('#account button[value=cancel]');
    await logIn('Dora', 'correct horse battery', 'enter', 'staple battery horse');
    await page.until('the page plays Dora', () => world.self.name === 'Dora');
  });
  await report.check('a new secret that was chosen during the login is valid from then on', async () => {
    await page.page.reload();
    await page.until('the guest is back', () => globalThis.world?.link.state === 'open' && world.self.name !== 'Dora');
    await logIn('Dora', 'staple battery horse', 'enter');
    await page.until('the page plays Dora', () => world.self.name === 'Dora');
  });
  for (const s of [page, phone]) if (s) await report.check(`${s.label}: no fault in the page`, () => must(s.faults.length === 0, s.faults.join(' | ')));
  await page.close();
  await phone?.close();
}

/**
 * Two players of the page, over the same transport, in a world where players may fight, with a player of each other door. The
 * first player's connection runs over a relay that can fail (Line).
 */
export async function playField({ report, server, browser, transport }) {
  const port = server.ports.web;
  const line = new Line(port);
  const others = new Others(server);
  try {
    await playFieldOver({ report, server, browser, transport, port, line, others });
  } finally {
    others.kill();
    line.close();
  }
}

async function playFieldOver({ report, server, browser, transport, port, line, others }) {
  const check = (name, f) => report.check(`${transport}: ${name}`, f);
  let ann, bob;
  if (!(await check('two guests enter the world', async () => {
    ann = await browser.open(await line.start(), { transport, name: 'Ann', pictures: 1, label: 'Ann' });
    bob = await browser.open(port, { transport, name: 'Bob', pictures: 1, label: 'Bob', phone: transport === 'ws' });
    equal(await ann.get(() => world.link.transport), transport, 'transport');
    return true;
  }))) return;
  const see = (who, name) => who.until(`${name} is shown`, (n) => [...world.actors.values()].find((a) => a.name === n)?.id !== undefined, name);
  await check('the two pages show each other\'s player', async () => { await see(ann, 'Bob'); await see(bob, 'Ann'); });
  await check('the page shows a player of each other door walk', async () => {
    await ann.get(() => {
      const from = new Map(); // start position of each player by name, because handles are reused
      globalThis.moved = new Map(); // by door: blocks
      globalThis.watching = setInterval(() => {
        for (const a of world.actors.values()) {
          if (!from.has(a.name)) from.set(a.name, { x: a.x, z: a.z });
          const f = from.get(a.name);
          moved.set(a.door, Math.max(moved.get(a.door) ?? 0, Math.hypot(a.x - f.x, a.z - f.z)));
        }
      }, 200);
    });
    await ann.until('players of all doors move', (doors) => doors.every((d) => moved.get(d) > 0.3), otherDoors).catch(async (e) => {
      throw new Error(`${e.message}; they moved by ${JSON.stringify(await ann.get(() => [...moved]))}; the server has ${
        (await server.api.get('/players')).players.map((p) => `${p.name} (${p.door}) in ${p.area}`).join(', ')}`);
    });
    await ann.get(() => clearInterval(watching));
  });
  await check('a walking player is drawn by the other page at its position', async () => {
    await walk(bob, -6, 3);
    await sleep(1000);
    const at = await player(bob);
    await ann.until('Bob is drawn where he is', (to) => {
      const b = [...world.actors.values()].find((a) => a.name === 'Bob');
      return b && Math.hypot(b.x - to.x, b.z - to.z) < 0.5;
    }, at);
  });
  await check('a chat line is shown above the speaker\'s head and in the log of the other page', async () => {
    await bob.page.keyboard.press('Enter');
    await bob.page.keyboard.type('Hello, Ann <b>!');
    await bob.page.keyboard.press('Enter');
    await ann.until('the bubble', () => [...document.querySelectorAll('.label q')].some((q) => q.textContent === 'Hello, Ann <b>!'));
    await ann.until('the log', () => document.getElementById('log').textContent.includes('Bob: Hello, Ann <b>!'));
  });
  await check('a page that claims a false position is corrected and says so', async () => {
    await ann.get(() => {
      world.on('corrected', (c) => (globalThis.corrected = c));
      world.prediction.state.x += 3;
    });
    const c = await ann.until('the correction', () => globalThis.corrected);
    must(c.reason === 'mispredicted' && c.sentence.length > 10, JSON.stringify(c));
    await ann.until('the server has it at the same place', agreed);
  });
  await check('a page that is busy for two seconds plays on without a correction', async () => {
    const before = await player(ann);
    await ann.get(() => { for (const end = performance.now() + 2000; performance.now() < end; ); });
    await sleep(1500);
    equal(await ann.get(() => world.link.state), 'open', 'state of the connection');
    await uncorrected(server, ann, before);
  });
  await check(`a ${transport === 'ws' ? 'tap' : 'click'} on a player strikes it`, async () => {
    await walk(ann, -6, 2);
    await strike(bob, 'Ann', transport === 'ws');
    const from = await player(bob);
    await bob.page.keyboard.down('KeyW'); // walking by keys ends the fight of Bob
    await bob.until('Bob walks away', (f) => Math.hypot(world.self.x - f.x, world.self.z - f.z) > 0.5, from);
    await bob.page.keyboard.up('KeyW');
  });
  await check('one player attacks the other until it dies, and both pages show the death', async () => {
    await walk(ann, -6, 2);
    await ann.get(() => {
      globalThis.fight = setInterval(() => {
        const b = [...world.actors.values()].find((a) => a.name === 'Bob');
        if (!b || b.dead) return;
        const d = Math.hypot(world.self.x - b.x, world.self.z - b.z); // a blow pushes the victim away, so follow the victim
        world.input({ forward: d > 1.5 ? 1 : 0, yaw: (Math.atan2(world.self.x - b.x, b.z - world.self.z) * 180) / Math.PI });
        void world.attack(b).then((a) => ((globalThis.blows ??= {})[a.reason] = (globalThis.blows[a.reason] ?? 0) + 1));
      }, 400);
    });
    await bob.until('the screen of the dead', () => !document.getElementById('dead').hidden).catch(async (e) => {
      throw new Error(`${e.message}; the blows were answered ${JSON.stringify(await ann.get(() => globalThis.blows))}`);
    });
    await ann.until('Bob lies dead', () => [...world.actors.values()].some((a) => a.name === 'Bob' && a.dead));
    await ann.get(() => { clearInterval(fight); world.input({ forward: 0 }); });
    await bob.shot(`${transport}-dead`);
  });
  await check('keys do not move a dead player, not even on its own page', async () => {
    const before = await atRest(bob); // after the last knockback
    await bob.page.keyboard.down('KeyW');
    await sleep(1500);
    const after = await player(bob);
    await bob.page.keyboard.up('KeyW');
    must(distance(before, after) < 0.2, `it moved by ${distance(before, after).toFixed(2)} blocks`);
  });
  await check('the dead player respawns and can walk', async () => {
    await bob.page.click('#wake');
    await bob.until('Bob lives', () => document.getElementById('dead').hidden && world.self.health > 0);
    await walk(bob, 3, 3);
  });
  await check('after its connection was cut, the page resumes the session with the same actor', async () => {
    await walk(ann, -3, -3);
    await ann.until('the server has it at the same place', agreed); // on a busy machine the server processes Ann's last inputs late
    const before = await atRest(ann);
    await ann.get(() => { world.t.close(); world.lost(); });
    await ann.until('the connection is open again', () => world.link.state === 'open' && document.getElementById('state').hidden);
    await sleep(1000);
    await untilBackAt(ann, before);
  });
  if (transport === 'wt') {
    await check('a page whose datagrams come from a new address plays on with the same actor', async () => {
      const before = await player(ann);
      must(line.moveToNewPorts() > 0, 'no datagrams passed the line');
      await ann.get(() => (globalThis.bytesBefore = world.link.bytes));
      await walk(ann, before.x - 4, before.z); // only if client and server agree on a walk, inputs arrive
      await ann.until('the server has it at the same place', () => world.link.state === 'open' && world.link.bytes > bytesBefore + 2000 && Math.hypot(world.self.x - world.self.truth.x, world.self.z - world.self.truth.z) < 0.1);
      equal((await player(ann)).name, 'Ann', 'player of the page');
    });
  } else {
    await check('a page whose connection stalls resumes the session over a new connection, with the same actor', async () => {
      await ann.until('the server has it at the same place', agreed);
      const before = await atRest(ann);
      const stall = async () => line.stall(); // none counts as in use after this process did not run for a second
      await losesConnection(ann, () => waitUntil(stall, { ms: WAIT_MS, what: 'connections that were in use' }));
      await ann.until('the connection is open again', () => world.link.state === 'open' && document.getElementById('state').hidden);
      await sleep(500);
      await untilBackAt(ann, before);
    });
  }
  await check('the players of the other doors leave without an error', () => others.leave());
  await check('a portal takes the player to the other area, where it can walk', async () => {
    await walkToMeadow(ann);
    const from = await player(ann);
    await ann.get(() => world.input({ forward: 1, yaw: 90 }));
    await untilMoved(ann, from, 1.5);
    await ann.get(() => world.input({ forward: 0 }));
    await ann.until('the server has it at the same place', agreed);
    const to = await player(ann);
    must(distance(from, to) > 1, `walked ${distance(from, to).toFixed(2)}`);
  });
  await check('a click on a mouse that is beyond the reach of the weapon makes the player come nearer until it strikes, without a warning', async () => {
    const mouse = await ann.until('the mouse', () => { const m = [...world.actors.values()].find((a) => a.name === 'Mouse'); return m && { x: m.x, z: m.z }; });
    await walk(ann, mouse.x + 1.9, mouse.z); // at most 0.5 blocks farther away than that: the weapon reaches 1.76 blocks
    await ann.get(() => {
      globalThis.warnings = [];
      globalThis.watchingLog = new MutationObserver(() => warnings.push(...[...document.querySelectorAll('#log .warning')].map((n) => n.textContent)));
      watchingLog.observe(document.getElementById('log'), { childList: true });
      world.impair({ latency: 100 });
    });
    await strike(ann, 'Mouse', false);
    const warnings = await ann.get(() => { world.impair({ latency: 0 }); watchingLog.disconnect(); return globalThis.warnings; });
    must(warnings.length === 0, [...new Set(warnings)].join(' | '));
  });
  await check('after the server was killed and restarted, the page reconnects by itself with the same player', async () => {
    await losesConnection(ann, () => server.kill());
    await server.start();
    await ann.until('the page is back', () => world.link.state === 'open' && !document.body.classList.contains('resuming'));
    equal((await player(ann)).name, 'Ann', 'player of the page');
  });
  for (const s of [ann, bob]) await check(`${s.label}: no fault in the page`, () => must(s.faults.length === 0, s.faults.join(' | ')));
  await ann.close();
  await bob.close();
}

/** Does what makes the page lose its connection, and waits until the page has said that it resumes, for however short a time. */
export async function losesConnection(screen, act) {
  await screen.get(() => {
    globalThis.said = false;
    new MutationObserver(() => (globalThis.said ||= document.body.classList.contains('resuming'))).observe(document.body, { attributes: true });
  });
  await act();
  await screen.until('the page says that it resumes', () => globalThis.said);
}

/** Walks through the portal of the Field, until the page shows the own player in the Meadow. */
export async function walkToMeadow(screen) {
  await screen.get(() => {
    const walk = () => world.input({ forward: 1, yaw: (Math.atan2(world.self.x - 30, -world.self.z) * 180) / Math.PI });
    globalThis.going = setInterval(() => { try { walk(); } catch {} }, 50); // between two areas world.self is undefined
  });
  await screen.until('the Meadow', () => { try { return world.area.name === 'Meadow' && document.getElementById('area').textContent === 'Meadow' && world.self.name === 'Ann'; } catch { return false; } });
  await screen.get(() => { clearInterval(going); world.input({ forward: 0 }); });
}

/** Walks to a point in blocks with the keys that the page itself would use. */
export async function walk(screen, x, z) {
  await screen.get((to) => {
    const step = () => {
      const d = Math.hypot(world.self.x - to.x, world.self.z - to.z);
      world.input({ forward: d > 0.4 ? 1 : 0, yaw: (Math.atan2(world.self.x - to.x, to.z - world.self.z) * 180) / Math.PI });
    };
    globalThis.walking = setInterval(() => { try { step(); } catch {} }, 50); // without a connection world.self throws
  }, { x, z });
  try {
    await screen.until(`it is at ${x}, ${z}`, (to) => Math.hypot(world.self.x - to.x, world.self.z - to.z) < 0.5, { x, z });
  } finally {
    await screen.get(() => { clearInterval(walking); world.input({ forward: 0 }); });
  }
}

/** Clicks or taps on the figure of an actor until the own player has struck it. The page walks to an actor on the screen first. */
async function strike(screen, name, touch) {
  await screen.get(() => {
    globalThis.struckByMe = new Set();
    world.on('struck', (e) => { if (e.attacker === world.self && e.victim) struckByMe.add(e.victim.name); });
  });
  let next = 0; // time of the next click, because the figure may have moved away
  let at, clicks = 0;
  for (const end = performance.now() + WAIT_MS; !(await screen.get((n) => struckByMe.has(n), name)); await sleep(100)) {
    if (performance.now() >= end) {
      const is = await screen.get((p) => {
        const whole = ({ name, x, z, health, dead }) => ({ name, x: +x.toFixed(2), z: +z.toFixed(2), health, dead });
        const hit = p.at && document.elementFromPoint(p.at.x, p.at.y);
        return { own: whole(world.self), actors: [...world.actors.values()].filter((a) => a.name === p.name).map(whole), under: hit?.id || hit?.className || hit?.tagName };
      }, { name, at });
      must(false, `${name} is not struck after ${clicks} clicks, the last one at ${JSON.stringify(at)}: ${JSON.stringify(is)}`);
    }
    if (performance.now() < next) continue;
    next = performance.now() + 3000;
    at = await screen.get((n) => { // a point on the figure, which is below its label; undefined outside of the picture
      const label = [...document.querySelectorAll('.label')].find((l) => l.querySelector('b').textContent.startsWith(`${n} `));
      const r = label?.getBoundingClientRect();
      const [x, y] = r ? [r.x + r.width / 2, r.bottom + 15] : [-1, -1];
      return x < 0 || y < 0 || x >= innerWidth || y >= innerHeight ? undefined : { x, y };
    }, name);
    if (!at) { // a narrow screen shows few blocks
      const beside = await screen.until(`the actor ${name}`, (n) => {
        const a = [...world.actors.values()].find((o) => o.name === n);
        return a && { x: a.x + 1.5, z: a.z };
      }, name);
      await walk(screen, beside.x, beside.z);
      next = 0;
      continue;
    }
    clicks++;
    await (touch ? screen.page.touchscreen.tap(at.x, at.y) : screen.page.mouse.click(at.x, at.y));
  }
}
