import type { Sample } from "../live/timeline";
import { screenX, screenY, type Camera } from "./camera";
import type { Palette } from "./palette";

// Blow is a hit, or a death, that is being shown.
export interface Blow {
  by: number; // 0: a death
  on: number;
  damage: number;
  at: number; // local ms
}

const flashMs = 450;
const numberMs = 900;
export const blowMs = numberMs;

// drawBlows shows each hit as a line from who struck and a ring about who was struck; close up, with its damage.
// still: nothing moves or grows, for people who asked for that.
export function drawBlows(g: CanvasRenderingContext2D, blows: readonly Blow[], s: Sample, c: Camera, now: number, palette: Palette, still: boolean): void {
  const rows = new Map<number, number>();
  if (blows.length > 0 && s.frame) for (let i = 0; i < s.count; i++) rows.set(s.frame.ids[i], i);
  g.lineWidth = 1.5;
  g.font = "600 11px system-ui, sans-serif";
  g.textAlign = "center";
  for (const { by, on, damage, at } of blows) {
    const row = rows.get(on);
    const age = now - at;
    if (row === undefined || age < 0 || age > numberMs) continue;
    const x = screenX(c, s.x[row]);
    const y = screenY(c, s.z[row]);
    const share = age / flashMs;
    if (share < 1 && damage >= 0) {
      g.globalAlpha = 1 - share;
      g.strokeStyle = palette.danger;
      g.beginPath();
      g.arc(x, y, still ? 13 : 9 + 9 * share, 0, 2 * Math.PI);
      g.stroke();
      const striker = rows.get(by);
      if (striker !== undefined && by !== on) {
        g.beginPath();
        g.moveTo(screenX(c, s.x[striker]), screenY(c, s.z[striker]));
        g.lineTo(x, y);
        g.stroke();
      }
    }
    if (damage !== 0 && c.scale > 0.8) {
      g.globalAlpha = Math.min(1, 2 * (1 - age / numberMs));
      const up = y - 16 - (still ? 6 : 14 * (age / numberMs));
      g.strokeStyle = palette.halo;
      g.lineWidth = 3;
      const text = damage > 0 ? String(damage) : "miss";
      g.strokeText(text, x, up);
      g.lineWidth = 1.5;
      g.fillStyle = damage > 0 ? palette.danger : palette.muted;
      g.fillText(text, x, up);
    }
  }
  g.globalAlpha = 1;
}
