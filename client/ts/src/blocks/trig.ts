// The sines of the physics, rounded to float32. The server reads them from a table of 65,536 steps per turn. No table is needed
// here: each of these sines is farther from a rounding boundary than Math.sin errs on any engine (test/trig.test.ts).

import { add, fr, mul } from './number.js';

const radians = (degrees: number): number => mul(degrees, 0.017453292);

/** Sine and cosine of an angle in degrees. */
export const sineCosine = (degrees: number): number[] =>
  [0, 16384].map((quarter) => fr(Math.sin((add(mul(radians(degrees), 10430.378), quarter) & 65535) * (Math.PI / 32768))));

/** The sine of whole degrees, without steps. */
export const preciseSine = (degrees: number): number => fr(Math.sin(radians(degrees)));
