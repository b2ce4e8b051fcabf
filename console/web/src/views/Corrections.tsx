import { useEffect, useRef, useState } from "preact/hooks";
import { api, type ApiError, type CorrectionQuery } from "../api/client";
import type { Entry } from "../api/types";
import { clock, count, figure, millis, stamp, reasonText } from "../lib/format";
import { useLoaded, useDebounced } from "../lib/load";
import { useStore } from "../lib/store";
import { useTapes, type Tapes } from "../past/tapes";
import { updateRoute, navigate, route, world } from "../state";
import { Button, DoorName, Empty, Failure, Loading, VerdictTag } from "../ui/basics";
import { SearchIcon } from "../ui/icons";
import { Select } from "./Players";
import { Detail } from "./why/Detail";
import { spans, spanStart } from "./why/spans";
import { WatchButton } from "./why/WatchButton";

const pageSize = 100;

// Refusals are left out by default: they are frequent, and none moves a player.
const pulled = "held,corrected";
const verdicts: [string, string][] = [
  ["held", "Held"],
  ["corrected", "Corrected"],
  ["refused", "Refused"],
  ["all", "Refusals, too"],
];

// Corrections explains why players were pulled back: a search on the left, one correction on the right.
export function Corrections() {
  const { query, id } = useStore(route);
  const reasons = useStore(world)?.reasons ?? [];
  const areas = useStore(world)?.areas ?? [];
  const [player, setPlayer] = useState(query.player ?? "");
  const settled = useDebounced(player.trim(), 250);
  useEffect(() => setPlayer(query.player ?? ""), [query.player]);
  useEffect(() => {
    if ((query.player ?? "") !== settled && settled === player.trim()) updateRoute({ player: settled });
  }, [settled]);
  const filtered = ["player", "reason", "verdict", "area", "span"].some((k) => query[k]);
  return (
    <div class={`page why ${id !== null ? "why-open" : ""}`}>
      <div class="why-list">
        <header class="page-head">
          <h1>Why was I pulled back?</h1>
        </header>
        <div class="filters" role="search">
          <div class="field">
            <SearchIcon size={16} />
            <PlayerNames />
            <input type="search" value={player} placeholder="Whole name of a player" aria-label="Whole name of a player" list="why-names" onInput={(e) => setPlayer(e.currentTarget.value)} data-testid="why-player" />
          </div>
          <Select label="Reason" value={query.reason ?? ""} all="Any reason" options={reasons.filter((r) => r.name !== "none").map((r) => [r.name, reasonText(r.name)])} set={(reason) => updateRoute({ reason })} testid="why-reason" />
          <Select label="Verdict" value={query.verdict ?? ""} all="Held or corrected" options={verdicts} set={(verdict) => updateRoute({ verdict })} testid="why-verdict" />
          <Select label="Area" value={query.area ?? ""} all="All areas" options={areas.map((a) => [a.name, a.name])} set={(area) => updateRoute({ area })} />
          <Select label="Time" value={query.span ?? ""} all="Any time" options={spans.map((s) => [s.key, s.title])} set={(span) => updateRoute({ span })} testid="why-span" />
          {filtered && (
            <Button kind="ghost" onClick={() => updateRoute({ player: null, reason: null, verdict: null, area: null, span: null })}>
              Clear
            </Button>
          )}
        </div>
        <Results key={JSON.stringify([query.player, query.reason, query.verdict, query.area, query.span])} query={query} chosen={id} filtered={filtered} />
      </div>
      <section class="why-detail" aria-label="One correction">
        {id !== null ? <Detail id={id} /> : <Empty title="Select a correction on the left">Its reason, a drawing and the events around it are shown here.</Empty>}
      </section>
    </div>
  );
}

// PlayerNames suggests players that are online. The API matches whole names, also of players that have left.
function PlayerNames() {
  const { data } = useLoaded("names", (signal) => api.players("", signal));
  return (
    <datalist id="why-names">
      {data?.players.map((p) => (
        <option key={p.entity} value={p.name} />
      ))}
    </datalist>
  );
}

function correctionQuery(query: Record<string, string>): CorrectionQuery {
  return { player: query.player, reason: query.reason, verdict: query.verdict === "all" ? undefined : (query.verdict ?? pulled), area: query.area, since: spanStart(query.span, Date.now()), limit: pageSize };
}

// Results shows the newest page, which is polled, and older pages below it on demand.
function Results({ query, chosen, filtered }: { query: Record<string, string>; chosen: number | null; filtered: boolean }) {
  const { data, error, reload } = useLoaded("corrections", (signal) => api.corrections(correctionQuery(query), signal), 3000);
  const [older, setOlder] = useState<Entry[]>([]);
  const [next, setNext] = useState<number | null>(null);
  const [failed, setFailed] = useState<ApiError | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const tapes = useTapes((data?.entries ?? []).map((e) => e.areaId), 15_000);
  if (data === null) return error ? <Failure error={error} what="The corrections" retry={reload} /> : <Loading what="the corrections" />;
  if (data.entries.length === 0) {
    return filtered ? (
      <Empty title="Nothing matches this search">Remove a filter, or choose a longer time span.</Empty>
    ) : (
      <Empty title="Nobody has been pulled back">
        Every hold and correction is kept here with its reason. So far there was none.{" "}
        <button type="button" class="text-button" onClick={() => updateRoute({ verdict: "all" })}>
          Show refusals, too
        </button>
      </Empty>
    );
  }
  const first = new Set(data.entries.map((e) => e.id));
  const entries = [...data.entries, ...older.filter((e) => !first.has(e.id))];
  const more = older.length > 0 ? next : data.next;
  const load = async () => {
    try {
      const page = await api.corrections({ ...correctionQuery(query), before: more ?? undefined });
      setOlder([...older, ...page.entries]);
      setNext(page.next);
      setFailed(null);
    } catch (cause) {
      setFailed(cause as ApiError);
    }
  };
  const walk = (e: KeyboardEvent) => {
    const step = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    e.preventDefault();
    const links = [...(list.current?.querySelectorAll<HTMLElement>(".entry") ?? [])];
    links[links.indexOf(document.activeElement as HTMLElement) + step]?.focus();
  };
  return (
    <>
      <ul class="entries" ref={list} onKeyDown={walk} data-testid="corrections">
        {entries.map((e) => (
          <EntryRow key={e.id} entry={e} chosen={e.id === chosen} query={query} tapes={tapes} />
        ))}
        {more !== null && (
          <li class="entries-more">
            <Button onClick={() => void load()}>Load older ones</Button>
            {failed && <p class="form-error">Older ones could not be loaded. Try again.</p>}
          </li>
        )}
      </ul>
    </>
  );
}

function EntryRow({ entry: e, chosen, query, tapes }: { entry: Entry; chosen: boolean; query: Record<string, string>; tapes: Tapes }) {
  const at = Date.parse(e.at);
  return (
    <li class="with-watch">
      <a
        class="entry"
        href={`#/corrections/${e.id}`}
        aria-current={chosen ? "true" : undefined}
        onClick={(event) => {
          event.preventDefault();
          navigate("corrections", query, e.id);
        }}
        data-testid="correction"
        data-id={e.id}
        data-reason={e.reason}
      >
        <span class={`verdict-bar verdict-${e.verdict}`} aria-hidden="true" />
        <span class="entry-top">
          <DoorName door={e.door} short />
          <b>{e.player}</b>
          <VerdictTag verdict={e.verdict} />
          {e.times > 1 && <span class="faint">× {count(e.times)}</span>}
          <time title={stamp(at)}>{clock(at)}</time>
        </span>
        <span class="entry-why">{e.sentence || reasonText(e.reason)}</span>
        <span class="entry-figures">
          {reasonText(e.reason)}
          {e.unit !== "" && (
            <>
              {" · asked "}
              <b>{figure(e.asked)}</b>
              {" · allowed "}
              <b>{figure(e.allowed)}</b> {e.unit}
            </>
          )}
          {" · "}
          {e.area}
          {e.rttMs !== null && <span class="nowrap"> · RTT {millis(e.rttMs)}</span>}
        </span>
      </a>
      <WatchButton entry={e} tapes={tapes} />
    </li>
  );
}
