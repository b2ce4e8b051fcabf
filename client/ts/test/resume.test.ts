import { afterEach, describe, expect, it, vi } from 'vitest';
import { pass, restore, Server, snapshot } from './server.js';

afterEach(restore);

describe('the node through which a client resumes', () => {
  it('a client whose node is gone resumes through another one', async () => {
    const server = new Server();
    server.nodes = ['server', 'b', 'c:81'];
    const world = await server.connect();
    server.gone = 'server';
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
    server.delay = { server: 3900, b: 3000, 'c:81': 3100 };
    server.last.close();
    await pass(3950);
    server.delay = {};
    await pass(4000);
    expect([world.link.state, server.asked]).toEqual(['open', ['server', 'server']]);
  });

  it('a client without a cluster resumes at the same server, as soon as that answers', async () => {
    const server = new Server();
    const world = await server.connect();
    server.gone = 'server';
    server.last.close();
    await pass(2000);
    expect([world.link.state, new Set(server.asked)]).toEqual(['resuming', new Set(['server'])]);
    server.gone = '';
    await pass(5000);
    expect(world.link.state).toBe('open');
  });

  it.each([[1000, 7, 'resuming'], [10_000, 11, 'open']])('in a page whose timers run every %i ms, a connection that is silent for %i s is %s', async (every, seconds, state) => {
    const server = new Server(), { setInterval } = globalThis;
    vi.spyOn(globalThis, 'setInterval').mockImplementation(((f: () => void) => setInterval(f, every)) as never);
    const world = await server.connect();
    server.gone = 'server';
    await pass(1000 * seconds);
    expect(world.link.state).toBe(state);
  });
});
