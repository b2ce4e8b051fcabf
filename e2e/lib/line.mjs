// A relay between clients and a server, on one port for TCP and UDP. A test can stall its TCP connections and make its UDP
// datagrams reach the server from a new port.
import dgram from 'node:dgram';
import net from 'node:net';

const ACTIVE_MS = 1000; // a connection counts as in use if it has carried bytes within this time
const TRIES = 20;

export class Line {
  /** port: the server's port for TCP and UDP. */
  constructor(port) {
    this.target = port;
    this.pairs = new Set(); // TCP connections {front, back, at, stalled}
    this.flows = new Map(); // UDP clients: address -> {socket, from}
  }

  /** Resolves with the port of the line, which is free for TCP and UDP. */
  async start() {
    for (let i = 0; ; i++) {
      const tcp = await this.#listen();
      const { port } = tcp.address();
      try {
        this.udp = await bind(port);
        this.tcp = tcp;
        break;
      } catch (e) {
        tcp.close();
        if (i === TRIES) throw e;
      }
    }
    this.udp.on('message', (b, from) => this.#flow(from).socket.send(b, this.target, '127.0.0.1'));
    return (this.port = this.tcp.address().port);
  }

  #listen() {
    return new Promise((resolve, reject) => {
      const s = net.createServer((front) => this.#connect(front));
      s.on('error', reject);
      s.listen(0, '127.0.0.1', () => resolve(s));
    });
  }

  #connect(front) {
    const back = net.connect(this.target, '127.0.0.1');
    const pair = { front, back, at: performance.now(), stalled: false };
    this.pairs.add(pair);
    const end = () => {
      if (pair.stalled) return; // while the pair is stalled, the other end is not told that this one has closed
      this.pairs.delete(pair);
      front.destroy();
      back.destroy();
    };
    for (const [from, to] of [[front, back], [back, front]]) {
      from.on('data', (b) => {
        pair.at = performance.now();
        if (!to.write(b)) {
          from.pause();
          to.once('drain', () => pair.stalled || from.resume());
        }
      });
      from.on('error', end);
      from.on('close', end);
    }
  }

  #flow(from) {
    const name = `${from.address}:${from.port}`;
    let flow = this.flows.get(name);
    if (!flow) this.flows.set(name, (flow = this.#open(from)));
    return flow;
  }

  #open(from) {
    const socket = dgram.createSocket('udp4');
    socket.on('error', () => {});
    socket.on('message', (b) => this.udp.send(b, from.port, from.address));
    return { socket, from };
  }

  /**
   * Stalls the TCP connections that are in use and returns their number: they carry no more bytes but stay open at both ends.
   * New connections work.
   */
  stall() {
    let n = 0;
    for (const pair of this.pairs) {
      if (pair.stalled || performance.now() - pair.at > ACTIVE_MS) continue;
      pair.stalled = true;
      pair.front.pause();
      pair.back.pause();
      n++;
    }
    return n;
  }

  /**
   * From now on sends the datagrams of each client from a new port, as a NAT router does after its mapping has expired. Returns
   * the number of clients.
   */
  moveToNewPorts() {
    for (const [name, { socket, from }] of this.flows) {
      socket.close();
      this.flows.set(name, this.#open(from));
    }
    return this.flows.size;
  }

  close() {
    this.tcp?.close();
    this.udp?.close();
    for (const { socket } of this.flows.values()) socket.close();
    for (const { front, back } of this.pairs) {
      front.destroy();
      back.destroy();
    }
  }
}

function bind(port) {
  return new Promise((resolve, reject) => {
    const s = dgram.createSocket('udp4');
    s.once('error', reject);
    s.bind(port, '127.0.0.1', () => {
      s.removeAllListeners('error');
      s.on('error', () => {});
      resolve(s);
    });
  });
}
