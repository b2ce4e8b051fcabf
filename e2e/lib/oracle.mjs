// The oracle compares what clients show with the truth. The truth is recorded by the server (serve --rs-record), comes from its
// console API (truth.mjs), or is the state that a player's own client has. An adapter (adapters.mjs) describes how precisely
// clients of a protocol show a true position:
//
//   show(truth)      the value that a correct client of this protocol has for a true position
//   off(seen, shown) the distance of a client's value from the correct one; 0 if they are equal
//   slack            the largest distance that counts as equal, because of rounding in packets
//   format(value)    the value as text for messages
import { must } from './assert.mjs';

const MAX_LISTED = 4; // maximum number of differences that a failed check lists

/** Describes how a value that a client shows differs from the truth; "" if it does not. A seen or truth of undefined means "not shown". */
export function mismatch(adapter, seen, truth) {
  const shown = truth === undefined ? undefined : adapter.show(truth);
  if (seen === undefined && shown === undefined) return '';
  if (seen === undefined) return `missing, in truth ${adapter.format(shown)}`;
  if (shown === undefined) return `shown at ${adapter.format(seen)}, in truth absent`;
  const off = adapter.off(seen, shown);
  return off <= adapter.slack ? '' : `shown at ${adapter.format(seen)}, in truth ${adapter.format(shown)}`;
}

/** Counts comparisons and collects the differences. */
export class Oracle {
  compared = 0;
  differences = []; // texts that describe the differences, in the order of the comparisons

  /** Compares one value and returns whether it agrees with the truth. at: the client, the value and the time, for the message. */
  value(adapter, at, seen, truth) {
    this.compared++;
    const wrong = mismatch(adapter, seen, truth);
    if (wrong) this.add(`${at}: ${wrong}`);
    return !wrong;
  }

  /** Compares all entries of a client's table, an iterable of [id, value], with those of a Map of the truth. */
  table(adapter, at, seen, truth) {
    const left = new Set(truth.keys());
    for (const [id, value] of seen) {
      left.delete(id);
      this.compared++;
      const wrong = mismatch(adapter, value, truth.get(id));
      if (wrong) this.add(`${at}: ${id}: ${wrong}`);
    }
    for (const id of left) this.add(`${at}: ${id}: ${mismatch(adapter, undefined, truth.get(id))}`);
  }

  /** Compares a path: each shown position must be one of the true positions, in any order. */
  path(adapter, at, seen, truths) {
    for (const position of seen) {
      this.compared++;
      const off = Math.min(...truths.map((truth) => adapter.off(position, adapter.show(truth))));
      if (!(off <= adapter.slack)) this.add(`${at}: shown at ${adapter.format(position)}, ${off.toFixed(4)} from every true position`);
    }
  }

  /** Adds a difference other than a wrong value, such as a missing record. */
  add(difference) {
    this.differences.push(difference);
  }

  /** Throws unless at least `least` values were compared and none differed. */
  verdict(least = 1) {
    const { compared, differences } = this;
    must(differences.length === 0, `${differences.length} differences in ${compared} comparisons: ${differences.slice(0, MAX_LISTED).join(' | ')}`);
    must(compared >= least, `only ${compared} comparisons, want ${least} or more`);
  }
}

/**
 * Waits until a viewer shows the truth, which may change meanwhile. viewer: a client with name and until(condition, what, ms).
 * see() and truth() return the shown and the true value and are called repeatedly. After ms it throws the last mismatch.
 */
export async function agreement(adapter, { viewer, subject, see, truth, ms }) {
  const wrong = () => mismatch(adapter, see(), truth());
  const cause = await viewer.until(() => !wrong(), `agreement about ${subject}`, ms).then(() => undefined, (e) => e);
  must(!wrong(), `${viewer.name} about ${subject}: ${wrong()}${cause ? ` (${cause.message})` : ''}`);
}
