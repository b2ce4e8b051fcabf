// The frame tables of Mojang's PlayerMovementOverview, played between a Rewind and a minimal server. The server handles the
// input of client frame n two frames later; the client handles the answer another two frames later. A pair (c, s) is a client
// frame and a server frame.
import assert from 'node:assert/strict';
import test from 'node:test';
import { flat } from './flat.mjs';
import { atRest, copy, step } from './physics.mjs';
import { Rewind } from './rewind.mjs';

const BASE = 100; // tick of frame 0, as tick 0 means none
const DELAY = 2;

/**
 * Plays frames 0 to last. input(frame) returns the input; server(frame, input, say) handles it and calls say(tick, change) to
 * send a packet; row(frame) is called at the end of each frame.
 */
function play({ client, input, server, last, row = () => {} }) {
  const up = [];
  const down = [];
  for (let frame = 0; frame <= last; frame++) {
    for (const p of down.filter((d) => d.at === frame)) client.file(p.tick, p.change);
    const said = input(frame);
    const { state } = client.advance(said);
    up.push({ said, pos: state.pos, state });
    const server0 = frame - DELAY;
    if (server0 >= 0) server(server0, up[server0], (tick, change) => down.push({ at: frame + DELAY, tick, change }));
    row(frame, state);
  }
}

test('after a knockback during a walk and one correction, client and server agree at client frame 6, server frame 4', () => {
  const north = (s) => (s.pos[1] += 1);
  const client = new Rewind({ state: { ...atRest([0, -1, 0]) }, tick: BASE - 1, step: north });
  const truth = [0, -1];
  let corrections = 0;
  const mismatches = [];
  const seen = {};
  play({
    client, last: 6, input: () => ({}),
    server: (frame, { pos }, say) => {
      truth[1] += 1;
      if (frame === 0) {
        truth[0] += 1;
        corrections++;
        const to = [...truth];
        say(BASE, (s) => ([s.pos[0], s.pos[1]] = to));
      }
      if (frame > 0 && (pos[0] !== truth[0] || pos[1] !== truth[1])) mismatches.push(frame);
    },
    row: (frame, s) => (seen[frame] = s.pos.slice(0, 2)),
  });
  assert.deepEqual(seen, { 0: [0, 0], 1: [0, 1], 2: [0, 2], 3: [0, 3], 4: [1, 4], 5: [1, 5], 6: [1, 6] });
  assert.deepEqual([0, 1, 2, 3].map((n) => client.after(BASE + n).pos.slice(0, 2)), [[1, 0], [1, 1], [1, 2], [1, 3]]);
  assert.deepEqual(mismatches, [1, 2, 3]);
  assert.equal(corrections, 1);
});

/** Plays the sneaking example of that document: the player sneaks in frames 2 and 3. withTick: the server's packet contains its tick. */
function sneak(withTick) {
  const world = flat();
  const client = new Rewind({ state: atRest([0.5, 64, 0.5]), world, tick: BASE - 1 });
  const server = atRest([0.5, 64, 0.5]);
  const out = { mismatches: [], errors: {}, client };
  let dirty;
  const before = {};
  play({
    client, last: 12,
    input: (frame) => {
      const flags = new Set(['up', ...({ 2: ['start_sneaking'], 4: ['stop_sneaking'] }[frame] ?? [])]);
      for (let n = 3; frame === 7 && n <= 6; n++) before[n] = copy(client.after(BASE + n));
      return { move: [0, 1], yaw: 0, flags };
    },
    server: (frame, { said, pos }, say) => {
      if (dirty !== undefined) {
        const on = dirty;
        dirty = undefined;
        if (on) say(withTick ? BASE + frame - 1 : 0, (s) => (s.sneaking = true));
      }
      const was = server.sneaking;
      step(server, said, world);
      if (server.sneaking !== was) dirty = server.sneaking;
      const e = Math.hypot(...pos.map((p, i) => p - server.pos[i]));
      if (e > 0) out.mismatches.push(frame);
      out.errors[frame] = e;
    },
  });
  out.before = before;
  return out;
}

test('if sneaking is answered by a packet without a tick, client and server differ from client frame 9, server frame 7 on', () => {
  const { mismatches, errors } = sneak(false);
  assert.equal(mismatches[0], 7);
  assert.ok(Math.abs(errors[7] - 0.0686) < 1e-4, `error ${errors[7]}`);
});

test('if sneaking is answered by a packet with a tick, client and server stay equal and the replay is bit-identical', () => {
  const { mismatches, client, before } = sneak(true);
  assert.deepEqual(mismatches, []);
  assert.deepEqual(client.replays, [{ from: BASE + 2, to: BASE + 6, changed: [] }]);
  for (const n of [3, 4, 5, 6]) assert.deepEqual(client.after(BASE + n), before[n]);
  assert.equal(client.after(BASE + 6).sneaking, false);
});

test('a packet older than the history is applied at once without a replay', () => {
  const client = new Rewind({ state: atRest([0.5, 64, 0.5]), world: flat(), tick: BASE, size: 5 });
  for (let n = 0; n < 10; n++) client.advance({ move: [0, 1], yaw: 0, flags: new Set() });
  const change = (s) => (s.pos[0] = 9);
  assert.equal(client.file(BASE + 5, change), 'applied');
  assert.equal(client.state.pos[0], 9);
  assert.equal(client.replay(), undefined);
  assert.equal(client.file(BASE + 6, change), 'filed');
  assert.equal(client.file(BASE + 11, change), 'applied');
});

test('a stored packet is applied again in the replay that a packet with an earlier tick causes', () => {
  const client = new Rewind({ state: atRest([0.5, 64, 0.5]), world: flat(), tick: BASE });
  const forth = { move: [0, 1], yaw: 0, flags: new Set() };
  for (let n = 0; n < 6; n++) client.advance(forth);
  client.file(BASE + 4, (s) => (s.pos[0] = 7.5));
  client.advance(forth);
  client.file(BASE + 2, (s) => (s.pos[2] += 10));
  client.advance(forth);
  assert.equal(client.state.pos[0], 7.5);
  assert.ok(client.state.pos[2] > 10);
});
