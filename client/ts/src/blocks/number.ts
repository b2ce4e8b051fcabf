// Arithmetic that all parts of the physics share. A number that is stored in a Float32Array is rounded as well.

/** Rounds to float32. */
export const fr = Math.fround;
/** The product of two numbers as float32. */
export const mul = (x: number, y: number): number => fr(fr(x) * fr(y));
/** The sum of two numbers as float32. */
export const add = (x: number, y: number): number => fr(fr(x) + fr(y));
/** A number between x and to: x if share is 0, to if it is 1. */
export const toward = (x: number, to: number, share: number): number => add(x, mul(add(to, -x), share));
/** Limits the absolute value of x to m. */
export const bound = (x: number, m: number): number => Math.max(-m, Math.min(x, m));
