// Arithmetic that all parts of the physics share.

/** Rounds to float32. */
export const fr = Math.fround;
/** Limits the absolute value of x to m. */
export const bound = (x: number, m: number): number => Math.max(-m, Math.min(x, m));
