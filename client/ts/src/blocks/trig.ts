// The sine of the physics: a table of 65,536 steps per turn, computed with arithmetic that gives the same bits everywhere.

const fr = Math.fround;
const QUARTER = 16384;
const table = new Float32Array(QUARTER + 1);

function sineSeries(x: number): number {
  const x2 = x * x;
  let s = 1 / 355687428096000;
  for (const c of [-1 / 1307674368000, 1 / 6227020800, -1 / 39916800, 1 / 362880, -1 / 5040, 1 / 120, -1 / 6]) s = s * x2 + c;
  return x + s * x2 * x;
}

function cosineSeries(x: number): number {
  const x2 = x * x;
  let s = -1 / 6402373705728000;
  for (const c of [1 / 20922789888000, -1 / 87178291200, 1 / 479001600, -1 / 3628800, 1 / 40320, -1 / 720, 1 / 24, -1 / 2]) s = s * x2 + c;
  return 1 + s * x2;
}

const STEP = (2 * Math.PI) / 65536;
for (let i = 0; i <= QUARTER / 2; i++) {
  table[i] = sineSeries(i * STEP);
  table[QUARTER - i] = cosineSeries(i * STEP);
}

const PER_RAD = fr(10430.378);
const HALF_TURN = fr(1.2246467991473532e-16);

function sineAt(i: number): number {
  i &= 65535;
  let j = i & 32767;
  if (j > QUARTER) j = 32768 - j;
  return i < 32768 ? table[j]! : i > 32768 ? -table[j]! : HALF_TURN;
}

/** The sine of x radians, |x| below 2e5. */
export const sine = (x: number): number => sineAt(Math.trunc(fr(x * PER_RAD)));
/** The cosine of x radians, with the same bound. */
export const cosine = (x: number): number => sineAt(Math.trunc(fr(fr(x * PER_RAD) + QUARTER)));

/** The sine of x radians rounded to float32, |x| below 1e4. */
export function preciseSine(x: number): number {
  const high = 1.57079632673412561417;
  const low = 6.0771005065061922e-11;
  let n = Math.trunc(x * (2 / Math.PI));
  const r0 = x - n * high;
  if (r0 > high / 2) n++;
  else if (r0 < -high / 2) n--;
  const r = x - n * high - n * low;
  switch (n & 3) {
    case 0: return fr(sineSeries(r));
    case 1: return fr(cosineSeries(r));
    case 2: return fr(-sineSeries(r));
  }
  return fr(-cosineSeries(r));
}
