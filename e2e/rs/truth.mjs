// Compares the packets and states of RuneScape clients with those that the server has recorded in each cycle (serve --rs-record).
import { rsSquare, rsTile } from '../lib/adapters.mjs';
import { Oracle } from '../lib/oracle.mjs';
import { recordedLogins } from '../lib/truth.mjs';

export class RecordOracle extends Oracle {
  cycles = 0; // compared

  /** Compares all logins of a client with the records in dir. */
  client({ user, sessions }, dir) {
    const logins = recordedLogins(dir, user);
    if (logins.length !== sessions.length) {
      this.add(`${user}: ${logins.length} records of ${sessions.length} logins`);
      return;
    }
    logins.forEach((lines, i) => this.#login(`${user} login ${i + 1}`, sessions[i], lines));
  }

  #login(name, session, [init, ...recorded]) {
    if (init?.t !== 'init' || init.bytes !== session.placement.toString('hex')) this.add(`${name}: placement differs from the record`);
    if (recorded.length < session.cycles.length) this.add(`${name}: ${session.cycles.length} cycles, ${recorded.length} recorded`);
    session.cycles.slice(0, recorded.length).forEach((cycle, n) => this.#cycle(`${name} cycle ${n + 1}`, cycle, recorded[n]));
  }

  #cycle(at, { payload, local, low }, { bytes, truth }) {
    this.cycles++;
    if (bytes !== payload.toString('hex')) this.add(`${at}: bytes differ from the record`);
    this.table(rsTile, `${at}, tiles`, pairs(local), byIndex(truth.local));
    this.table(rsSquare, `${at}, squares`, pairs(low), byIndex(truth.lowres));
  }
}

/** Yields the pairs [index, value] of a flat array index, value, index, value, ... */
function* pairs(flat) {
  for (let k = 0; k < flat.length; k += 2) yield [flat[k], flat[k + 1]];
}

const byIndex = (fields) => new Map(Object.entries(fields).map(([index, value]) => [Number(index), value]));
