// Sine and cosine from a table, as clients compute them in float32.
const f = Math.fround;

const CELLS = 65536;
const sines = new Float32Array(CELLS);
for (let i = 0; i < CELLS; i++) sines[i] = Math.sin((i * 2 * Math.PI) / CELLS);

const TABLE = f(10430.378);
const QUARTER = f(16384);
const at = (x) => sines[Math.trunc(x) & (CELLS - 1)];
/** Sine of radians from the table that clients use. */
export const sin = (x) => at(f(x * TABLE));
export const cos = (x) => at(f(f(x * TABLE) + QUARTER));

/** Sine of radians, rounded to float32. */
export const exactSin = (x) => f(Math.sin(x));
export const exactCos = (x) => f(Math.cos(x));
