// A WebSocket client for Node 20, which has none: RFC 6455 as far as the servers under test use it. Messages come in one frame.
import crypto from 'node:crypto';
import http from 'node:http';

const WAIT_MS = 30000;
const op = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 };

export class WebSocketClient {
  /**
   * Opens url, an http: or ws: address. Resolves with {status} if the server refuses, otherwise with {status: 101, socket}. The
   * socket delivers messages from the first call of listen() on.
   */
  static open(url, headers = {}) {
    const all = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': crypto.randomBytes(16).toString('base64'), ...headers };
    return new Promise((resolve, reject) => {
      const request = http.get(url.replace(/^ws:/, 'http:'), { headers: all, timeout: WAIT_MS, agent: false });
      request.on('error', reject);
      request.on('timeout', () => request.destroy(new Error(`${url}: no answer in ${WAIT_MS} ms`)));
      request.on('response', (res) => res.resume().on('end', () => resolve({ status: res.statusCode })));
      request.on('upgrade', (res, stream, head) => resolve({ status: res.statusCode, socket: new WebSocketClient(stream, head) }));
    });
  }

  constructor(stream, head) {
    this.stream = stream;
    this.closed = undefined; // close code; 0 if the connection ended without one
    this.rest = head;
    stream.setNoDelay(true);
    stream.on('close', () => (this.closed ??= 0));
    stream.on('error', () => {});
  }

  /** Delivers each text as a string to text, and each binary message as a Buffer to binary. */
  listen({ text = () => {}, binary }) {
    const read = (bytes) => {
      this.rest = Buffer.concat([this.rest, bytes]);
      for (let m = this.#takeMessage(); m; m = this.#takeMessage()) {
        if (m.code === op.ping) this.#send(op.pong, m.body);
        if (m.code === op.close) this.#acknowledgeClose(m.body);
        if (m.code === op.binary) binary(Buffer.from(m.body));
        if (m.code === op.text) text(m.body.toString());
      }
    };
    this.stream.on('data', read);
    read(Buffer.alloc(0));
  }

  #acknowledgeClose(body) {
    this.closed ??= body.length < 2 ? 0 : body.readUInt16BE(0);
    this.#send(op.close, body.subarray(0, 2));
    this.stream.end();
  }

  #takeMessage() {
    const b = this.rest;
    if (b.length < 2) return undefined;
    let [length, at] = [b[1] & 127, 2];
    if (length > 125) {
      const size = length === 126 ? 2 : 8;
      if (b.length < 2 + size) return undefined;
      [length, at] = [size === 2 ? b.readUInt16BE(2) : Number(b.readBigUInt64BE(2)), 2 + size];
    }
    if (b.length < at + length) return undefined;
    this.rest = b.subarray(at + length);
    return { code: b[0] & 15, body: b.subarray(at, at + length) };
  }

  #send(code, body) {
    if (this.stream.destroyed) return;
    const mask = crypto.randomBytes(4);
    const length = body.length < 126 ? [0x80 | body.length] : [0x80 | 126, body.length >> 8, body.length & 255];
    this.stream.write(Buffer.concat([Buffer.from([0x80 | code, ...length]), mask, body.map((v, i) => v ^ mask[i % 4])]));
  }

  /** Sends a string or a Buffer of at most 65,535 bytes. */
  send(message) {
    if (typeof message === 'string') this.#send(op.text, Buffer.from(message));
    else this.#send(op.binary, message);
  }

  close() {
    this.stream.destroy();
  }
}
