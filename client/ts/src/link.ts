// Connections to the server over WebTransport, or over WebSocket where WebTransport is not available.

import { ProtocolError } from './snapshot.js';

/**
 * Simulated impairment of the connection, to test how a game feels: one-way latency and jitter in ms, and the share 0..1 of
 * snapshots and inputs that are lost.
 */
export interface Impair { latency?: number; jitter?: number; loss?: number }

export interface Ticket { ticket: string; guest?: string; ws: string; wt?: { url: string; hashes?: string[] }; schema: string; nodes?: string[] }

/** What the client uses of a WebSocket class: that of a browser, or of a package. */
export type WebSocketClass = new (url: string) => {
  binaryType: string;
  readonly readyState: number;
  onopen: ((e: any) => void) | null;
  onmessage: ((e: any) => void) | null;
  onclose: ((e: any) => void) | null;
  onerror: ((e: any) => void) | null;
  send(b: Uint8Array<ArrayBuffer>): void;
  close(): void;
};

export interface Transport {
  readonly kind: 'wt' | 'ws';
  control(b: Uint8Array<ArrayBuffer>): void;
  datagram(b: Uint8Array<ArrayBuffer>): void;
  close(): void;
}

export interface Handlers { message(b: Uint8Array): void; closed(): void }

const MAX_MESSAGE = 4096;
const OUTGOING = 64; // datagrams that may be on their way to the browser's network process: one and a half seconds of inputs and acknowledgements

/** Opens a WebSocket. Rejects if it is not open within time ms. */
export function openWebSocket(url: string, make: WebSocketClass, h: Handlers, time: number): Promise<Transport> {
  return new Promise((resolve, reject) => {
    const ws = new make(url);
    ws.binaryType = 'arraybuffer';
    let open = false;
    const late = setTimeout(() => ws.close(), time);
    ws.onopen = () => {
      open = true;
      clearTimeout(late);
      const send = (b: Uint8Array<ArrayBuffer>): void => {
        if (ws.readyState === 1) ws.send(b);
      };
      resolve({ kind: 'ws', control: send, datagram: send, close: () => ws.close() });
    };
    ws.onmessage = (e) => h.message(new Uint8Array(e.data as ArrayBuffer));
    ws.onclose = () => {
      clearTimeout(late);
      if (open) h.closed();
      else reject(new Error(`no connection to ${url}`));
    };
    ws.onerror = () => {};
  });
}

const PARTS = 20; // parts of the time limit of openWebTransport

/**
 * Opens a WebTransport session with its control stream. Rejects if it is not open within time ms; it is then closed. Of a time in
 * which the page is too busy to handle its answer, at most a twentieth of the limit counts. All of it counts in a hidden page, whose
 * timers browsers run once a second or less.
 */
export async function openWebTransport(at: { url: string; hashes?: string[] }, h: Handlers, time: number): Promise<Transport> {
  const options: WebTransportOptions = { requireUnreliable: true };
  if (at.hashes?.length) {
    options.serverCertificateHashes = at.hashes.map((s) => ({ algorithm: 'sha-256', value: Uint8Array.from(atob(s), (c) => c.charCodeAt(0)) }));
  }
  const wt = new WebTransport(at.url, options);
  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    h.closed();
  };
  const part = time / PARTS;
  let timer: ReturnType<typeof setInterval> | undefined, parts = 0, last = performance.now();
  const late = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      parts += globalThis.document?.hidden ? (performance.now() - last) / part : 1;
      last = performance.now();
      if (parts >= PARTS) reject(new Error('timeout'));
    }, part);
  });
  const stream = await Promise.race([late, wt.ready.then(() => wt.createBidirectionalStream())]).catch((e): never => {
    wt.close();
    throw e;
  }).finally(() => clearInterval(timer));
  wt.closed.then(end, end);
  const control = stream.writable.getWriter();
  const d = wt.datagrams as WebTransportDatagramDuplexStream & { createWritable?: () => WritableStream<Uint8Array> };
  const writable = d.createWritable ? d.createWritable() : d.writable;
  // With the default of 1, each write waits for the browser's network process: on a busy machine, inputs would wait for each
  // other, for seconds.
  for (const x of [d, writable]) (x as { outgoingHighWaterMark?: number }).outgoingHighWaterMark = OUTGOING;
  const datagrams = writable.getWriter();
  const ignore = (): void => {};
  readDatagrams(d.readable.getReader(), h).catch(end);
  readControl(stream.readable.getReader(), h).then(end, end);
  return {
    kind: 'wt',
    control: (b) => {
      const n = b.length;
      const head = n < 128 ? [n] : [(n & 127) | 128, n >> 7];
      control.write(joined(head, b)).catch(ignore);
    },
    datagram: (b) => void datagrams.write(b).catch(ignore),
    close: () => {
      ended = true;
      wt.close();
    },
  };
}

function joined(a: ArrayLike<number>, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

async function readDatagrams(r: ReadableStreamDefaultReader<Uint8Array>, h: Handlers): Promise<void> {
  for (let part; !(part = await r.read()).done;) h.message(part.value);
}

async function readControl(r: ReadableStreamDefaultReader<Uint8Array>, h: Handlers): Promise<void> {
  let buf = new Uint8Array(0);
  for (let part; !(part = await r.read()).done;) {
    buf = joined(buf, part.value);
    for (;;) {
      let n = 0, used = 0, last = 128;
      for (; last > 127 && used < buf.length; used++) n |= ((last = buf[used]!) & 127) << (7 * used);
      if (n > MAX_MESSAGE || used > 3) throw new ProtocolError('a message is too long');
      if (last > 127 || buf.length < used + n) break;
      h.message(buf.slice(used, used + n));
      buf = buf.slice(used + n);
    }
  }
}

/** Impairs what a transport sends and receives. Control messages are delayed in order, never lost. */
export function impaired(t: Transport, impair: Impair, deliver: (b: Uint8Array) => void): { transport: Transport; receive(b: Uint8Array): void } {
  const last = [0, 0]; // times at which the last ordered message is passed on: to the server, from the server
  const pass = (way: 0 | 1, ordered: boolean, f: () => void): void => {
    const now = performance.now(), { latency = 0, jitter = 0, loss = 0 } = impair, wait = latency + Math.random() * jitter;
    if (!(latency || jitter || loss || (ordered && now <= last[way]!))) f();
    else if (ordered) setTimeout(f, (last[way] = Math.max(last[way]!, now + wait)) - now);
    else if (Math.random() >= loss) setTimeout(f, wait);
  };
  const ordered = t.kind === 'ws';
  return {
    transport: {
      kind: t.kind,
      control: (b) => pass(0, true, () => t.control(b)),
      datagram: (b) => pass(0, ordered, () => t.datagram(b)),
      close: () => t.close(),
    },
    receive: (b) => pass(1, ordered || !(b[0]! & 128), () => deliver(b)),
  };
}
