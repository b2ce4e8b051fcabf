import { describe, expect, it } from "vitest";
import { decodeFrame } from "../src/live/decode";

// The vectors that the server's tests write: the page must decode them.
const vectors = import.meta.glob<string>("../../testdata/live_*.hex", { query: "?raw", import: "default", eager: true });

function load(name: string): ArrayBuffer {
  const lines = vectors[`../../testdata/${name}`].split("\n").filter((l) => !l.startsWith("#"));
  const hex = lines.join("").replace(/\s/g, "");
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16)).buffer;
}

describe("server vectors", () => {
  it("all test vectors of the server are decoded", () => {
    const names = Object.keys(vectors).map((path) => path.replace(/.*\//, ""));
    expect(names).not.toEqual([]);
    for (const name of names) expect(decodeFrame(load(name)), name).not.toBeNull();
  });

  it("the test vectors of the server decode to the expected values", () => {
    const crowd = decodeFrame(load("live_crowd.hex"))!;
    expect([...crowd.ids]).toEqual([1, 2, 2 ** 53 - 1]);
    expect([crowd.x[0], crowd.y[0], crowd.z[0]]).toEqual([1.5, -2, 3.25]);
    expect(crowd.yaw[0]).toBeCloseTo(Math.PI / 2);
    expect([...crowd.flags]).toEqual([0x23, 0x44, 0x19]);
    expect([...crowd.health]).toEqual([255, 1, 0]);
  });
});
