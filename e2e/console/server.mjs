// The server under test with its console open.
import { execFile } from 'node:child_process';
import { foreign, Server as AllDoors } from '../world/server.mjs';
import { Api } from './api.mjs';

export class Server extends AllDoors {
  metricsAt = 'off';
  consolePort = 0; // any; a server that comes back takes the one it had

  /** As of all doors, in the embedded world if no other is named. */
  constructor({ world = null, ...o }) {
    super({ world, ...o });
  }

  /** As of all doors. Then there are also: url (with the token), base, token, api. */
  async start() {
    this.consoleAt = `127.0.0.1:${this.consolePort}`;
    await super.start();
    this.url = this.find(/^\s*console\s+(http:\S+)/);
    const { origin, hash, port } = new URL(this.url);
    this.base = origin;
    this.consolePort = Number(port);
    this.token = hash.replace('#token=', '');
    this.api = new Api(this.base, this.token);
    return true;
  }

  /** What another program of the binary prints about this server's data: cli('why', 'Ann', '--json'). */
  cli(command, ...args) {
    return new Promise((done, no) => {
      execFile(this.bin, [...command.split(' '), ...args, '--data-dir', this.data], { timeout: 60000, env: foreign() }, (e, out, err) => {
        if (e) no(new Error(`truestep ${command} ${args.join(' ')}: ${err.trim() || e.message}`));
        else done(out);
      });
    });
  }
}
