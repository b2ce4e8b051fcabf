// Joins a room of server.mjs and shows its crowd: node client.mjs ADDR ACTORS SCENE HZ. Reads commands from standard input and answers "state" with a line of JSON:
// the states of the actors that it knows. Exits at the end of the input.
import { Client } from '@colyseus/sdk';
import { answer, fieldsOf } from './answer.mjs';

const [addr, actors, scene] = process.argv.slice(2);
const fields = fieldsOf(scene);
let room;
answer({
  state: () => {
    const all = [];
    for (let i = 0; i < actors; i++) {
      const a = room?.state?.actors?.get(String(i));
      if (a) all.push(...fields.map((field) => a[field]));
    }
    return all;
  },
});
room = await new Client(`http://${addr}`).joinOrCreate('field');
