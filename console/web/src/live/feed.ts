import { Backoff } from "../lib/backoff";
import { decodeFrame, decodeMessage, type Frame, type Message } from "./decode";

// Link is how the live connection is: what the page says of it, too.
export type Link = "idle" | "connecting" | "live" | "lost";

export interface FeedHandlers {
  frame(frame: Frame, arrived: number): void;
  message(message: Message): void;
  link(link: Link, attempts: number): void;
  refused(): void; // a connection was closed before it opened, or because the login ended
}

const silence = 6000; // ms without a message after which a connection counts as dead
const loginEnded = 4401; // status code of the server
const lasting = 4000; // ms after which a connection counts as a success

// Feed keeps one live socket open to one area, and opens another whenever it is lost. One owner; not for sharing.
export class Feed {
  private socket: WebSocket | null = null;
  private readonly backoff = new Backoff();
  private retry = 0;
  private watchdog = 0;
  private heard = 0;
  private opened = 0;
  private wanted: { area: number; rate: number } | null = null;

  constructor(private readonly to: FeedHandlers) {
    window.addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
  }

  // watch follows another area; the old connection is dropped at once.
  watch(area: number, rate: number): void {
    this.wanted = { area, rate };
    this.backoff.reset();
    this.connect();
  }

  // pause closes the connection until the next watch.
  pause(): void {
    this.wanted = null;
    this.drop();
    this.to.link("idle", 0);
  }

  close(): void {
    this.pause();
    window.removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
  }

  private readonly hurry = (): void => {
    if (this.wanted !== null && this.socket === null && document.visibilityState === "visible") this.connect();
  };

  private connect(): void {
    this.drop();
    const { area, rate } = this.wanted!;
    this.to.link(this.backoff.attempts > 0 ? "lost" : "connecting", this.backoff.attempts);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/live?area=${area}&rate=${rate}`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.opened = 0;
    this.heard = performance.now();
    socket.onopen = () => {
      this.opened = performance.now();
    };
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = (event) => this.lost(socket, event.code === loginEnded);
    this.watchdog = window.setInterval(() => {
      if (performance.now() - this.heard > silence) this.lost(socket);
    }, 1000);
  }

  private receive(data: unknown): void {
    const now = performance.now();
    this.heard = now;
    if (this.opened > 0 && now - this.opened > lasting) this.backoff.reset();
    this.to.link("live", 0);
    if (data instanceof ArrayBuffer) {
      const frame = decodeFrame(data);
      if (frame !== null && frame.area === this.wanted?.area) this.to.frame(frame, now);
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
      if (this.wanted !== null && this.socket === null) this.connect();
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
