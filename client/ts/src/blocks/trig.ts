// The sine of the physics. The server has a table of 65,536 steps per turn, of sines rounded to float32. Each of these is farther
// from the next rounding boundary than Math.sin errs on any engine, so no table is needed here (test/trig.test.ts).

import { fr } from './number.js';

const STEP = (2 * Math.PI) / 65536;
const PER_RAD = fr(10430.378);

const sineOfStep = (i: number): number => fr(Math.sin((i & 65535) * STEP));

/** The sine of x radians, |x| below 2e5. */
export const sine = (x: number): number => sineOfStep(fr(x * PER_RAD));
/** The cosine of x radians, with the same bound. */
export const cosine = (x: number): number => sineOfStep(fr(fr(x * PER_RAD) + 16384));

/** The sine of x radians without steps. Its arguments are whole degrees. */
export const preciseSine = (x: number): number => fr(Math.sin(x));
