// A network between the page and the server that can be lost: refused, as when a cable is out, or silent, as when
// packets vanish and nobody says so.
import net from 'node:net';

export class Proxy {
  constructor(port) {
    this.port = port;
    this.pairs = new Set();
    this.state = 'open';
  }

  async start() {
    this.front = net.createServer((client) => this.#take(client));
    await new Promise((done) => this.front.listen(0, '127.0.0.1', done));
    this.base = `http://127.0.0.1:${this.front.address().port}`;
    return this.base;
  }

  #take(client) {
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
      from.on('data', (b) => this.state === 'silent' || to.write(b)); // what is said meanwhile is lost
    }
    return undefined;
  }

  /** Every connection breaks, and none can be made. */
  cut() {
    this.state = 'cut';
    this.#drop();
  }

  /** Connections stay and carry nothing. */
  silence() {
    this.state = 'silent';
  }

  /** All is as before; what lay silent has lost bytes, and is broken. */
  mend() {
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
