import { expect, it, vi } from 'vitest';
import { newAvatar } from '../src/blocks/avatar.js';
import { Body, body } from '../src/blocks/walking.js';
import { Clock, Pace } from '../src/clock.js';
import { Motion } from '../src/motion.js';
import { Reader } from '../src/snapshot.js';
import { World } from '../src/world.js';

const drawn = () => ({ x: 0, y: 0, z: 0, yaw: 0, health: 0, flags: 0 });

it('if the server is steady, the drawn time advances evenly, follows the server by the delay, and never goes back', () => {
  const c = new Clock();
  let last = -Infinity;
  let seed = 1;
  const jitter = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let now = 0; now < 60_000; now += 10) {
    if (now % 50 === 0) c.arrived(now + 30 * jitter(), now - 1000, 1);
    const at = c.drawAt(now);
    expect(at).toBeGreaterThanOrEqual(last);
    if (now > 20_000) expect(at - last).toBeLessThan(20);
    last = at;
  }
  expect(last).toBeGreaterThan(60_000 - 1000 - 200);
  expect(last).toBeLessThan(60_000 - 1000 - 90);
});

it('the pace slows down if inputs wait at the server, and speeds up if none waits', () => {
  const p = new Pace();
  for (const [waits, rate] of [[2, 0.98], [5, 0.92], [15, 0.8]]) {
    for (let i = 0; i < 40; i++) p.heard(waits!);
    expect(p.rate).toBe(rate);
  }
  for (let i = 0; i < 40; i++) p.heard(0);
  expect(p.rate).toBe(1.02);
  for (let i = 0; i < 40; i++) p.heard(1);
  expect(p.rate).toBe(1);
});

it('an actor moves on through ticks whose snapshots omit it, and stops when no more snapshots arrive', () => {
  const m = new Motion();
  const state = (x: number, flags = 0) => [x * 64, 64 * 64, 0, 0, 255, flags];
  const speeds = [0.2 * 64 * 16, 0, 0];
  m.add(90, state(0));
  m.add(101, state(0.2), speeds);
  m.add(102, state(0.4), speeds);
  const out = drawn();
  m.draw(101.5, 102, out);
  expect(out.x).toBeCloseTo(0.3, 2);
  m.draw(104, 104, out); // predicted, because no newer state has arrived
  expect(out.x).toBeCloseTo(0.8, 2);
  m.draw(200, 115, out); // without snapshots the actor stands still where the prediction ends
  expect(out.x).toBeCloseTo(0.4 + 0.2 * 13, 2);
  m.draw(100, 102, out); // the interpolation toward a state begins three ticks before it
  expect(out.x).toBeGreaterThan(0);
  m.draw(97, 102, out);
  expect(out.x).toBe(0);
  m.add(120, state(10, 64)); // the flag JUMP has changed, so the position is not interpolated
  m.draw(119.5, 120, out);
  expect(out.x).toBeLessThan(5);
  m.draw(120, 120, out);
  expect(out.x).toBeCloseTo(10, 2);
});

it('the delay grows only if a lost snapshot leaves a gap longer than the smallest delay', () => {
  const delay = (gap: number): number => {
    const c = new Clock();
    for (let now = 0; now < 20_000; now += 10) {
      if (now % 50 === 0) c.arrived(now, now - 1000, gap);
      c.drawAt(now);
    }
    return c.delay;
  };
  expect(delay(100)).toBe(100); // the gap after a lost snapshot with refresh 1 at 20 ticks a second, or 5 at 60
  expect(delay(250)).toBe(150); // the gap with refresh 4 at 20 ticks a second
});

it('the delay grows if the server sends fewer snapshots, but not if snapshots are lost', () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  /** The longest delay in a world of 60 ticks a second with refresh 4 and a snapshot each `every` ticks. */
  const delay = (every: number, lost: (seq: number) => boolean): number => {
    const reader = new Reader({ kinds: [] }), w = new World(new URL('http://localhost'), { body });
    const inner = Object.assign(w as unknown as { snapshot(b: Uint8Array): void }, { reader, tickTime: 1000 / 60 });
    reader.reset(0);
    let most = 0;
    for (let seq = 1, tick = 65_000; seq < 800; seq++, tick += every) { // the low bits of the tick wrap
      now = tick * (1000 / 60);
      if (lost(seq)) continue;
      inner.snapshot(Uint8Array.of(0x84, seq, seq >> 8, 0, tick, tick >> 8, 0, 0)); // a snapshot without actors
      w.frame();
      most = Math.max(most, w.link.delay);
    }
    return most;
  };
  try {
    expect(delay(1, () => false)).toBe(100);
    expect(delay(1, (seq) => seq % 8 === 0)).toBe(100);
    expect(delay(2, () => false)).toBeCloseTo(150);
  } finally {
    clock.mockRestore();
  }
});

it('a download of ground for a lost connection neither delays nor ends the next connection', async () => {
  const downloads: { resolve: (a: unknown) => void; reject: (e: Error) => void }[] = [];
  vi.stubGlobal('fetch', () => new Promise((resolve, reject) => downloads.push({ resolve, reject })));
  const closed: string[] = [], lost: string[] = [];
  const transport = (name: string) => ({ kind: 'ws', close: () => closed.push(name), control: () => {}, datagram: () => {} });
  const w = new World(new URL('http://localhost'), { body });
  const inner = Object.assign(w as unknown as {
    t?: object; queue: Uint8Array[]; deliver(b: Uint8Array, from: object): void; enterArea(m: object): Promise<void>; control(b: Uint8Array): void; lost(): void;
  }, { control: (b: Uint8Array) => handled.push(b), lost: () => lost.push('lost') });
  const handled: Uint8Array[] = [];
  const message = new Uint8Array([0x42]);
  const area = { code: 0x48, area: { ground: 'a' } };
  for (const end of ['fails', 'succeeds']) {
    inner.t = transport('first');
    const entering = inner.enterArea(area);
    inner.deliver(message, inner.t);
    expect(inner.queue.length).toBe(1); // the message waits for the ground
    inner.t = transport('second');
    inner.queue = [];
    inner.deliver(message, inner.t);
    expect([inner.queue.length, handled.length]).toEqual([0, 1]);
    if (end === 'fails') downloads.pop()!.reject(new Error('network'));
    else downloads.pop()!.resolve(new Response(new Uint8Array(0)));
    await entering;
    expect([closed, lost]).toEqual([[], []]);
    handled.length = 0;
  }
  vi.unstubAllGlobals();
});

/** A world in whose picture only the own player is, at x = 0, and which does not move by itself. */
function standing(): { world: World; own(m: { what: number; x: number }): void; x(now: number): number } {
  const still: Body = { ...body, step: () => {} };
  const world = new World(new URL('http://localhost'), { body: still });
  const inner = Object.assign(world as unknown as {
    me: object; reader: Reader; ownState(m: object): void; prediction: { tick: number; reset(tick: number, a: object): void };
  }, { me: { x: 0, y: 0, z: 0 }, reader: new Reader({ kinds: [] }) });
  inner.prediction.reset(7, newAvatar());
  return {
    world,
    own: ({ what, x }) => inner.ownState({ tick: inner.prediction.tick, serial: 0, reason: 0, what, avatar: { ...newAvatar(), x } }),
    x(now) {
      world.frame(now);
      return world.self.x;
    },
  };
}

it('a corrected player is drawn where it was, and glides to its new position in some tenths of a second', () => {
  const s = standing();
  expect(s.x(1000)).toBe(0);
  s.own({ what: 1, x: 1 });
  expect(s.x(1000)).toBe(0);
  expect(s.x(1060)).toBeCloseTo(0.5);
  expect(s.x(1120)).toBeCloseTo(0.75);
  expect(s.x(1600)).toBeGreaterThan(0.99);
});

it('a player that was teleported, or corrected by more than two blocks, is drawn there at once', () => {
  for (const m of [{ what: 3, x: 1 }, { what: 1, x: 2.5 }]) {
    const s = standing();
    s.x(1000);
    s.own(m);
    expect(s.x(1000)).toBe(m.x);
  }
});

it('a player that dies glides to where the server has its body', () => {
  const s = standing();
  s.own({ what: 3, x: 1 }); // the client has predicted one block more
  expect(s.x(1000)).toBe(1);
  Object.assign(s.world.self, { dead: true, truth: { x: 0, y: 0, z: 0 } });
  expect(s.x(1060)).toBeCloseTo(0.5);
  expect(s.x(1120)).toBeCloseTo(0.25);
  expect(s.x(2000)).toBeCloseTo(0);
  Object.assign(s.world.self, { dead: false });
  expect(s.x(2000)).toBe(1);
});

/** A world at tick 70,000.5 of the server as drawn, with actors 1 and 2, and the damage of the blows that it has reported. */
function fight(): { world: World; inner: { t: object; clock: Clock; shown: Map<number, object>; event(m: object): void; end(sentence: string): void }; struck: unknown[]; blow(tick: number, damage: number): void } {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const world = new World(new URL('http://localhost'), { body });
  const inner = Object.assign(world as unknown as ReturnType<typeof fight>['inner'], { reader: new Reader({ kinds: [] }) });
  inner.clock.drawAt(performance.now());
  inner.clock.arrived(performance.now(), 70_000.5 * 50 + 100, 50);
  for (const id of [1, 2]) inner.shown.set(id, { id, draw: () => {} });
  const struck: unknown[] = [];
  world.on('struck', (e) => struck.push(e.damage));
  return { world, inner, struck, blow: (tick, damage) => inner.event({ kind: 1, tick, who: 1, other: 2, value: damage, text: '' }) };
}

it('a blow between other actors is reported when its tick is drawn, or at once if it arrives after that', () => {
  const { world, struck, blow } = fight();
  blow(69_999, 3);
  blow(70_002, 1); // arrives 75 ms before its tick is drawn
  blow(70_002 + 65536, 2);
  blow(70_100, 4); // arrives while the page has drawn nothing for a while
  expect(struck).toEqual([3]);
  vi.advanceTimersByTime(74);
  world.frame();
  expect(struck).toEqual([3]);
  vi.advanceTimersByTime(1);
  world.frame();
  expect(struck).toEqual([3, 1, 2]);
  vi.advanceTimersByTime(25);
  world.frame();
  expect(struck).toEqual([3, 1, 2, 4]);
  vi.useRealTimers();
});

it('blows of one tick are reported in their order, also if a picture is drawn between their messages', () => {
  const { world, struck, blow } = fight();
  world.frame();
  vi.advanceTimersByTime(15);
  blow(70_002, 1);
  vi.advanceTimersByTime(1);
  world.frame();
  vi.advanceTimersByTime(1);
  blow(70_002, 2);
  for (let i = 0; i < 200; i++) {
    vi.advanceTimersByTime(0.5);
    world.frame();
  }
  expect(struck).toEqual([1, 2]);
  vi.useRealTimers();
});

it('a late blow names neither an actor that has left nor a newer actor with its handle, and no blow is reported after the world is closed', () => {
  const { world, inner, blow } = fight();
  const seen: unknown[] = [];
  world.on('struck', (e) => seen.push(e.attacker?.id, e.victim?.id));
  blow(70_002, 1);
  inner.shown.set(1, { id: 1, draw: () => {} });
  inner.shown.delete(2);
  vi.advanceTimersByTime(100);
  world.frame();
  expect(seen).toEqual([undefined, undefined]);
  inner.shown.set(2, { id: 2, draw: () => {} });
  blow(70_004, 1);
  expect(seen.length).toBe(2);
  inner.end('');
  vi.advanceTimersByTime(400);
  world.frame();
  expect(seen.length).toBe(2);
  vi.useRealTimers();
});

it('a listener that throws is reported, and the other listeners are called', () => {
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
  const world = new World(new URL('http://localhost'), { body });
  const inner = world as unknown as { emit(name: string, e: object): void };
  const heard: string[] = [];
  world.on('state', () => { throw new Error('a fault of the game'); });
  const end = world.on('state', () => {
    heard.push('first');
    end();
    endOther();
    world.on('state', () => heard.push('added'));
  });
  const endOther = world.on('state', () => heard.push('removed'));
  inner.emit('state', {});
  expect(heard).toEqual(['first']);
  expect(reported.mock.calls).toEqual([[new Error('a fault of the game')]]);
  inner.emit('state', {});
  expect(heard).toEqual(['first', 'added']);
  reported.mockRestore();
});

it('a listener of enter is called with each actor that is already shown, and then with each new actor', () => {
  const kind = { name: 'npc', fields: ['x', 'y', 'z', 'yaw', 'health', 'flags'].map((name) => ({ name, step: 1 })) };
  const w = new World(new URL('http://localhost'), { body });
  const inner = Object.assign(w as unknown as { reader: Reader; schema: object; apply(m: object): void }, { schema: { kinds: [kind] }, reader: new Reader({ kinds: [kind] }) });
  const enter = (handle: number): void => inner.apply({ code: 0x43, handle, kind: 0, state: Int32Array.of(0, 0, 0, 0, 255, 0), body: { handle, mask: 16, name: `Hen ${handle}` } });
  enter(1);
  enter(2);
  const shown: string[] = [];
  const end = w.on('enter', (...args) => shown.push(args.map((a) => a.name).join()));
  expect(shown).toEqual(['Hen 1', 'Hen 2']);
  enter(3);
  end();
  enter(4);
  expect(shown).toEqual(['Hen 1', 'Hen 2', 'Hen 3']);
  const added: string[] = [];
  const once = w.on('enter', ({ name }) => { // the listener is called with Hen 5 after Hen 5 is shown
    if (name === 'Hen 5') w.on('enter', (a) => added.push(a.name));
  });
  enter(5);
  once();
  expect(added).toEqual(['Hen 1', 'Hen 2', 'Hen 3', 'Hen 4', 'Hen 5']);
});
