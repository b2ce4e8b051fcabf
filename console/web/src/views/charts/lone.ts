// lonePoints returns the indices of values between two gaps. They are drawn as points, because a line needs two values.
export function lonePoints(values: ArrayLike<number | null | undefined>): number[] {
  const isGap = (i: number) => values[i] === null || values[i] === undefined;
  const list: number[] = [];
  for (let i = 0; i < values.length; i++) {
    if (!isGap(i) && isGap(i - 1) && isGap(i + 1)) list.push(i);
  }
  return list;
}
