// Players of the other doors in the world of the page: one headless client for each door, which wanders (truestep swarm).
import { spawn } from 'node:child_process';
import path from 'node:path';
import { must } from '../lib/assert.mjs';

const doors = {
  rcce: (s) => ['rcce', '--server', `127.0.0.1:${s.ports.rcce}`, '--world', s.world],
  rs: (s) => ['rs', '--addr', `127.0.0.1:${s.ports.rs}`, '--public-key', path.join(s.data, 'rs-public.txt')],
  bedrock: (s) => ['bedrock', '--addr', `127.0.0.1:${s.ports.bedrock}`],
};

export const otherDoors = Object.keys(doors);

export class Others {
  constructor(server) {
    this.players = otherDoors.map((door) => {
      const child = spawn(server.bin, ['swarm', ...doors[door](server), '-n', '1', '-d', '0', '--walk', '--in-sight', '--json'], { stdio: ['ignore', 'pipe', 'pipe'] });
      const p = { door, child, out: '', err: '' };
      child.stdout.on('data', (b) => (p.out += b));
      child.stderr.on('data', (b) => (p.err += b));
      p.ended = new Promise((resolve) => child.on('close', resolve));
      return p;
    });
    this.kill = () => this.players.forEach((p) => p.child.kill('SIGKILL'));
    process.on('exit', this.kill);
  }

  /** Ends the clients. Throws unless each exits with status 0: it had no error, and the Bedrock client no false correction. */
  async leave() {
    for (const { child } of this.players) child.kill('SIGINT');
    for (const p of this.players) {
      const code = await p.ended;
      must(code === 0, `the player of ${p.door} ended with status ${code}: ${(p.err + p.out).trim().split('\n').slice(-3).join(' | ')}`);
    }
    process.off('exit', this.kill);
  }
}
