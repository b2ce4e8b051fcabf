import { Clock } from "./clock";

// Playhead decides which server time the map draws. It follows the live server, or a recording that plays at a speed.
//
// Frames arrive late and unevenly, so the playhead stays behind the server's clock by the interpolation delay. It never passes
// the newest frame: without new frames it stops, and afterwards it catches up at twice the speed instead of jumping. All times
// are ms.
export class Playhead {
  private readonly clock = new Clock(); // clock for the server time divided by the speed, which advances at the rate of local time
  private interval = liveInterval; // server ms between frames
  private newest = NaN; // server time of the newest frame
  private shown = NaN;
  private advanced = 0; // local time of the last advance
  private pace = 1;
  private playing = true;

  // observe records the arrival of a frame. A frame that is not later than the last frame is a jump, and is shown at once.
  observe(server: number, local: number): void {
    if (!(server > this.newest)) this.jump();
    else if (this.pace === 1 && this.playing) this.interval = this.interval * 0.9 + Math.min(1000, server - this.newest) * 0.1;
    this.newest = server;
    if (this.playing) this.clock.observe(server / this.pace, local);
  }

  // play continues playing at the given speed. The parameter interval is the expected time between frames, in ms of server time.
  play(speed: number, interval: number): void {
    if (this.playing && this.pace === speed) return;
    this.playing = true;
    this.pace = speed;
    this.interval = interval;
    this.clock.reset();
  }

  // pause makes the playhead continue to the newest frame and stop there.
  pause(): void {
    this.playing = false;
  }

  // advance returns the server time to draw at a local time; NaN before the first frame. Local times must not decrease.
  advance(local: number): number {
    const dt = Math.max(0, local - this.advanced);
    this.advanced = local;
    if (Number.isNaN(this.newest)) return NaN;
    if (Number.isNaN(this.shown)) {
      this.shown = this.playing && this.pace === 1 ? Math.min(this.newest, this.due(local)) : this.newest;
      return this.shown;
    }
    const due = this.playing ? this.due(local) : this.newest;
    if (due - this.shown > snap * this.pace) this.shown = due;
    const most = this.shown + dt * catchUp * (this.playing ? this.pace : Math.max(1, this.pace));
    this.shown = Math.min(this.newest, Math.max(this.shown, Math.min(due, most)));
    return this.shown;
  }

  // due returns the server time to draw if all frames arrive in time. Before the first frame at the present speed, it
  // returns the newest frame's time.
  private due(local: number): number {
    const now = this.clock.now(local);
    return Number.isNaN(now) ? this.newest : (now - this.delay) * this.pace;
  }

  // delay is the interpolation delay in local ms.
  get delay(): number {
    return this.clock.delay(this.interval / this.pace);
  }

  // time is the server time that was drawn last; NaN before the first frame.
  get time(): number {
    return this.shown;
  }

  get speed(): number {
    return this.pace;
  }

  // reset forgets everything and follows the live server.
  reset(): void {
    this.jump();
    this.newest = NaN;
    this.interval = liveInterval;
    this.pace = 1;
    this.playing = true;
  }

  // jump shows the next frame at once, whatever its time.
  jump(): void {
    this.shown = NaN;
    this.newest = NaN;
    this.clock.reset();
  }
}

const liveInterval = 100;
const catchUp = 2; // factor on the playback speed while the playhead catches up
const snap = 1000; // maximum delay, in local ms, that is caught up; after a longer stop the playhead jumps
