// The sines of the physics. The server has a table of 65,536 steps per turn, of sines rounded to float32. Each of these is farther
// from the next rounding boundary than Math.sin errs on any engine, so no table is needed here (test/trig.test.ts).

import { add, fr, mul } from './number.js';

const radians = (degrees: number): number => mul(degrees, 0.017453292);

/** Sine and cosine of an angle in degrees. */
export const sineCosine = (degrees: number): number[] =>
  [0, 16384].map((quarter) => fr(Math.sin((add(mul(radians(degrees), 10430.378), quarter) & 65535) * (Math.PI / 32768))));

/** The sine of whole degrees, without steps. */
export const preciseSine = (degrees: number): number => fr(Math.sin(radians(degrees)));
