import { Backoff } from "../lib/backoff";
import { decodeFrame, decodeMessage, type Frame, type Message } from "./decode";

// LinkState is the state of the live connection, which the page also shows.
export type LinkState = "idle" | "connecting" | "live" | "lost";

export interface FeedHandlers {
  frame(frame: Frame, arrived: number): void;
  message(message: Message): void;
  link(link: LinkState, attempts: number): void;
  refused(): void; // a connection was closed before it opened, or because the session ended
}

const silenceLimit = 6000; // ms without a message after which a connection counts as dead
const sessionEnded = 4401; // WebSocket close code of the server if the session has ended
const stableAfter = 4000; // ms after which an open connection resets the backoff

// Feed keeps a WebSocket to the live map of one area open and reconnects with backoff when it is lost. It has a single owner.
export class Feed {
  private socket: WebSocket | null = null;
  private readonly backoff = new Backoff();
  private retry = 0;
  private watchdog = 0;
  private lastMessage = 0;
  private opened = 0;
  private target: { area: number; rate: number } | null = null;

  constructor(private readonly to: FeedHandlers) {
    window.addEventListener("online", this.reconnectNow);
    document.addEventListener("visibilitychange", this.reconnectNow);
  }

  // watch connects to an area; the previous connection is closed at once.
  watch(area: number, rate: number): void {
    this.target = { area, rate };
    this.backoff.reset();
    this.connect();
  }

  // pause closes the connection until watch is called again.
  pause(): void {
    this.target = null;
    this.drop();
    this.to.link("idle", 0);
  }

  close(): void {
    this.pause();
    window.removeEventListener("online", this.reconnectNow);
    document.removeEventListener("visibilitychange", this.reconnectNow);
  }

  private readonly reconnectNow = (): void => {
    if (this.target !== null && this.socket === null && document.visibilityState === "visible") this.connect();
  };

  private connect(): void {
    this.drop();
    const { area, rate } = this.target!;
    this.to.link(this.backoff.attempts > 0 ? "lost" : "connecting", this.backoff.attempts);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/live?area=${area}&rate=${rate}`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.opened = 0;
    this.lastMessage = performance.now();
    socket.onopen = () => {
      this.opened = performance.now();
    };
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = (event) => this.lost(socket, event.code === sessionEnded);
    this.watchdog = window.setInterval(() => {
      if (performance.now() - this.lastMessage > silenceLimit) this.lost(socket);
    }, 1000);
  }

  private receive(data: unknown): void {
    const now = performance.now();
    this.lastMessage = now;
    if (this.opened > 0 && now - this.opened > stableAfter) this.backoff.reset();
    this.to.link("live", 0);
    if (data instanceof ArrayBuffer) {
      const frame = decodeFrame(data);
      if (frame !== null && frame.area === this.target?.area) this.to.frame(frame, now);
    } else if (typeof data === "string") {
      const message = decodeMessage(data);
      if (message !== null) this.to.message(message);
    }
  }

  private lost(socket: WebSocket, ended = false): void {
    if (socket !== this.socket) return;
    const opened = this.opened;
    this.drop();
    const wait = this.backoff.next();
    this.to.link("lost", this.backoff.attempts);
    if (opened === 0 || ended) this.to.refused();
    this.retry = window.setTimeout(() => {
      if (this.target !== null && this.socket === null) this.connect();
    }, wait);
  }

  private drop(): void {
    window.clearInterval(this.watchdog);
    window.clearTimeout(this.retry);
    const socket = this.socket;
    this.socket = null;
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }
}
