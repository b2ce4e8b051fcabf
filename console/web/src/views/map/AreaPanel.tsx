import { api } from "../../api/client";
import type { Area, Entry } from "../../api/types";
import { clock, count, figurePair, micros, plural, reasonText, stamp } from "../../lib/format";
import { mergeGroups } from "../../lib/groups";
import { useLoaded } from "../../lib/load";
import { excused, notable } from "../../lib/reasons";
import { useStore } from "../../lib/store";
import { navigate, overview, recent, world } from "../../state";
import { DoorName, Empty, IconButton, LateTag, ReasonDot } from "../../ui/basics";
import { CloseIcon } from "../../ui/icons";
import type { Tapes } from "../../past/tapes";
import { SpawnNpc } from "./SpawnNpc";
import { WatchButton } from "../why/WatchButton";

const shown = 30;

// AreaPanel is shown beside the map while no actor is selected. It shows measurements of the area and its recent corrections.
export function AreaPanel({ area, onClose, tapes }: { area: Area; onClose: () => void; tapes: Tapes }) {
  const figures = useStore(overview);
  const doors = useStore(world)?.doors ?? [];
  const live = useStore(recent);
  const { data } = useLoaded(`recent ${area.id}`, (signal) => api.correctionGroups({ area: String(area.id), verdict: "held,corrected", weight: "unusual,suspicious", limit: shown }, signal), 15_000);
  const now = figures?.areas.find((a) => a.id === area.id);
  const list = mergeGroups(data?.groups ?? [], live.filter((e) => e.verdict !== "refused" && e.weight !== "operator" && e.weight !== "harmless"), shown);
  return (
    <div class="panel" data-testid="area-panel">
      <header class="panel-head">
        <div>
          <h2>{area.name}</h2>
          <p class="panel-sub">{area.pvp ? "Players may fight each other here" : "Nothing selected. Click a player or an NPC."}</p>
        </div>
        <IconButton label="Close the panel" onClick={onClose}>
          <CloseIcon size={18} />
        </IconButton>
      </header>
      <dl class="tiles">
        <Tile name="Players" value={count(now?.players)} />
        <Tile name="Actors" value={count(now?.actors)} />
        <Tile name="Tick p50" value={micros(now?.tickP50Us)} />
        <Tile name="Tick p99" value={micros(now?.tickP99Us)} alarm={(now?.tickP99Us ?? 0) > 50_000} />
      </dl>
      <section class="panel-part">
        <h3>Doors</h3>
        <ul class="door-list">
          {doors.map((d) => {
            const sessions = figures?.doors.find((x) => x.name === d.name)?.sessions ?? 0;
            return (
              <li key={d.name}>
                <DoorName door={d.name} />
                <span class="door-state">{d.open ? (figures === null ? "–" : plural(sessions, "session")) : "closed"}</span>
              </li>
            );
          })}
        </ul>
      </section>
      <SpawnNpc area={area} />
      <section class="panel-part panel-grow">
        <h3>
          Pulled back lately
          <a href={`#/corrections?area=${encodeURIComponent(area.name)}`} class="more">
            All
          </a>
        </h3>
        {list.length === 0 ? (
          <Empty title="Nobody was pulled back here">Holds and corrections appear here as they happen, and as arrows on the map.</Empty>
        ) : (
          <ul class="feed" data-testid="recent">
            {list.map((g) => (
              <FeedRow key={`${g.last.account} ${g.last.player} ${g.last.reason}`} entry={g.last} times={g.times} tapes={tapes} />
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

export function Tile({ name, value, alarm }: { name: string; value: string; alarm?: boolean }) {
  return (
    <div class={`tile ${alarm ? "tile-alarm" : ""}`}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

// FeedRow is one correction, or the newest of a group of corrections; times is the number of all of them.
export function FeedRow({ entry: e, times = e.times, tapes, now }: { entry: Entry; times?: number; tapes: Tapes; now?: boolean }) {
  const [asked, allowed] = figurePair(e.asked, e.allowed);
  return (
    <li class={`with-watch ${now ? "feed-now" : ""} ${notable(e) ? "" : "feed-quiet"}`}>
      <a
        class="feed-row"
        href={`#/corrections/${e.id}`}
        onClick={(event) => {
          event.preventDefault();
          navigate("corrections", { area: e.area }, e.id);
        }}
      >
        <span class="feed-who">
          <DoorName door={e.door} short />
          <b>{e.player}</b>
        </span>
        <time class="feed-time" title={stamp(Date.parse(e.at))}>{clock(Date.parse(e.at))}</time>
        <span class="feed-what">
          <ReasonDot name={e.reason} /> {e.verdict}: {reasonText(e.reason)}
          {times > 1 && <span class="nowrap"> × {count(times)}</span>} {excused(e) && <LateTag ms={e.lateMs} />}
        </span>
        {e.unit !== "" && (
          <span class="feed-figures">
            {asked} / {allowed} {e.unit}
          </span>
        )}
      </a>
      <WatchButton entry={e} tapes={tapes} />
    </li>
  );
}
