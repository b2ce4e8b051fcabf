import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Area, Ground } from "../src/api/types";
import { GroundTiles, levelFor, tilesIn, tileUrl } from "../src/map/tiles";

const ground: Ground = { x: -500, z: -500, size: 1000, levels: 4, tile: 512, tag: "abc" };

describe("levels of the ground", () => {
  it("the level of ground tiles fits the resolution of the screen, within the existing levels", () => {
    expect(levelFor(ground, 0.1)).toBe(0);
    expect(levelFor(ground, 512 / 1000)).toBe(0);
    expect(levelFor(ground, 1.5)).toBe(2);
    expect(levelFor(ground, 1000)).toBe(3);
  });
});

describe("tiles in sight", () => {
  it("tiles in sight are all that the range touches, the middle ones first", () => {
    const list = tilesIn(ground, 2, { minX: -10, maxX: 260, minZ: 10, maxZ: 20 });
    expect(list.map((t) => `${t.x},${t.z}`).sort()).toEqual(["1,2", "2,2", "3,2"]);
    expect(list[0]).toEqual({ level: 2, x: 2, z: 2 });
  });

  it("tiles in sight are limited to the ground, and there are none far from it", () => {
    expect(tilesIn(ground, 1, { minX: -1e6, maxX: 1e6, minZ: -1e6, maxZ: 1e6 })).toHaveLength(4);
    expect(tilesIn(ground, 3, { minX: 600, maxX: 700, minZ: 0, maxZ: 1 })).toEqual([]);
  });
});

describe("loading", () => {
  const pictures: FakeImage[] = [];
  class FakeImage {
    onload = () => undefined as void;
    onerror = () => undefined as void;
    src = "";
    constructor() {
      pictures.push(this);
    }
  }
  beforeEach(() => {
    pictures.length = 0;
    vi.useFakeTimers();
    vi.stubGlobal("Image", FakeImage);
    vi.stubGlobal("window", globalThis);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("four tiles are loaded at a time, each once, in the order of the requests", () => {
    const changed = vi.fn();
    const tiles = new GroundTiles({ id: 7, ground } as Area, "dark", changed);
    const wanted = [0, 1, 2, 3, 4, 5].map((x) => ({ level: 3, x, z: 1 }));
    tiles.want(wanted);
    tiles.want(wanted);
    expect(pictures.map((p) => p.src)).toEqual(wanted.slice(0, 4).map((t) => tileUrl(7, "dark", "abc", t)));
    expect(tiles.get(wanted[0])).toBeUndefined();
    pictures[0].onload();
    expect(changed).toHaveBeenCalledOnce();
    expect(tiles.get(wanted[0])).toBe(pictures[0]);
    expect(pictures).toHaveLength(5);
  });

  it("a tile that failed is requested again, but not at once", () => {
    const changed = vi.fn();
    const tiles = new GroundTiles({ id: 7, ground } as Area, "light", changed);
    const tile = { level: 0, x: 0, z: 0 };
    tiles.want([tile]);
    pictures[0].onerror();
    tiles.want([tile]);
    expect(pictures).toHaveLength(1);
    vi.advanceTimersByTime(5000);
    expect(changed).toHaveBeenCalledOnce();
    tiles.want([tile]);
    expect(pictures).toHaveLength(2);
  });

  it("the loader keeps a bounded number of tiles and stops when it is closed", () => {
    const tiles = new GroundTiles({ id: 7, ground: { ...ground, levels: 9 } } as Area, "light", () => undefined);
    for (let i = 0; i < 150; i++) {
      tiles.want([{ level: 8, x: i, z: 0 }]);
      pictures[i].onload();
    }
    expect(tiles.size).toBeLessThan(100);
    expect(tiles.get({ level: 8, x: 0, z: 0 })).toBeUndefined();
    expect(tiles.get({ level: 8, x: 149, z: 0 })).toBeDefined();
    tiles.close();
    tiles.want([{ level: 8, x: 200, z: 0 }]);
    expect(pictures).toHaveLength(150);
  });
});
