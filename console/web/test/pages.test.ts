import { describe, expect, it } from "vitest";
import { mergePages } from "../src/lib/pages";

describe("pages of a list", () => {
  it("list an entry once when it is loaded again as an older one", () => {
    expect(mergePages([{ id: 5 }, { id: 4 }], [{ id: 4 }, { id: 3 }]).map((e) => e.id)).toEqual([5, 4, 3]);
  });
});
