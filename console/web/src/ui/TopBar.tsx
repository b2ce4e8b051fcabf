import { useEffect, useRef, useState } from "preact/hooks";
import { useStore } from "../lib/store";
import { access, atLeast, inPast, isLost, logOut, overview, plannedStop, reach, route, serverNow, setTheme, theme, useDenied, world, type Theme } from "../state";
import type { HeldBackRow } from "../api/types";
import { plural, stamp } from "../lib/format";
import { useNow } from "../lib/load";
import { stopText } from "../lib/rules";
import { IconButton } from "./basics";
import { CancelStopDialog } from "./CancelStopDialog";
import { AutoIcon, KeysIcon, LeaveIcon, Logo, MoonIcon, SearchIcon, SunIcon } from "./icons";

export function TopBar({ onSearch, onKeys }: { onSearch: () => void; onKeys: () => void }) {
  const name = useStore(world)?.name ?? "Truestep";
  const figures = useStore(overview);
  return (
    <header class="top">
      <a class="brand" href="#/map" aria-label={`${name}: to the map`}>
        <Logo />
        <span class="brand-name">{name}</span>
      </a>
      {figures && (
        <span class="top-online" data-testid="online" title={plural(figures.viewers, "live map", "live maps") + " open"}>
          {plural(figures.online, "player")} online
        </span>
      )}
      {figures?.saving.failingSince && (
        <span class="top-alarm" role="alert" data-testid="save-failing" title={figures.saving.error ?? ""}>
          Cannot save since {stamp(Date.parse(figures.saving.failingSince))}: {plural(figures.saving.unsaved, "record")} unsaved
        </span>
      )}
      {figures?.failures.map((f) => (
        <span class="top-alarm" role="alert" data-testid="failure" key={f.what} title={f.error}>
          {f.what} since {stamp(Date.parse(f.since))}
        </span>
      ))}
      <PlannedStopNotice />
      <HeldBack />
      <button type="button" class="search-button" onClick={onSearch} data-testid="open-search" aria-label="Search players, areas… (/)">
        <SearchIcon size={16} />
        <span>Search players, areas…</span>
        <kbd>/</kbd>
      </button>
      <div class="top-tools">
        <Connection />
        <IconButton label="Keyboard shortcuts" class="top-keys" onClick={onKeys}>
          <KeysIcon />
        </IconButton>
        <ThemeSwitch />
        <Operator />
      </div>
    </header>
  );
}

// PlannedStopNotice shows the countdown of a planned stop or restart to every operator. Administrators can cancel it while the
// server can be reached.
function PlannedStopNotice() {
  const plan = useStore(plannedStop);
  const [cancelling, setCancelling] = useState(false);
  const now = useNow(500) + (serverNow() - Date.now());
  const denied = useDenied("admin", "Only an administrator can cancel it.");
  if (plan === null) return null;
  const text = stopText(plan, now);
  const about = `At ${stamp(Date.parse(plan.at))}${plan.by && `, planned by ${plan.by}`}${plan.reason && `: ${plan.reason}`}`;
  const close = () => setCancelling(false);
  return (
    <>
      <span class="top-alarm top-stop" role="timer" title={about} data-testid="planned-stop">
        {atLeast("moderator") ? <a href="#/audit?tab=server">{text}</a> : <span>{text}</span>}
        {denied === null && (
          <button type="button" class="text-button" onClick={() => setCancelling(true)} data-testid="top-stop-cancel">
            Cancel
          </button>
        )}
      </span>
      {cancelling && <CancelStopDialog plan={plan} onClose={close} onDone={close} />}
    </>
  );
}

// HeldBack shows the network of which the server has refused or displaced the most connections and logins in the last ten
// minutes, and links to the whole list. A tooltip lists the other networks.
function HeldBack() {
  const rows = useStore(overview)?.heldBack ?? [];
  const [first] = rows;
  if (!first) return null;
  const text = (h: HeldBackRow) => `${h.door}: ${h.account || h.network} (${h.budget}) ${h.count} times`;
  return (
    <span class="top-alarm" role="status" title={rows.map(text).join("\n")}>
      <a href="#/held" data-testid="held-back">
        Held back: {text(first)}
        {rows.length > 1 && `, and ${rows.length - 1} more`}
      </a>
    </span>
  );
}

// Connection shows whether the server can be reached: on the map by the live connection, in other views by the last request.
function Connection() {
  const { live, api, attempts } = useStore(reach);
  const { view } = useStore(route);
  const past = useStore(route, inPast);
  const lost = isLost({ live, api, attempts }, useStore(route));
  const state = lost ? "reconnecting" : view === "map" && live === "connecting" && !past ? "connecting" : past ? "past" : "live";
  const [shown, setShown] = useState(state);
  useEffect(() => {
    // A short gap, as between two areas, is not shown.
    const timer = window.setTimeout(() => setShown(state), state === "connecting" ? 600 : 0);
    return () => window.clearTimeout(timer);
  }, [state]);
  const text = shown === "live" ? "Live" : shown === "past" ? "Past" : shown === "connecting" ? "Connecting" : "Reconnecting";
  const title = shown === "reconnecting" ? `The connection is lost. This page tries again by itself${attempts > 1 ? ` (attempt ${attempts})` : ""}.` : shown === "past" ? "Connected to the server; the map shows the past" : "Connected to the server";
  return (
    <span class={`connection connection-${shown}`} role="status" data-testid="connection" data-state={shown} title={title}>
      <span class="connection-dot" aria-hidden="true" />
      <span class="connection-text">{text}</span>
    </span>
  );
}

const nextTheme: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

function ThemeSwitch() {
  const now = useStore(theme);
  const label = now === "system" ? "Theme: system" : `Theme: ${now}`;
  return (
    <IconButton label={label} onClick={() => setTheme(nextTheme[now])} data-testid="theme" data-theme-now={now}>
      {now === "light" ? <SunIcon /> : now === "dark" ? <MoonIcon /> : <AutoIcon />}
    </IconButton>
  );
}

function Operator() {
  const now = useStore(access);
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (e: Event) => {
      if (!box.current?.contains(e.target as Node)) box.current?.removeAttribute("open");
    };
    document.addEventListener("pointerdown", close);
    return () => document.removeEventListener("pointerdown", close);
  }, []);
  if (now.phase !== "in") return null;
  const { session } = now;
  return (
    <details class="operator" ref={box}>
      <summary aria-label={`${session.name}, ${session.role}`} data-testid="operator">
        <span class="avatar" aria-hidden="true">
          {session.name.slice(0, 1).toUpperCase()}
        </span>
      </summary>
      <div class="menu">
        <p class="menu-name">{session.name}</p>
        <p class="menu-line">
          <span class={`tag role-${session.role}`}>{session.role}</span>
        </p>
        <p class="menu-line">Truestep {session.server.version}</p>
        <p class="menu-line">Running since {stamp(Date.parse(session.server.startedAt))}</p>
        {session.expires && <p class="menu-line">Session until {stamp(Date.parse(session.expires))}</p>}
        <button type="button" class="menu-item" onClick={() => void logOut()} data-testid="log-out">
          <LeaveIcon size={16} />
          Log out
        </button>
      </div>
    </details>
  );
}
