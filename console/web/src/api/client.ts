import type { Account, FoundAccount, AuditEntry, ChatLine, ClusterState, CorrectionGroup, Death, Entry, EntryDetail, History, HeldBackEntry, Overview, Page, PlannedStop, Player, PlayerRow, Reloaded, Rule, Series, Session, Tape, Whitelist, World } from "./types";

// ApiError is an unsuccessful answer. The status 0 means that the server was not reached.
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
  get unreachable(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }
  get loggedOut(): boolean {
    return this.status === 401;
  }
}

type Query = Record<string, string | number | boolean | null | undefined>;

// queryString leaves out empty values; its result is "" or starts with "?".
export function queryString(query: Query): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") params.set(key, String(value));
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

// readError converts an unsuccessful answer to an ApiError. It ignores a body that is not from the API, such as a proxy's page.
export function readError(status: number, body: string): ApiError {
  try {
    const { error } = JSON.parse(body) as { error?: { code?: unknown; message?: unknown } };
    if (error && typeof error.code === "string" && typeof error.message === "string") {
      return new ApiError(status, error.code, error.message);
    }
  } catch {
    // not JSON
  }
  return new ApiError(status, "internal", `The server answered ${status} without an explanation.`);
}

const requestTimeout = 10_000; // ms

// watchers are functions that are called after each answer with its error, or with null if the request succeeded.
const watchers = new Set<(error: ApiError | null) => void>();

export function onAnswer(watcher: (error: ApiError | null) => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

// run identifies the run of the server that has assigned this page's entity ids. After a restart of the server the ids are
// invalid.
let run = "";

export function setRun(startedAt: string): void {
  run = startedAt;
}

async function call<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const limit = AbortSignal.timeout(requestTimeout);
  let response: Response;
  let text: string;
  try {
    response = await fetch(`/api/v1${path}`, {
      method,
      credentials: "same-origin",
      cache: "no-store",
      headers: { ...(run === "" ? {} : { "Truestep-Run": run }), ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    text = await response.text();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    const error = new ApiError(0, "unreachable", "The server cannot be reached.");
    for (const watcher of watchers) watcher(error);
    throw error;
  }
  if (!response.ok) {
    const error = readError(response.status, text);
    for (const watcher of watchers) watcher(error);
    throw error;
  }
  for (const watcher of watchers) watcher(null);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

const get = <T>(path: string, signal?: AbortSignal) => call<T>("GET", path, undefined, signal);

export interface CorrectionQuery extends Query {
  player?: string;
  account?: string;
  weight?: string; // one or more weights, separated by commas
  entity?: number;
  reason?: string;
  verdict?: string;
  area?: string;
  since?: string;
  until?: string;
  before?: number;
  limit?: number;
}

const characterPath = (account: string, character: string) => `/accounts/${encodeURIComponent(account)}/characters/${encodeURIComponent(character)}`;

export const api = {
  session: (signal?: AbortSignal) => get<Session>("/session", signal),
  logIn: (token: string) => call<Session>("POST", "/session", { token }),
  logOut: () => call<void>("DELETE", "/session"),
  world: (signal?: AbortSignal) => get<World>("/world", signal),
  overview: (signal?: AbortSignal) => get<Overview>("/overview", signal),
  players: (q: string, signal?: AbortSignal) => get<{ players: PlayerRow[]; missing: string[] }>(`/players${queryString({ q })}`, signal),
  player: (entity: number, signal?: AbortSignal) => get<Player>(`/players/${entity}`, signal),
  series: (since: number, signal?: AbortSignal) => get<Series>(`/series${queryString({ since })}`, signal),
  history: (from: number, signal?: AbortSignal) => get<History>(`/history${queryString({ from })}`, signal),
  corrections: (query: CorrectionQuery, signal?: AbortSignal) => get<Page<Entry>>(`/corrections${queryString(query)}`, signal),
  correctionGroups: (query: CorrectionQuery, signal?: AbortSignal) => get<{ groups: CorrectionGroup[]; more: boolean }>(`/corrections/groups${queryString(query)}`, signal),
  correction: (id: number, signal?: AbortSignal) => get<EntryDetail>(`/corrections/${id}`, signal),
  tape: (area: number, signal?: AbortSignal) => get<Tape>(`/tape${queryString({ area })}`, signal),
  deaths: (area: number, since: string, signal?: AbortSignal) => get<{ deaths: Death[] }>(`/deaths${queryString({ area, since })}`, signal),
  message: (entity: number, text: string) => call<void>("POST", `/players/${entity}/message`, { text }),
  teleport: (entity: number, to: { areaId: number; x: number; y: number | null; z: number }) =>
    call<void>("POST", `/players/${entity}/teleport`, to),
  freeze: (entity: number, frozen: boolean) => call<void>("POST", `/players/${entity}/freeze`, { frozen }),
  give: (entity: number, item: string, amount: number) => call<void>("POST", `/players/${entity}/give`, { item, amount }),
  take: (entity: number, from: { itemId: number; slot: number }, amount: number) => call<void>("POST", `/players/${entity}/take`, { item: from.itemId, slot: from.slot, amount }),
  setAttribute: (entity: number, attribute: number, value: number, max: number) => call<void>("POST", `/players/${entity}/attribute`, { attribute, value, max }),
  spawn: (template: number, at: { areaId: number; x: number; y: number | null; z: number }) => call<{ entity: number }>("POST", "/npcs", { template, ...at }),
  removeNpc: (entity: number) => call<void>("DELETE", `/npcs/${entity}`),
  kick: (entity: number, reason: string) => call<void>("POST", `/players/${entity}/kick`, { reason }),
  bans: (signal?: AbortSignal) => get<{ bans: Rule[] }>("/bans", signal),
  // Periods (for, in) are texts such as 12h or 30d. An empty period means a rule without an end, or an immediate stop.
  ban: (target: { account: string } | { network: string }, reason: string, period: string) => call<void>("POST", "/bans", { ...target, reason, for: period }),
  pardon: (target: string) => call<void>("DELETE", `/bans/${encodeURIComponent(target)}`), // target is an account or a network
  mutes: (signal?: AbortSignal) => get<{ mutes: Rule[] }>("/mutes", signal),
  mute: (account: string, reason: string, period: string) => call<void>("POST", "/mutes", { account, reason, for: period }),
  unmute: (account: string) => call<void>("DELETE", `/mutes/${encodeURIComponent(account)}`),
  whitelist: (signal?: AbortSignal) => get<Whitelist>("/whitelist", signal),
  switchWhitelist: (on: boolean) => call<void>("POST", "/whitelist", { on }),
  admitAccount: (account: string) => call<void>("POST", "/whitelist/accounts", { account }),
  excludeAccount: (account: string) => call<void>("DELETE", `/whitelist/accounts/${encodeURIComponent(account)}`),
  announce: (text: string, area: string) => call<{ told: number; missing: string[] }>("POST", "/announce", { text, area }),
  cluster: (signal?: AbortSignal) => get<ClusterState>("/cluster", signal),
  drainNode: (node: string) => call<void>("POST", "/cluster/drain", { node }),
  undrainNode: (node: string) => call<void>("POST", "/cluster/undrain", { node }),
  releaseArea: (area: number) => call<void>("POST", "/cluster/release", { area }),
  moveArea: (area: number, node: string) => call<void>("POST", "/cluster/move", { area, node }),
  plannedStop: (signal?: AbortSignal) => get<{ planned: PlannedStop | null }>("/stop", signal),
  planStop: (restart: boolean, period: string, reason: string) => call<{ at: string }>("POST", restart ? "/restart" : "/stop", { in: period, reason }),
  reload: () => call<Reloaded>("POST", "/reload", {}),
  cancelStop: () => call<void>("DELETE", "/stop"),
  accounts: (query: { q: string; door: string; banned: string; after?: string }, signal?: AbortSignal) =>
    get<{ accounts: FoundAccount[]; next: string | null }>(`/accounts${queryString(query)}`, signal),
  account: (account: string, signal?: AbortSignal) => get<Account>(`/accounts/${encodeURIComponent(account)}`, signal),
  resetSecret: (account: string) => call<{ secret: string }>("POST", `/accounts/${encodeURIComponent(account)}/secret`, { secret: "" }),
  exportAccount: (account: string) => call<unknown>("POST", `/accounts/${encodeURIComponent(account)}/export`),
  mergeAccount: (account: string, into: string) => call<void>("POST", `/accounts/${encodeURIComponent(account)}/merge`, { into, kick: true }),
  deleteAccount: (account: string) => call<void>("DELETE", `/accounts/${encodeURIComponent(account)}?kick=true`),
  editCharacter: (account: string, character: string, change: Record<string, unknown>) => call<void>("POST", characterPath(account, character), { ...change, kick: true }),
  moveCharacter: (account: string, character: string, to: string) => call<void>("POST", `${characterPath(account, character)}/move`, { to, kick: true }),
  deleteCharacter: (account: string, character: string) => call<void>("DELETE", `${characterPath(account, character)}?kick=true`),
  heldBack: (door?: string, before?: number, signal?: AbortSignal) => get<Page<HeldBackEntry>>(`/held-back${queryString({ door, before, limit: 100 })}`, signal),
  chat: (query: Query, before?: number | string, signal?: AbortSignal) => get<{ lines: ChatLine[]; next: number | string | null; retain: string; missing?: string[] }>(`/chat${queryString({ ...query, before, limit: 100 })}`, signal),
  audit: (before?: number, signal?: AbortSignal) => get<Page<AuditEntry>>(`/audit${queryString({ before, limit: 100 })}`, signal),
};
