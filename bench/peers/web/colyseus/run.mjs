// Measures what Colyseus sends one client that sees a crowd move: node run.mjs MOTION.jsonl HZ [RTT_MS]. MOTION.jsonl is what ../motion prints. The client is
// connected through a relay that delays each way by half of the round trip and counts the bytes. Prints a JSON object.
import { createInterface } from 'node:readline';
import { createReadStream } from 'node:fs';
import net from 'node:net';
import { Room, Server } from '@colyseus/core';
import { schema, t } from '@colyseus/schema';
import { Client } from '@colyseus/sdk';
import { WebSocketTransport } from '@colyseus/ws-transport';

const [file, hz, rtt = '0'] = process.argv.slice(2);
const SEGMENT = 1448; // bytes of TCP payload in a packet
const HEADERS = 52; // bytes of IPv4 and TCP with timestamps
const WARM_MS = 2000, MEASURE_MS = 10000;

const motion = [];
for await (const line of createInterface({ input: createReadStream(file) })) motion.push(JSON.parse(line));
const actors = motion[0].length / 4;

const Actor = schema({ x: t.int16(), y: t.int16(), z: t.int16(), yaw: t.uint8(), health: t.uint8(), flags: t.uint8() }, 'Actor');
const State = schema({ actors: t.map(Actor) }, 'State');

let tick = 0;
class Field extends Room {
  onCreate() {
    this.state = new State();
    for (let i = 0; i < actors; i++) this.state.actors.set(String(i), new Actor());
    this.apply();
    this.patchRate = 1000 / Number(hz);
    this.setSimulationInterval(() => {
      tick = (tick + 1) % motion.length;
      this.apply();
    }, 1000 / Number(hz));
  }

  apply() {
    const row = motion[tick];
    this.state.actors.forEach((a, key) => {
      const i = 4 * Number(key);
      a.x = row[i];
      a.y = row[i + 1];
      a.z = row[i + 2];
      a.yaw = row[i + 3];
      a.health = 255;
      a.flags = 1;
    });
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define('field', Field);
await server.listen(0, '127.0.0.1');
const port = server.transport.server.address().port;

const down = { bytes: 0, packets: 0 };
const relay = net.createServer((from) => {
  const to = net.connect(port, '127.0.0.1');
  const pass = (a, b, count) => {
    a.on('data', (d) => {
      if (count) {
        down.bytes += d.length;
        down.packets += Math.ceil(d.length / SEGMENT);
      }
      setTimeout(() => b.writable && b.write(d), Number(rtt) / 2);
    });
    a.on('close', () => b.destroy());
    a.on('error', () => b.destroy());
  };
  for (const s of [from, to]) s.setNoDelay(true);
  pass(from, to, false);
  pass(to, from, true);
});
await new Promise((resolve) => relay.listen(0, '127.0.0.1', resolve));

const room = await new Client(`http://127.0.0.1:${relay.address().port}`).joinOrCreate('field');
let patches = 0;
room.onStateChange(() => patches++);
await new Promise((r) => setTimeout(r, WARM_MS));
const start = { ...down, patches, tick, cpu: process.cpuUsage() };
await new Promise((r) => setTimeout(r, MEASURE_MS));
const packets = down.packets - start.packets, bytes = down.bytes - start.bytes, seen = patches - start.patches;
let shown = 0;
room.state.actors.forEach(() => shown++);
const cpu = process.cpuUsage(start.cpu);
console.log(JSON.stringify({
  library: 'colyseus', actors, shown, rtt_ms: Number(rtt), patches_per_second: seen / (MEASURE_MS / 1000),
  bytes_per_actor_and_tick: (bytes + HEADERS * packets) / seen / actors, payload_per_actor_and_tick: bytes / seen / actors, packets_per_tick: packets / seen,
  cpu_of_both_ends: (cpu.user + cpu.system) / 1000 / MEASURE_MS,
}));
process.exit(shown === actors && seen > 0 ? 0 : 1);
