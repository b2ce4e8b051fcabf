// An EnetPeer on a UDP socket, with a timer.
import dgram from 'node:dgram';
import crypto from 'node:crypto';
import { EnetPeer } from './enet.mjs';

const start = Number(process.hrtime.bigint() / 1000000n);
const PORT_HOLD_MS = 40000; // how long close() keeps the port bound: longer than any server waits for a client's acks

/** Milliseconds since the program began; starts at 1000 so that 0 can mean never. */
export const clock = () => Number(process.hrtime.bigint() / 1000000n) - start + 1000;

export class EnetSocket {
  /** Opens a socket toward host:port and sends CONNECT. onEvent as for EnetPeer. */
  constructor({ host, port, onEvent, sessionID = crypto.randomBytes(4) }) {
    this.remote = { host, port };
    this.socket = dgram.createSocket('udp4');
    this.peer = new EnetPeer({ sessionID, now: clock(), onEvent: (e) => this.#event(onEvent, e) });
    this.socket.on('message', (b, from) => {
      if (from.port !== port) return this.peer.violation(`datagram from port ${from.port}, not ${port}`, b);
      this.receiving = true; // while set, what an event handler sends shares the datagram with our acks
      this.peer.receive(b, clock());
      this.receiving = false;
      this.flush();
    });
    this.socket.on('error', () => {}); // a refused port shows as a timeout, as in the C client
    this.timer = setInterval(() => this.flush(), 10);
    this.flush();
  }

  #event(onEvent, e) {
    onEvent(e);
    if (e.type === 'disconnect') setImmediate(() => this.close());
  }

  flush() {
    if (this.receiving || this.closed) return;
    for (const d of this.peer.poll(clock())) this.socket.send(d, this.remote.port, this.remote.host);
  }

  send(channel, data, reliable) {
    this.peer.send(channel, data, reliable);
    this.flush();
  }

  /** Sends raw bytes from the same address, for hostile input. */
  raw(bytes) {
    if (!this.closed) this.socket.send(bytes, this.remote.port, this.remote.host);
  }

  disconnect(data) {
    this.peer.disconnect(data);
    this.flush();
  }

  /** Stops without a DISCONNECT, as a crashed client does. The port stays bound until the server has timed the client out,
   *  so that no other client gets the port and receives the rest. */
  close() {
    if (this.closed) return;
    this.closed = true;
    clearInterval(this.timer);
    this.peer.state = 'closed';
    this.socket.removeAllListeners('message');
    this.socket.unref();
    setTimeout(() => this.socket.close(), PORT_HOLD_MS).unref();
  }
}
