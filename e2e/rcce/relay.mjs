// A UDP relay between clients and server that loses, duplicates and delays datagrams. One port serves any number of clients.
import dgram from 'node:dgram';

export class Relay {
  /**
   * @param {object} o
   * @param {number} o.port of the server
   * @param {number} [o.loss] share of datagrams that are lost, 0..1; duplicate: share of datagrams that are sent twice
   * @param {number} [o.delay] maximum in ms
   * @param {(n: number) => boolean} [o.drop] whether the n-th datagram of a client, from 1, is dropped
   */
  constructor({ port, loss = 0, duplicate = 0, delay = 0, seed = 1, drop = () => false }) {
    Object.assign(this, { port, loss, duplicate, delay, seed, drop });
    this.flows = new Map(); // client address -> socket toward the server
    this.stats = { passed: 0, lost: 0 };
  }

  async start() {
    this.front = dgram.createSocket('udp4');
    this.front.on('message', (b, from) => {
      const flow = this.#flow(from);
      if (!this.drop(++flow.count)) this.#forward(b, (d) => flow.send(d, this.port, '127.0.0.1'));
    });
    await new Promise((done) => this.front.bind(0, '127.0.0.1', done));
    return this.front.address().port;
  }

  #random() {
    this.seed = (Math.imul(this.seed, 1664525) + 1013904223) >>> 0;
    return this.seed / 2 ** 32;
  }

  #forward(b, send) {
    if (this.closed) return;
    const copies = this.#random() < this.duplicate ? 2 : 1;
    for (let i = 0; i < copies; i++) {
      if (this.#random() < this.loss) {
        this.stats.lost++;
        continue;
      }
      this.stats.passed++;
      setTimeout(() => this.closed || send(b), this.#random() * this.delay);
    }
  }

  #flow(from) {
    const name = `${from.address}:${from.port}`;
    let s = this.flows.get(name);
    if (!s) {
      s = Object.assign(dgram.createSocket('udp4'), { count: 0 });
      s.on('error', () => {});
      s.on('message', (b) => this.#forward(b, (d) => this.front.send(d, from.port, from.address)));
      this.flows.set(name, s);
    }
    return s;
  }

  close() {
    this.closed = true;
    this.front.close();
    for (const s of this.flows.values()) s.close();
  }
}
