import { describe, expect, it } from "vitest";
import { blend, cutStamp, Pixels } from "../src/map/pixels";

function picture(width: number, height: number, fill = 0xff000000): Pixels {
  const p = new Pixels();
  p.use({ data: new Uint8ClampedArray(width * height * 4), width, height });
  p.words.fill(fill);
  return p;
}

describe("blend", () => {
  it("blend matches the alpha formula in each channel to within 2", () => {
    for (const alpha of [1, 64, 128, 254]) {
      for (const [color, below] of [[0xffffffff, 0xff000000], [0xff3366cc, 0xffeedd11], [0xff000000, 0xffffffff]]) {
        const out = blend(color, below, alpha);
        expect(out >>> 24).toBe(255);
        for (const shift of [0, 8, 16]) {
          const want = (((color >>> shift) & 255) * alpha + ((below >>> shift) & 255) * (255 - alpha)) / 255;
          expect(Math.abs(((out >>> shift) & 255) - want)).toBeLessThanOrEqual(2);
        }
      }
    }
  });
});

describe("stamps", () => {
  const sheet = picture(8, 8, 0);
  sheet.words[2 * 8 + 3] = 0xff0000ff;
  sheet.words[3 * 8 + 4] = 0x80ffffff;
  const stamp = cutStamp(sheet, 0, 0, 8);

  it("stamps are cropped to their content and keep their offset", () => {
    expect([stamp.left, stamp.top, stamp.width, stamp.height]).toEqual([3, 2, 2, 2]);
    const p = picture(10, 10);
    p.stamp(stamp, 1, 1);
    expect(p.words[3 * 10 + 4]).toBe(0xff0000ff);
    expect((p.words[4 * 10 + 5] & 255) >> 1).toBeCloseTo(63, -1);
    expect(p.words.filter((w) => w !== 0xff000000)).toHaveLength(2);
  });

  it("stamps are clipped at every edge", () => {
    for (let x = -12; x < 12; x++) {
      for (let y = -12; y < 12; y++) {
        const p = picture(6, 6);
        p.stamp(stamp, x, y);
        const inside = (px: number, py: number) => Number(px >= 0 && py >= 0 && px < 6 && py < 6);
        expect(p.words.filter((w) => w !== 0xff000000), `${x} ${y}`).toHaveLength(inside(x + 3, y + 2) + inside(x + 4, y + 3));
      }
    }
  });

  it("the stamp of a transparent cell is empty", () => {
    expect(cutStamp(picture(4, 4, 0), 0, 0, 4).words).toHaveLength(0);
  });

  it("stamps are drawn with a given opacity", () => {
    const p = picture(10, 10);
    p.stamp(stamp, 1, 1, 128);
    expect(Math.abs((p.words[3 * 10 + 4] & 255) - 127)).toBeLessThan(2);
  });
});

describe("copy", () => {
  it("copy copies a part of a larger image", () => {
    const from = picture(8, 6);
    from.words.forEach((_, i) => (from.words[i] = i));
    const p = picture(3, 2, 99);
    p.copy(from, 4, 3);
    expect([...p.words]).toEqual([28, 29, 30, 36, 37, 38]);
  });

  it("copy leaves pixels outside the other image unchanged", () => {
    const from = picture(4, 4, 7);
    const p = picture(3, 3, 1);
    p.copy(from, -1, 2);
    expect([...p.words]).toEqual([1, 7, 7, 1, 7, 7, 1, 1, 1]);
    p.copy(from, 50, 50);
    p.copy(from, -50, -50);
    expect(p.words[0]).toBe(1);
  });
});
