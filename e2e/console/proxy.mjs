// A TCP proxy between the page and the server that simulates a lost network: it resets connections, as a router without an
// uplink does, or forwards nothing, as when packets are lost.
import net from 'node:net';

export class Proxy {
  constructor(port) {
    this.port = port;
    this.pairs = new Set();
    this.state = 'open';
  }

  async start() {
    this.front = net.createServer((client) => this.#forward(client));
    await new Promise((done) => this.front.listen(0, '127.0.0.1', done));
    this.base = `http://127.0.0.1:${this.front.address().port}`;
    return this.base;
  }

  #forward(client) {
    client.on('error', () => {});
    if (this.state === 'cut') return client.resetAndDestroy();
    const server = net.connect(this.port, '127.0.0.1');
    const pair = [client, server];
    this.pairs.add(pair);
    const end = () => {
      this.pairs.delete(pair);
      for (const s of pair) s.destroy();
    };
    for (const [from, to] of [pair, [server, client]]) {
      from.on('error', end);
      from.on('close', end);
      from.on('data', (b) => this.state === 'silent' || to.write(b)); // bytes of a silent connection are lost
    }
    return undefined;
  }

  /** Resets all connections, and refuses new ones. */
  cut() {
    this.state = 'cut';
    this.#drop();
  }

  /** Keeps connections open and forwards nothing. */
  silence() {
    this.state = 'silent';
  }

  /** Forwards again. Connections that were silent have lost bytes, so they are reset. */
  restore() {
    const was = this.state;
    this.state = 'open';
    if (was === 'silent') this.#drop();
  }

  #drop() {
    for (const pair of this.pairs) for (const s of pair) s.destroy();
  }

  close() {
    this.#drop();
    this.front?.close();
  }
}
