// A cluster of three nodes on this machine, with a PostgreSQL server of its own.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { freePorts } from '../lib/ports.mjs';
import { Postgres } from '../lib/postgres.mjs';
import { Server } from '../lib/server.mjs';

const names = ['a', 'b', 'c'];

export class Cluster {
  /** bin: the truestep binary. dir: folder that is created. start() sets nodes, a Server of each node by name. */
  constructor({ bin, dir }) {
    Object.assign(this, { bin: path.resolve(bin), dir, postgres: new Postgres(), nodes: {} });
  }

  async start() {
    await this.postgres.start();
    const keys = path.join(this.dir, 'keys');
    execFileSync(this.bin, ['cluster', 'keys', keys, '--cluster', 'truestep', '--nodes', names.join()], { stdio: 'pipe' });
    const ports = await freePorts(names.length);
    const list = names.map((name, i) => `${name}=127.0.0.1:${ports[i]}`).join();
    for (const name of names) {
      const extra = ['--cluster', list, '--node', name, '--cluster-keys', path.join(keys, name), '--store', this.postgres.url];
      this.nodes[name] = new Server({ bin: this.bin, dir: path.join(this.dir, name), doors: ['rs'], console: true, metrics: false, extra });
    }
    await Promise.all(names.map((name) => this.nodes[name].start()));
  }

  /** Ends all processes at once, also in the exit hook of this process. */
  killNow() {
    for (const node of Object.values(this.nodes)) node.killNow();
    this.postgres.killNow();
  }

  /** Ends all processes and removes the folder of the database. */
  async stop() {
    await Promise.all(Object.values(this.nodes).map((node) => node.kill()));
    await this.postgres.stop();
  }
}
