import { flagDead, flagFlying, flagFrozen } from "../live/decode";
import type { Sample } from "../live/timeline";
import { screenX, screenY, type Camera } from "./camera";
import { kinds, type Palette } from "./palette";
import { deadColumn, frozenColumn, headingOf, headings, healthRow, markRow, Sprites } from "./sprites";

export const npcKind = kinds.indexOf("npc");

// Crowd draws everybody. Pictures come in a few sizes, chosen by the scale and the crowd, so that a whole area is not a
// blot; in a crowd only those who lost half of their health have a ring.
export class Crowd {
  private readonly sizes = new Map<number, Sprites>();
  private crowded = false;

  constructor(
    private readonly palette: Palette,
    private readonly density: number,
  ) {}

  // sizeAt is the radius of a player's shape in pixels; smaller where several hundred are in the picture.
  sizeAt(scale: number): number {
    if (this.crowded) return scale < 5 ? 3.8 : 6.2;
    return scale < 0.9 ? 4.6 : scale < 5 ? 6.2 : 8.5;
  }

  // draw paints the rows of s that are shown, NPCs under players. g must be in device pixels. Returns how many it drew.
  draw(g: CanvasRenderingContext2D, s: Sample, c: Camera, shown: readonly boolean[]): number {
    const size = this.sizeAt(c.scale);
    let sprites = this.sizes.get(size);
    if (sprites === undefined) {
      sprites = new Sprites(this.palette, size, this.density);
      this.sizes.set(size, sprites);
    }
    const frame = s.frame!;
    let drawn = 0;
    for (let pass = 0; pass < 2; pass++) {
      for (let i = 0; i < s.count; i++) {
        const kind = frame.kind[i];
        if ((kind === npcKind) !== (pass === 0) || !shown[kind]) continue;
        drawn += this.one(g, sprites, s, i, kind, c);
      }
    }
    this.crowded = drawn > (this.crowded ? 380 : 450); // not to and fro at the edge
    return drawn;
  }

  private one(g: CanvasRenderingContext2D, sprites: Sprites, s: Sample, i: number, kind: number, c: Camera): number {
    const { cell, half, sheet } = sprites;
    // Whole device pixels: copies stay sharp, and cost less than blended ones.
    const x = Math.round(screenX(c, s.x[i]) * this.density - half);
    const y = Math.round(screenY(c, s.z[i]) * this.density - half);
    if (x < -cell || y < -cell || x > c.width * this.density || y > c.height * this.density) return 0;
    const flags = s.frame!.flags[i];
    if ((flags & flagDead) !== 0) {
      g.drawImage(sheet, deadColumn * cell, markRow * cell, cell, cell, x, y, cell, cell);
      return 1;
    }
    const health = s.frame!.health[i];
    if (health < (this.crowded ? 128 : 255)) {
      const level = Math.max(1, Math.round((health / 255) * (headings - 1)));
      g.drawImage(sheet, level * cell, healthRow * cell, cell, cell, x, y, cell, cell);
    }
    if ((flags & flagFlying) !== 0) {
      // Who flies throws a shadow.
      g.globalAlpha = 0.28;
      const drop = Math.round(half * 0.45);
      g.drawImage(sheet, headingOf(s.yaw[i]) * cell, kind * cell, cell, cell, x + drop, y + drop, cell, cell);
      g.globalAlpha = 1;
    }
    g.drawImage(sheet, headingOf(s.yaw[i]) * cell, kind * cell, cell, cell, x, y, cell, cell);
    if ((flags & flagFrozen) !== 0) g.drawImage(sheet, frozenColumn * cell, markRow * cell, cell, cell, x, y, cell, cell);
    return 1;
  }
}
