import { Backoff } from "../lib/backoff";
import { decodeFrame, decodeMessage, type Frame, type Message } from "../live/decode";
import type { LinkState } from "../live/feed";
import { CommandQueue, type Command } from "./commands";

export interface PastHandlers {
  opened(): void; // the connection was opened, for the first time or after a loss
  frame(frame: Frame, arrived: number): void;
  message(message: Message): void;
  link(link: LinkState, attempts: number): void;
  refused(): void; // a connection was closed before it opened
  resumeAt(): number; // the time at which playback continues after a lost connection
}

const silenceLimit = 6000; // ms without a message during playback, or without an answer to a command, after which the connection counts as lost

// PastFeed keeps a WebSocket to the recording of one area open, reconnects with backoff when it is lost, and sends commands. It has a
// single owner. After an error message of the server, which means that the recording cannot be read, it does not reconnect.
export class PastFeed {
  private socket: WebSocket | null = null;
  private readonly backoff = new Backoff();
  private readonly queue: CommandQueue;
  private retry = 0;
  private timer = 0;
  private lastMessage = 0;
  private ended = false;
  private playing = false;

  constructor(
    private readonly area: number,
    private readonly rate: number,
    private readonly to: PastHandlers,
  ) {
    this.queue = new CommandQueue((command) => this.socket?.send(JSON.stringify(command)));
  }

  open(at: number): void {
    this.ended = false;
    this.drop();
    this.to.link(this.backoff.attempts > 0 ? "lost" : "connecting", this.backoff.attempts);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/past?area=${this.area}&at=${Math.max(0, Math.round(at))}&rate=${this.rate}`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.lastMessage = performance.now();
    let opened = false;
    socket.onmessage = (event) => {
      if (!opened) {
        opened = true;
        this.backoff.reset();
        this.to.link("live", 0);
        this.to.opened();
      }
      this.receive(event.data);
    };
    socket.onclose = () => this.lost(socket, opened);
    this.timer = window.setInterval(() => this.watch(socket), 250);
  }

  // send queues a command. Without a connection the command is dropped; the owner sends its state again when the connection
  // opens.
  send(command: Command): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    const now = performance.now();
    if (!this.queue.busy && !this.playing) this.lastMessage = now; // a paused recording is silent
    this.queue.push(command, now);
  }

  // busy reports whether a command has not been executed yet.
  get busy(): boolean {
    return this.queue.busy;
  }

  get failed(): boolean {
    return this.ended;
  }

  close(): void {
    this.ended = true;
    this.drop();
    this.to.link("idle", 0);
  }

  private watch(socket: WebSocket): void {
    const now = performance.now();
    this.queue.flush(now);
    const expecting = this.playing || this.queue.busy || socket.readyState === WebSocket.CONNECTING;
    if (expecting && now - this.lastMessage > silenceLimit) this.lost(socket, true);
  }

  private receive(data: unknown): void {
    const now = performance.now();
    this.lastMessage = now;
    if (data instanceof ArrayBuffer) {
      const frame = decodeFrame(data);
      if (frame !== null && frame.area === this.area) this.to.frame(frame, now);
      return;
    }
    const message = typeof data === "string" ? decodeMessage(data) : null;
    if (message === null) return;
    if (message.type === "state") {
      this.playing = message.playing;
      this.queue.answered(now);
    }
    if (message.type === "error") {
      this.ended = true;
      this.drop();
    }
    this.to.message(message);
  }

  private lost(socket: WebSocket, opened: boolean): void {
    if (socket !== this.socket || this.ended) return;
    this.drop();
    const wait = this.backoff.next();
    this.to.link("lost", this.backoff.attempts);
    if (!opened) this.to.refused();
    this.retry = window.setTimeout(() => {
      if (!this.ended && this.socket === null) this.open(this.to.resumeAt());
    }, wait);
  }

  private drop(): void {
    window.clearInterval(this.timer);
    window.clearTimeout(this.retry);
    this.queue.clear();
    this.playing = false;
    const socket = this.socket;
    this.socket = null;
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }
}
