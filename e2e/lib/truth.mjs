// Reads the true state of the world, for the oracle (oracle.mjs), from files that the server records and from the console API.
import fs from 'node:fs';
import path from 'node:path';

/** The recorded player info of an account (serve --rs-record): for each login, in order, a list of parsed lines. */
export function recordedLogins(dir, account) {
  const pattern = new RegExp(`^${account}-(\\d+)\\.jsonl$`);
  const files = fs.readdirSync(dir).map((name) => pattern.exec(name)).filter(Boolean);
  return files.sort((a, b) => a[1] - b[1]).map(([name]) => readLines(path.join(dir, name)));
}

function readLines(file) {
  const text = fs.readFileSync(file, 'utf8');
  const complete = text.slice(0, text.lastIndexOf('\n') + 1); // the last line may still be being written
  return complete.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

/** The server's positions of players: a Map from name to {area, x, y, z} in world units, without players between two areas. */
export async function playerPositions(api) {
  const { players } = await api.get('/players');
  const rows = await Promise.all(players.map(async ({ entity }) => {
    const { status, body } = await api.call('GET', `/players/${entity}`);
    if (![200, 404].includes(status)) throw new Error(`console API: player ${entity} is answered with status ${status} ${body.error?.message}`);
    return status === 200 ? body : {}; // 404: the player has left since the list was made
  }));
  return new Map(rows.filter(({ pos }) => pos).map(({ name, area, pos }) => [name, { area, ...pos }]));
}
