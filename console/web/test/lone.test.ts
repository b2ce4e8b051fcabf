import { expect, test } from "vitest";
import { lonePoints } from "../src/views/charts/lone";

test("values between gaps are drawn as points, others are parts of a line", () => {
  expect(lonePoints([])).toEqual([]);
  expect(lonePoints([7])).toEqual([0]);
  expect(lonePoints([1, 2, 3])).toEqual([]);
  expect(lonePoints([null, 5, null, 1, 2, null, 0])).toEqual([1, 6]);
  expect(lonePoints([4, undefined, 6, 7])).toEqual([0]);
  expect(lonePoints([null, null])).toEqual([]);
});
