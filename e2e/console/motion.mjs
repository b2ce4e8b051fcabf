// Checks that an actor moves smoothly on the screen, from the positions at which the map drew the actor in each frame.

/**
 * samples: [{t, x, z}], ms and units, one per drawn frame; t is the moment for which the frame was drawn, so a machine that is held up
 * changes the number of samples and not what they prove. maxSpeed: units/s of the actor. minDistance: units that it must
 * have moved. Returns what is wrong, "" if the motion is smooth.
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

/** Runs in the page: samples where an actor is drawn for ms, or up to four times longer until there are 40 samples. */
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
