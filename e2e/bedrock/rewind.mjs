// Client-side prediction: the history of predicted states, and rewind and replay when the server corrects one.
// Written from docs/wire/bedrock.md, client behaviour (CL-1 to CL-7).
import { copy, same, step } from './physics.mjs';

export class Rewind {
  /** state: the player's state after tick, the last one simulated. size: the number of ticks in the history. step: the physics function. */
  constructor({ state, world, tick = 0, size = 40, step: simulate = step }) {
    Object.assign(this, { state, world, tick, size, simulate });
    this.history = new Map(); // tick -> {input, bare, state, packets}; bare is the state before the packets of that tick
    this.replays = []; // replays of inputs: {from, to, changed: ticks whose state changed}
  }

  /**
   * Handles a packet about the player's movement. change(state) applies the packet to a state. Returns 'filed' if the next replay
   * will apply it at its tick, or 'applied' if it was applied at once because its tick is 0 or not in the history.
   */
  file(tick, change) {
    const entry = tick > 0 && this.history.get(tick);
    if (!entry) {
      change(this.state);
      return 'applied';
    }
    entry.packets.push(change);
    this.dirty = Math.min(this.dirty ?? tick, tick);
    return 'filed';
  }

  /** Rewinds to the lowest tick with a newly filed packet, and replays all later inputs. */
  replay() {
    if (this.dirty === undefined) return undefined;
    const from = this.dirty;
    this.dirty = undefined;
    const changed = [];
    let entry = this.history.get(from);
    let state = copy(entry.bare);
    for (let tick = from; ; tick++) {
      for (const change of entry.packets) change(state);
      if (!same(state, entry.state)) changed.push(tick);
      entry.state = copy(state);
      if (tick === this.tick) break;
      entry = this.history.get(tick + 1);
      this.simulate(state, entry.input, this.world);
      entry.bare = copy(state);
    }
    this.state = state;
    const replay = { from, to: this.tick, changed };
    this.replays.push(replay);
    return replay;
  }

  /** Plays one tick: first a pending replay, then the input. Returns {tick, state} for the packet to the server. */
  advance(input) {
    this.replay();
    this.tick++;
    this.simulate(this.state, input, this.world);
    this.history.set(this.tick, { input, bare: copy(this.state), state: copy(this.state), packets: [] });
    this.history.delete(this.tick - this.size);
    return { tick: this.tick, state: copy(this.state) };
  }

  /** The state after a tick of the history, with all corrections so far. */
  after(tick) {
    return this.history.get(tick)?.state;
  }
}
