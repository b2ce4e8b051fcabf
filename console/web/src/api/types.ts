// The shapes of the console's API, as docs/console-api.md describes them. Positions are world units, times RFC 3339.

export type Role = "viewer" | "moderator" | "admin";

export interface Vec {
  x: number;
  y: number;
  z: number;
}

export interface Session {
  name: string;
  role: Role;
  expires: string | null;
  server: { version: string; world: string; startedAt: string; tickRate: number };
}

export interface Band {
  name: string;
  radius: number; // radius in the first area, world units
  radii: number[]; // radius in each area, by area id
  everyMs: number;
}

export interface Door {
  name: string;
  title: string;
  open: boolean;
  addr: string | null;
  cycleMs: number;
  shape: "circle" | "square";
  grid: number | null; // cell size of the interest grid in the first area, world units; null if the door has no grid
  grids: number[]; // cell size of the interest grid in each area, by area id
  bands: Band[];
}

export interface Portal extends Vec {
  name: string;
  radius: number;
  to: number | null; // id of the area to which the portal leads; null for a portal without a target
}

export interface Solid {
  min: Vec;
  max: Vec;
}

export interface Water {
  name: string;
  x: number;
  z: number;
  width: number;
  depth: number;
  y: number;
}

export interface Zone {
  name: string;
  effect: string;
  level: number;
  min: Vec;
  max: Vec;
}

// Ground describes the tiles of GET /ground: a square of the area, which level n divides into 2^n tiles along each axis.
export interface Ground {
  x: number; // minimum x and z of the square
  z: number;
  size: number; // edge in units
  levels: number;
  tile: number; // edge of a tile in pixels
  tag: string; // hash that changes whenever the content of a tile does
}

export interface Bounds {
  minX: number;
  minZ: number;
  maxX: number;
  maxZ: number;
}

export interface Area {
  id: number;
  name: string;
  pvp: boolean;
  bounds: Bounds;
  portals: Portal[];
  solids: Solid[];
  waters: Water[];
  zones?: Zone[];
  ground?: Ground;
  waypoints: Vec[];
  tiles?: { unitsPerTile: number };
  blocks?: { unitsPerBlock: number };
}

export interface Template {
  id: number;
  name: string;
  playable: boolean;
}

export interface World {
  name: string;
  tickRate: number;
  live: boolean; // false: only recordings are shown
  node: string | null; // name of the answering node; null without a cluster
  doors: Door[];
  areas: Area[];
  templates: Template[];
  items: { id: number; name: string }[];
  attributes: { id: number; name: string }[];
  reasons: { name: string; sentence: string; weight: Weight }[];
}

export interface AreaFigures {
  id: number;
  name: string;
  players: number;
  actors: number;
  tickP50Us: number;
  tickP99Us: number;
  overruns: number;
  missed: number;
}

export interface Overview {
  at: string;
  startedAt: string; // identifies the run of the server
  areas: AreaFigures[];
  doors: { name: string; sessions: number; packetsIn: number; packetsOut: number; bytesIn: number; bytesOut: number }[];
  online: number;
  viewers: number;
  saving: { unsaved: number; failingSince: string | null; error: string | null }; // number of records that are not saved, and whether saving fails
  failures: { what: string; since: string; error: string }[]; // other parts of the server that fail
  logins: { waiting: number; longestMs: number; busy: number };
  heldBack: HeldBackRow[];
}

// HeldBackRow counts the connections or logins of one network that one limit has refused or displaced in the last ten minutes.
export interface HeldBackRow {
  door: string;
  budget: string;
  network: string;
  account: string; // empty unless the budget is that of an account
  count: number;
  firstAt: string;
  lastAt: string;
}

// HeldBackEntry counts the connections or logins of one network that one limit has refused or displaced within a minute. The
// entry for all remaining networks together has no network and no budget.
export interface HeldBackEntry {
  id: number;
  at: string;
  since: string; // time of the first connection or login held back since the last pause of ten minutes
  kind: string; // "connection", "login" or, for the creation of an account, "account"
  door: string;
  budget: string;
  network: string;
  account: string; // empty unless the budget is that of an account
  times: number;
}

export interface PlayerRow {
  entity: number;
  name: string;
  account: string; // empty if the player's node has not described the player
  node: string | null; // node of the cluster through which the player is in the world; null without a cluster, and if not known
  door: string;
  addr: string;
  areaId: number;
  area: string;
  since: string | null; // null if not known
  frozen: boolean;
  lingering: boolean; // the connection is lost, and the player's actor is still in the world
  lingersUntil: string | null; // when a lingering player leaves unless its client reconnects
  health: number;
  healthMax: number;
  level: number;
  rttMs: number | null;
  lossPermille: number | null;
  inView: number | null;
  held: number;
  corrected: number;
  refused: number;
  suspicious: number; // number of held, corrected and refused requests with a suspicious reason
}

// Weight says how strongly a reason suggests that the player cheats.
export type Weight = "operator" | "harmless" | "unusual" | "suspicious";

export type Verdict = "held" | "corrected" | "refused" | "hit";

export interface Hit {
  at: string;
  by: string;
  on: string;
  damage: number;
  kind: "dealt" | "taken" | "missed";
}

export interface InventoryItem {
  slot: number;
  item: string;
  itemId: number;
  amount: number;
  health: number;
  worn: boolean;
}

export interface AttributeValue {
  index: number;
  name: string;
  value: number;
  max: number;
  hidden: boolean; // clients do not show this attribute
}

export interface Player extends PlayerRow {
  pos: Vec | null; // null while the player changes areas
  yaw: number;
  dead: boolean;
  target: number | null;
  targetName: string | null;
  mount: number | null;
  mountName: string | null;
  bytesInPerS: number;
  bytesOutPerS: number;
  packetsInPerS: number;
  packetsOutPerS: number;
  lastMinute: { stepMs: number; rttMs: (number | null)[]; bytesIn: number[]; bytesOut: number[]; packetsIn: number[]; packetsOut: number[] }; // oldest first
  counts: { verdict: Verdict; reason: string; n: number; late: number }[]; // late: number of decisions while the server was late, not part of n
  hits: Hit[];
  inventory: InventoryItem[];
  attributes: AttributeValue[];
  gold: number;
  xp: number;
}

export interface Series {
  stepMs: number;
  at: number[];
  players: number[];
  actors: number[];
  tickP50Us: number[];
  tickP99Us: number[];
  bytesIn: number[];
  bytesOut: number[];
  packetsIn: number[];
  packetsOut: number[];
  corrections: Record<string, number[]>;
  holds: Record<string, number[]>;
}

export interface Entry {
  id: number;
  at: string;
  first: string; // time of the first decision that this entry counts
  area: string;
  areaId: number;
  tick: number;
  verdict: Verdict;
  reason: string;
  sentence: string;
  weight: Weight;
  entity: number;
  player: string;
  account: string;
  door: string;
  rttMs: number | null;
  asked: number; allowed: number;
  unit: string;
  from: Vec | null;
  pos: Vec | null;
  other: string;
  // Set for an attack that lag compensation has judged by an earlier position of its target: agoMs is how long before the
  // attack the target was there, seen is that position, and otherPos is the target's position at the time of the attack.
  agoMs?: number; seen?: Vec; otherPos?: Vec;
  times: number;
  lateMs: number; // maximum delay of the server in ms at the decisions that lateTimes counts; 0 if it was never late
  lateTimes: number;
}

// CorrectionGroup summarizes all entries with one player and one reason.
export interface CorrectionGroup {
  last: Entry;
  first: string;
  entries: number;
  times: number;
  lateTimes: number;
}

export interface AroundItem {
  at: string;
  tick: number;
  kind: string;
  text: string;
  entry: number | null;
}

export interface EntryDetail {
  entry: Entry;
  sentence: string;
  explanation: string;
  around: AroundItem[];
}

export interface AuditEntry {
  id: number;
  at: string;
  operator: string;
  role: string;
  action: string;
  player: string;
  account: string;
  detail: string;
  result: string;
}

// ChatLine is one line of the chat log.
export interface ChatLine {
  id: number;
  at: string;
  channel: "area" | "announcement" | "message";
  area: string; // empty: all areas
  pos: [number, number, number] | null;
  account: string; // account of the speaker; empty for an operator
  player: string;
  door: string;
  operator: string; // operator who wrote an announcement or message
  toAccount: string; // recipient of a message
  toPlayer: string;
  told: number; // number of players that were sent an announcement
  text: string;
  withheld: string; // why no player was shown the line; empty if it was shown
  node?: string; // node of a cluster that stores the line; ids are unique per node
}

// Tape lists the recorded time spans of an area, in times of the server's clock.
export interface Tape {
  recording: boolean;
  tickMs: number;
  from: string | null;
  to: string | null;
  spans: { from: string; to: string; reloaded?: boolean }[]; // oldest first; reloaded: the span begins with a reload of the world file
}

export interface Death {
  at: string;
  entity: number;
  name: string;
}

export interface Page<T> {
  entries: T[];
  next: number | null;
}

// Rule is a ban of an account or a network, a mute, or an account on the whitelist.
export interface Rule {
  account: string | null;
  network: string | null;
  reason: string;
  by: string; // operator who created the rule; empty if unknown
  since: string | null;
  until: string | null; // null: without an end
}

export interface Whitelist {
  on: boolean;
  accounts: Rule[];
}

// ClusterState is the cluster as one of its nodes sees it.
export interface ClusterState {
  node: string;
  at: string;
  nodes: ClusterNode[];
  areas: ClusterArea[];
  transfers: Transfer[]; // players under way between areas
  paused: string; // why no area can be placed by load now; empty if no reason is known
  changes: LeadChange[]; // newest first
  fenced: number;
  dropped: number;
  refused: number;
  lostTicks: number; // ticks whose records no node had
  crossings: number;
}

export interface ClusterNode {
  name: string;
  addr: string;
  self: boolean;
  state: "up" | "draining" | "leaving" | "down";
  since: string;
  version: string; // version of the node's program; empty if the answering node was never connected with it
  incarnation: number;
  neverLeads: boolean; // the node leads no areas, because of its setting cluster-lead
  leads: number;
  load: number; // load by the areas that the node leads, plus doorLoad
  doorLoad: number; // load by the players who are connected through the node
  link: { roundTripUs: number; clockOffsetMs: number; queuedBytes: number; unsent: number; links: number; problem: string } | null;
}

export interface ClusterArea {
  id: number;
  name: string;
  lead: string | null;
  since: string;
  term: number;
  preferred: string | null;
  placedBy: "default" | "load" | "operator";
  load: number; // intents of players per second, plus the number of players
  tick: number;
  savedTick: number;
  logLast: number;
  logStepped: number;
  copies: { node: string; lagTicks: number | null }[];
  underWay: number; // players who have left the area and whose arrival in another one is not confirmed
  settled: number; // players who have left the area and whose arrival is confirmed, since the areas began
  leadChanges: number;
  lastChange: LeadChange | null;
}

// Transfer describes the players who are under way from one area to another.
export interface Transfer {
  from: number; // id of the area
  fromName: string;
  to: number; // id of the area
  toName: string;
  underWay: number;
  arrived: number; // number of these players who have arrived, so only the confirmation is missing
  oldestMs: number; // time since the first of these players has left
  settled: number; // number of players who made this trip before and whose arrival is confirmed, since the areas began
  why: string; // why the first of these players waits; empty if no reason is known
}

export interface LeadChange {
  at: string;
  area: string;
  from: string;
  to: string;
  cause: string; // why the leader changed, such as "no_link"; see isFailOver
  reason: string; // the cause with the names of the nodes, as a text
}

// PlannedStop is a stop or restart of the server after a countdown.
export interface PlannedStop {
  restart: boolean;
  at: string;
  reason: string;
  by: string;
}

// Reloaded is the result of a reload of settings and world.
export interface Reloaded {
  applied: { setting: string; from: string; to: string }[];
  kept: { setting: string; why: string }[];
  world?: { pausedMs: number; changes: string[] }; // missing if the world has not changed
}

// FoundAccount is an account in a list.
export interface FoundAccount {
  name: string;
  banned: boolean;
  frozen: boolean;
  gm: boolean;
  doors: string[];
  characters: string[];
  createdAt: string;
  lastSeen: string;
}

// Account is a stored account with its characters.
export interface Account {
  name: string;
  email: string;
  hasSecret: boolean;
  gm: boolean;
  banned: boolean;
  frozen: boolean;
  createdAt: string;
  online: boolean;
  characters: AccountCharacter[];
}

export interface AccountCharacter {
  id: number;
  name: string;
  items: InventoryItem[];
  sheet: { door?: string; area: string; level: number; gold: number; pos: [number, number, number]; attr?: [number, number][] }; // attr: value and maximum by index
}

// History contains measured values over equal intervals. A value is null for an interval in which the server did not run.
export interface History {
  from: number; // begin of the first interval, Unix ms
  stepMs: number;
  points: number;
  figures: { name: string; kind: "mean" | "max" | "sum"; values: (number | null)[] }[];
  restarts: number[]; // starts of the server, Unix ms
}
