import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { api, type ApiError, type CorrectionQuery } from "../api/client";
import type { CorrectionGroup, Entry } from "../api/types";
import { mergeEntries } from "../lib/entries";
import { clock, count, day, figurePair, millis, plural, stamp, reasonText, zone } from "../lib/format";
import { excused, notable, reasonWeight } from "../lib/reasons";
import { useLoaded, useDebounced } from "../lib/load";
import { useStore } from "../lib/store";
import { useTapes, type Tapes } from "../past/tapes";
import { updateRoute, navigate, route, world } from "../state";
import { Button, DoorName, Empty, Failure, IconButton, LateTag, Loading, ReasonDot, VerdictTag, WeightTag } from "../ui/basics";
import { ChevronIcon, SearchIcon } from "../ui/icons";
import { Select } from "./Players";
import { Detail } from "./why/Detail";
import { spans, spanStart } from "./why/spans";
import { WatchButton } from "./why/WatchButton";

const pageSize = 100;

// Entries with harmless reasons, such as an attack out of reach, and those caused by operators are left out by default, because
// they are no evidence about the player.
const telling = "unusual,suspicious";
const weights: [string, string][] = [
  ["suspicious", "Suspicious only"],
  ["unusual", "Unusual only"],
  ["harmless", "Harmless only"],
  ["operator", "Done by operators"],
  ["all", "All reasons"],
];
const verdicts: [string, string][] = [
  ["held", "Held"],
  ["corrected", "Corrected"],
  ["refused", "Refused"],
  ["hit", "Hit by lag compensation"],
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
  const filtered = ["player", "reason", "weight", "verdict", "area", "span"].some((k) => query[k]);
  return (
    <div class={`page why ${id !== null ? "why-open" : ""}`}>
      <h1 class="for-readers">Corrections</h1>
      <div class="why-list">
        <header class="page-head">
          <h2 class="page-title">Why was I pulled back?</h2>
          <p class="page-sub">Times in {zone(Date.now())}</p>
        </header>
        <div class="filters" role="search">
          <div class="field">
            <SearchIcon size={16} />
            <PlayerNames />
            <input type="search" value={player} placeholder="Whole name of a player" aria-label="Whole name of a player" list="why-names" onInput={(e) => setPlayer(e.currentTarget.value)} data-testid="why-player" />
          </div>
          <Select label="Reason" value={query.reason ?? ""} all="Any reason" options={reasons.filter((r) => r.name !== "none").map((r) => [r.name, reasonText(r.name)])} set={(reason) => updateRoute({ reason })} testid="why-reason" />
          <Select label="Weight" value={query.weight ?? ""} all="Suspicious and unusual" options={weights} set={(weight) => updateRoute({ weight })} testid="why-weight" />
          <Select label="Verdict" value={query.verdict ?? ""} all="Any verdict" options={verdicts} set={(verdict) => updateRoute({ verdict })} testid="why-verdict" />
          <Select label="Area" value={query.area ?? ""} all="All areas" options={areas.map((a) => [a.name, a.name])} set={(area) => updateRoute({ area })} />
          <Select label="Time" value={query.span ?? ""} all="Any time" options={spans.map((s) => [s.key, s.title])} set={(span) => updateRoute({ span })} testid="why-span" />
          {filtered && (
            <Button kind="ghost" onClick={() => updateRoute({ player: null, reason: null, weight: null, verdict: null, area: null, span: null })}>
              Clear
            </Button>
          )}
        </div>
        <Results key={JSON.stringify([query.player, query.reason, query.weight, query.verdict, query.area, query.span])} query={query} chosen={id} filtered={filtered} />
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
  // A search for a reason or for hits has no default weight filter, because it must also find harmless entries.
  const anyWeight = query.reason !== undefined || query.verdict === "hit";
  const weight = query.weight === "all" || (query.weight === undefined && anyWeight) ? undefined : (query.weight ?? telling);
  return { player: query.player, reason: query.reason, weight, verdict: query.verdict, area: query.area, since: spanStart(query.span, Date.now()), limit: pageSize };
}

// Results lists groups of entries, one per player and reason, newest first. The list is polled.
function Results({ query, chosen, filtered }: { query: Record<string, string>; chosen: number | null; filtered: boolean }) {
  const { data, error, reload } = useLoaded("corrections", (signal) => api.correctionGroups(correctionQuery(query), signal), 4000);
  const list = useRef<HTMLUListElement>(null);
  const tapes = useTapes((data?.groups ?? []).map((g) => g.last.areaId), 15_000);
  if (data === null) return error ? <Failure error={error} what="The corrections" retry={reload} /> : <Loading what="the corrections" />;
  if (data.groups.length === 0) {
    return filtered ? (
      <Empty title="Nothing matches this search">Remove a filter, or choose a longer time span.</Empty>
    ) : (
      <Empty title="Nobody has been pulled back">
        Every hold, correction and refusal is kept here with its reason. So far there was none that tells anything about a player.{" "}
        <button type="button" class="text-button" onClick={() => updateRoute({ weight: "all" })}>
          Show harmless ones, too
        </button>
      </Empty>
    );
  }
  const walk = (e: KeyboardEvent) => {
    const step = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    e.preventDefault();
    const links = [...(list.current?.querySelectorAll<HTMLElement>(".entry") ?? [])];
    links[links.indexOf(document.activeElement as HTMLElement) + step]?.focus();
  };
  return (
    <ul class="entries" ref={list} onKeyDown={walk} data-testid="corrections">
      {data.groups.map((g) => (
        <GroupRow key={JSON.stringify([g.last.account, g.last.player, g.last.reason])} group={g} chosen={chosen} query={query} tapes={tapes} />
      ))}
      {data.more && <li class="entries-more hint">The newest {count(data.groups.length)} players and reasons are shown. Filter, or choose a shorter time, for others.</li>}
    </ul>
  );
}

// spanText returns the period of a group of entries as text. It contains the day only if that is not today.
function spanText(first: number, last: number): string {
  const part = (at: number) => (day(at) === day(Date.now()) ? clock(at) : `${day(at)} ${clock(at)}`);
  return last - first < 1000 ? part(last) : `${part(first)} – ${day(first) === day(last) ? clock(last) : part(last)}`;
}

function GroupRow({ group: g, chosen, query, tapes }: { group: CorrectionGroup; chosen: number | null; query: Record<string, string>; tapes: Tapes }) {
  const [open, setOpen] = useState(false);
  const { last: e } = g;
  const at = Date.parse(e.at);
  const first = Date.parse(g.first);
  const all = { times: g.times, lateTimes: g.lateTimes };
  const [asked, allowed] = figurePair(e.asked, e.allowed);
  return (
    <li class={notable({ ...all, reason: e.reason }) ? "" : "entry-quiet"} data-testid="correction-group" data-player={e.player} data-reason={e.reason}>
      <div class="with-watch">
        <EntryLink entry={e} chosen={!open && e.id === chosen} query={query}>
          <span class="entry-top">
            <DoorName door={e.door} short />
            <b>{e.player}</b>
            {g.times > 1 && (
              <span class="faint" title={`${plural(g.times, "decision")} in ${plural(g.entries, "entry", "entries")}`}>
                × {count(g.times)}
              </span>
            )}
            <time title={`${stamp(first)} to ${stamp(at)}`}>{spanText(first, at)}</time>
          </span>
          <span class="entry-reason">
            <ReasonDot name={e.reason} />
            <b>{reasonText(e.reason)}</b>
            <VerdictTag verdict={e.verdict} />
            <WeightTag weight={reasonWeight(e.reason)} />
            {g.lateTimes > 0 && <LateTag ms={e.lateMs} some={!excused(all)} />}
          </span>
          <span class="entry-why">{e.sentence || reasonText(e.reason)}</span>
          <span class="entry-figures">
            {e.unit !== "" && (
              <>
                {g.entries > 1 ? "last asked " : "asked "}
                <b>{asked}</b>
                {" · allowed "}
                <b>{allowed}</b> {e.unit}
                {" · "}
              </>
            )}
            {e.area}
            {e.rttMs !== null && <span class="nowrap"> · RTT {millis(e.rttMs)}</span>}
          </span>
        </EntryLink>
        <span class="entry-tools">
          <WatchButton entry={e} tapes={tapes} />
          {g.entries > 1 && (
            <IconButton label={`${open ? "Hide" : "Show"} the ${count(g.entries)} entries of ${e.player}: ${reasonText(e.reason)}`} aria-expanded={open} class={open ? "is-open" : ""} onClick={() => setOpen(!open)} data-testid="expand">
              <ChevronIcon size={16} />
            </IconButton>
          )}
        </span>
      </div>
      {open && <Entries of={e} newest={e.id} query={query} chosen={chosen} tapes={tapes} />}
    </li>
  );
}

const entriesAtOnce = 50;

// Entries lists the entries of one group: the newest page, which is loaded again when there is a newer entry, and older pages on demand.
function Entries({ of, newest, query, chosen, tapes }: { of: Entry; newest: number; query: Record<string, string>; chosen: number | null; tapes: Tapes }) {
  const ask = { ...correctionQuery(query), player: of.player, account: of.account, reason: of.reason, weight: undefined, limit: entriesAtOnce };
  const { data, error, reload } = useLoaded(`entries ${newest} ${of.at}`, (signal) => api.corrections(ask, signal));
  const [list, setList] = useState<Entry[]>([]);
  const [next, setNext] = useState<number | null>(null);
  const [failed, setFailed] = useState<ApiError | null>(null);
  useEffect(() => {
    if (data === null) return;
    if (list.length === 0) setNext(data.next);
    setList((old) => mergeEntries(old, data.entries));
  }, [data]);
  if (list.length === 0) return error ? <Failure error={error} what="The entries" retry={reload} /> : <Loading what="the entries" />;
  const load = async () => {
    try {
      const page = await api.corrections({ ...ask, before: next ?? undefined });
      setList((old) => mergeEntries(old, page.entries));
      setNext(page.next);
      setFailed(null);
    } catch (cause) {
      setFailed(cause as ApiError);
    }
  };
  return (
    <ul class="entry-members" data-testid="members">
      {list.map((e) => (
        <MemberRow key={e.id} entry={e} chosen={e.id === chosen} query={query} tapes={tapes} />
      ))}
      {next !== null && (
        <li class="entries-more">
          <Button onClick={() => void load()}>Load older ones</Button>
          {failed && <p class="form-error">Older ones could not be loaded. Try again.</p>}
        </li>
      )}
    </ul>
  );
}

function MemberRow({ entry: e, chosen, query, tapes }: { entry: Entry; chosen: boolean; query: Record<string, string>; tapes: Tapes }) {
  const at = Date.parse(e.at);
  const [asked, allowed] = figurePair(e.asked, e.allowed);
  return (
    <li class="with-watch">
      <EntryLink entry={e} chosen={chosen} query={query} member>
        <time title={stamp(at)}>{clock(at)}</time>
        <span class="entry-figures">
          {e.times > 1 && `× ${count(e.times)} `}
          {e.unit !== "" && (
            <>
              <b>{asked}</b> of <b>{allowed}</b> {e.unit}
            </>
          )}{" "}
          {e.lateTimes > 0 && <LateTag ms={e.lateMs} some={!excused(e)} />}
        </span>
      </EntryLink>
      <WatchButton entry={e} tapes={tapes} />
    </li>
  );
}

function EntryLink({ entry: e, chosen, query, member, children }: { entry: Entry; chosen: boolean; query: Record<string, string>; member?: boolean; children: ComponentChildren }) {
  return (
    <a
      class={`entry ${member ? "entry-member" : ""}`}
      href={`#/corrections/${e.id}`}
      aria-current={chosen ? "true" : undefined}
      onClick={(event) => {
        event.preventDefault();
        navigate("corrections", query, e.id);
      }}
      data-testid={member ? "member" : "correction"}
      data-id={e.id}
      data-reason={e.reason}
    >
      {children}
    </a>
  );
}
