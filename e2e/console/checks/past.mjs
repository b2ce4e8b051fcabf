// The recorded past: GET /tape and the WebSocket GET /past. Their frames are compared with the positions that the API returned
// at that time.
import { ConsoleApi } from '../../lib/console_api.mjs';
import { equal, must } from '../../lib/assert.mjs';
import { sleep, waitUntil } from '../../lib/wait.mjs';
import { MapSocket } from '../map_socket.mjs';

const STAND_MS = 400; // time for which the player stands at each of two positions before and after the time that is asked for
const PLAY_MS = 3000; // how long a check plays a recording
const SLACK = 0.2; // tolerance in units between a frame of the past and the position that the API returned at that time
const RELOAD_MS = 1100; // time until a running server has read the token file again
const SLOW_MS = 20000; // additional time on a busy machine, where maps of the past leave out frames
const MAPS_PER_OPERATOR = 3;

/** Where a standing player is, and a time at which it has been there for a while, with the tick that a live map has at that time. */
async function standing(server, player) {
  const { entity } = await server.api.player(player.name);
  const place = async () => (await server.api.get(`/players/${entity}`)).pos;
  const { socket: live } = await MapSocket.open(server, '/live?area=0&rate=20', { token: server.consoleToken });
  try {
    for (let pos = await place(); ;) {
      await sleep(STAND_MS);
      const since = Date.now();
      const { at, tick } = await live.next('frame', { from: live.mark(), accept: (f) => f.at >= since });
      await sleep(STAND_MS);
      const after = await place();
      if (Math.hypot(after.x - pos.x, after.z - pos.z) < SLACK / 4) return { at: Math.floor(at), tick, pos, name: player.name };
      pos = after;
    }
  } finally {
    live.close();
  }
}

/**
 * Whether a map of the past shows the newest tick at the time of place: that of the live map, or a later one, if the server had recorded it
 * but not sent it yet. How old the tick is does not matter: ticks can be far apart on a busy machine.
 */
const isNewestAt = (state, place) => state.at <= place.at && state.tick >= place.tick;

/** Opens a map of the past, which its server must accept. */
async function openPast(server, at, { token = server.consoleToken, rate = 20 } = {}) {
  const { status, socket } = await MapSocket.open(server, `/past?area=0&at=${at}&rate=${rate}`, { token });
  equal(status, 101, 'status');
  return socket;
}

/** Sends a command and resolves with the state that follows, and the newest frame. */
async function ask(socket, command, accept) {
  const from = socket.mark();
  socket.ask(command);
  const state = await socket.next('state', { from, accept });
  return { state, frame: socket.frame };
}

/** Fails unless a frame shows a player where it stood. */
function mustStand(socket, frame, { name, pos }) {
  const a = must(frame.actors.get(socket.names.get(name)), `${name} is not in tick ${frame.tick}`);
  const off = Math.hypot(a.x - pos.x, a.z - pos.z);
  must(off <= SLACK, `${name} is ${off.toFixed(2)} units from where it stood`);
}

/** Throws unless the newest frame of a map is the newest one at a time at which a player stood at place, and shows the player there. */
function mustShow(socket, { state, frame }, place) {
  must(isNewestAt(state, place) && !state.end && state.gap === null, `asked for ${place.at}, tick ${place.tick}, got ${JSON.stringify(state)}`);
  equal([frame.tick, Math.round(frame.at)], [state.tick, state.at], 'tick and time of the frame');
  mustStand(socket, frame, place);
}

export async function pastChecks({ report, server, ann }) {
  const first = await report.check('the past has two places at which a player stood', async () => {
    await ann.toTheGreen(server.api);
    const here = await standing(server, ann);
    const to = { x: here.pos.x + 8, z: here.pos.z + 8 };
    must(await ann.walk(to, { within: 2 }), `Ann is at ${JSON.stringify(ann.position)} and cannot walk to ${JSON.stringify(to)}`);
    const there = await standing(server, ann);
    must(Math.hypot(here.pos.x - there.pos.x, here.pos.z - there.pos.z) > 5, 'Ann stayed where she was');
    return { here, there };
  });
  if (!first) return;
  const { here, there } = first;
  await report.check('GET /tape says that the area is recorded from the server\'s start until now', async () => {
    const tape = async () => ({ ...(await server.api.get('/tape?area=0')), now: Date.now() }); // repeated: a busy server may record late
    const isUpToDate = ({ to, now }) => Math.abs(now - Date.parse(to)) < 3000 && Date.parse(to) > there.at;
    const { recording, tickMs, from, to, spans } = await waitUntil(tape, { ms: SLOW_MS, accept: isUpToDate, what: 'a recording until now' });
    equal([recording, tickMs], [true, 50], 'recording and ms of a tick');
    must(spans.length > 0 && from === spans[0].from && to === spans.at(-1).to, `from ${from} to ${to}, spans ${JSON.stringify(spans)}`);
    must(Date.parse(from) <= here.at, `recorded from ${from}, want from ${here.at}`);
  });
  const socket = await report.check('a map of the past opens at a time and jumps to another', async () => {
    const past = await openPast(server, here.at);
    const hello = await past.next('hello');
    must(hello.area === 0 && hello.from <= here.at && hello.to >= there.at, `hello ${JSON.stringify(hello)}`);
    mustShow(past, { state: await past.next('state'), frame: past.frame }, here);
    const from = past.mark();
    mustShow(past, await ask(past, { do: 'seek', at: there.at }), there);
    const types = past.messages.slice(from).map((m) => m.type);
    equal(types.filter((t) => ['reset', 'actors', 'frame', 'state'].includes(t)).slice(0, 4), ['reset', 'actors', 'frame', 'state'], 'messages of a jump');
    mustShow(past, await ask(past, { do: 'seek', at: here.at }), here);
    return past;
  });
  if (!socket) return;
  await playChecks({ report, server, socket }, here, there);
  await liveChecks({ report, server }, here);
  await refusalChecks({ report, server }, here);
  socket.close();
}

async function playChecks({ report, socket }, here, there) {
  await report.check('a recording plays at four times the speed, with each frame later than the last, and pauses', async () => {
    const needed = 4 * PLAY_MS / 2 + 2000; // length of the recording in ms, so that playing does not reach its end
    await sleep(Math.max(0, here.at + needed - Date.now()));
    const play = async () => {
      mustShow(socket, await ask(socket, { do: 'seek', at: here.at }), here);
      const from = socket.mark();
      const began = performance.now();
      await ask(socket, { do: 'play', speed: 4 }, (s) => s.playing && s.speed === 4);
      await sleep(PLAY_MS / 2);
      const { state } = await ask(socket, { do: 'pause' }, (s) => !s.playing);
      const speed = (state.at - here.at) / (performance.now() - began);
      const ticks = socket.messages.slice(from).filter((m) => m.type === 'frame').map((f) => f.tick);
      must(speed < 4.6 && ticks.every((t, i) => i === 0 || t > ticks[i - 1]), `played at ${speed.toFixed(1)} times, ticks ${ticks}`);
      return { speed, ticks };
    };
    // Less than 4 is allowed, because a busy machine plays slower. On a machine that stands still for a second, it is played again.
    await waitUntil(play, { ms: SLOW_MS, accept: ({ speed, ticks }) => speed > 2 && ticks.length > 5, what: 'speed of the map, and ticks of its frames' });
    const paused = socket.mark();
    await sleep(500);
    equal(socket.messages.slice(paused).filter((m) => m.type === 'frame').length, 0, 'frames while paused');
  });
  await report.check('a tick forward and a tick back show neighbouring ticks', async () => {
    const { state: start } = await ask(socket, { do: 'seek', at: there.at });
    const { state: later } = await ask(socket, { do: 'step', ticks: 1 });
    const { state: back } = await ask(socket, { do: 'step', ticks: -1 });
    const { state: many, frame } = await ask(socket, { do: 'step', ticks: 20 });
    equal([later.tick, back.tick, many.tick, frame.tick].map((t) => t - start.tick), [1, 0, 20, 20], 'ticks from the first');
    mustShow(socket, await ask(socket, { do: 'seek', at: there.at }), there);
  });
  await report.check('after many seeks in a row the map shows the time of the last one', async () => {
    const from = socket.mark();
    for (let i = 0; i < 30; i++) socket.ask({ do: 'seek', at: there.at - (30 - i) * 40 });
    socket.ask({ do: 'seek', at: here.at });
    await socket.next('state', { from, accept: (s) => isNewestAt(s, here) });
    mustStand(socket, socket.frame, here);
  });
}

async function liveChecks({ report, server }, here) {
  await report.check('the world ticks on time while three maps play the past at 16 times the speed', async () => {
    const { socket: live } = await MapSocket.open(server, '/live?area=0&rate=20', { token: server.consoleToken });
    const token = await tokenOf(server, 'Pat', 'moderator');
    const maps = await Promise.all(Array.from({ length: MAPS_PER_OPERATOR }, () => openPast(server, here.at, { token })));
    await Promise.all(maps.map((m) => ask(m, { do: 'play', speed: 16 }, (s) => s.playing)));
    const rewind = setInterval(() => maps.forEach((m) => m.ask({ do: 'seek', at: here.at })), 400);
    try {
      const frames = () => maps.map((m) => m.messages.filter((x) => x.type === 'frame').length);
      await waitUntil(async () => frames(), { ms: SLOW_MS, accept: (all) => all.every((n) => n > 20) || maps.some((m) => m.closed !== undefined), what: 'frames of the maps of the past' });
      const rate = async () => { // repeated: an area skips ticks when a busy machine stands still; maps that slow it down do so all the time
        const before = await live.next('frame', { from: live.mark() });
        await sleep(PLAY_MS);
        const after = await live.next('frame', { from: live.mark() });
        return ((after.tick - before.tick) * 1000) / (after.at - before.at);
      };
      await waitUntil(rate, { ms: SLOW_MS, accept: (r) => r > 17 && r < 23, what: 'ticks/s, want 20' });
    } finally {
      clearInterval(rewind);
    }
    const age = async () => { // repeated: this process may read a message late
      const { at } = await live.next('frame', { from: live.mark() });
      return Math.round(Date.now() - at);
    };
    await waitUntil(age, { ms: SLOW_MS, accept: (ms) => Math.abs(ms) < 1000, what: 'age in ms of the newest live frame' });
    equal(maps.map((m) => m.closed), maps.map(() => undefined), 'close codes of the maps of the past');
    equal((await MapSocket.open(server, `/past?area=0&at=${here.at}`, { token })).status, 429, 'status of a fourth map of one operator');
    for (const m of [live, ...maps]) m.close();
  });
}

/** Creates a token, and waits until the server accepts it. */
async function tokenOf(server, name, role) {
  const token = (await server.cli('token add', name, '--role', role)).trim();
  const api = new ConsoleApi(server.consoleBase, token);
  for (let tries = 1; tries < 5; tries++) {
    await sleep(RELOAD_MS * tries);
    if ((await api.call('GET', '/session')).status === 200) return token;
  }
  return must(false, `the token of ${name} is not accepted`);
}

async function refusalChecks({ report, server }, here) {
  const path = `/past?area=0&at=${here.at}`;
  await report.check('a viewer\'s token may open the past; requests without a token or from another site are refused', async () => {
    const past = await openPast(server, here.at, { token: await tokenOf(server, 'Pia', 'viewer') });
    mustShow(past, { state: await past.next('state'), frame: past.frame }, here);
    past.close();
    equal((await MapSocket.open(server, path)).status, 401, 'status without a token');
    equal((await fetch(`${server.consoleBase}/api/v1/tape?area=0`)).status, 401, 'status of GET /tape without a token');
    equal((await MapSocket.open(server, path, { token: server.consoleToken, origin: 'http://elsewhere.example' })).status, 403, 'status for another page');
  });
  for (const [what, command] of [['text that is no command', 'rewind!'], ['a speed that is not offered', { do: 'play', speed: 1000 }], ['too many bytes', { do: 'seek', at: here.at, pad: 'x'.repeat(300) }]]) {
    await report.check(`${what} closes a map of the past`, async () => {
      const past = await openPast(server, here.at);
      past.ask(command);
      for (const end = performance.now() + 10000; past.closed === undefined; await sleep(20)) must(performance.now() < end, 'the map stays open');
      must([1008, 1009].includes(past.closed), `closed with ${past.closed}`);
    });
  }
}
