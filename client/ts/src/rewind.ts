// Client-side prediction of the own player, with rewind and replay when the server corrects it (web specification, section 5).

import { Avatar, copyAvatar, HAS_KNOCKBACK, newAvatar, SNEAK_HELD, SNEAKING, SPRINTING } from './blocks/avatar.js';
import type { Body, Entry, Ground } from './blocks/index.js';

const HISTORY = 128; // length of the prediction history in ticks; the server's history is shorter
const REQUESTED = SPRINTING | SNEAKING | SNEAK_HELD; // flags that the server takes from inputs even while it ignores their positions

/** Prediction holds the state of the own player and the inputs and states of its last ticks. */
export class Prediction {
  tick = 0;
  readonly state = newAvatar(); // state after the tick in the field tick
  /** Distance in blocks by which the last rewind and replay changed the present position. */
  moved = 0;
  private entries: Entry[] = [];
  private states: Avatar[] = [];
  private first = 0;

  constructor(private body: Body) {
    for (let i = 0; i < HISTORY; i++) {
      this.entries.push({ keys: 0, yaw: 0, pitch: 0, strafe: 0, forward: 0 });
      this.states.push(newAvatar());
    }
  }

  /** Discards the history and begins with a state after the given tick. */
  reset(tick: number, a: Avatar): void {
    this.tick = this.first = tick;
    copyAvatar(this.state, a);
  }

  /** Simulates one tick. */
  step(e: Entry, ground: Ground): void {
    this.body.step(this.state, e, ground);
    const i = ++this.tick % HISTORY;
    Object.assign(this.entries[i]!, e);
    copyAvatar(this.states[i]!, this.state);
  }

  /** Returns the entries of the last n ticks, oldest first. */
  last(n: number): Entry[] {
    n = Math.min(n, this.tick - this.first);
    return Array.from({ length: n }, (_, i) => this.entries[(this.tick - n + 1 + i) % HISTORY]!);
  }

  /**
   * Sets the server's state after a tick and simulates the later ticks again. If the tick is not in the history, the state
   * becomes the present one.
   */
  correct(tick: number, a: Avatar, ground: Ground): void {
    const { x, y, z } = this.state;
    if (tick > this.tick || tick <= this.first || this.tick - tick >= HISTORY) {
      copyAvatar(this.state, a);
      if (this.tick > this.first) copyAvatar(this.states[this.tick % HISTORY]!, a);
    } else {
      copyAvatar(this.states[tick % HISTORY]!, a);
      copyAvatar(this.state, a);
      for (let t = tick + 1; t <= this.tick; t++) {
        this.body.step(this.state, this.entries[t % HISTORY]!, ground);
        copyAvatar(this.states[t % HISTORY]!, this.state);
      }
    }
    this.moved = Math.hypot(this.state.x - x, this.state.y - y, this.state.z - z);
  }

  /**
   * Replaces the present state by the server's state after a teleport, but retains the flags that the player's inputs have requested since.
   * Until the teleport is acknowledged, the server executes the requests of inputs and ignores their positions.
   */
  teleport(a: Avatar, ground: Ground): void {
    a.flags = a.flags & ~REQUESTED | this.state.flags & REQUESTED;
    a.jumpDelay = this.state.jumpDelay;
    this.correct(this.tick + 1, a, ground);
  }

  /** Simulates one tick on a copy of the present state, for drawing between two ticks. */
  ahead(out: Avatar, e: Entry, ground: Ground): void {
    copyAvatar(out, this.state);
    out.flags &= ~HAS_KNOCKBACK;
    this.body.step(out, e, ground);
  }
}
