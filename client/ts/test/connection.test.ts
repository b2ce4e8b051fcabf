import { afterEach, expect, it } from 'vitest';
import { bye, pass, restore, Server, type Step } from './server.js';

afterEach(restore);

it('an aborted signal keeps the player out of the world, without a request', async () => {
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

it('a Bye in place of the Welcome ends the entry, or the attempts to resume, with its sentence', async () => {
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
