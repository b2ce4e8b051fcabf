import type { Sample } from "../live/timeline";
import { screenX, screenY, type Camera } from "./camera";
import type { Palette } from "./palette";

// HitMark is a hit or a death that the map shows.
export interface HitMark {
  by: number; // id of the attacker; 0 for a death
  on: number;
  damage: number;
  at: number; // time of the hit in ms, by the clock of the scene (Engine.sceneTime)
}

const flashMs = 450;
const numberMs = 900;
export const hitMarkMs = numberMs;

// drawHitMarks draws each hit as a line from the attacker and a ring around the victim, at large scales with the damage. now is
// the time of the scene. slow is the factor by which hits are shown longer than usual, in a fast recording. still disables
// animations, for users who prefer reduced motion.
export function drawHitMarks(g: CanvasRenderingContext2D, hits: readonly HitMark[], s: Sample, c: Camera, now: number, slow: number, palette: Palette, still: boolean): void {
  const rows = new Map<number, number>();
  if (hits.length > 0 && s.frame) for (let i = 0; i < s.count; i++) rows.set(s.frame.ids[i], i);
  g.lineWidth = 1.5;
  g.font = "600 11px system-ui, sans-serif";
  g.textAlign = "center";
  for (const { by, on, damage, at } of hits) {
    const row = rows.get(on);
    const age = (now - at) / slow;
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
      const attacker = rows.get(by);
      if (attacker !== undefined && by !== on) {
        g.beginPath();
        g.moveTo(screenX(c, s.x[attacker]), screenY(c, s.z[attacker]));
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
