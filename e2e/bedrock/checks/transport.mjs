// Hostile datagrams must not create state, cost the server more than the sender, or affect others.
import crypto from 'node:crypto';
import { MAGIC, Raw, acknowledge, datagram, frame, ping, range, request1, request2, u16, u24, u32, u8 } from '../raknet.mjs';
import { watchBystanders } from './bystanders.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { sleep } from '../../lib/wait.mjs';

const MB = 1 << 20;
const MAX_PONGS = 10; // maximum number of pongs to one client address in each second that has begun

/** cookies: whether the door requires them. */
export async function transportChecks(t, A, B, { cookies }) {
  const { report, server } = t;
  const raws = [];
  const raw = () => {
    const r = new Raw(server.ports.bedrock);
    raws.push(r);
    return r;
  };
  const watch = await watchBystanders(A, B);
  const hostile = (name, fn) => report.check(name, async () => {
    await fn();
    await watch.check();
  });

  await report.check('RakNet 9 is refused with version 11, a malformed request 1 is not answered', async () => {
    const r = raw();
    r.send(request1(9));
    const reply = await r.next(0x19);
    must(reply, 'no answer to protocol 9');
    equal(reply[1], 11, 'protocol');
    r.send(request1(11, 30), Buffer.concat([u8(5), crypto.randomBytes(16), u8(11), Buffer.alloc(1000)]));
    equal(await r.next(6, 400), undefined, 'answer');
  });
  if (cookies) {
    await report.check('request 2 without the right cookie opens no session', async () => {
      const r = raw();
      r.send(request1());
      const reply = await r.next(6);
      must(reply[25] === 1, 'no cookie');
      const cookie = reply.readUInt32BE(26);
      for (const wrong of [cookie ^ 1, 0, undefined]) r.send(request2({ port: server.ports.bedrock, cookie: wrong }));
      equal(await r.next(8, 400), undefined, 'answer to wrong cookies');
      const other = raw(); // another client address: a cookie is bound to one address
      other.send(request2({ port: server.ports.bedrock, cookie }));
      equal(await other.next(8, 400), undefined, 'answer to a cookie of another address');
      r.send(request2({ port: server.ports.bedrock, cookie }));
      must(await r.next(8), 'no answer to the right cookie');
    });
  }
  await report.check('a flood of pings is answered at a limited rate', async () => {
    const r = raw();
    const start = performance.now();
    for (let i = 0; i < 1000; i++) {
      r.send(ping(i));
      if (i % 100 === 99) await sleep(10);
    }
    must(await r.next(0x1c), 'no pong');
    await sleep(500);
    const seconds = (performance.now() - start) / 1000;
    must(r.got.length <= MAX_PONGS * (seconds + 2), `${r.got.length + 1} pongs in ${seconds.toFixed(1)} s`);
  });
  await hostile('noise with every first byte does not affect others', async () => {
    const r = raw();
    for (let i = 0; i < 512; i++) r.send(Buffer.concat([u8(i), i & 1 ? MAGIC : Buffer.alloc(0), crypto.randomBytes((i * 7) % 1200)]));
    await sleep(300);
  });
  await hostile('split messages with excessive claims do not grow memory', async () => {
    const before = await memory(server);
    for (const bomb of bombs) {
      const r = raw();
      must(await r.connect(), 'no session');
      for (const d of bomb()) {
        r.send(d);
        if (d.number % 64 === 0) await sleep(1);
      }
      await sleep(50);
    }
    await sleep(500);
    const grown = (await memory(server)) - before;
    must(grown < 200 * MB, `memory grew by ${Math.round(grown / MB)} MB`);
  });
  await hostile('acks of every datagram and malformed acks do not affect others', async () => {
    const r = raw();
    must(await r.connect(), 'no session');
    const all = range(0, 0xffffff);
    for (const head of [0xc0, 0xa0]) {
      r.send(acknowledge(head, all), acknowledge(head, ...Array(150).fill(all)), acknowledge(head, range(9, 3)), Buffer.concat([u8(head), u16(65535), all]));
    }
    await sleep(300);
  });
  await hostile('a hundred half-open sessions from one address do not grow memory', async () => {
    const before = await memory(server);
    const many = Array.from({ length: 100 }, raw);
    await Promise.all(many.map((r) => r.open({ ms: 1000 }).catch(() => {})));
    const grown = (await memory(server)) - before;
    must(grown < 100 * MB, `memory grew by ${Math.round(grown / MB)} MB`);
    await sleep(200);
  });
  await report.check('a client joins after the hostile datagrams', async () => {
    await sleep(11000); // time in which the half-open sessions time out
    const E = t.bot('Late');
    await E.join();
    await E.close();
    await watch.end();
  });
  for (const r of raws) r.close();
}

const part = (count, id, index, n, body = Buffer.alloc(1200, 0xfe)) => {
  const d = datagram(n + 2, frame(body, { message: n + 2, order: 2 + id, split: { count, id, index } }));
  d.number = n;
  return d;
};
const bombs = [
  () => [part(0xffffffff, 1, 0, 0), part(0, 2, 0, 1), part(2, 3, 2, 2), part(513, 4, 0, 3)],
  () => Array.from({ length: 600 }, (_, n) => part(512, n & 1023, 0, n)), // many messages that are never completed
  () => Array.from({ length: 511 }, (_, n) => part(512, 7, n, n)), // one message that is never completed
  () => [part(4, 5, 0, 0), part(5, 5, 1, 1), part(4, 5, 1, 2), part(4, 5, 1, 3)], // the count changes
  () => Array.from({ length: 400 }, (_, n) => datagram(n + 2, frame(Buffer.alloc(1300), { message: n + 2, order: 5000 + n }))), // order indexes far ahead
  () => [datagram(2, frame(Buffer.alloc(0), { message: 2, order: 2 })), datagram(3, frame(Buffer.alloc(4), { message: 3, order: 3, bits: 65535 })),
    datagram(4, frame(Buffer.alloc(4), { message: 0xffffff, order: 0xffffff, channel: 255 })), datagram(0xffffff), Buffer.from([0x84, 1]),
    datagram(5, ...Array.from({ length: 200 }, (_, n) => frame(Buffer.alloc(0), { message: n, order: n, reliability: n % 8 })))],
  () => [Buffer.concat([datagram(2), u8(0x70), u16(8), u24(2), u24(2), u8(0), u32(1), u16(0), u32(0), u8(0xfe)])], // a split message of one part
];

async function memory(server) {
  const rows = await server.counters('process_resident_memory_bytes');
  return must(Object.values(rows)[0], 'no memory metric');
}
