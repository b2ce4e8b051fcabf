// Judges how somebody moved over the screen, from where he was drawn in every frame.

const BROKEN_MS = 400; // between two drawn frames: the machine slept, and nobody can tell how it looked

/**
 * samples: [{t, x, z}], ms and units, one per drawn frame. fastest: units per second that the player can go.
 * Returns what is wrong as a sentence, "" if the motion was smooth.
 */
export function judge(samples, { fastest, least }) {
  if (samples.length < 30) return `only ${samples.length} frames were drawn`;
  const steps = samples.slice(1).map((p, i) => ({ ms: p.t - samples[i].t, far: Math.hypot(p.x - samples[i].x, p.z - samples[i].z) }));
  const whole = steps.reduce((sum, s) => sum + s.far, 0);
  if (whole < least) return `${whole.toFixed(1)} units in all, of at least ${least}`;
  const gap = steps.find((s) => s.ms > BROKEN_MS);
  if (gap) return `no frame for ${Math.round(gap.ms)} ms`;
  // Half a unit more: frames are drawn some ms off the moments that they stand for.
  const jump = steps.find((s) => s.far > (fastest * s.ms) / 1000 + 0.5);
  if (jump) return `a jump of ${jump.far.toFixed(2)} units within ${jump.ms.toFixed(1)} ms`;
  const moving = steps.filter((s) => s.far > 1e-4).length;
  // Motion that is only as fine as the live connection's frames is seen in one of six drawn ones.
  if (moving < steps.length * 0.4) return `it moved in ${moving} of ${steps.length} frames only`;
  return '';
}

/** Runs in the page: where the actor is drawn in every frame for some ms, and for longer if the machine draws few. */
export function record([id, ms]) {
  return new Promise((done) => {
    const samples = [];
    const begun = performance.now();
    const frame = () => {
      const at = window.__truestep?.where(id);
      const t = performance.now();
      if (at) samples.push({ t, x: at.x, z: at.z });
      if (t - begun < ms || (samples.length < 40 && t - begun < 4 * ms)) requestAnimationFrame(frame);
      else done(samples);
    };
    requestAnimationFrame(frame);
  });
}
