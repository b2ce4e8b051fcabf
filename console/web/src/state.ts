import { api, ApiError, onAnswer, setRun } from "./api/client";
import type { Entry, Overview, Role, Session, World } from "./api/types";
import { Backoff } from "./lib/backoff";
import { noted } from "./lib/entries";
import { formatRoute, parseRoute, takeToken, type Route, type View } from "./lib/route";
import { Store } from "./lib/store";
import type { Link } from "./live/feed";

// ------------------------------------------------------------------------------------------------- session

export type Access =
  | { phase: "checking"; note: string }
  | { phase: "out"; note: string } // note: why, in a sentence; "" at first
  | { phase: "in"; session: Session };

export const access = new Store<Access>({ phase: "checking", note: "" });
export const world = new Store<World | null>(null);
export const overview = new Store<Overview | null>(null);

const expiredNote = "Your session has ended. Log in again to go on where you were.";

// enter opens the page: with the token of an invitation, with the cookie of an earlier visit, or with the login.
export async function enter(): Promise<void> {
  const token = takeToken(location.hash);
  if (token !== null) {
    history.replaceState(null, "", location.pathname + location.search);
    route.set(parseRoute(""));
    try {
      await admit(await api.logIn(token));
    } catch (error) {
      access.set({ phase: "out", note: loginNote(error) });
    }
    return;
  }
  const backoff = new Backoff();
  for (;;) {
    try {
      await admit(await api.session());
      return;
    } catch (error) {
      if (error instanceof ApiError && error.loggedOut) {
        access.set({ phase: "out", note: error.code === "expired" ? expiredNote : "" });
        return;
      }
      access.set({ phase: "checking", note: "The server cannot be reached. Trying again…" });
      await new Promise((done) => setTimeout(done, backoff.next()));
    }
  }
}

export async function logIn(token: string): Promise<void> {
  await admit(await api.logIn(token));
}

// served is the run of the server that this page shows.
let served: Session["server"] | null = null;

// admit lets somebody in. After another start of the server it is another world with other players, and a page of another
// version belongs to it.
async function admit(session: Session): Promise<void> {
  const { startedAt, version } = session.server;
  if (served?.startedAt !== startedAt) {
    const next = await api.world();
    if (served !== null) {
      unselect();
      if (served.version !== version) location.reload();
    }
    served = session.server;
    setRun(startedAt);
    world.set(next);
  }
  access.set({ phase: "in", session });
}

// unselect lets go of whoever the address names by number.
function unselect(): void {
  const { view } = route.get();
  if (view === "map" || view === "players") amend({ player: null, npc: null, follow: null });
}

export async function logOut(): Promise<void> {
  try {
    await api.logOut();
  } catch {
    // The session is forgotten here in any case.
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
  live: Link;
  attempts: number;
  api: boolean; // the last answer came
}

export const reach = new Store<Reach>({ live: "idle", attempts: 0, api: true });

onAnswer((error) => {
  const ok = error === null || !error.unreachable;
  reach.update((old) => (old.api === ok ? old : { ...old, api: ok }));
  if (error?.loggedOut && access.get().phase === "in") access.set({ phase: "out", note: expiredNote });
});

// checkSession asks whether the session still holds, and with which run of the server; a refusal leads to the login
// through onAnswer.
export function checkSession(): void {
  api
    .session()
    .then((session) => {
      if (access.get().phase === "in" && session.server.startedAt !== served?.startedAt) return admit(session);
    })
    .catch(() => undefined);
}

// noteRun hears which run of the server an answer came from.
export function noteRun(startedAt: string): void {
  if (access.get().phase === "in" && startedAt !== served?.startedAt) checkSession();
}

// ------------------------------------------------------------------------------------------------- the address

export const route = new Store<Route>(parseRoute(location.hash));

window.addEventListener("hashchange", () => {
  if (takeToken(location.hash) !== null) void enter();
  else route.set(parseRoute(location.hash));
});

type Query = Record<string, string | number | null | undefined>;

// go shows another view and makes a step in the history.
export function go(view: View, query: Query = {}, id?: number | null): void {
  const hash = formatRoute(view, query, id);
  if (hash === location.hash) return;
  history.pushState(null, "", hash);
  route.set(parseRoute(hash));
}

// amend changes what the present view shows, without a step in the history.
export function amend(query: Query): void {
  const now = route.get();
  const hash = formatRoute(now.view, { ...now.query, ...query }, now.id);
  if (hash === location.hash) return;
  history.replaceState(null, "", hash);
  route.set(parseRoute(hash));
}

// ------------------------------------------------------------------------------------------------- what happens

// recent are the corrections that came over the live connection, the last told first.
export const recent = new Store<Entry[]>([]);
const mostRecent = 60;

export function noteEntry(entry: Entry): void {
  recent.update((old) => noted(old, entry, mostRecent));
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

// painted counts how often the colours changed, for what draws on a canvas.
export const painted = new Store(0);
systemDark.addEventListener("change", () => painted.update((n) => n + 1));

export function setTheme(to: Theme): void {
  if (to === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = to;
  try {
    if (to === "system") localStorage.removeItem("truestep.theme");
    else localStorage.setItem("truestep.theme", to);
  } catch {
    // Storage is closed to this page: the choice lasts until a reload.
  }
  theme.set(to);
  painted.update((n) => n + 1);
}
