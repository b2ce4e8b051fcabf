// Assertions for checks. Each throws a Failure, whose message is printed after the name of the check.

export class Failure extends Error {}

/** Throws a Failure with the message detail if ok is falsy; otherwise returns ok. */
export function must(ok, detail) {
  if (!ok) throw new Failure(detail);
  return ok;
}

const text = (v) => JSON.stringify(v, (_, x) => (typeof x === 'bigint' ? String(x) : x));
const isObject = (v) => typeof v === 'object' && v !== null;
const same = (a, b) => (isObject(a) && isObject(b) ? text(a) === text(b) : a === b || (Number.isNaN(a) && Number.isNaN(b)));

/** Throws unless got equals want. Objects and arrays are compared by their JSON. what names the compared value in the message. */
export function equal(got, want, what) {
  if (!same(got, want)) throw new Failure(`${what}: got ${text(got)}, want ${text(want)}`);
}

/** Throws unless two positions, arrays of coordinates, are at most `most` apart. what names the position in the message. */
export function near(got, want, most, what) {
  const distance = Math.hypot(...got.map((v, i) => v - want[i]));
  if (!(distance <= most)) throw new Failure(`${what}: ${formatPosition(got)} is ${distance.toFixed(5)} from ${formatPosition(want)}`);
}

export const formatPosition = (position) => position.map((v) => Number(v.toFixed(4))).join(',');
