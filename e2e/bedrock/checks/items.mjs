// Use of the item in hand: the use affects movement from the player's next input on.
import { agree } from './join.mjs';
import { settled } from './correct.mjs';
import { script } from '../lanes.mjs';
import { equal, must } from '../../lib/assert.mjs';

const DELAYS = [[0, 0], [2, 2]]; // [to the server, to the client]: frames of delay

/** A player draws and releases a bow twice while it walks. The server slows the player in exactly the same inputs as the client. */
export async function bowCheck(t, A, B) {
  await t.report.check('a bow slows the player from the input that draws it to the input that releases it, without corrections', async () => {
    for (const [up, down] of DELAYS) {
      await settled(A, B);
      Object.assign(A, { up, down });
      const mark = A.selfPackets.log.length;
      const first = A.tick + 1;
      const walk = { move: [0, 1] };
      const draw = { ...walk, use: true };
      const release = { ...walk, use: false };
      A.script = script([[10, walk], [1, draw], [14, walk], [1, release], [10, walk], [1, draw], [3, walk], [1, release], [8, walk]], first, up ? 180 : 0);
      const { end } = A.script;
      await A.frames(end - first + 3);
      A.script = undefined;
      equal(A.selfPackets.since(mark, 'correction').map((p) => p.tick - first), [], 'corrections');
      const at = (n) => A.sent.get(first + n).state.pos[2];
      const way = (from, to) => Math.abs(at(to) - at(from));
      must(way(18, 24) < 0.25 && way(5, 9) > 0.7 && way(33, 35) > 0.4, `ways ${way(18, 24)}, ${way(5, 9)}, ${way(33, 35)}`);
      Object.assign(A, { up: 0, down: 0 });
      await A.frames(20);
      await agree(A, B, 0.001);
    }
  });
  await t.report.check('a client that draws its bow without telling the server is corrected', async () => {
    await settled(A, B);
    const mark = A.selfPackets.log.length;
    const { post } = A;
    A.post = function postOthers(name, params) { // drop the packet that tells the server of the drawn bow
      if (name !== 'inventory_transaction') post.call(A, name, params);
    };
    A.script = script([[10, { move: [0, 1] }], [1, { move: [0, 1], use: true }], [9, { move: [0, 1] }]], A.tick + 1);
    await A.until(() => A.selfPackets.since(mark, 'correction').length > 0, 'correction');
    A.post = post;
    A.script = script([[1, { move: [0, 0], use: false }]], A.tick + 1);
    await A.frames(5);
    A.script = undefined;
    await A.frames(20);
    await agree(A, B, 0.02);
  });
}
