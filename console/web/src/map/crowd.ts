import { flagDead, flagFlying, flagFrozen } from "../live/decode";
import type { Sample } from "../live/timeline";
import { screenX, screenY, type Camera } from "./camera";
import { kinds, type Palette } from "./palette";
import type { Pixels } from "./pixels";
import { deadColumn, frozenColumn, headingOf, headings, healthRow, markRow, Sprites } from "./sprites";

export const npcKind = kinds.indexOf("npc");

const shadowShare = 72; // opacity of shadows, in 1/256

// Crowd draws all actors. The size of their sprites depends on the scale and on the number of drawn actors, so that actors do
// not merge in a view of a whole area. In a crowd only actors with at most half of their health have a health ring.
export class Crowd {
  private readonly sizes = new Map<number, Sprites>();
  private crowded = false;
  private sprites!: Sprites;
  private to!: CanvasRenderingContext2D | Pixels;

  constructor(
    private readonly palette: Palette,
    private readonly density: number,
  ) {}

  // sizeAt returns the radius of a player's shape in pixels. The radius is smaller while several hundred actors are drawn.
  sizeAt(scale: number): number {
    if (this.crowded) return scale < 5 ? 3.8 : 6.2;
    return scale < 0.9 ? 4.6 : scale < 5 ? 6.2 : 8.5;
  }

  // draw paints the visible rows of s, NPCs below players, on a canvas in device pixels or into memory. Returns the number
  // of drawn actors.
  draw(to: CanvasRenderingContext2D | Pixels, s: Sample, c: Camera, shown: readonly boolean[]): number {
    const size = this.sizeAt(c.scale);
    let sprites = this.sizes.get(size);
    if (sprites === undefined) {
      sprites = new Sprites(this.palette, size, this.density);
      this.sizes.set(size, sprites);
    }
    this.sprites = sprites;
    this.to = to;
    const { kind } = s.frame!;
    let drawn = 0;
    for (let pass = 0; pass < 2; pass++) {
      for (let i = 0; i < s.count; i++) {
        if ((kind[i] === npcKind) === (pass === 0) && shown[kind[i]]) drawn += this.drawActor(s, i, kind[i], c);
      }
    }
    this.crowded = drawn > (this.crowded ? 380 : 450); // hysteresis
    return drawn;
  }

  // drawActor draws the actor in row i of s. Returns 1, or 0 if it is outside of the canvas.
  private drawActor(s: Sample, i: number, kind: number, c: Camera): number {
    const { cell, half } = this.sprites;
    // Sprites are copied to whole device pixels, so that they stay sharp and are not resampled.
    const x = Math.round(screenX(c, s.x[i]) * this.density - half);
    const y = Math.round(screenY(c, s.z[i]) * this.density - half);
    if (x < -cell || y < -cell || x > c.width * this.density || y > c.height * this.density) return 0;
    const flags = s.frame!.flags[i];
    if ((flags & flagDead) !== 0) {
      this.put(deadColumn, markRow, x, y);
      return 1;
    }
    const health = s.frame!.health[i];
    if (health < (this.crowded ? 128 : 255)) {
      this.put(Math.max(1, Math.round((health / 255) * (headings - 1))), healthRow, x, y);
    }
    const heading = headingOf(s.yaw[i]);
    if ((flags & flagFlying) !== 0) {
      const drop = Math.round(half * 0.45);
      this.put(heading, kind, x + drop, y + drop, shadowShare);
    }
    this.put(heading, kind, x, y);
    if ((flags & flagFrozen) !== 0) this.put(frozenColumn, markRow, x, y);
    return 1;
  }

  private put(column: number, row: number, x: number, y: number, share = 256): void {
    const { to } = this;
    if ("stamp" in to) {
      to.stamp(this.sprites.stamp(column, row), x, y, share);
      return;
    }
    const { sheet, cell } = this.sprites;
    if (share < 256) to.globalAlpha = share / 256;
    to.drawImage(sheet, column * cell, row * cell, cell, cell, x, y, cell, cell);
    if (share < 256) to.globalAlpha = 1;
  }
}
