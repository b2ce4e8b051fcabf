import { describe, expect, it } from "vitest";
import type { Area, Entry, Series } from "../src/api/types";
import type { Frame } from "../src/live/decode";
import { Sample } from "../src/live/timeline";
import { content, fit, leastScaleOf, mostScale, panBy, screenX, screenY, worldX, worldZ, zoomAt, type Camera } from "../src/map/camera";
import { gridStep } from "../src/map/ground";
import { pickActor, distanceToSegment } from "../src/map/hit";
import { always, boxAt, chooseLabels, labelDrop, type Box } from "../src/map/labels";
import { fadeMs, pickMark } from "../src/map/marks";
import { Meter } from "../src/map/meter";
import { kindName, kindOf } from "../src/map/palette";
import { headingOf, headings } from "../src/map/sprites";
import { join, tail } from "../src/views/charts/join";
import { sortRows } from "../src/views/sort";
import { drawingFrame } from "../src/views/why/frame";

const camera: Camera = { x: 10, z: -20, scale: 2, width: 800, height: 600 };

function sample(places: [x: number, z: number][]): Sample {
  const s = new Sample();
  s.grow(places.length);
  s.count = places.length;
  s.frame = { ids: Float64Array.from(places, (_, i) => 100 + i), count: places.length } as Frame;
  places.forEach(([x, z], i) => {
    s.x[i] = x;
    s.z[i] = z;
  });
  return s;
}

describe("camera", () => {
  it("the camera draws north up and east right, and converts screen positions back to world positions", () => {
    expect(screenX(camera, 20)).toBeGreaterThan(400);
    expect(screenY(camera, 0)).toBeLessThan(300);
    expect(worldX(camera, screenX(camera, 33))).toBeCloseTo(33);
    expect(worldZ(camera, screenY(camera, -7))).toBeCloseTo(-7);
  });

  it("the camera keeps the position under the pointer while it zooms", () => {
    const c = zoomAt(camera, 3, 100, 50);
    expect(worldX(c, 100)).toBeCloseTo(worldX(camera, 100));
    expect(worldZ(c, 50)).toBeCloseTo(worldZ(camera, 50));
    expect(zoomAt(camera, 1e9, 0, 0).scale).toBe(mostScale);
  });

  it("the camera pans by the drag distance", () => {
    const c = panBy(camera, 40, 30);
    expect(screenX(c, 10)).toBeCloseTo(440);
    expect(screenY(c, -20)).toBeCloseTo(330);
  });

  it("the camera fits an area, or the content of the area if its bounds are useless", () => {
    const bounds = { minX: -100, minZ: -50, maxX: 300, maxZ: 50 };
    const c = fit(camera, bounds, 20);
    expect(screenX(c, -100)).toBeGreaterThanOrEqual(19);
    expect(screenX(c, 300)).toBeLessThanOrEqual(781);
    const area = { bounds, portals: [], solids: [], waters: [] } as unknown as Area;
    expect(content(area)).toBe(bounds);
    const endless = { ...area, bounds: { minX: -1e6, minZ: -1e6, maxX: 1e6, maxZ: 1e6 }, portals: [{ x: 5, y: 0, z: 6 }] } as unknown as Area;
    expect(content(endless)).toEqual({ minX: -55, minZ: -54, maxX: 65, maxZ: 66 });
    const broken = { ...area, bounds: { minX: NaN, minZ: 0, maxX: 1, maxZ: 1 } } as Area;
    expect(Object.values(content(broken)).every(Number.isFinite)).toBe(true);
  });

  it("grid lines are 60 to 150 pixels apart", () => {
    for (let scale = 0.01; scale < 64; scale *= 1.13) {
      const pixels = gridStep(scale) * scale;
      expect(pixels).toBeGreaterThan(59.8);
      expect(pixels).toBeLessThanOrEqual(151);
    }
  });
});

describe("picking", () => {
  const s = sample([[0, 0], [3, 0], [100, 100]]);
  const all = () => true;

  it("a click selects the nearest actor within reach", () => {
    const [x, y] = [screenX(camera, 1), screenY(camera, 0)];
    expect(pickActor(s, camera, x, y, 14, all, () => false)).toBe(0);
    expect(pickActor(s, camera, x, y - 200, 14, all, () => false)).toBe(-1);
    expect(pickActor(s, camera, screenX(camera, 100), screenY(camera, 100), 1, all, () => false)).toBe(2);
  });

  it("a click selects a player rather than a slightly nearer NPC, and never a hidden actor", () => {
    const [x, y] = [screenX(camera, 1), screenY(camera, 0)];
    expect(pickActor(s, camera, x, y, 14, all, (row) => row === 1)).toBe(1);
    expect(pickActor(s, camera, x, y, 14, (row) => row !== 0, () => false)).toBe(1);
  });

  it("a click on the arrow of a correction selects the correction until the arrow has faded", () => {
    const entry = { verdict: "held", from: { x: 0, y: 0, z: 0 }, pos: { x: 40, y: 0, z: 0 } } as Entry;
    const mark = { entry, at: 1000 };
    const [x, y] = [screenX(camera, 20), screenY(camera, 0) + 5];
    expect(pickMark([mark], camera, x, y, 2000, 7)).toBe(mark);
    expect(pickMark([mark], camera, x, y + 9, 2000, 7)).toBeNull();
    expect(pickMark([mark], camera, x, y, 1000 + fadeMs, 7)).toBeNull();
    expect(distanceToSegment(0, 5, 0, 0, 0, 0)).toBe(5);
  });
});

describe("the limit of zooming out", () => {
  it("the map zooms out until the whole area covers half of the canvas", () => {
    const bounds = { minX: -500, minZ: -500, maxX: 500, maxZ: 500 };
    const whole = fit(camera, bounds);
    const least = leastScaleOf(camera, bounds);
    expect(least).toBeCloseTo(whole.scale / 2);
    expect(zoomAt(whole, 1e-9, 0, 0, least).scale).toBeCloseTo(least);
    expect(zoomAt({ ...camera, scale: least / 4 }, 0.5, 0, 0, least).scale).toBeCloseTo(least / 4);
  });
});

describe("chooseLabels", () => {
  it("chooseLabels puts no name over another name or over a label of the ground", () => {
    const s = sample(Array.from({ length: 80 }, (_, i): [number, number] => [((i * 37) % 90) - 45, ((i * 53) % 70) - 35]));
    const fixed = [{ left: 0, right: camera.width / 2, top: 0, bottom: camera.height / 2 }];
    const width = (row: number) => 30 + (row % 5) * 9;
    const chosen = chooseLabels(s, camera, () => 5, new Set(), 70, width, fixed);
    const boxes = Array.from({ length: s.count }, (_, i) => i).filter((i) => chosen.has(s.frame!.ids[i])).map((i) => boxAt(screenX(camera, s.x[i]), screenY(camera, s.z[i]) + labelDrop, width(i)));
    expect(boxes.length).toBeGreaterThan(3);
    const cover = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    expect(boxes.filter((a, i) => [...fixed, ...boxes.slice(0, i)].some((b) => cover(a, b)))).toEqual([]);
    expect(chooseLabels(s, camera, () => always, new Set(), 100, width, fixed).size).toBe(Array.from({ length: s.count }, (_, i) => [screenX(camera, s.x[i]), screenY(camera, s.z[i])]).filter(([x, y]) => x >= 0 && y >= 0 && x <= camera.width && y <= camera.height).length);
  });

  it("chooseLabels never overlaps names and keeps those of higher priority", () => {
    const s = sample([[10, -20], [11, -20], [150, -20]]);
    const chosen = chooseLabels(s, camera, (row) => (row === 1 ? 5 : 2), new Set(), 70, () => 60);
    expect([...chosen].sort()).toEqual([101, 102]);
  });

  it("chooseLabels limits the number of names and skips actors outside the canvas", () => {
    const s = sample(Array.from({ length: 50 }, (_, i): [number, number] => [-180 + i * 8, -160 + ((i * 37) % 280)]));
    expect(chooseLabels(s, camera, () => 1, new Set(), 5, () => 40).size).toBe(5);
    expect(chooseLabels(sample([[9999, 0]]), camera, () => 1, new Set(), 5, () => 40).size).toBe(0);
  });
});

describe("sprites", () => {
  it("sprites have one kind for each door and one for NPCs", () => {
    expect([kindOf("rcce", true), kindOf("rs", true), kindOf("bedrock", true), kindOf("web", true), kindOf("own", true), kindOf(null, true), kindOf(null, false)]).toEqual(["rcce", "rs", "bedrock", "web", "other", "other", "npc"]);
  });

  it("the legend names other nodes in a cluster only", () => {
    const doors = [{ name: "rs", title: "RuneScape" }];
    expect([kindName("rs", doors, true), kindName("npc", doors, true), kindName("other", doors, true), kindName("other", doors, false)]).toEqual(["RuneScape", "NPCs", "Other nodes and doors", "Other doors"]);
  });

  it("a sprite has one of 32 headings, which depends on the yaw", () => {
    expect([headingOf(0), headingOf(Math.PI), headingOf(-Math.PI / 2), headingOf(2 * Math.PI)]).toEqual([0, headings / 2, (headings * 3) / 4, 0]);
  });
});

describe("Meter", () => {
  it("the meter counts the frames of the last second", () => {
    const m = new Meter();
    for (let t = 0; t <= 3000; t += 20) m.frame(t, 2);
    expect(m.fps).toBeCloseTo(50, 0);
    expect(m.scriptMs).toBeCloseTo(2);
    m.pause();
    expect(m.fps).toBe(0);
  });
});

describe("drawingFrame", () => {
  it("drawingFrame shows both positions, north up, at any distance", () => {
    for (const b of [{ x: 0.01, z: 0 }, { x: 500, z: -3 }, { x: 0, z: 900 }]) {
      const f = drawingFrame({ x: 0, z: 0 }, b, 420, 280);
      for (const p of [{ x: 0, z: 0 }, b]) {
        const [x, y] = f.at(p);
        expect(x).toBeGreaterThan(20);
        expect(x).toBeLessThan(400);
        expect(y).toBeGreaterThan(20);
        expect(y).toBeLessThan(260);
      }
      expect(f.scale).toBeLessThan(60);
    }
  });
});

describe("join and tail", () => {
  const make = (from: number, n: number, holds: Record<string, number[]> = {}): Series => {
    const at = Array.from({ length: n }, (_, i) => from + i * 1000);
    const c = at.map(() => 1);
    return { stepMs: 1000, at, players: c, actors: c, tickP50Us: c, tickP99Us: c, bytesIn: c, bytesOut: c, packetsIn: c, packetsOut: c, corrections: {}, holds };
  };

  it("join appends new points and repeats no point that both series have", () => {
    const s = join(make(0, 5), make(3000, 4, { too_fast: [9, 9, 2, 3] }), 1e9);
    expect(s.at).toEqual([0, 1000, 2000, 3000, 4000, 5000, 6000]);
    expect(s.holds.too_fast).toEqual([0, 0, 0, 0, 0, 2, 3]);
    expect(s.players).toHaveLength(7);
  });

  it("join keeps reasons that no longer occur", () => {
    expect(join(make(0, 2, { blocked: [1, 1] }), make(2000, 1), 1e9).holds.blocked).toEqual([1, 1, 0]);
  });

  it("join drops old points, and all points from before a server restart", () => {
    expect(join(make(0, 10), make(10_000, 2), 5000).at).toEqual([7000, 8000, 9000, 10_000, 11_000]);
    expect(join(make(50_000, 10), make(0, 2), 5000).at).toEqual([0, 1000]);
    expect(join(make(0, 3), make(0, 0), 5000).at).toHaveLength(3);
    expect(tail(make(0, 0), 5000).at).toEqual([]);
  });
});

describe("sortRows", () => {
  it("sortRows sorts in both directions and is stable", () => {
    const rows = [{ n: 2, t: "a" }, { n: 1, t: "b" }, { n: 2, t: "c" }];
    const columns = [{ key: "n", title: "N", value: (r: { n: number }) => r.n }];
    expect(sortRows(rows, columns, "n").map((r) => r.t)).toEqual(["b", "a", "c"]);
    expect(sortRows(rows, columns, "-n").map((r) => r.t)).toEqual(["a", "c", "b"]);
    expect(sortRows(rows, columns, "other").map((r) => r.t)).toEqual(["a", "b", "c"]);
  });
});
