// Play over a network that loses one datagram in ten, duplicates some and reorders them.
import { type } from '../wire.mjs';
import { Relay } from '../relay.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const LINES = 8; // number of chat lines. After a loss the rest arrives together, so this must be below the rate limit of chat
const LINE_MS = 400;
const RESEND_MS = 15000; // time limit of a reply that may need a retransmit

export async function lossChecks(t) {
  const { report, server, client, A, B } = t;
  for (const c of [A, B]) await c.disconnect();
  await sleep(400);
  await report.check('a connection survives the loss of its ack of VERIFY_CONNECT', () => lostFirstAck(t));
  const relay = new Relay({ port: server.ports.rcce, loss: 0.1, duplicate: 0.02, delay: 15, seed: 7 });
  const port = await relay.start();
  const [LA, LB] = [A, B].map((c) => Object.assign(client(`${c.label}lossy`, c.account), { port, character: c.character, replyLimit: Infinity }));
  await report.check('both clients enter the world at 10 % loss', async () => {
    for (const c of [LA, LB]) await enterWithRetries(t, c);
    must(await LA.until(() => LA.actors.has(LB.rid), 15000), 'A does not show B');
    must(await LB.until(() => LB.actors.has(LA.rid), 15000), 'B does not show A');
  }, 300000);
  await report.check('a walk of 40 steps is shown to the other client at 10 % loss', async () => {
    const before = LB.actors.get(LA.rid).x;
    await LA.walkSteps(40, -1.6);
    must(await LB.until(() => Math.abs(LB.actors.get(LA.rid).x - before) > 5, 15000), `B showed X ${before} -> ${LB.actors.get(LA.rid)?.x}`);
  });
  await report.check('every line of chat arrives once and in order at 10 % loss', async () => {
    const from = LB.mark();
    for (let i = 0; i < LINES; i++) {
      LA.say(`line ${i}`);
      await sleep(LINE_MS);
    }
    const lines = () => LB.all((m) => m.type === type.chat && / line \d+$/.test(m.text), from).map((m) => Number(m.text.split(' ').at(-1)));
    await LB.until(() => lines().length >= LINES, 15000);
    equal(lines().join(), Array.from({ length: LINES }, (_, i) => i).join(), 'lines');
  });
  const lost = relay.stats.lost;
  for (const c of [LA, LB]) await c.disconnect();
  relay.close();
  await report.check('no violation occurs at 10 % loss', async () => {
    must(lost >= 5, `only ${lost} datagrams lost`); // about three hundred datagrams pass, of which a tenth is dropped
    equal([...LA.allViolations(), ...LB.allViolations()].slice(0, 3).join(' | '), '', 'violations');
  });
}

// Datagram 1 of a client is CONNECT; datagram 2 has the only ack of VERIFY_CONNECT that a C client ever sends.
async function lostFirstAck({ server, client, A }) {
  const relay = new Relay({ port: server.ports.rcce, drop: (n) => n === 2 });
  const c = Object.assign(client('A', A.account), { port: await relay.start(), replyLimit: RESEND_MS });
  try {
    await c.connect();
    const { status } = await c.verify();
    equal(status, 'Y', 'login');
    must((await c.disconnect()) >= 0, 'DISCONNECT not acknowledged');
  } finally {
    c.abort();
    relay.close();
  }
}

// A C client never acknowledges VERIFY_CONNECT twice, so a connection whose only ack is lost may fail; a player would retry. The
// DISCONNECT of a connection may be lost as well.
async function enterWithRetries({ report }, c) {
  for (let attempt = 1; ; attempt++) {
    try {
      await c.enter();
      if (attempt > 1) report.note(`${c.label} entered at attempt ${attempt}`);
      return;
    } catch (e) {
      c.abort();
      if (attempt === 10) throw e;
      await sleep(3000);
    }
  }
}
