// Checks that an actor moves smoothly on the screen, from the positions at which the map drew the actor in each frame.

/**
 * samples: [{t, x, z}], ms and units, one per drawn frame. t is the time for which the frame was drawn, not the time of drawing, so delays
 * of a busy machine do not matter. maxSpeed: of the actor, units/s. minDistance: units that it must have moved. Returns a
 * description of the fault, "" if the motion is smooth.
 */
export function judgeMotion(samples, { maxSpeed, minDistance }) {
  if (samples.length < 30) return `only ${samples.length} frames were drawn`;
  const steps = samples.slice(1).map((p, i) => ({ ms: p.t - samples[i].t, distance: Math.hypot(p.x - samples[i].x, p.z - samples[i].z) }));
  const total = steps.reduce((sum, s) => sum + s.distance, 0);
  if (total < minDistance) return `moved ${total.toFixed(1)} units in total, want ${minDistance} or more`;
  // Half a unit of tolerance: the map's clock may run a little faster than the page's.
  const jump = steps.find((s) => s.distance > (maxSpeed * s.ms) / 1000 + 0.5);
  if (jump) return `a jump of ${jump.distance.toFixed(2)} units within ${jump.ms.toFixed(1)} ms`;
  const moving = steps.filter((s) => s.distance > 1e-4).length;
  // Without interpolation an actor would move in one of six drawn frames only, at the rate of the live connection.
  if (moving < steps.length * 0.4) return `moved in only ${moving} of ${steps.length} frames`;
  return '';
}

/** Samples the drawn position of an actor for ms, or up to four times longer until there are 40 samples; runs in the page. */
export function recordMotion([id, ms]) {
  return new Promise((done) => {
    const samples = [];
    const start = performance.now();
    const frame = () => {
      const at = window.__truestep?.where(id);
      const t = window.__truestep?.drawnAt;
      if (at && t !== samples.at(-1)?.t) samples.push({ t, x: at.x, z: at.z });
      const passed = performance.now() - start;
      if (passed < ms || (samples.length < 40 && passed < 4 * ms)) requestAnimationFrame(frame);
      else done(samples);
    };
    requestAnimationFrame(frame);
  });
}
