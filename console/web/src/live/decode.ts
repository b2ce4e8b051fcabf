import { reasonWeight } from "../lib/reasons";
import type { Entry } from "../api/types";

// Frame is one binary message of the live connection: every actor of an area at one tick, in columns.
//
//	off  size  field    encoding  unit and range
//	0    1     version  u8        1
//	1    1     -        u8        0
//	2    2     area     u16 LE
//	4    4     count    u32 LE
//	8    8     tick     u64 LE
//	16   8     time     f64 LE    Unix ms of the server
//	24   24    actor    count times:
//	     8     id       u64 LE    below 2^53
//	     12    x, y, z  f32 LE    world units
//	     2     yaw      u16 LE    65536 = a full turn
//	     1     health   u8        255 = the maximum
//	     1     flags    u8        see below
export interface Frame {
  area: number;
  tick: number;
  time: number;
  count: number;
  ids: Float64Array;
  x: Float32Array;
  y: Float32Array;
  z: Float32Array;
  yaw: Float32Array; // radians; 0 is north, and the angle grows to the left
  health: Uint8Array;
  flags: Uint8Array;
  kind: Uint8Array; // how each actor is drawn: an index into kinds of map/palette, which the map fills in
}

export const flagPlayer = 1;
export const flagRunning = 2;
export const flagFlying = 4;
export const flagDead = 8;
export const flagFrozen = 16;
export const flagTarget = 32;
export const flagRides = 64;
export const flagSpawned = 128; // an operator has created the NPC

const version = 1;
const header = 24; // bytes
const record = 24; // bytes
const maxActors = 100_000; // more than any area allows

// decodeFrame decodes a frame; null if the bytes are not a frame. Actors with an invalid id or position are left out.
export function decodeFrame(buffer: ArrayBuffer): Frame | null {
  if (buffer.byteLength < header) return null;
  const view = new DataView(buffer);
  const count = view.getUint32(4, true);
  const time = view.getFloat64(16, true);
  if (view.getUint8(0) !== version || view.getUint8(1) !== 0) return null;
  if (count > maxActors || buffer.byteLength !== header + count * record) return null;
  if (!Number.isFinite(time) || time < 0) return null;
  const frame: Frame = {
    area: view.getUint16(2, true),
    tick: view.getUint32(8, true) + view.getUint32(12, true) * 2 ** 32,
    time,
    count: 0,
    ids: new Float64Array(count),
    x: new Float32Array(count),
    y: new Float32Array(count),
    z: new Float32Array(count),
    yaw: new Float32Array(count),
    health: new Uint8Array(count),
    flags: new Uint8Array(count),
    kind: new Uint8Array(count),
  };
  for (let i = 0; i < count; i++) readActor(view, header + i * record, frame);
  return frame;
}

const turn = (2 * Math.PI) / 65536;

function readActor(view: DataView, at: number, frame: Frame): void {
  const high = view.getUint32(at + 4, true);
  const x = view.getFloat32(at + 8, true);
  const y = view.getFloat32(at + 12, true);
  const z = view.getFloat32(at + 16, true);
  if (high >= 2 ** 21 || !Number.isFinite(x) || !Number.isFinite(y) || !Number.isFinite(z)) return;
  const i = frame.count++;
  frame.ids[i] = view.getUint32(at, true) + high * 2 ** 32;
  frame.x[i] = x;
  frame.y[i] = y;
  frame.z[i] = z;
  frame.yaw[i] = view.getUint16(at + 20, true) * turn;
  frame.health[i] = view.getUint8(at + 22);
  frame.flags[i] = view.getUint8(at + 23);
}

// ActorInfo is the part of an actor's data that is sent once, when the actor appears.
export interface ActorInfo {
  id: number;
  name: string;
  door: string | null; // null: an NPC
  template: number;
  player: boolean;
}

// Message is a text message of the live connection. A recording also sends reset, state and error; its hello has tickMs, and
// its entries have the id 0.
export type Message =
  | { type: "hello"; area: number; rate: number; tickRate: number; tickMs: number }
  | { type: "reset" }
  | ({ type: "state" } & PlayState)
  | { type: "error"; message: string }
  | { type: "actors"; add: ActorInfo[]; remove: number[] }
  | { type: "entry"; entry: Entry }
  | { type: "hit"; by: number; on: number; damage: number }
  | { type: "died"; id: number };

// Gap is a gap in a recording: a time without recorded ticks, or a reload of the world file, at which no tick is missing.
export interface Gap {
  from: number; // ms since 1970
  to: number;
  reloaded: boolean;
}

// PlayState is the state of a recording that is played.
export interface PlayState {
  at: number; // ms since 1970
  tick: number;
  playing: boolean;
  speed: number;
  end: boolean; // the recording has no later frame
  gap: Gap | null; // gap that the playback has just skipped; null for none
}

const maxTextLength = 16 << 20; // characters

// decodeMessage decodes a text message; null if its type is unknown or its content is invalid.
export function decodeMessage(text: string): Message | null {
  if (text.length > maxTextLength) return null;
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(raw)) return null;
  switch (raw.type) {
    case "hello":
      return { type: "hello", area: num(raw.area), rate: num(raw.rate), tickRate: num(raw.tickRate), tickMs: num(raw.tickMs) };
    case "reset":
      return { type: "reset" };
    case "state":
      return readState(raw);
    case "error":
      return { type: "error", message: str(raw.message) };
    case "actors":
      return { type: "actors", add: list(raw.add).flatMap(readActorInfo), remove: list(raw.remove).filter(isId) };
    case "entry":
      return readEntry(raw.entry);
    case "hit":
      return isId(raw.by) && isId(raw.on) ? { type: "hit", by: raw.by, on: raw.on, damage: num(raw.damage) } : null;
    case "died":
      return isId(raw.id) ? { type: "died", id: raw.id } : null;
    default:
      return null;
  }
}

function readActorInfo(raw: unknown): ActorInfo[] {
  if (!isObject(raw) || !isId(raw.id)) return [];
  const door = typeof raw.door === "string" && raw.door !== "" ? raw.door : null;
  return [{ id: raw.id, name: str(raw.name), door, template: num(raw.template), player: raw.player === true }];
}

function readState(raw: Record<string, unknown>): Message | null {
  if (typeof raw.at !== "number" || !(raw.at >= 0) || !Number.isFinite(raw.at)) return null;
  const gap = isObject(raw.gap) ? { from: num(raw.gap.from), to: num(raw.gap.to), reloaded: raw.gap.reloaded === true } : null;
  return { type: "state", at: raw.at, tick: num(raw.tick), playing: raw.playing === true, speed: num(raw.speed) || 1, end: raw.end === true, gap };
}

function readEntry(raw: unknown): Message | null {
  if (!isObject(raw) || !(raw.id === null || isId(raw.id)) || typeof raw.at !== "string" || Number.isNaN(Date.parse(raw.at))) return null;
  const verdict = raw.verdict;
  if (verdict !== "held" && verdict !== "corrected" && verdict !== "refused") return null;
  const entry: Entry = {
    id: raw.id ?? 0,
    at: raw.at,
    first: str(raw.first) || raw.at,
    area: str(raw.area),
    areaId: num(raw.areaId),
    tick: num(raw.tick),
    verdict,
    reason: str(raw.reason),
    sentence: str(raw.sentence),
    entity: num(raw.entity),
    player: str(raw.player),
    account: str(raw.account),
    door: str(raw.door),
    rttMs: typeof raw.rttMs === "number" ? num(raw.rttMs) : null,
    asked: num(raw.asked),
    allowed: num(raw.allowed),
    unit: str(raw.unit),
    from: vec(raw.from),
    pos: vec(raw.pos),
    other: str(raw.other),
    times: Math.max(1, num(raw.times)),
    weight: reasonWeight(str(raw.reason)),
    lateMs: num(raw.lateMs),
    lateTimes: num(raw.lateTimes),
  };
  return { type: "entry", entry };
}

function vec(raw: unknown): { x: number; y: number; z: number } | null {
  if (!isObject(raw)) return null;
  const { x, y, z } = raw;
  if (typeof x !== "number" || typeof y !== "number" || typeof z !== "number") return null;
  return Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z) ? { x, y, z } : null;
}

const isObject = (raw: unknown): raw is Record<string, unknown> => typeof raw === "object" && raw !== null && !Array.isArray(raw);
const isId = (raw: unknown): raw is number => typeof raw === "number" && Number.isSafeInteger(raw) && raw >= 0;
const list = (raw: unknown): unknown[] => (Array.isArray(raw) ? raw : []);
const num = (raw: unknown): number => (typeof raw === "number" && Number.isFinite(raw) ? raw : 0);
const str = (raw: unknown): string => (typeof raw === "string" ? raw : "");
