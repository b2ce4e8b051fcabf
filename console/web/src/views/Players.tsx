import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { PlayerRow } from "../api/types";
import { count, duration, millis, permille, plural } from "../lib/format";
import { connectionLost } from "../lib/lingering";
import { useLoaded, useNow, useDebounced } from "../lib/load";
import { parseId } from "../lib/route";
import { useStore } from "../lib/store";
import { updateRoute, route, world } from "../state";
import { DoorName, Empty, Failure, Loading } from "../ui/basics";
import { SearchIcon } from "../ui/icons";
import { sortRows, type Column } from "./sort";
import { PlayerPanel } from "./PlayerPanel";

const columns: Column<PlayerRow>[] = [
  { key: "name", title: "Player", value: (p) => p.name.toLowerCase() },
  { key: "door", title: "Door", value: (p) => p.door },
  { key: "area", title: "Area", value: (p) => p.area },
  { key: "level", title: "Level", value: (p) => p.level, num: true, minor: true },
  { key: "health", title: "Health", value: (p) => (p.healthMax > 0 ? p.health / p.healthMax : 0), num: true, minor: true },
  { key: "rtt", title: "RTT", value: (p) => p.rttMs ?? -1, num: true },
  { key: "loss", title: "Loss", value: (p) => p.lossPermille ?? -1, num: true, minor: true },
  { key: "view", title: "In view", value: (p) => p.inView ?? -1, num: true, minor: true },
  { key: "pulled", title: "Pulled back", value: (p) => p.held + p.corrected, num: true },
  { key: "refused", title: "Refused", value: (p) => p.refused, num: true, minor: true },
  { key: "since", title: "Online", value: (p) => -Date.parse(p.since ?? "") || 0, num: true, minor: true },
];

// In a cluster the list also shows the node through which each player is in the world.
const nodeColumn: Column<PlayerRow> = { key: "node", title: "Node", value: (p) => p.node ?? "" };

// Players lists all players in the world. The list is polled and at most two seconds old.
export function Players() {
  const { query } = useStore(route);
  const doors = useStore(world)?.doors ?? [];
  const areas = useStore(world)?.areas ?? [];
  const [text, setText] = useState(query.q ?? "");
  const q = useDebounced(text.trim(), 200);
  const { data, error, reload } = useLoaded(`players ${q}`, (signal) => api.players(q, signal), 2000);
  const now = useNow();
  const entity = parseId(query.player);
  const sort = query.sort ?? "name";
  const inCluster = (useStore(world)?.node ?? null) !== null;
  const shown = inCluster ? columns.toSpliced(1, 0, nodeColumn) : columns;
  const rows = sortRows(
    (data?.players ?? []).filter((p) => (!query.door || p.door === query.door) && (!query.area || p.area === query.area)),
    shown,
    sort,
  );
  const choose = (p: PlayerRow) => updateRoute({ player: p.entity === entity ? null : p.entity });
  return (
    <div class={`page page-split ${entity !== null ? "with-panel" : ""}`}>
      <div class="page-main">
        <header class="page-head">
          <h1>Players</h1>
          <p class="page-sub" data-testid="player-total">
            {data === null || error?.unreachable ? "" : q !== "" ? `${count(rows.length)} found` : rows.length === data.players.length ? `${plural(rows.length, "player")} online` : `${count(rows.length)} of ${plural(data.players.length, "player")}`}
          </p>
        </header>
        <div class="filters" role="search">
          <div class="field">
            <SearchIcon size={16} />
            <input
              type="search"
              value={text}
              placeholder="Name or account"
              aria-label="Name or account"
              onInput={(e) => {
                setText(e.currentTarget.value);
                updateRoute({ q: e.currentTarget.value.trim() });
              }}
              data-testid="players-search"
            />
          </div>
          <Select label="Door" value={query.door ?? ""} all="All doors" options={doors.map((d) => [d.name, d.title])} set={(door) => updateRoute({ door })} />
          <Select label="Area" value={query.area ?? ""} all="All areas" options={areas.map((a) => [a.name, a.name])} set={(area) => updateRoute({ area })} />
        </div>
        {data !== null && data.missing.length > 0 && (
          <p class="planned" role="status" data-testid="players-missing">
            {data.missing.length === 1 ? `Node ${data.missing[0]} does not answer` : `The nodes ${data.missing.join(", ")} do not answer`}: players of it are shown without account and door.
          </p>
        )}
        {data === null && error ? (
          <Failure error={error} what="The players" retry={reload} />
        ) : data === null ? (
          <Loading what="the players" />
        ) : rows.length === 0 ? (
          <NoPlayers filtered={data.players.length > 0 || q !== ""} />
        ) : (
          <div class="table-wrap">
            <table class="table table-click" data-testid="players">
              <thead>
                <tr>
                  {shown.map((c) => (
                    <Heading key={c.key} column={c} sort={sort} />
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((p) => (
                  <Row key={p.entity} p={p} inCluster={inCluster} now={now} chosen={p.entity === entity} onChoose={() => choose(p)} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
      {entity !== null && (
        <aside class="side" aria-label="Player">
          <PlayerPanel entity={entity} onClose={() => updateRoute({ player: null })} />
        </aside>
      )}
    </div>
  );
}

function NoPlayers({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title="No player matches">Remove a filter, or search for a part of the name.</Empty>;
  return (
    <Empty title="Nobody is in the world yet">
      Players appear here as they log in through any door. <code>truestep serve --demo</code> brings a few of its own.
    </Empty>
  );
}

function Heading({ column: c, sort }: { column: Column<PlayerRow>; sort: string }) {
  const down = sort === `-${c.key}`;
  const on = down || sort === c.key;
  return (
    <th class={`${c.num ? "num" : ""} ${c.minor ? "minor" : ""}`} aria-sort={on ? (down ? "descending" : "ascending") : "none"}>
      <button type="button" onClick={() => updateRoute({ sort: sort === c.key ? `-${c.key}` : c.key })}>
        {c.title}
        {on && (
          <span class="sort-mark" aria-hidden="true">
            {down ? "↓" : "↑"}
          </span>
        )}
      </button>
    </th>
  );
}

function Row({ p, inCluster, now, chosen, onChoose }: { p: PlayerRow; inCluster: boolean; now: number; chosen: boolean; onChoose: () => void }) {
  return (
    <tr
      tabIndex={0}
      class={chosen ? "chosen" : ""}
      aria-selected={chosen}
      onClick={onChoose}
      onKeyDown={(e) => {
        if (e.key === "Enter" || e.key === " ") {
          e.preventDefault();
          onChoose();
        }
      }}
      data-testid="player-row"
      data-entity={p.entity}
    >
      <td>
        <b>{p.name}</b>
        {p.account !== "" && p.account !== p.name && <span class="faint wide-only"> {p.account}</span>}
        {p.frozen && <span class="tag tag-frozen">frozen</span>}
        {p.lingering && (
          <span class="tag tag-lost" title="Its body stays in the world until its client reconnects or the time is over" data-testid="connection-lost">
            {connectionLost(p.lingersUntil, now)}
          </span>
        )}
      </td>
      {inCluster && <td data-testid="player-node">{p.node ?? "–"}</td>}
      <td>{p.door === "" ? "–" : <DoorName door={p.door} short />}</td>
      <td>{p.area}</td>
      <td class="num minor">{count(p.level)}</td>
      <td class="num minor">
        {count(p.health)} <span class="faint">/ {count(p.healthMax)}</span>
      </td>
      <td class="num">{millis(p.rttMs)}</td>
      <td class="num minor">{permille(p.lossPermille)}</td>
      <td class="num minor">{p.inView === null ? "–" : count(p.inView)}</td>
      <td class={`num ${p.held + p.corrected > 0 ? "strong" : "faint"}`}>{count(p.held + p.corrected)}</td>
      <td class="num minor">{count(p.refused)}</td>
      <td class="num minor">{p.since === null ? "–" : duration(now - Date.parse(p.since))}</td>
    </tr>
  );
}

export function Select({ label, value, all, options, set, testid }: { label: string; value: string; all: string; options: [string, string][]; set: (v: string) => void; testid?: string }) {
  return (
    <select class="input select" aria-label={label} value={value} onChange={(e) => set(e.currentTarget.value)} data-testid={testid}>
      <option value="">{all}</option>
      {options.map(([v, name]) => (
        <option key={v} value={v}>
          {name}
        </option>
      ))}
    </select>
  );
}
