import type { Frame } from "./decode";

// Timeline stores the last frames of an area and interpolates the state of all actors between them.
export class Timeline {
  private frames: LinkedFrame[] = []; // by time

  // push adds the next frame. All earlier frames are discarded if the new one is of another area or, after a server restart, not
  // newer than the last.
  push(frame: Frame): void {
    const last = this.newest;
    if (last && (frame.area !== last.area || frame.time <= last.time)) this.frames = [];
    this.frames.push({ frame, before: linkRows(frame, this.newest) });
    if (this.frames.length > kept) this.frames.shift();
  }

  get newest(): Frame | null {
    return this.frames.length > 0 ? this.frames[this.frames.length - 1].frame : null;
  }

  clear(): void {
    this.frames = [];
  }

  // sample writes the state at a server time into out. A time before the first frame has the state of the first frame, a
  // time after the last frame that of the last. Returns false if there is no frame.
  sample(time: number, out: Sample): boolean {
    const n = this.frames.length;
    if (n === 0) return false;
    let next = n - 1;
    while (next > 0 && this.frames[next - 1].frame.time >= time) next--;
    const { frame, before } = this.frames[next];
    out.grow(frame.count);
    out.frame = frame;
    out.count = frame.count;
    const older = next > 0 ? this.frames[next - 1].frame : null;
    if (older === null || time >= frame.time) {
      out.copyFrom(frame);
      return true;
    }
    const span = frame.time - older.time;
    interpolate(older, frame, before, Math.max(0, (time - older.time) / span), span, out);
    return true;
  }
}

const kept = 12; // number of stored frames: enough for the maximum interpolation delay at the usual rates

interface LinkedFrame {
  frame: Frame;
  before: Int32Array; // row of the same actor in the previous frame, -1 if it has none
}

// Sample is the state to draw, as parallel arrays: index i of each array belongs to row i of frame. It is reused, so callers must not
// keep its arrays.
export class Sample {
  frame: Frame | null = null;
  count = 0;
  x = new Float32Array(0);
  y = new Float32Array(0);
  z = new Float32Array(0);
  yaw = new Float32Array(0);

  grow(count: number): void {
    if (this.x.length >= count) return;
    const size = Math.ceil(count * 1.25);
    this.x = new Float32Array(size);
    this.y = new Float32Array(size);
    this.z = new Float32Array(size);
    this.yaw = new Float32Array(size);
  }

  copyFrom(frame: Frame): void {
    this.x.set(frame.x.subarray(0, frame.count));
    this.y.set(frame.y.subarray(0, frame.count));
    this.z.set(frame.z.subarray(0, frame.count));
    this.yaw.set(frame.yaw.subarray(0, frame.count));
  }

  // row returns the row of an actor, -1 if the frame does not have it.
  row(id: number): number {
    return this.frame === null ? -1 : rowOf(this.frame, id);
  }
}

export function rowOf(frame: Frame, id: number): number {
  const { ids, count } = frame;
  for (let i = 0; i < count; i++) if (ids[i] === id) return i;
  return -1;
}

// linkRows returns, for each row of a frame, the row of the same actor in the frame before, -1 for none. Frames list actors in nearly
// the same order, so most rows are found by one pass through both frames; the others are looked up in a map.
function linkRows(frame: Frame, older: Frame | null): Int32Array {
  const before = new Int32Array(frame.count).fill(-1);
  if (older === null) return before;
  let rows: Map<number, number> | null = null;
  let guess = 0;
  for (let i = 0; i < frame.count; i++) {
    const id = frame.ids[i];
    if (guess < older.count && older.ids[guess] === id) {
      before[i] = guess++;
      continue;
    }
    if (rows === null) {
      rows = new Map();
      for (let j = 0; j < older.count; j++) rows.set(older.ids[j], j);
    }
    const row = rows.get(id);
    if (row !== undefined) {
      before[i] = row;
      guess = row + 1;
    }
  }
  return before;
}

const maxSpeed = 200; // units/s, more than any actor's speed; a longer step is a teleport
const slack = 4; // units that a step may be longer than maxSpeed allows

function interpolate(from: Frame, to: Frame, before: Int32Array, share: number, span: number, out: Sample): void {
  const reach = (maxSpeed * span) / 1000 + slack;
  const reach2 = reach * reach;
  for (let i = 0; i < to.count; i++) {
    const j = before[i];
    const dx = j < 0 ? 0 : to.x[i] - from.x[j];
    const dz = j < 0 ? 0 : to.z[i] - from.z[j];
    if (j < 0 || dx * dx + dz * dz > reach2) {
      // A new or teleported actor is not interpolated. A teleported one stays at its old position for the first half of the interval.
      const at = j < 0 || share >= 0.5 ? i : -1;
      out.x[i] = at < 0 ? from.x[j] : to.x[i];
      out.y[i] = at < 0 ? from.y[j] : to.y[i];
      out.z[i] = at < 0 ? from.z[j] : to.z[i];
      out.yaw[i] = at < 0 ? from.yaw[j] : to.yaw[i];
      continue;
    }
    out.x[i] = from.x[j] + dx * share;
    out.z[i] = from.z[j] + dz * share;
    out.y[i] = from.y[j] + (to.y[i] - from.y[j]) * share;
    out.yaw[i] = from.yaw[j] + nearTurn(to.yaw[i] - from.yaw[j]) * share;
  }
}

// nearTurn returns the equal angle between -π and π, in radians.
export function nearTurn(angle: number): number {
  const full = 2 * Math.PI;
  return angle - full * Math.round(angle / full);
}
