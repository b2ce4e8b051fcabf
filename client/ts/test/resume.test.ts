import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Answer } from '../src/api.js';
import { bye, pass, restore, Server, snapshot, type Socket, vector } from './server.js';

afterEach(restore);

describe('the node through which a client resumes', () => {
  it('a client whose node is gone resumes through another one', async () => {
    const server = new Server();
    server.nodes = ['server', 'b', 'c:81'];
    const world = await server.connect();
    server.gone = ['server'];
    server.last.close();
    await pass(100);
    expect([world.link.state, server.asked]).toEqual(['open', ['server', 'b']]);
  });

  it('if no node admits the player, every second attempt is through its own node', async () => {
    const server = new Server();
    server.nodes = ['server', 'b', 'c:81'];
    const world = await server.connect();
    server.status = 503;
    server.asked = [];
    server.last.close();
    await pass(6000);
    expect([world.link.state, server.asked]).toEqual(['resuming', ['server', 'b', 'server', 'c:81', 'server']]);
  });

  it('a client whose node hangs notices that after 5 s of silence, and resumes through another node a second later', async () => {
    const server = new Server();
    server.nodes = ['server', 'b', 'c:81'];
    const world = await server.connect();
    server.last.deliver(snapshot(1));
    server.delay = { server: Infinity, b: 300, 'c:81': 200 };
    await pass(5000);
    expect(world.link.state).toBe('open');
    await pass(100 + 200 + 1000 + 2 * 200 + 100); // the next check, the answer of c, the time for that of the own node, and the requests for a ticket and a ground
    expect([world.link.state, server.asked]).toEqual(['open', ['server', 'c:81']]);
  });

  it('a client whose line was down resumes through its own node, whose session no other node can continue yet', async () => {
    const server = new Server();
    server.nodes = ['server', 'b', 'c:81'];
    const world = await server.connect();
    server.delay = { server: 1900, b: 1000, 'c:81': 1100 };
    server.last.close();
    await pass(1950);
    server.delay = {};
    await pass(2000);
    expect([world.link.state, server.asked]).toEqual(['open', ['server', 'server']]);
  });

  it('a client whose node restarts resumes through it within 4 s, although another node hangs', async () => {
    const server = new Server();
    server.nodes = ['server', 'b', 'c:81'];
    const world = await server.connect();
    server.delay = { b: Infinity };
    server.gone = ['server', 'c:81'];
    server.last.close();
    await pass(2000);
    expect(world.link.state).toBe('resuming');
    server.gone = ['c:81'];
    await pass(250 + 250 + 1000 + 100); // the end of the first attempt, the pause after it, and the time for b, whose turn it is
    expect([world.link.state, server.asked]).toEqual(['open', ['server', 'server']]);
  });

  it('nodes that need 4 s for each answer are given that time after some attempts', async () => {
    const server = new Server();
    server.nodes = ['server', 'b'];
    const world = await server.connect();
    server.delay = { server: 4000, b: 4000 };
    server.last.close();
    await pass(30_000);
    expect(world.link.state).toBe('open');
  });

  it('a client without a cluster resumes at the same server, as soon as that answers', async () => {
    const server = new Server();
    const world = await server.connect();
    server.gone = ['server'];
    server.last.close();
    await pass(2000);
    expect([world.link.state, new Set(server.asked)]).toEqual(['resuming', new Set(['server'])]);
    server.gone = [];
    await pass(5000);
    expect(world.link.state).toBe('open');
  });

  it.each([[1000, 7, 'resuming'], [10_000, 11, 'open']])('in a page whose timers run every %i ms, a connection that is silent for %i s is %s', async (every, seconds, state) => {
    const server = new Server(), { setInterval } = globalThis;
    vi.spyOn(globalThis, 'setInterval').mockImplementation(((f: () => void) => setInterval(f, every)) as never);
    const world = await server.connect();
    server.gone = ['server'];
    await pass(1000 * seconds);
    expect(world.link.state).toBe(state);
  });
});

/** The requests that a client has sent over a connection. */
const acts = (s: Socket): { number: number; seen: number; handle: number }[] => s.sent.filter((b) => b[0] === 3).map(Buffer.from).map((b) => (
  { number: b.readUInt16LE(1), seen: b.readUIntLE(8, 3), handle: b.readUInt16LE(11) }));

const answer = (number: number): Buffer => Buffer.of(0x49, number, 0, 0, ...new Array(8).fill(0), 0);

/** Resolves with the results of the requests that are answered by now. */
async function results(requests: Promise<Answer>[]): Promise<string[]> {
  const list = requests.map(() => 'none');
  requests.forEach((r, i) => void r.then((a) => (list[i] = a.ok ? 'ok' : a.reason)));
  await pass(0);
  return list;
}

describe('requests without an answer', () => {
  it('are repeated, if the server knows which were executed, without the actor and the time of the lost connection', async () => {
    const server = new Server();
    server.others = [7];
    const world = await server.connect();
    const requests = [world.attack(world.actors.get(7)!), world.say('once')];
    expect(acts(server.last)).toMatchObject([{ number: 1, handle: 7 }, { number: 2, handle: 65535 }]);
    server.answer = (s) => {
      s.deliver(vector('welcome back'));
      server.show(s);
    };
    for (const _ of [1, 2]) {
      server.last.close();
      await pass(100);
      expect(acts(server.last)).toEqual([{ number: 1, seen: 0, handle: 65535 }, { number: 2, seen: 0, handle: 65535 }]);
    }
    requests.push(world.say('further'));
    expect(acts(server.last).map((a) => a.number)).toEqual([1, 2, 3]);
    for (const number of [1, 2, 3]) server.last.deliver(answer(number));
    expect(await results(requests)).toEqual(['ok', 'ok', 'ok']);
    server.last.close();
    await pass(100);
    expect(acts(server.last)).toEqual([]);
  });

  it('have an unknown result and are not repeated, if the server does not know which were executed', async () => {
    const server = new Server();
    const world = await server.connect();
    const requests = [world.say('before the loss')];
    server.hold = 'open';
    server.last.close();
    await pass(100);
    expect(await results(requests)).toEqual(['none']);
    server.release();
    await pass(100);
    expect([await results(requests), acts(server.last)]).toEqual([['unknown'], []]);
    expect((await requests[0]!).sentence).toBe('the connection was lost');
  });

  it('are sent after the connection is resumed, if they were made meanwhile', async () => {
    for (const [welcome, result] of [['welcome', 'unknown'], ['welcome back', 'none']] as const) {
      const server = new Server();
      const world = await server.connect();
      server.answer = (s) => s.deliver(bye('busy', true)); // one attempt fails
      server.last.close();
      await pass(1);
      const requests = [world.say('meanwhile')];
      await pass(100);
      expect([world.link.state, acts(server.last)]).toEqual(['resuming', []]);
      server.answer = (s) => {
        s.deliver(vector(welcome));
        server.show(s);
      };
      await pass(1000);
      expect([world.link.state, acts(server.last).map((a) => a.number)]).toEqual(['open', [1]]);
      server.last.close(); // from now on, the request is one that was sent
      await pass(100);
      expect([world.link.state, await results(requests)]).toEqual(['open', [result]]);
      restore();
    }
  });

  it('are not repeated by a later connection, if one that did not last has learned that they are unknown', async () => {
    const server = new Server();
    const world = await server.connect();
    const requests = [world.say('before the loss')];
    server.answer = (s) => s.deliver(vector('welcome'));
    server.last.close();
    await pass(100);
    server.last.close(); // before the Enter of the own player
    await pass(100);
    expect([world.link.state, server.sockets.length]).toEqual(['resuming', 2]);
    server.answer = (s) => {
      s.deliver(vector('welcome back'));
      server.show(s);
    };
    await pass(1000);
    expect([world.link.state, await results(requests), acts(server.last)]).toEqual(['open', ['unknown'], []]);
  });
});
