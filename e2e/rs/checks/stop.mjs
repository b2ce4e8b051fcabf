// The cache pipe, the end of the server, and what is there after it.
import net from 'node:net';
import { equal, must } from '../../lib/assert.mjs';

const REFUSED = 7;

/** All bytes of a connection to the door that begins with these, until it ends. */
function ask(port, bytes, ms = 30000) {
  return new Promise((done, no) => {
    const got = [];
    const socket = net.connect({ host: '127.0.0.1', port }, () => socket.write(bytes));
    const timer = setTimeout(() => socket.destroy(new Error(`no end in ${ms} ms`)), ms);
    socket.on('data', (b) => got.push(b));
    socket.on('error', no);
    socket.on('close', () => { clearTimeout(timer); done(Buffer.concat(got)); });
  });
}

export async function js5RefusedCheck(t) {
  await t.report.check('JS5 without an upstream is refused', async () => {
    const got = await ask(t.server.ports.rs, Buffer.from([15, 0, 0, 2, 155]));
    equal([...got], [REFUSED], 'answer');
  });
}

/** Stops the server under the clients, starts it with a cache server behind it, and logs them in again. */
export async function restartChecks(t, online) {
  const { report, server } = t;
  const before = new Map();
  await report.check('SIGTERM: every client is logged out, the process ends by itself', async () => {
    for (const c of online) before.set(c, c.tile);
    const { code, ms, killed } = await server.stop();
    must(!killed && code === 0, `exit ${code} after ${ms} ms`);
    await Promise.all(online.map((c) => c.until(() => c.closed, 'the end', 2000)));
    equal(online.filter((c) => !c.loggedOut).map((c) => c.user), [], 'without a logout packet');
    equal(server.faults(), [], 'lines of a broken server');
  });
  t.compareAll();
  const cache = await cacheServer();
  server.extra.push('--rs-js5-upstream', `127.0.0.1:${cache.port}`);
  try {
    await report.check('restart: everybody is where he was', async () => {
      await server.start();
      for (const c of online) {
        c.port = server.ports.rs;
        c.sessions = [];
        c.forget();
        equal(await c.login(), 2, `code for ${c.user}`);
        equal(c.tile, before.get(c), `tile of ${c.user}`);
      }
    });
    await report.check('JS5 with an upstream is piped both ways, byte for byte', async () => {
      const asked = Buffer.from([15, 0, 0, 2, 155, 1, 2, 3, 255, 0]);
      const got = await ask(server.ports.rs, asked);
      equal(cache.heard().toString('hex'), asked.toString('hex'), 'what the cache server heard');
      equal(got.toString('hex'), cache.answer.toString('hex'), 'what the client heard');
    });
  } finally {
    cache.close();
  }
}

// A cache server that answers ten bytes with 5,000 and hangs up.
async function cacheServer() {
  const heard = [];
  const answer = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7) & 255));
  const server = net.createServer((s) => {
    s.on('error', () => {});
    s.on('data', (b) => {
      heard.push(b);
      if (Buffer.concat(heard).length >= 10) s.end(answer);
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { port: server.address().port, heard: () => Buffer.concat(heard), answer, close: () => server.close() };
}
