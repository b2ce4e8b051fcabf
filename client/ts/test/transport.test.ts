import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { body } from '../src/blocks/walking.js';
import { Guest } from '../src/guest.js';
import type { Transport } from '../src/link.js';
import type { Options } from '../src/api.js';
import { World } from '../src/world.js';

let attempts = 0; // number of attempts to open a WebTransport session

beforeEach(() => {
  attempts = 0;
  vi.useFakeTimers();
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', { getItem: (k: string) => stored.get(k) ?? null, setItem: (k: string, v: string) => void stored.set(k, v) });
  vi.stubGlobal('WebTransport', class { // the packets of this transport are lost, as behind a firewall without UDP
    ready = new Promise(() => {});
    closed = new Promise(() => {});
    constructor() { attempts++; }
    close(): void {}
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Begins to connect. Resolves with the kind of the connection, or with the text of the error. */
function connection(transport: 'auto' | 'wt' | 'ws'): { kind: string | undefined } {
  class Socket {
    readyState = 1;
    onopen?: () => void;
    constructor() { queueMicrotask(() => this.onopen?.()); }
    close(): void {}
  }
  const world = new World(new URL('http://localhost'), { body, transport, WebSocket: Socket as unknown as typeof WebSocket });
  const result: { kind: string | undefined } = { kind: undefined };
  (world as unknown as { transport(t: object): Promise<Transport> }).transport({ ticket: '', ws: 'ws://localhost', wt: { url: 'https://localhost' }, schema: '' })
    .then((t) => (result.kind = t.kind), (e: Error) => (result.kind = e.message));
  return result;
}

it('a browser in which WebTransport is not ready within two seconds plays over WebSocket, and does not try again for ten minutes', async () => {
  const first = connection('auto');
  await vi.advanceTimersByTimeAsync(1999);
  expect(first.kind).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect([first.kind, attempts]).toEqual(['ws', 1]);
  const second = connection('auto');
  await vi.advanceTimersByTimeAsync(0);
  expect([second.kind, attempts]).toEqual(['ws', 1]);
  await vi.advanceTimersByTimeAsync(599_000);
  connection('auto');
  expect(attempts).toBe(1);
  await vi.advanceTimersByTimeAsync(1000);
  connection('auto');
  expect(attempts).toBe(2);
});

it('the option transport forces WebTransport or WebSocket', async () => {
  const ws = connection('ws');
  await vi.advanceTimersByTimeAsync(0);
  expect([ws.kind, attempts]).toEqual(['ws', 0]);
  const wt = connection('wt');
  await vi.advanceTimersByTimeAsync(2000);
  expect([wt.kind, attempts]).toEqual(['timeout', 1]);
});

it('a page that is busy while WebTransport becomes ready uses it', async () => {
  let ready!: () => void;
  vi.stubGlobal('WebTransport', class {
    ready = new Promise<void>((resolve) => (ready = resolve));
    closed = new Promise(() => {});
    datagrams = { readable: new ReadableStream(), writable: new WritableStream() };
    createBidirectionalStream = async (): Promise<object> => ({ readable: new ReadableStream(), writable: new WritableStream() });
    close(): void {}
  });
  const wt = connection('auto');
  vi.advanceTimersToNextTimer(); // after a pause a browser calls a timer once, however long it is due
  ready();
  await vi.advanceTimersByTimeAsync(0);
  expect(wt.kind).toBe('wt');
});

it('a hidden page, whose timers run once a second, gives up WebTransport after two seconds', async () => {
  vi.stubGlobal('document', { hidden: true });
  const first = connection('auto');
  for (const kind of [undefined, 'ws']) {
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1000);
    await vi.advanceTimersToNextTimerAsync();
    expect(first.kind).toBe(kind);
  }
  vi.restoreAllMocks();
});

it('datagrams of a second need not wait for the browser to send those before them', async () => {
  const datagrams = { readable: new ReadableStream(), writable: new WritableStream(), outgoingHighWaterMark: 1 }; // 1: the default of browsers
  vi.stubGlobal('WebTransport', class {
    ready = Promise.resolve();
    closed = new Promise(() => {});
    datagrams = datagrams;
    createBidirectionalStream = async (): Promise<object> => ({ readable: new ReadableStream(), writable: new WritableStream() });
    close(): void {}
  });
  const wt = connection('wt');
  await vi.advanceTimersByTimeAsync(0);
  expect(wt.kind).toBe('wt');
  expect(datagrams.outgoingHighWaterMark).toBeGreaterThanOrEqual(40); // 20 inputs and 20 acknowledgements
});

it('a storage object without methods is treated like a missing storage', async () => {
  for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, {});
  const guest = new Guest('test');
  await guest.choose();
  await guest.keep('a1');
  expect(guest.id).toBe('a1');
  const blocked = connection('auto');
  await vi.advanceTimersByTimeAsync(2000);
  expect(blocked.kind).toBe('ws');
});

/** The types of the class of the package ws, as far as they differ from those of the browser. */
declare class PackageSocket {
  binaryType: 'nodebuffer' | 'arraybuffer' | 'fragments';
  readonly readyState: 0 | 1 | 2 | 3;
  onopen: ((event: { type: string; target: PackageSocket }) => void) | null;
  onmessage: ((event: { data: string | Buffer | ArrayBuffer | Buffer[]; type: string; target: PackageSocket }) => void) | null;
  onclose: ((event: { wasClean: boolean; code: number; reason: string; target: PackageSocket }) => void) | null;
  onerror: ((event: { error: unknown; message: string; target: PackageSocket }) => void) | null;
  constructor(address: null);
  constructor(address: string | URL, options?: { handshakeTimeout?: number });
  constructor(address: string | URL, protocols?: string | string[], options?: { handshakeTimeout?: number });
  close(code?: number, data?: string | Buffer): void;
  send(data: string | Buffer | ArrayBufferView | ArrayBuffer, cb?: (error?: Error) => void): void;
}

it('the classes of browsers and of the package ws both fit the type of the option WebSocket', () => {
  const fits = (_: NonNullable<Options['WebSocket']>): boolean => true;
  expect([() => fits(WebSocket), () => fits(PackageSocket)].length).toBe(2); // npm run check, the type check, fails if a class does not fit
});
