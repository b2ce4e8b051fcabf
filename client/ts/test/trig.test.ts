import { expect, it } from 'vitest';
import { preciseSine, sineCosine } from '../src/blocks/trig.js';

const fr = Math.fround;
const STEPS = 65536;

// The server's arithmetic (sim/move, trig.go): series for up to an eighth of a turn.
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

/** The sine of i/65536 turns in the server's table. */
function tableSine(i: number): number {
  if (i === STEPS / 2) return fr(1.2246467991473532e-16);
  const half = i % (STEPS / 2), j = Math.min(half, STEPS / 2 - half), x = (Math.min(j, STEPS / 4 - j) * 2 * Math.PI) / STEPS;
  return fr((i > STEPS / 2 ? -1 : 1) * (j <= STEPS / 8 ? sineSeries(x) : cosineSeries(x)));
}

/** The sine of whole degrees, -90..90, as the server computes it. */
function degreeSine(x: number): number {
  const high = 1.57079632673412561417, low = 6.0771005065061922e-11, n = Math.round(x / (Math.PI / 2)), r = x - n * high - n * low;
  return fr(n === 0 ? sineSeries(r) : n * cosineSeries(r));
}

/** An angle in degrees whose sine is that of step i of the table. */
function argument(i: number): number {
  for (let x = fr((i * 360) / STEPS); ; x = fr(x + 1e-4)) if (Math.trunc(fr(fr(x * fr(0.017453292)) * fr(10430.378))) === i) return x;
}

/** The distance of x from the next number at which its rounding to float32 changes, in units of the last place of x, a float64. */
function margin(x: number): number {
  const around = new Float32Array([x, x, x]), bits = new Int32Array(around.buffer);
  bits[0]! -= 1;
  bits[2]! += 1;
  const boundaries = [0, 2].map((i) => (around[1]! + around[i]!) / 2);
  return Math.min(...boundaries.map((b) => Math.abs(x - b))) / (Math.abs(x) * 2 ** -53);
}

it('sine and cosine are those of the server, for each step of a turn', () => {
  const wrong: number[] = [];
  for (let i = 0; i < STEPS; i++) {
    const [sine, cosine] = sineCosine(argument(i));
    if (!Object.is(sine, tableSine(i)) || !Object.is(cosine, tableSine((i + STEPS / 4) % STEPS))) wrong.push(i);
  }
  expect(wrong).toEqual([]);
});

it('no sine is so near to a rounding boundary that JavaScript engines could round it differently', () => {
  let least = Infinity;
  for (let i = 1; i < STEPS; i++) least = Math.min(least, margin(Math.sin((i * 2 * Math.PI) / STEPS)));
  for (let degrees = 1; degrees <= 90; degrees++) least = Math.min(least, margin(Math.sin(fr(degrees * fr(0.017453292)))));
  expect(least).toBeGreaterThan(1000); // the results of engines differ by only one or two units
});

it('the sine of a pitch is that of the server', () => {
  for (let degrees = -90; degrees <= 90; degrees++) {
    expect(preciseSine(degrees)).toBe(degreeSine(fr(degrees * fr(0.017453292))));
  }
});
