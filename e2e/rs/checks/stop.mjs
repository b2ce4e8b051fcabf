// JS5 piping to a cache server, and a restart of the server.
import net from 'node:net';
import { equal, must } from '../../lib/assert.mjs';

const REFUSED = 7;

/** Sends bytes on a new connection; resolves with all bytes received until it ends. */
function exchange(port, bytes, ms = 30000) {
  return new Promise((resolve, reject) => {
    const got = [];
    const socket = net.connect({ host: '127.0.0.1', port }, () => socket.write(bytes));
    const timer = setTimeout(() => socket.destroy(new Error(`still open after ${ms} ms`)), ms);
    socket.on('data', (b) => got.push(b));
    socket.on('error', reject);
    socket.on('close', () => { clearTimeout(timer); resolve(Buffer.concat(got)); });
  });
}

export async function js5RefusedCheck(t) {
  await t.report.check('JS5 without an upstream is refused', async () => {
    const got = await exchange(t.server.ports.rs, Buffer.from([15, 0, 0, 2, 155]));
    equal([...got], [REFUSED], 'answer');
  });
}

/** Stops the server while clients are online, starts it again with a cache server as its JS5 upstream, and logs them in. */
export async function restartChecks(t, online) {
  const { report, server } = t;
  const before = new Map();
  await report.check('SIGTERM logs every client out and ends the process', async () => {
    for (const c of online) before.set(c, c.tile);
    const { code, ms, killed } = await server.stop();
    must(!killed && code === 0, `exit status ${code} after ${ms} ms`);
    await Promise.all(online.map((c) => c.until(() => c.closed, 'end of the connection', 2000)));
    equal(online.filter((c) => !c.loggedOut).map((c) => c.user), [], 'clients without a logout packet');
    equal(server.faults(), [], 'faults in the log');
  });
  t.compareAll();
  const cache = await cacheServer();
  server.extra.push('--rs-js5-upstream', `127.0.0.1:${cache.port}`);
  try {
    await report.check('players are at the same tile after a restart', async () => {
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
      const request = Buffer.from([15, 0, 0, 2, 155, 1, 2, 3, 255, 0]);
      const got = await exchange(server.ports.rs, request);
      equal(cache.received().toString('hex'), request.toString('hex'), 'bytes at the cache server');
      equal(got.toString('hex'), cache.answer.toString('hex'), 'bytes at the client');
    });
  } finally {
    cache.close();
  }
}

// Starts a cache server that, once it has received ten bytes on a connection, sends 5,000 bytes and closes the connection.
async function cacheServer() {
  const received = [];
  const answer = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7) & 255));
  const server = net.createServer((s) => {
    s.on('error', () => {});
    s.on('data', (b) => {
      received.push(b);
      if (Buffer.concat(received).length >= 10) s.end(answer);
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { port: server.address().port, received: () => Buffer.concat(received), answer, close: () => server.close() };
}
