import { createInterface } from 'node:readline';

console.log = console.info = console.debug = console.error; // standard output is for answers, so what libraries log goes to standard error

// The names of the values of an actor in a scene, in the order of ../measure.
export const fieldsOf = (scene) => (scene === 'stinkysteak' ? ['x', 'y', 'z', 'yaw', 'pitch'] : ['x', 'y', 'z', 'yaw', 'health', 'flags']);

// Writes the line first, if it is given. Then answers each command on standard input with one line of JSON on standard
// output: the result of the command's function. Exits at the end of the input.
export function answer(commands, first) {
  if (first) process.stdout.write(`${first}\n`);
  const input = createInterface({ input: process.stdin });
  input.on('line', (line) => commands[line] && process.stdout.write(`${JSON.stringify(commands[line]())}\n`));
  input.on('close', () => process.exit(0));
}
