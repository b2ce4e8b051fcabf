// Moves a crowd that one Colyseus client sees: node server.mjs MOTION.jsonl SCENE HZ ADDR. ../measure writes MOTION.jsonl. Reads commands
// from standard input and answers each with a line of JSON. "ticks" returns the number of ticks since the client has joined. "stop" ends
// the motion and returns the states of all actors. Exits at the end of the input.
import { readFileSync } from 'node:fs';
import { Room, Server } from '@colyseus/core';
import { schema, t } from '@colyseus/schema';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { answer, fieldsOf } from './answer.mjs';

const [file, scene, hz, addr] = process.argv.slice(2);
const fields = fieldsOf(scene); // names of an actor's values, in the order of a row of the motion
const rows = readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
const actors = rows[0].length / fields.length;

const types = scene === 'stinkysteak' ? { yaw: t.uint16(), pitch: t.uint16() } : { yaw: t.uint8(), health: t.uint8(), flags: t.uint8() };
const Actor = schema({ x: t.int16(), y: t.int16(), z: t.int16(), ...types }, 'Actor');
const State = schema({ actors: t.map(Actor) }, 'State');

let tick = 0, row = 0, stopped = false;
class Field extends Room {
  onCreate() {
    this.state = new State();
    for (let i = 0; i < actors; i++) this.state.actors.set(String(i), new Actor());
    this.apply();
    this.patchRate = null; // no patches by timer, because tick sends one
  }

  onJoin() {
    const start = performance.now();
    const next = () => {
      tick++;
      if (!stopped) row = tick % rows.length;
      this.apply();
      this.broadcastPatch();
      setTimeout(next, Math.max(0, start + (1000 * (tick + 1)) / hz - performance.now()));
    };
    setTimeout(next, 1000 / hz);
  }

  // Colyseus sends only values that differ from those before.
  apply() {
    this.state.actors.forEach((a, key) => {
      fields.forEach((field, i) => { a[field] = rows[row][fields.length * key + i]; });
    });
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define('field', Field);
const [host, port] = addr.split(':');
await server.listen(Number(port), host);
answer({
  ticks: () => tick,
  stop: () => {
    stopped = true;
    return rows[row];
  },
}, 'ready');
