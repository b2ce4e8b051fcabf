// Command is a command of the page to the playback of a recording.
export type Command = { do: "seek"; at: number } | { do: "play"; speed: number } | { do: "pause" } | { do: "step"; ticks: number };

export const speeds: readonly number[] = [0.25, 0.5, 1, 2, 4, 8, 16];

const maxSteps = 20; // maximum number of ticks of one step command
const answerLimit = 1000; // ms after which an unanswered command counts as executed
const spacing = 40; // minimum ms between two commands; the server accepts 40 a second

// CommandQueue sends commands one at a time: it sends the next one when the server has executed the last. Of the waiting
// commands it retains only the newest seek, the sum of the steps, and the last play or pause, so dragging does not build up a
// backlog.
export class CommandQueue {
  private waiting: Command[] = [];
  private sentAt = -Infinity;
  private open = false; // a command was sent and has not been answered

  constructor(private readonly send: (command: Command) => void) {}

  push(command: Command, now: number): void {
    this.merge(command);
    this.flush(now);
  }

  private merge(command: Command): void {
    if (command.do === "seek") this.waiting = this.waiting.filter((c) => c.do !== "seek" && c.do !== "step");
    if (command.do === "play" || command.do === "pause") this.waiting = this.waiting.filter((c) => c.do !== "play" && c.do !== "pause");
    if (command.do === "step") {
      // A step command also pauses the playback, so waiting play and pause commands are no longer needed.
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

  // answered is called when the server has executed a command.
  answered(now: number): void {
    this.open = false;
    this.flush(now);
  }

  // flush sends the next command if its time has come. It is also called regularly, because commands may remain unanswered.
  flush(now: number): void {
    if (this.open && now - this.sentAt < answerLimit) return;
    if (this.waiting.length === 0 || now - this.sentAt < spacing) return;
    const command = this.waiting.shift()!;
    this.open = true;
    this.sentAt = now;
    this.send(command);
  }

  // busy reports whether a command is waiting or has not been executed yet.
  get busy(): boolean {
    return this.open || this.waiting.length > 0;
  }

  clear(): void {
    this.waiting = [];
    this.open = false;
    this.sentAt = -Infinity;
  }
}
