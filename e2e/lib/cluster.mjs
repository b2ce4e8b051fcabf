// A cluster of three nodes on this machine, with a PostgreSQL server of its own.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { freePorts } from './ports.mjs';
import { Postgres } from './postgres.mjs';
import { Server } from './server.mjs';

const names = ['a', 'b', 'c'];

export class Cluster {
  /**
   * bin: the truestep binary. dir: folder that is created. doors and world: as for Server. Each node names the pages of the web doors of
   * all nodes to its clients. start() sets nodes, a Server of each node by name.
   */
  constructor({ bin, dir, doors, world }) {
    Object.assign(this, { bin: path.resolve(bin), dir, doors, world, postgres: new Postgres(), nodes: {} });
  }

  async start() {
    await this.postgres.start();
    const keys = path.join(this.dir, 'keys');
    execFileSync(this.bin, ['cluster', 'keys', keys, '--cluster', 'truestep', '--nodes', names.join()], { stdio: 'pipe' });
    const ports = await freePorts(2 * names.length); // of the links between the nodes, and of the web doors
    const links = names.map((name, i) => `${name}=127.0.0.1:${ports[i]}`).join();
    const pages = ports.slice(names.length).map((port) => `http://127.0.0.1:${port}`).join();
    names.forEach((name, i) => {
      const extra = ['--cluster', links, '--node', name, '--cluster-keys', path.join(keys, name), '--store', this.postgres.url, '--web-nodes', pages];
      const node = new Server({ bin: this.bin, dir: path.join(this.dir, name), doors: this.doors, world: this.world, console: true, metrics: false, extra });
      node.webPort = ports[names.length + i];
      this.nodes[name] = node;
    });
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
