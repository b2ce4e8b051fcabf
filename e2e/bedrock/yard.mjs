// The world file of a game: yard.toml with its own prediction rules.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const yard = fileURLToPath(new URL('yard.toml', import.meta.url));

/** Writes dir/world.toml and returns its path. prediction: keys of [rules.prediction]; kit: names of items of new players. */
export function writeYard(dir, prediction = {}, kit = []) {
  const rules = Object.entries(prediction).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`);
  const world = fs.readFileSync(yard, 'utf8').replace('[newcomers]\n', `[newcomers]\nkit = [${kit.map((item) => `{ item = "${item}" }`)}]\n`);
  const file = path.join(dir, 'world.toml');
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(file, `${world}\n[rules.prediction]\n${rules.join('')}`);
  return file;
}
