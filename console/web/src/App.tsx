import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "./api/client";
import { useLoaded } from "./lib/load";
import type { View } from "./lib/route";
import { useStore } from "./lib/store";
import { access, updateRoute, atLeast, navigate, checkRun, overview, plannedStop, route, setServerTime, world } from "./state";
import { Toasts } from "./ui/basics";
import { BookIcon, LayersIcon, ChartIcon, Logo, MapIcon, PanelIcon, PeopleIcon, PullIcon, ShieldIcon } from "./ui/icons";
import { FaultBoundary } from "./ui/Fault";
import { KeysHelp } from "./ui/KeysHelp";
import { onKeys } from "./ui/keys";
import { LostBanner, useLost } from "./ui/LostBanner";
import { Search } from "./ui/Search";
import { TopBar } from "./ui/TopBar";
import { Cluster } from "./views/Cluster";
import { Accounts } from "./views/Accounts";
import { Admin } from "./views/Admin";
import { Corrections } from "./views/Corrections";
import { HeldBack } from "./views/HeldBack";
import { Login } from "./views/Login";
import { MapView } from "./views/MapView";
import { LazyCharts } from "./views/LazyCharts";
import { Players } from "./views/Players";

const pages: { view: View; name: string; icon: (props: { size?: number }) => JSX.Element; body: () => JSX.Element }[] = [
  { view: "map", name: "Map", icon: MapIcon, body: MapView },
  { view: "players", name: "Players", icon: PeopleIcon, body: Players },
  { view: "corrections", name: "Corrections", icon: PullIcon, body: Corrections },
  { view: "charts", name: "Charts", icon: ChartIcon, body: LazyCharts },
  { view: "held", name: "Held back", icon: ShieldIcon, body: HeldBack },
  { view: "accounts", name: "Accounts", icon: PanelIcon, body: Accounts },
  { view: "cluster", name: "Cluster", icon: LayersIcon, body: Cluster },
  { view: "audit", name: "Admin", icon: BookIcon, body: Admin },
];

export function App() {
  const now = useStore(access);
  if (now.phase === "checking") return <Waiting note={now.note} />;
  if (now.phase === "out") return <Login note={now.note} />;
  return <Shell key={now.session.server.startedAt} />; // a restart of the server resets all state of the views
}

function Waiting({ note }: { note: string }) {
  return (
    <main class="gate" data-testid="waiting">
      <Logo size={40} />
      <p role="status" class="gate-note">
        {note || "Opening the console…"}
      </p>
    </main>
  );
}

function Shell() {
  const { view } = useStore(route);
  const inCluster = !!useStore(world)?.node;
  const [open, setOpen] = useState<"search" | "keys" | null>(null);
  const page = pages.find((p) => p.view === view)!;
  const top = useRef<HTMLDivElement>(null);
  useOverview();
  usePlannedStop();
  const lost = useLost();
  useEffect(() => {
    // The login field that had the focus is gone. Focus the top of the page, so that Tab starts there.
    if (document.activeElement === document.body) top.current!.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    document.title = `${page.name} · ${world.get()?.name ?? "Truestep"} · Truestep console`;
  }, [page]);
  useEffect(
    () =>
      onKeys({
        "/": () => setOpen("search"),
        "?": () => setOpen("keys"),
        "g m": () => navigate("map"),
        "g p": () => navigate("players"),
        "g c": () => navigate("corrections"),
        "g h": () => navigate("charts"),
        "g b": () => navigate("held"),
        "g u": () => navigate("accounts"),
        "g l": () => world.get()?.node && navigate("cluster"),
        "g a": () => navigate("audit"),
        Escape: () => updateRoute({ player: null, npc: null, follow: null }),
      }),
    [],
  );
  const Body = page.body;
  return (
    <div class={`shell view-${view} ${lost ? "is-lost" : ""}`} ref={top} tabIndex={-1} data-testid="shell">
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <TopBar onSearch={() => setOpen("search")} onKeys={() => setOpen("keys")} />
      {lost && <LostBanner />}
      <nav class="rail" aria-label="Views">
        {pages.map(({ view: v, name, icon: PageIcon }) =>
          (v === "cluster" && !inCluster) || ((v === "audit" || v === "accounts") && !atLeast("moderator")) ? null : (
            <a key={v} href={`#/${v}`} class="rail-link" aria-current={v === view ? "page" : undefined} data-testid={`nav-${v}`}>
              <PageIcon />
              <span>{name}</span>
            </a>
          ),
        )}
      </nav>
      <main id="main" class="main" tabIndex={-1}>
        <FaultBoundary key={view} what={`The view ${page.name}`}>
          <Body />
        </FaultBoundary>
      </main>
      {open === "search" && <Search onClose={() => setOpen(null)} />}
      {open === "keys" && <KeysHelp onClose={() => setOpen(null)} />}
      <Toasts />
    </div>
  );
}

function skip(e: Event): void {
  e.preventDefault();
  document.getElementById("main")?.focus();
}

function useOverview(): void {
  const { data } = useLoaded("overview", api.overview, 2000);
  useEffect(() => {
    if (data === null) return;
    setServerTime(data.at);
    overview.set(data);
    checkRun(data.startedAt);
  }, [data]);
}

function usePlannedStop(): void {
  const { data } = useLoaded("stop", api.plannedStop, 2000);
  useEffect(() => {
    if (data !== null) plannedStop.set(data.planned);
  }, [data]);
}
