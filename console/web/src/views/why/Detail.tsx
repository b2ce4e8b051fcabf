import { api } from "../../api/client";
import type { AroundItem, Entry, EntryDetail } from "../../api/types";
import { clock, count, figure, figurePair, millis, place, stamp, compassDirection, reasonText } from "../../lib/format";
import { useLoaded } from "../../lib/load";
import { useStore } from "../../lib/store";
import { navigate, route, toast, world } from "../../state";
import { excused, reasonShade } from "../../lib/reasons";
import { Button, DoorName, Empty, Failure, LateTag, Loading, ReasonDot, VerdictTag, WeightTag } from "../../ui/basics";
import { BackIcon, LinkIcon, MapIcon, PeopleIcon } from "../../ui/icons";
import { useTapes } from "../../past/tapes";
import { Drawing } from "./Drawing";
import { SeenFacts } from "./SeenFacts";
import { WatchButtonWide } from "./WatchButton";

// Detail shows one correction: the asked and the allowed movement, and the reason.
export function Detail({ id }: { id: number }) {
  const { query } = useStore(route);
  const { data, error, reload } = useLoaded(`correction ${id}`, (signal) => api.correction(id, signal));
  const back = () => navigate("corrections", query);
  if (data === null) {
    return (
      <div class="detail">
        <BackButton onClick={back} />
        {error?.code === "not_found" ? (
          <Empty title="This correction is no longer stored">Corrections are kept for a limited time. The operator of the server sets how long.</Empty>
        ) : error ? (
          <Failure error={error} what="The correction" retry={reload} />
        ) : (
          <Loading what="the correction" />
        )}
      </div>
    );
  }
  return <Answer detail={data} back={back} />;
}

function BackButton({ onClick }: { onClick: () => void }) {
  return (
    <Button kind="ghost" class="detail-back" icon={<BackIcon size={16} />} onClick={onClick}>
      All corrections
    </Button>
  );
}

function Answer({ detail, back }: { detail: EntryDetail; back: () => void }) {
  const { entry: e } = detail;
  const at = Date.parse(e.at);
  const area = useStore(world)?.areas.find((a) => a.id === e.areaId);
  const tapes = useTapes([e.areaId], 15_000);
  return (
    <article class="detail" data-testid="detail" data-id={e.id}>
      <BackButton onClick={back} />
      <header class="detail-head">
        <p class="detail-line">
          <VerdictTag verdict={e.verdict} />
          <ReasonDot name={e.reason} size={13} />
          <span class="reason" data-testid="detail-reason">
            {reasonText(e.reason)}
          </span>
          <WeightTag weight={e.weight} />
          {e.lateTimes > 0 && <LateTag ms={e.lateMs} some={!excused(e)} />}
          {e.times > 1 && <span class="faint">{count(e.times)} times; the last is shown</span>}
        </p>
        <h2 data-testid="detail-sentence">{sentenceCase(detail.sentence)}</h2>
        <p class="detail-sub">
          <DoorName door={e.door} /> <b>{e.player}</b> in {e.area}, {stamp(at)}, tick {count(e.tick)}
        </p>
        <div class="detail-buttons">
          <WatchButtonWide entry={e} tapes={tapes} />
          <Button icon={<PeopleIcon size={16} />} onClick={() => navigate("players", { player: e.entity })}>
            Player
          </Button>
          {e.pos && (
            <Button icon={<MapIcon size={16} />} onClick={() => navigate("map", { area: e.areaId, x: e.pos!.x.toFixed(1), z: e.pos!.z.toFixed(1), s: 3, mark: e.id })} data-testid="detail-map">
              Place on the map
            </Button>
          )}
          <Button icon={<LinkIcon size={16} />} onClick={() => void copyLink(e)}>
            Copy link
          </Button>
        </div>
      </header>
      <p class="explanation" data-testid="detail-explanation">
        {detail.explanation}
      </p>
      <div class="detail-cards">
        {e.pos && (
          <section class="card card-drawing">
            <h3>{e.from ? "Asked and held" : "Where it was"}</h3>
            <Drawing from={e.from} pos={e.pos} area={area} refused={e.verdict === "refused" || e.verdict === "hit"} />
          </section>
        )}
        <section class="card">
          <h3>Figures</h3>
          {e.unit !== "" && <AskedBar entry={e} />}
          <dl class="facts">
            <dt>Round trip then</dt>
            <dd data-testid="detail-rtt">{e.rttMs === null ? "not known" : millis(e.rttMs)}</dd>
            {e.from && e.pos && (
              <>
                <dt>Pulled back by</dt>
                <dd>{distanceText(e)}</dd>
                <dt>Asked for</dt>
                <dd>
                  {place(e.from)} <span class="faint">y {e.from.y.toFixed(1)}</span>
                </dd>
              </>
            )}
            {e.pos && (
              <>
                <dt>{e.verdict === "refused" || e.verdict === "hit" ? "Stood at" : "Held at"}</dt>
                <dd>
                  {place(e.pos)} <span class="faint">y {e.pos.y.toFixed(1)}</span>
                </dd>
              </>
            )}
            {e.other && (
              <>
                <dt>About</dt>
                <dd>{e.other}</dd>
              </>
            )}
            <SeenFacts entry={e} />
            <dt>Account</dt>
            <dd>{e.account}</dd>
          </dl>
        </section>
      </div>
      <section>
        <h3>Around it</h3>
        <Timeline items={detail.around} entry={e} />
      </section>
    </article>
  );
}

function sentenceCase(text: string): string {
  const t = capital(text.trim());
  return t === "" || /[.!?]$/.test(t) ? t : `${t}.`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

// distanceText describes the distance and direction from the asked to the held position.
function distanceText(e: Entry): string {
  const dx = e.pos!.x - e.from!.x;
  const dz = e.pos!.z - e.from!.z;
  const dy = e.pos!.y - e.from!.y;
  const far = Math.sqrt(dx * dx + dy * dy + dz * dz);
  const flat = Math.hypot(dx, dz) > 0.05 ? ` to the ${compassDirection(dx, dz)}` : "";
  return `${figure(far, 2)} units${flat}`;
}

async function copyLink(e: Entry): Promise<void> {
  const link = `${location.origin}${location.pathname}#/corrections/${e.id}`;
  try {
    await navigator.clipboard.writeText(link);
    toast("good", "Link copied. Opening it requires a token.");
  } catch {
    toast("bad", `The browser does not allow copying. The link is ${link}`);
  }
}

// AskedBar shows the asked and the allowed value as two bars with the same scale.
function AskedBar({ entry: e }: { entry: Entry }) {
  const max = Math.max(e.asked, e.allowed, 1e-6);
  const over = e.allowed > 0 && e.asked > e.allowed ? e.asked / e.allowed : null;
  const [asked, allowed] = figurePair(e.asked, e.allowed, 2);
  const row = (name: string, value: number, text: string, kind: string, id: string) => (
    <div class="asked-row">
      <span>{name}</span>
      <svg class={`bar bar-${kind}`} width="100%" height="8" preserveAspectRatio="none" viewBox="0 0 100 8" aria-hidden="true">
        <rect class="bar-back" width="100" height="8" />
        <rect width={Math.max(0.8, (Math.max(0, value) / max) * 100)} height="8" />
      </svg>
      <b data-testid={id}>
        {text} {e.unit}
      </b>
    </div>
  );
  return (
    <div class={`asked ${reasonShade(e.reason)}`}>
      {row("Asked", e.asked, asked, "asked", "detail-asked")}
      {row("Allowed", e.allowed, allowed, "allowed", "detail-allowed")}
      {over !== null && <p class="hint">{over >= 10 ? `${count(Math.round(over))} times` : over >= 1.05 ? `${figure(over)} times` : `${figurePair(e.asked - e.allowed, 0, 2)[0]} ${e.unit} more than`} what was allowed.</p>}
    </div>
  );
}

function Timeline({ items, entry }: { items: AroundItem[]; entry: Entry }) {
  if (items.length === 0) return <p class="hint">No other events of this player within these seconds.</p>;
  const zero = Date.parse(entry.at);
  return (
    <ol class="timeline" data-testid="around">
      {items.map((item, i) => {
        const at = Date.parse(item.at);
        const self = item.entry === entry.id;
        return (
          <li key={i} class={`${self ? "timeline-self" : ""} kind-${item.kind}`}>
            <time title={clock(at, true)}>{relative(at - zero)}</time>
            <span class="timeline-dot" aria-hidden="true" />
            <span>
              {item.entry !== null && item.entry !== 0 && !self ? <a href={`#/corrections/${item.entry}`}>{capital(item.text)}</a> : capital(item.text)}
              {self && <b> (this one)</b>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function relative(ms: number): string {
  const s = ms / 1000;
  if (Math.abs(s) < 0.05) return "0 s";
  return `${s > 0 ? "+" : "−"}${Math.abs(s) < 10 ? Math.abs(s).toFixed(1) : Math.round(Math.abs(s))} s`;
}
