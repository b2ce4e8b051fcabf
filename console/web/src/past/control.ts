import type { Entry } from "../api/types";
import { Store } from "../lib/store";
import type { Frame, Gap, Message } from "../live/decode";
import type { LinkState } from "../live/feed";
import { speeds } from "./commands";
import { PastFeed } from "./pastFeed";
import type { Watch } from "./watch";

// PastState is the state of a playback that the page shows.
export interface PastState {
  playing: boolean;
  speed: number;
  tick: number;
  end: boolean; // nothing later is recorded
  gap: Gap | null; // gap that the playback has just skipped; null for none
  error: string | null; // why the recording cannot be shown
  ready: boolean; // a frame has arrived
}

const opening: PastState = { playing: false, speed: 1, tick: 0, end: false, gap: null, error: null, ready: false };

export interface PastOutputs {
  frame(frame: Frame, arrived: number): void;
  message(message: Message): void;
  link(link: LinkState, attempts: number): void;
  pace(playing: boolean, speed: number, frameMs: number): void; // frameMs: server time between two frames in ms
  caughtUp(): void; // playing has reached the present
  refused(): void;
}

const frameRate = 20; // maximum number of frames per second; the recording has a frame for each tick

// PastControl plays the recording of one area for one map. It stores the time, the speed and the play state that the operator
// chose, and requests them again after a lost connection.
export class PastControl {
  readonly state = new Store<PastState>(opening);
  watch: Watch | null = null;
  private readonly feed: PastFeed;
  private wanted = { playing: false, speed: 1 };
  private asked = 0; // recorded time of the last seek
  private seeking = false; // no frame has arrived since the last seek
  private shown = NaN; // recorded time of the newest frame
  private tickMs = 50;
  private rate = frameRate;
  private dragged: boolean | null = null; // whether the recording played before the operator began to drag the time; null without a drag

  constructor(
    area: number,
    tickRate: number,
    private readonly to: PastOutputs,
  ) {
    this.tickMs = 1000 / tickRate;
    this.rate = Math.min(frameRate, tickRate);
    this.feed = new PastFeed(area, this.rate, {
      opened: () => this.opened(),
      frame: (frame, arrived) => this.frame(frame, arrived),
      message: (message) => this.message(message),
      link: (link, attempts) => to.link(link, attempts),
      refused: () => to.refused(),
      resumeAt: () => this.time,
    });
  }

  // open shows a time. It is called once.
  open(at: number, playing: boolean): void {
    this.asked = at;
    this.seeking = true;
    this.wanted.playing = playing;
    this.feed.open(at);
  }

  close(): void {
    this.feed.close();
  }

  // time is the requested time while a seek is not finished, else the time that is played.
  get time(): number {
    return this.seeking || Number.isNaN(this.shown) ? this.asked : this.shown;
  }

  seek(at: number): void {
    this.asked = Math.round(at);
    this.seeking = true;
    if (this.feed.failed) {
      this.state.set({ ...this.state.get(), error: null, ready: false });
      this.feed.open(this.asked);
      return;
    }
    this.feed.send({ do: "seek", at: this.asked });
  }

  play(speed = this.wanted.speed): void {
    this.wanted = { playing: true, speed };
    this.feed.send({ do: "play", speed });
    this.show({ playing: true, speed });
  }

  pause(): void {
    this.wanted.playing = false;
    this.feed.send({ do: "pause" });
    this.show({ playing: false });
  }

  toggle(): void {
    if (this.wanted.playing) this.pause();
    else this.play();
  }

  // setSpeed changes the speed without starting to play.
  setSpeed(speed: number): void {
    this.wanted.speed = speed;
    if (this.wanted.playing) this.play(speed);
    else this.show({ speed });
  }

  // changeSpeed selects the next higher or lower speed.
  changeSpeed(step: number): void {
    const i = speeds.indexOf(this.wanted.speed) + step;
    if (i >= 0 && i < speeds.length) this.setSpeed(speeds[i]);
  }

  step(ticks: number): void {
    this.wanted.playing = false;
    this.feed.send({ do: "step", ticks });
    this.show({ playing: false });
  }

  // drag stops playing while the operator drags the time. Afterwards drop continues playing if the recording was playing before.
  drag(): void {
    if (this.dragged !== null) return;
    this.dragged = this.wanted.playing;
    if (this.wanted.playing) this.pause();
  }

  drop(): void {
    const played = this.dragged;
    this.dragged = null;
    if (played) this.play();
  }

  get dragging(): boolean {
    return this.dragged !== null;
  }

  // jumping reports whether the last seek is not finished, so that the map still shows the previous time.
  get jumping(): boolean {
    return this.seeking;
  }

  private show(change: Partial<PastState>): void {
    this.state.update((old) => ({ ...old, ...change }));
    const { playing, speed } = this.wanted;
    this.to.pace(playing, speed, Math.max(this.tickMs, (1000 / this.rate) * speed));
  }

  private opened(): void {
    if (this.wanted.playing) this.play();
    else this.pause();
  }

  private frame(frame: Frame, arrived: number): void {
    const before = this.shown;
    this.shown = frame.time;
    this.seeking = false;
    if (!this.state.get().ready) this.show({ ready: true });
    this.to.frame(frame, arrived);
    if (this.watch !== null && this.wanted.playing && before < this.watch.until && frame.time >= this.watch.until) this.pause();
  }

  private message(message: Message): void {
    switch (message.type) {
      case "hello":
        if (message.tickMs > 0) this.tickMs = message.tickMs;
        break;
      case "error":
        this.state.update((old) => ({ ...old, error: message.message || "This time cannot be read from the tape.", playing: false }));
        return;
      case "state": {
        const { tick, end, gap } = message;
        const reached = end && this.wanted.playing && !this.feed.busy && !message.playing;
        if (reached) this.wanted.playing = false;
        this.show({ tick, end, gap, playing: this.wanted.playing, speed: this.wanted.speed });
        if (reached && !this.dragging) this.to.caughtUp();
        return;
      }
    }
    this.to.message(message);
  }
}

// matchEntry returns the journal entry for a decision that a recording shows. The recording does not contain the id of that
// entry, and the journal merges repeated decisions into one entry.
export function matchEntry(entry: Entry, journal: readonly Entry[]): Entry | null {
  const at = Date.parse(entry.at);
  return (
    journal.find(
      (e) => e.entity === entry.entity && e.reason === entry.reason && e.verdict === entry.verdict && at >= Date.parse(e.first) - matchSlack && at <= Date.parse(e.at) + matchSlack,
    ) ?? null
  );
}

const matchSlack = 100; // maximum difference in ms between the times of a decision in the tape and in the journal
