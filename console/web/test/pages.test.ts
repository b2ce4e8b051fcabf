import { describe, expect, it } from "vitest";
import { joinPages } from "../src/lib/pages";

const page = (...ids: number[]) => ids.map((id) => ({ id }));

describe("joinPages", () => {
  it("joinPages keeps entries that newer ones have moved off the first page", () => {
    expect(joinPages(page(7, 6, 5), page(5, 4, 3))).toEqual(page(7, 6, 5, 4, 3));
  });
  it("joinPages keeps entries when the first page begins where it ended before", () => {
    expect(joinPages(page(8, 7, 6), page(6))).toEqual(page(8, 7, 6));
  });
  it("joinPages uses the newer version of an entry that both pages contain", () => {
    expect(joinPages([{ id: 5, times: 2 }], [{ id: 5, times: 1 }])).toEqual([{ id: 5, times: 2 }]);
  });
  it("joinPages returns null if entries between the two pages may be missing", () => {
    expect(joinPages(page(9, 8, 7), page(5, 4, 3))).toBeNull();
  });
  it("joinPages keeps the known entries when the first page has become empty", () => {
    expect(joinPages([], page(5))).toEqual(page(5));
  });
});
