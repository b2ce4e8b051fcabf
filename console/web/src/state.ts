import { api, ApiError, onAnswer, setRun } from "./api/client";
import type { Entry, Overview, PlannedStop, Role, Session, World } from "./api/types";
import { Backoff } from "./lib/backoff";
import { withEntry } from "./lib/entries";
import { setReasons } from "./lib/reasons";
import { formatRoute, parseId, parseRoute, takeToken, type Route, type View } from "./lib/route";
import { Store, useStore } from "./lib/store";
import type { LinkState } from "./live/feed";
import { pageReplaced } from "./lib/build";

// ------------------------------------------------------------------------------------------------- session

export type Access =
  | { phase: "checking"; note: string }
  | { phase: "out"; note: string } // note: the reason as a sentence; "" before any login
  | { phase: "in"; session: Session };

export const access = new Store<Access>({ phase: "checking", note: "" });
export const world = new Store<World | null>(null);
export const overview = new Store<Overview | null>(null);
export const plannedStop = new Store<PlannedStop | null>(null); // null: none is planned

// loadPlannedStop updates plannedStop after an action, before it is polled again.
export async function loadPlannedStop(): Promise<void> {
  plannedStop.set((await api.plannedStop()).planned);
}

// loadWorld updates world after a reload of the world file.
export async function loadWorld(): Promise<void> {
  const next = await api.world();
  setReasons(next.reasons);
  world.set(next);
}

const sessionEndedNote = "Your session has ended. Log in again to go on where you were.";

// openSession opens the page with the token in the address, with the cookie of an earlier visit, or with the login.
export async function openSession(): Promise<void> {
  const token = takeToken(location.hash);
  if (token !== null) {
    history.replaceState(null, "", location.pathname + location.search);
    route.set(parseRoute(""));
    try {
      await acceptSession(await api.logIn(token));
    } catch (error) {
      access.set({ phase: "out", note: loginNote(error) });
    }
    return;
  }
  const backoff = new Backoff();
  for (;;) {
    try {
      await acceptSession(await api.session());
      return;
    } catch (error) {
      if (error instanceof ApiError && error.loggedOut) {
        access.set({ phase: "out", note: error.code === "expired" ? sessionEndedNote : "" });
        return;
      }
      access.set({ phase: "checking", note: "The server cannot be reached. Trying again…" });
      await new Promise((done) => setTimeout(done, backoff.next()));
    }
  }
}

export async function logIn(token: string): Promise<void> {
  await acceptSession(await api.logIn(token));
}

// serverRun identifies the run of the server that this page shows. A restart begins a new run.
let serverRun: Session["server"] | null = null;

// acceptSession enters the console. After a restart of the server it loads the world again and clears the selection, as entity
// ids have changed; it reloads the page if the server's version has changed.
async function acceptSession(session: Session): Promise<void> {
  const { startedAt, version } = session.server;
  if (serverRun?.startedAt !== startedAt) {
    const next = await api.world();
    if (serverRun !== null) {
      clearSelection();
      if (serverRun.version !== version || (await pageReplaced())) location.reload();
    }
    serverRun = session.server;
    setRun(startedAt);
    setReasons(next.reasons);
    world.set(next);
  }
  access.set({ phase: "in", session });
}

// clearSelection removes the entity ids from the address.
function clearSelection(): void {
  const { view } = route.get();
  if (view === "map" || view === "players") updateRoute({ player: null, npc: null, follow: null });
}

export async function logOut(): Promise<void> {
  try {
    await api.logOut();
  } catch {
    // The page ends the session even if the server cannot be reached.
  }
  access.set({ phase: "out", note: "You have logged out." });
}

export function loginNote(error: unknown): string {
  if (!(error instanceof ApiError)) return "Something went wrong. Try again.";
  if (error.unreachable) return "The server cannot be reached. Check that it runs, then try again.";
  if (error.code === "throttled") return "Too many attempts from this address. Wait a minute, then try again.";
  if (error.code === "expired") return "This token has expired. Ask an administrator for a new one.";
  if (error.loggedOut) return "The server does not know this token. Tokens that the server prints are good for one run only.";
  return error.message;
}

const ranks: Record<Role, number> = { viewer: 0, moderator: 1, admin: 2 };

export function atLeast(role: Role): boolean {
  const now = access.get();
  return now.phase === "in" && ranks[now.session.role] >= ranks[role];
}

// ------------------------------------------------------------------------------------------------- connection

export interface Reach {
  live: LinkState;
  attempts: number;
  api: boolean; // the last request was answered
}

export const reach = new Store<Reach>({ live: "idle", attempts: 0, api: true });

let answeredAt = Date.now();

// lastAnswer is the time of the last answer of the server, in ms since 1970 by the page's clock.
export const lastAnswer = (): number => answeredAt;

// isLost reports whether the page shows an outdated state, because requests are not answered or the live map has no connection.
export function isLost(now: Reach, at: Route): boolean {
  return !now.api || (now.live === "lost" && at.view === "map" && !inPast(at));
}

export const unreachable = "The server cannot be reached.";

// useDenied returns null if the operator can do an action that needs the given role. Otherwise it returns the reason as text:
// unreachable while the server cannot be reached, tooLow if the role of the session is lower than the needed one.
export function useDenied(role: Role, tooLow: string): string | null {
  useStore(access);
  if (!useStore(reach).api) return unreachable;
  return atLeast(role) ? null : tooLow;
}

onAnswer((error) => {
  const ok = error === null || !error.unreachable;
  if (ok && reach.get().live !== "lost") answeredAt = Date.now();
  reach.update((old) => (old.api === ok ? old : { ...old, api: ok }));
  if (error?.loggedOut && access.get().phase === "in") access.set({ phase: "out", note: sessionEndedNote });
});

// checkSession asks whether the session is still valid and which run of the server answers. A refusal leads to the login
// through onAnswer.
export function checkSession(): void {
  api
    .session()
    .then((session) => {
      if (access.get().phase === "in" && session.server.startedAt !== serverRun?.startedAt) return acceptSession(session);
    })
    .catch(() => undefined);
}

// checkRun checks the session if the server was restarted: an answer came from another run of the server.
export function checkRun(startedAt: string): void {
  if (access.get().phase === "in" && startedAt !== serverRun?.startedAt) checkSession();
}

// ------------------------------------------------------------------------------------------------- the address

export const route = new Store<Route>(parseRoute(location.hash));

window.addEventListener("hashchange", () => {
  if (takeToken(location.hash) !== null) void openSession();
  else route.set(parseRoute(location.hash));
});

type Query = Record<string, string | number | null | undefined>;

// navigate shows another view and adds an entry to the browser's history.
export function navigate(view: View, query: Query = {}, id?: number | null): void {
  const hash = formatRoute(view, query, id);
  if (hash === location.hash) return;
  history.pushState(null, "", hash);
  route.set(parseRoute(hash));
}

// addressed parses the browser's address. After a link is opened, the address is newer than route until the hashchange event.
export function addressed(): Route {
  return parseRoute(location.hash);
}

// updateRoute changes the query of the current view without an entry in the browser's history.
export function updateRoute(query: Query): void {
  const now = addressed();
  const hash = formatRoute(now.view, { ...now.query, ...query }, now.id);
  if (hash === location.hash) return;
  history.replaceState(null, "", hash);
  route.set(parseRoute(hash));
}

// inPast reports whether the map shows a recording.
export function inPast(at: Route): boolean {
  return at.view === "map" && parseId(at.query.at) !== null;
}

// ------------------------------------------------------------------------------------------------- the server's clock

let clockOffset = 0; // server - page, ms

// setServerTime sets the page's estimate of the server's clock. It is called with the server time in an answer when the answer
// arrives.
export function setServerTime(at: string): void {
  const time = Date.parse(at);
  if (!Number.isNaN(time)) clockOffset = time - Date.now();
}

// serverNow is the current time by the server's clock. Texts such as "3 s ago" use it, because the clock of the page's machine
// may differ.
export function serverNow(): number {
  return Date.now() + clockOffset;
}

// ------------------------------------------------------------------------------------------------- recent events

// recent holds the corrections received over the live connection, newest first.
export const recent = new Store<Entry[]>([]);
const maxRecent = 60;

export function addRecentEntry(entry: Entry): void {
  recent.update((old) => withEntry(old, entry, maxRecent));
}

export interface Toast {
  id: number;
  kind: "good" | "bad";
  text: string;
}

export const toasts = new Store<Toast[]>([]);
let toastId = 0;

export function toast(kind: Toast["kind"], text: string): void {
  const id = ++toastId;
  toasts.update((old) => [...old.slice(-3), { id, kind, text }]);
  setTimeout(() => dismiss(id), kind === "good" ? 5000 : 9000);
}

export function dismiss(id: number): void {
  toasts.update((old) => old.filter((t) => t.id !== id));
}

// ------------------------------------------------------------------------------------------------- theme

export type Theme = "system" | "light" | "dark";

function storedTheme(): Theme {
  const set = document.documentElement.dataset.theme;
  return set === "light" || set === "dark" ? set : "system";
}

export const theme = new Store<Theme>(storedTheme());
export const systemDark = window.matchMedia("(prefers-color-scheme: dark)");

// themeVersion increases whenever the colours change, so that canvases are drawn again.
export const themeVersion = new Store(0);
systemDark.addEventListener("change", () => themeVersion.update((n) => n + 1));

export function setTheme(to: Theme): void {
  if (to === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = to;
  try {
    if (to === "system") localStorage.removeItem("truestep.theme");
    else localStorage.setItem("truestep.theme", to);
  } catch {
    // The browser blocks storage. So the choice lasts only until the page is reloaded.
  }
  theme.set(to);
  themeVersion.update((n) => n + 1);
}
