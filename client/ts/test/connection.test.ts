import { readFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import type { Body } from '../src/blocks/index.js';
import { Reader } from '../src/snapshot.js';
import { body as still, bye, enter, pass, restore, schema, Server, snapshot, type Socket, type Step, vector } from './server.js';

const streams: { name: string; steps: { enter?: number; kind: number; snapshot: string }[] }[] = JSON.parse(readFileSync(new URL('vectors/snapshots.json', import.meta.url), 'utf8'));

afterEach(restore);

it('connect() with an aborted signal fails without a request', async () => {
  const server = new Server();
  await expect(server.connect({ signal: AbortSignal.abort(new Error('changed my mind')) })).rejects.toThrow('changed my mind');
  expect(server.steps).toEqual([]);
});

for (const at of ['ticket', 'reasons', 'open', 'hello', 'ground'] as Step[]) {
  it(`a signal that is aborted during the step ${at} keeps the player out of the world`, async () => {
    const server = new Server(), stop = new AbortController();
    server.hold = at;
    const entry = server.connect({ signal: stop.signal });
    await pass(10);
    stop.abort(new Error('changed my mind'));
    await pass(100);
    server.release();
    await pass(1000);
    await expect(entry).rejects.toThrow('changed my mind');
    expect(server.sockets.filter((s) => !s.closed)).toEqual([]);
  });
}

for (const at of ['ticket', 'open', 'hello', 'ground'] as Step[]) {
  it(`a world that is closed while it resumes, during the step ${at}, stays closed`, async () => {
    const server = new Server();
    const world = await server.connect();
    const states: string[] = [];
    world.on('state', (l) => states.push(l.state));
    server.hold = at;
    server.last.close();
    await pass(10);
    const closed = world.close();
    await pass(100);
    await closed;
    server.release();
    await pass(10_000);
    expect(states).toEqual(['resuming', 'closed']);
    expect(server.sockets.filter((s) => !s.closed)).toEqual([]);
  });
}

it('a Bye instead of the Welcome ends the attempt to connect, or the attempts to resume, with the text of the Bye', async () => {
  const server = new Server();
  const world = await server.connect();
  server.answer = (s) => s.deliver(bye('Somebody else plays.'));
  const entry = server.connect();
  await pass(20_000);
  await expect(entry).rejects.toThrow('Somebody else plays.');
  server.sockets[0]!.close();
  await pass(40_000);
  expect([world.link.state, world.link.sentence, server.sockets.length]).toEqual(['closed', 'Somebody else plays.', 3]);
});

it('a WebTransport connection that becomes ready after the fallback does not end the WebSocket connection', async () => {
  const attempts: { ready: () => void; end: () => void; closed: boolean }[] = [];
  vi.stubGlobal('WebTransport', class {
    attempt = { ready: () => {}, end: () => {}, closed: false };
    ready = new Promise<void>((resolve) => (this.attempt.ready = resolve));
    closed = new Promise<void>((resolve) => (this.attempt.end = resolve));
    datagrams = { readable: new ReadableStream(), writable: new WritableStream() };
    createBidirectionalStream = async (): Promise<object> => ({ readable: new ReadableStream(), writable: new WritableStream() });
    constructor() { attempts.push(this.attempt); }
    close(): void { this.attempt.closed = true; }
  });
  const server = new Server();
  server.ticket = { ...server.ticket, wt: { url: 'https://server' } };
  const entry = server.connect();
  await pass(2100);
  const world = await entry;
  expect([world.link.transport, attempts[0]!.closed]).toEqual(['ws', true]);
  attempts[0]!.ready();
  await pass(100);
  attempts[0]!.end(); // the server has closed this connection, because it got no Hello
  await pass(100);
  expect([world.link.state, server.sockets.length]).toEqual(['open', 1]);
});

it('a page that is busy before its first picture sends one input with that picture and none for the time before it', async () => {
  const server = new Server();
  const world = await server.connect();
  const inputs = (): number => server.last.sent.filter((b) => b[0] === 1).length;
  const now = performance.now();
  world.frame(now + 900);
  expect(inputs()).toBe(1);
  world.frame(now + 1000);
  expect(inputs()).toBe(3);
});

it('a hidden page, in which no timer runs, sends inputs as long as messages arrive', async () => {
  const server = new Server();
  vi.spyOn(globalThis, 'setInterval').mockReturnValue(0 as never);
  await server.connect();
  for (let seq = 1; seq <= 100; seq++) { // 100 snapshots: five seconds
    await pass(50);
    server.last.deliver(snapshot(seq));
  }
  const inputs = server.last.sent.filter((b) => b[0] === 1);
  expect(inputs.length).toBeGreaterThan(90);
});

it('a client that resumes keeps its actors standing still, then reports that each has left before it is shown again', async () => {
  const server = new Server();
  server.others = [7];
  const world = await server.connect();
  const events: string[] = [];
  world.on('enter', (a) => events.push(`enter ${a.id}`));
  world.on('leave', ({ actor, why }) => events.push(`leave ${actor.id} ${why}`));
  world.on('area', () => events.push(`area, ${world.actors.size} actors`));
  const other = world.actors.get(7)! as { x: number };
  other.x = 3; // the position at which the actor was last drawn
  server.hold = 'ground';
  server.last.close();
  await pass(100);
  server.last.deliver(snapshot(100));
  world.frame();
  expect([world.link.state, world.actors.size, other.x]).toEqual(['resuming', 2, 3]);
  server.release();
  await pass(100);
  expect(world.link.state).toBe('open');
  expect(events).toEqual(['enter 5', 'enter 7', 'leave 5 gone', 'leave 7 gone', 'area, 0 actors', 'enter 5', 'enter 7']);
});

it.each([5, 20, 60])('at %i ticks a second, an actor without news is predicted for 250 ms beyond the newest snapshot, then stands still', async (rate) => {
  const server = new Server();
  server.others = [7];
  const welcome = Buffer.from(vector('welcome'));
  expect(welcome[6]).toBe(20);
  welcome[6] = rate;
  server.answer = (s) => { s.deliver(welcome); server.show(s); };
  const world = await server.connect();
  const other = world.actors.get(7)! as unknown as { x: number; motion: { add(tick: number, values: number[], speeds: number[]): void } };
  const perSecond = 6; // speed of the actor in blocks per second
  for (let tick = 1; tick <= 2 * rate; tick++) {
    await pass(1000 / rate);
    server.last.deliver(snapshot(tick));
    other.motion.add(tick, [tick * perSecond / rate * 64, 0, 0, 0, 255, 0], [perSecond / rate * 16 * 64, 0, 0]);
    world.frame();
  }
  for (let i = 0; i < 50; i++) { // a second without snapshots
    await pass(20);
    world.frame();
  }
  expect(other.x).toBeCloseTo((2 + 0.25) * perSecond, 1);
});

/** A response with a ground, whose parts the test sends one by one. */
function slowGround(server: Server): { part: () => void; end: () => void; aborted: () => boolean } {
  let to: ReadableStreamDefaultController<Uint8Array>, asked: AbortSignal;
  server.ground = (signal) => new Response(new ReadableStream<Uint8Array>({ start: (c) => {
    [to, asked] = [c, signal];
    signal.addEventListener('abort', () => c.error(signal.reason));
  } }));
  return { part: () => to.enqueue(new Uint8Array(1000)), end: () => to.close(), aborted: () => asked.aborted };
}

it('a ground may take minutes as long as parts of it keep arriving, and the client acknowledges snapshots meanwhile', async () => {
  const server = new Server(), ground = slowGround(server);
  const entry = server.connect();
  await pass(10);
  for (let seq = 1; seq <= 10; seq++) {
    await pass(12_000);
    server.last.deliver(snapshot(seq));
    ground.part();
  }
  ground.end();
  await pass(10);
  expect((await entry).link.state).toBe('open');
  expect(server.last.sent.filter((b) => b[0] === 5).length).toBe(10);
});

/** A stream of Enters and snapshots over an ordered connection, and the position of the own player in its last snapshot. */
class Stream {
  readonly at = { x: 0, y: 0, z: 0 };
  private steps = [...streams.find((s) => s.name === 'ordered')!.steps];
  private reader = new Reader(schema);

  constructor(private run: number, private own: number) {}

  deliver(s: Socket, n: number): void {
    for (const { enter: handle, kind, snapshot } of this.steps.splice(0, n)) {
      if (handle !== undefined) {
        s.deliver(enter(handle, kind));
        this.reader.enter(handle, kind, [0, 0, 0, 0, 0, 0]);
        continue;
      }
      const b = Buffer.from(snapshot, 'hex');
      b[0]! |= this.run << 4;
      s.deliver(b);
      this.reader.read(b, (h, v) => { if (h === this.own) Object.assign(this.at, { x: v[0]! / 64, y: v[1]! / 64, z: v[2]! / 64 }); });
    }
  }
}

it('snapshots over WebSocket that come while the ground is downloaded are read after the Enter messages that came before them', async () => {
  const stream = new Stream(1, 5), server = new Server();
  server.answer = (s) => {
    s.deliver(vector('welcome'));
    stream.deliver(s, 40);
  };
  server.hold = 'ground';
  const entry = server.connect();
  await pass(100);
  server.release();
  await pass(100);
  const world = await entry;
  expect([world.link.state, server.sockets.length]).toEqual(['open', 1]);
  expect(stream.at.x).not.toBe(0);
  expect(world.self.truth).toEqual(stream.at);
});

it("snapshots over WebSocket that come while the new area's ground is downloaded, and those after it, are read in the new area", async () => {
  const stream = new Stream(3, 4), server = new Server();
  const world = await server.connect();
  const before = { ...world.self.truth };
  server.hold = 'ground';
  const area = vector('area');
  area[12] = 4; // own handle
  server.last.deliver(area);
  stream.deliver(server.last, 40);
  await pass(100);
  expect(world.self.truth).toEqual(before);
  server.release();
  await pass(100);
  expect([world.link.state, server.sockets.length, world.area.name]).toEqual(['open', 1, 'Vale']);
  expect(stream.at.x).not.toBe(0);
  expect(world.self.truth).toEqual(stream.at);
  const at = { ...stream.at };
  stream.deliver(server.last, 2);
  expect(stream.at).not.toEqual(at);
  expect(world.self.truth).toEqual(stream.at);
});

it('a Bye that comes while a ground is downloaded ends the connection at once', async () => {
  const server = new Server();
  const world = await server.connect();
  server.hold = 'ground';
  server.last.deliver(vector('area'));
  await pass(10);
  server.last.deliver(bye('You play elsewhere.'));
  server.last.close();
  await pass(20_000);
  expect([world.link.state, world.link.sentence, server.sockets.length]).toEqual(['closed', 'You play elsewhere.', 1]);
});

for (const [what, message] of [['a Bye', bye('full', true)], ['a malformed message', Buffer.of(0x44, 1)]] as const) {
  it(`if ${what} follows directly on the Enter message of the own player, connect() fails, and a connected client resumes its session`, async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const server = new Server();
    const answer = server.answer;
    const world = await server.connect();
    server.answer = (s) => {
      answer.call(server, s);
      s.deliver(message);
      server.answer = answer;
    };
    server.last.close();
    await pass(200);
    expect([world.link.state, server.sockets.length]).toEqual(['resuming', 2]);
    await pass(1000);
    expect([world.link.state, server.sockets.length]).toEqual(['open', 3]);
    server.answer = (s) => {
      answer.call(server, s);
      s.deliver(message);
    };
    server.hold = 'ground';
    const entry = server.connect();
    await pass(100);
    server.release();
    await pass(100);
    await expect(entry).rejects.toThrow('the connection was lost');
  });
}

it('listeners that throw in an area change neither end the connection nor the process', async () => {
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
  const server = new Server();
  const world = await server.connect();
  const fault = new Error('a fault of the game');
  for (const name of ['leave', 'area', 'enter'] as const) world.on(name, () => { throw fault; });
  server.last.deliver(vector('area'));
  await pass(10);
  server.show(server.last);
  await pass(100);
  expect([world.link.state, server.sockets.length, world.self.id]).toEqual(['open', 1, 5]);
  expect(reported.mock.calls).toEqual([[fault], [fault], [fault], [fault]]); // one is thrown when the listener of enter is added
});

it('if the function that reads the keys throws during an area change, the client reconnects and resumes its session', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const server = new Server();
  let broken = false;
  const keys = (): ReturnType<Body['keys']> => {
    if (broken) throw new Error('no keys');
    return still.keys();
  };
  const world = await server.connect({ body: { ...still, keys } });
  broken = true;
  server.last.close();
  await pass(1000);
  expect(world.link.state).toBe('resuming');
  broken = false;
  await pass(5000);
  expect(world.link.state).toBe('open');
});

it('an aborted signal rejects connect at once with its reason, even if no ticket ever comes or a request fails', async () => {
  const never = (): Promise<never> => new Promise(() => {});
  for (const o of [{ token: never }, { ticket: never }, {}]) {
    const server = new Server(), stop = new AbortController();
    server.hold = 'ticket';
    const entry = server.connect({ ...o, signal: stop.signal });
    let why = '';
    entry.catch((e: Error) => (why = e.message));
    await pass(10);
    stop.abort(new Error('changed my mind'));
    [server.status, server.ticket] = [500, {}];
    server.release();
    await pass(0);
    expect(why).toBe('changed my mind');
    await pass(100);
    restore();
  }
});

it('delayed messages of a connection that was given up are dropped', async () => {
  const server = new Server();
  const world = await server.connect();
  world.impair({ latency: 3000 });
  const late = server.last;
  late.deliver(enter(9));
  await pass(1);
  late.close();
  world.impair({ latency: 0 });
  await pass(2000);
  expect([world.link.state, server.sockets.length]).toEqual(['open', 2]);
  await pass(2000);
  expect([...world.actors.keys()]).toEqual([5]);
});

it('if the download of the ground stalls while the client connects, the attempt to connect fails', async () => {
  const server = new Server(), ground = slowGround(server);
  const entry = server.connect();
  await pass(10);
  ground.part();
  await pass(16_000);
  await expect(entry).rejects.toThrow('the server does not answer');
  expect([ground.aborted(), server.last.closed]).toEqual([true, true]);
});

it("if the download of the new area's ground stalls after a portal, the client reconnects and resumes its session", async () => {
  const server = new Server();
  const world = await server.connect();
  const atOnce = server.ground, ground = slowGround(server);
  server.last.deliver(vector('area'));
  await pass(10);
  ground.part();
  server.ground = atOnce;
  for (let s = 0; s < 16; s++) {
    await pass(1000);
    server.sockets[0]!.deliver(snapshot(s + 1));
  }
  expect([ground.aborted(), server.sockets.length, world.link.state]).toEqual([true, 2, 'open']);
  for (let s = 0; s < 20; s++) { // after the player's Enter, no time limit for the entry applies
    await pass(1000);
    server.last.deliver(snapshot(s + 1));
  }
  expect(server.sockets.length).toBe(2);
});

it('if the secret is no longer valid, the client stops its attempts to resume and reports the message of the server', async () => {
  const server = new Server();
  const world = await server.connect({ name: 'Ann', secret: 'correct horse' });
  [server.status, server.ticket] = [403, { error: 'the name or the secret is wrong', code: 'denied' }];
  server.last.close();
  await pass(60_000);
  expect([world.link.state, world.link.sentence]).toEqual(['closed', 'the name or the secret is wrong']);
  expect(server.steps.filter((s) => s === 'ticket').length).toBe(2);
  const entry = server.connect({ name: 'Ann', secret: 'correct horse' });
  await pass(10);
  await expect(entry).rejects.toMatchObject({ reason: 1, seconds: 0 });
});

it('a token that is refused, and a busy server, do not end the attempts to resume', async () => {
  for (const [status, token] of [[403, async () => 'jwt'], [503, undefined]] as const) {
    const server = new Server();
    const world = await server.connect(token && { token });
    const { ticket } = server;
    [server.status, server.ticket] = [status, { error: 'not now' }];
    server.last.close();
    await pass(1000);
    expect(world.link.state).toBe('resuming');
    [server.status, server.ticket] = [200, ticket];
    await pass(5000);
    expect(world.link.state).toBe('open');
    restore();
  }
});

it('the schema and the reasons are downloaded at the same time', async () => {
  const server = new Server();
  server.hold = 'schema';
  const entry = server.connect();
  await pass(10);
  expect(server.steps).toEqual(['ticket', 'schema', 'reasons']);
  server.release();
  await pass(100);
  await entry;
  expect(server.steps).toEqual(['ticket', 'schema', 'reasons', 'open', 'hello', 'ground']);
});
