// Compares what clients were sent and believed with what the server wrote down of them (serve --rs-record).
import fs from 'node:fs';
import path from 'node:path';
import { packSquare, packTile } from './info.mjs';

/** Files of an account's logins, in their order. */
function recordsOf(dir, account) {
  const pattern = new RegExp(`^${account}-(\\d+)\\.jsonl$`);
  const found = fs.readdirSync(dir).map((name) => pattern.exec(name)).filter(Boolean);
  return found.sort((a, b) => a[1] - b[1]).map((m) => path.join(dir, m[0]));
}

/** Compares all logins of a client. Returns {cycles, positions, differences: [text]}. */
export function compare(client, dir, sessions = client.sessions) {
  const out = { cycles: 0, positions: 0, differences: [] };
  const files = recordsOf(dir, client.user);
  if (files.length !== sessions.length) {
    out.differences.push(`${client.user}: ${files.length} records of ${sessions.length} logins`);
    return out;
  }
  files.forEach((file, i) => compareSession(`${client.user} login ${i + 1}`, sessions[i], file, out));
  return out;
}

function compareSession(name, session, file, out) {
  const text = fs.readFileSync(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1); // of a record that is being written
  const lines = whole.trimEnd().split('\n').map((l) => JSON.parse(l));
  const init = lines.shift();
  if (init.t !== 'init' || init.bytes !== session.placement.toString('hex')) out.differences.push(`${name}: another placement`);
  if (lines.length < session.cycles.length) {
    out.differences.push(`${name}: ${session.cycles.length} cycles, ${lines.length} recorded`);
  }
  session.cycles.slice(0, lines.length).forEach((cycle, n) => {
    const { bytes, truth } = lines[n];
    out.cycles++;
    const at = `${name} cycle ${n + 1}`;
    if (bytes !== cycle.payload.toString('hex')) out.differences.push(`${at}: other bytes`);
    out.positions += tables(`${at}, tiles`, cycle.local, truth.local, (t) => packTile(...t), out.differences);
    out.positions += tables(`${at}, squares`, cycle.low, truth.lowres, (s) => packSquare(...s), out.differences);
  });
}

// Pairs of index and value against {index: fields}. Returns how many were compared.
function tables(name, pairs, truth, pack, differences) {
  const left = new Map(Object.entries(truth).map(([i, fields]) => [Number(i), pack(fields)]));
  for (let k = 0; k < pairs.length; k += 2) {
    const [i, got] = [pairs[k], pairs[k + 1]];
    const want = left.get(i);
    left.delete(i);
    if (got !== want) differences.push(`${name}: ${i} is ${show(got)}, in truth ${show(want)}`);
  }
  for (const [i, want] of left) differences.push(`${name}: ${i} is missing, in truth ${show(want)}`);
  return pairs.length / 2;
}

const MOST_SQUARE = 0x3ffff; // squares have 18 bits; no tile of the world is so far in the south-west

function show(v) {
  if (v === undefined) return 'nowhere';
  if (v > MOST_SQUARE) return `${(v >> 14) & 16383},${v & 16383},${v >>> 28}`;
  return `square ${v >> 16},${(v >> 8) & 255},${v & 255}`;
}
