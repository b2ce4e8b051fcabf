// The drawn position of an actor: interpolated between two states from the server, or predicted from the last one (web specification,
// section 6).

const STATES = 16;
const JUMP = 64; // flag that toggles when an actor jumps to its next state, so that its motion is not interpolated

interface Told { tick: number; v: Float64Array; s: Float64Array; yaw: number; health: number; flags: number; extra: Float64Array; rate: Float64Array }

export interface Drawn { x: number; y: number; z: number; yaw: number; health: number; flags: number; extra?: Float64Array }

export class Motion {
  private told: Told[] = [];
  private n = 0; // number of states added so far

  /**
   * extras: the number of fields of the game in snapshots, after the six built-in ones. lines: the indices, among these fields, of those
   * that are predicted.
   */
  constructor(private extras = 0, private lines: readonly number[] = []) {}

  private at(i: number): Told {
    return this.told[i % STATES]!;
  }

  /**
   * Adds a state from a snapshot: positions in 1/64 block, and the speeds computed from it in 1/1024 block per tick. The server omits an
   * actor from snapshots as long as these speeds predict it, so they describe the motion up to the next state.
   */
  add(tick: number, values: ArrayLike<number>, speeds?: ArrayLike<number>): void {
    const t = (this.told[this.n % STATES] ??= { tick: 0, v: new Float64Array(3), s: new Float64Array(3), yaw: 0, health: 0, flags: 0, extra: new Float64Array(this.extras), rate: new Float64Array(this.extras) });
    const last = this.told[(this.n - 1) % STATES]; // undefined for the first state
    for (let i = 0; i < 3; i++) {
      t.s[i] = speeds ? speeds[i]! / (16 * 64) : 0;
      t.v[i] = values[i]! / 64;
    }
    t.tick = tick;
    t.yaw = values[3]! * (360 / 256);
    t.health = values[4]! / 255;
    t.flags = values[5]!;
    for (let i = 0; i < this.extras; i++) t.extra[i] = values[6 + i]!;
    for (const i of this.lines) t.rate[i] = speeds ? speeds[6 + i]! / 16 : 0;
    if (last && (last.flags ^ t.flags) & JUMP) t.s.fill(0);
    this.n++;
  }

  /** Stores the drawn state at the fractional tick at in out. until is the last tick to which motion is predicted. */
  draw(at: number, until: number, out: Drawn): void {
    if (!this.n) return;
    const oldest = Math.max(0, this.n - STATES);
    let i = this.n - 1;
    while (i > oldest && this.at(i).tick > at) i--;
    const a = this.at(i);
    const b = i + 1 < this.n ? this.at(i + 1) : undefined;
    out.health = a.health;
    out.flags = a.flags;
    out.yaw = a.yaw;
    if (out.extra) this.drawExtras(a, b, at, until, out.extra);
    if (!b || a.tick > at) {
      const ahead = a.tick > at ? 0 : Math.min(at, until) - a.tick;
      this.along(a, ahead, out);
      return;
    }
    if ((a.flags ^ b.flags) & JUMP) {
      this.along(a, Math.min(at, b.tick) - a.tick, out);
      return;
    }
    // In ticks whose snapshots omit the actor, it was at the position that a predicts. So interpolation toward b begins at most
    // three ticks before b.
    const from = Math.max(a.tick, b.tick - 3);
    if (at < from) {
      this.along(a, at - a.tick, out);
      return;
    }
    const span = b.tick - from;
    const u = (at - from) / span, u2 = u * u, u3 = u2 * u;
    const end = 3 * u2 - 2 * u3, start = 1 - end, leave = (u3 - 2 * u2 + u) * span + start * (from - a.tick), arrive = (u3 - u2) * span;
    out.x = start * a.v[0]! + leave * a.s[0]! + end * b.v[0]! + arrive * b.s[0]!;
    out.y = start * a.v[1]! + leave * a.s[1]! + end * b.v[1]! + arrive * b.s[1]!;
    out.z = start * a.v[2]! + leave * a.s[2]! + end * b.v[2]! + arrive * b.s[2]!;
    const turn = ((((b.yaw - a.yaw) % 360) + 540) % 360) - 180;
    out.yaw = a.yaw + turn * Math.min(Math.max(u, 0), 1);
  }

  // Fields that are not predicted change when their state is drawn. Predicted fields follow their speed and are interpolated in the last
  // three ticks before the next state.
  private drawExtras(a: Told, b: Told | undefined, at: number, until: number, out: Float64Array): void {
    for (let i = 0; i < this.extras; i++) out[i] = a.extra[i]!;
    if (a.tick > at) return;
    for (const i of this.lines) {
      const from = b ? Math.max(a.tick, b.tick - 3) : Infinity;
      if (!b || at < from) {
        out[i] = a.extra[i]! + a.rate[i]! * (Math.min(at, b ? at : until) - a.tick);
        continue;
      }
      const start = a.extra[i]! + a.rate[i]! * (from - a.tick);
      out[i] = start + (b.extra[i]! - start) * Math.min((at - from) / (b.tick - from), 1);
    }
  }

  private along(a: Told, ticks: number, out: Drawn): void {
    out.x = a.v[0]! + a.s[0]! * ticks;
    out.y = a.v[1]! + a.s[1]! * ticks;
    out.z = a.v[2]! + a.s[2]! * ticks;
  }
}
