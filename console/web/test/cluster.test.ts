import { describe, expect, it } from "vitest";
import { formatRoute, parseRoute, views } from "../src/lib/route";

describe("the view of the cluster", () => {
  it("can be opened by its address", () => {
    expect(views).toContain("cluster");
    expect(parseRoute(formatRoute("cluster")).view).toBe("cluster");
  });
});
