// Command is a command of the page to the playback of a recording.
export type Command = { do: "seek"; at: number } | { do: "play"; speed: number } | { do: "pause" } | { do: "step"; ticks: number };

export const speeds: readonly number[] = [0.25, 0.5, 1, 2, 4, 8, 16];

const maxSteps = 20; // ticks of one command
const answerLimit = 1000; // ms after which a command counts as carried out
const spacing = 40; // ms between commands: the server accepts 40 a second

// CommandQueue sends commands one at a time: it sends the next one when the server has executed the last. Of the waiting
// commands it keeps only the newest seek, the sum of the steps, and the last play or pause, so that dragging is as fast as the
// server can follow.
export class CommandQueue {
  private waiting: Command[] = [];
  private sentAt = -Infinity;
  private open = false; // a command was sent and not answered

  constructor(private readonly send: (command: Command) => void) {}

  push(command: Command, now: number): void {
    this.merge(command);
    this.flush(now);
  }

  private merge(command: Command): void {
    if (command.do === "seek") this.waiting = this.waiting.filter((c) => c.do !== "seek" && c.do !== "step");
    if (command.do === "play" || command.do === "pause") this.waiting = this.waiting.filter((c) => c.do !== "play" && c.do !== "pause");
    if (command.do === "step") {
      // A step pauses.
      this.waiting = this.waiting.filter((c) => c.do !== "play" && c.do !== "pause");
      const last = this.waiting[this.waiting.length - 1];
      if (last?.do === "step") {
        const ticks = Math.max(-maxSteps, Math.min(maxSteps, last.ticks + command.ticks));
        this.waiting.pop();
        if (ticks !== 0) this.waiting.push({ do: "step", ticks });
        return;
      }
    }
    this.waiting.push(command);
  }

  // answered is called when the server has carried out a command.
  answered(now: number): void {
    this.open = false;
    this.flush(now);
  }

  // flush sends the next command if it is time. It is also called regularly, for commands that were never answered.
  flush(now: number): void {
    if (this.open && now - this.sentAt < answerLimit) return;
    if (this.waiting.length === 0 || now - this.sentAt < spacing) return;
    const command = this.waiting.shift()!;
    this.open = true;
    this.sentAt = now;
    this.send(command);
  }

  // busy tells whether a command waits or is not yet carried out.
  get busy(): boolean {
    return this.open || this.waiting.length > 0;
  }

  clear(): void {
    this.waiting = [];
    this.open = false;
    this.sentAt = -Infinity;
  }
}
