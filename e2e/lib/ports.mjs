// Free ports of 127.0.0.1, for programs that must know them before they listen.
import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';

const HOST = '127.0.0.1';
// The range is below the ports that systems give to clients: no client gets the port of a server while that restarts.
const FIRST = 15000;
const LAST = 29999;
const MAX_TRIES = 100; // per port
const TAKEN = ['EADDRINUSE', 'EACCES']; // error codes of a port that another program has, or that the system reserves

const tried = new Set(); // ports that freePorts has tried in this process

/** Resolves with n different ports that were free for TCP and UDP a moment ago. In one process no port is returned twice. */
export async function freePorts(n) {
  const ports = [];
  for (let tries = 0; ports.length < n; tries++) {
    if (tries === n * MAX_TRIES) throw new Error(`no ${n} ports from ${FIRST} to ${LAST} are free`);
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if (tried.has(port)) continue;
    tried.add(port);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

/** Resolves with whether a program can listen on a port with TCP and with UDP, as the web door does. */
export async function isFree(port) {
  const tcp = net.createServer().listen(port, HOST);
  const udp = dgram.createSocket('udp4');
  try {
    await once(tcp, 'listening');
    udp.bind(port, HOST);
    await once(udp, 'listening');
    return true;
  } catch (e) {
    if (!TAKEN.includes(e.code)) throw e;
    return false;
  } finally {
    await Promise.all([tcp, udp].map((socket) => new Promise((done) => socket.close(done))));
  }
}
