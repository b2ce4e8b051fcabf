// The world file of a game: yard.toml with its own prediction rules.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const read = (name) => fs.readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8');

/**
 * Writes dir/world.toml and returns its path. prediction and linger: keys of [rules.prediction] and [rules.linger]; kit: names of
 * items of new players; areas: the file with the areas, instead of those of yard.toml.
 */
export function writeYard(dir, { prediction = {}, linger = {}, kit = [], areas } = {}) {
  const table = (name, values) => `\n[rules.${name}]\n${Object.entries(values).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`).join('')}`;
  const yard = read('yard.toml').replace('[newcomers]\n', `[newcomers]\nkit = [${kit.map((item) => `{ item = "${item}" }`)}]\n`);
  const world = areas ? yard.slice(0, yard.indexOf('[[area]]')) + read(areas) : yard;
  const file = path.join(dir, 'world.toml');
  fs.mkdirSync(dir, { recursive: true });
  fs.writeFileSync(file, world + table('prediction', prediction) + table('linger', linger));
  return file;
}
