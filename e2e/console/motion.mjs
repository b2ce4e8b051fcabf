// Judges the motion of an actor on the screen by where the map drew it in each frame.

const GAP_MS = 400; // between two drawn frames: the machine was held up, so the samples prove nothing

/**
 * samples: [{t, x, z}], ms and units, one per drawn frame. maxSpeed: units/s of the actor. minDistance: units that it must
 * have moved. Returns what is wrong, "" if the motion is smooth.
 */
export function judgeMotion(samples, { maxSpeed, minDistance }) {
  if (samples.length < 30) return `only ${samples.length} frames were drawn`;
  const steps = samples.slice(1).map((p, i) => ({ ms: p.t - samples[i].t, distance: Math.hypot(p.x - samples[i].x, p.z - samples[i].z) }));
  const total = steps.reduce((sum, s) => sum + s.distance, 0);
  if (total < minDistance) return `moved ${total.toFixed(1)} units in total, want ${minDistance} or more`;
  const gap = steps.find((s) => s.ms > GAP_MS);
  if (gap) return `no frame for ${Math.round(gap.ms)} ms`;
  // Half a unit of tolerance: frames are drawn some ms off the moments that they show.
  const jump = steps.find((s) => s.distance > (maxSpeed * s.ms) / 1000 + 0.5);
  if (jump) return `a jump of ${jump.distance.toFixed(2)} units within ${jump.ms.toFixed(1)} ms`;
  const moving = steps.filter((s) => s.distance > 1e-4).length;
  // Without interpolation an actor would move in one of six drawn frames only, at the rate of the live connection.
  if (moving < steps.length * 0.4) return `moved in only ${moving} of ${steps.length} frames`;
  return '';
}

/** Runs in the page: samples where an actor is drawn for ms, or up to four times longer until there are 40 samples. */
export function recordMotion([id, ms]) {
  return new Promise((done) => {
    const samples = [];
    const start = performance.now();
    const frame = () => {
      const at = window.__truestep?.where(id);
      const t = performance.now();
      if (at) samples.push({ t, x: at.x, z: at.z });
      if (t - start < ms || (samples.length < 40 && t - start < 4 * ms)) requestAnimationFrame(frame);
      else done(samples);
    };
    requestAnimationFrame(frame);
  });
}
