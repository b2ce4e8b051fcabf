import { useEffect } from "preact/hooks";
import { api } from "../api/client";
import type { Player, Verdict } from "../api/types";
import { ago, bytes, count, duration, figure, millis, permille, place, plural, reasonText } from "../lib/format";
import { reasonShade, reasonWeight } from "../lib/reasons";
import { useLoaded, useNow } from "../lib/load";
import type { Engine } from "../map/engine";
import { followBack } from "../past/go";
import { useTapes, type Tapes } from "../past/tapes";
import { atLeast, updateRoute, navigate } from "../state";
import { Button, DoorName, Empty, Failure, IconButton, Loading, ReasonDot, Spark, VerdictTag } from "../ui/basics";
import { BookIcon, CloseIcon, FollowIcon, MapIcon, PastIcon, PullIcon } from "../ui/icons";
import { Actions } from "./Actions";
import { Meter } from "./map/NpcPanel";

// PlayerPanel shows everything about one player. The data is polled and at most a second old.
export function PlayerPanel({ entity, onClose, onMap, engine }: { entity: number; onClose: () => void; onMap?: boolean; engine?: Engine | null }) {
  const { data: p, error, reload } = useLoaded(`player ${entity}`, (signal) => api.player(entity, signal), 1000);
  const tapes = useTapes(p === null ? [] : [p.areaId], 15_000);
  const now = useNow();
  // Following continues through portals.
  useEffect(() => {
    if (onMap && p !== null && engine?.following && engine.sample.row(entity) < 0) updateRoute({ area: p.areaId, x: null, z: null, s: null });
  }, [p]);

  const close = (
    <IconButton label="Close the panel" onClick={onClose} data-testid="close-panel">
      <CloseIcon size={18} />
    </IconButton>
  );
  if (p === null || error?.code === "not_found") {
    return (
      <div class="panel" data-testid="player-panel">
        <header class="panel-head">
          <h2>{p?.name ?? "Player"}</h2>
          {close}
        </header>
        {error?.code === "not_found" ? (
          <Empty title="This player is not in the world">
            {p ? `${p.name} has left. The decisions about its inputs are still listed.` : "They may have left, or the link is old."}{" "}
            {p && <a href={`#/corrections?player=${encodeURIComponent(p.name)}`}>See the corrections</a>}
          </Empty>
        ) : error ? (
          <Failure error={error} what="The player" retry={reload} />
        ) : (
          <Loading what="the player" />
        )}
      </div>
    );
  }
  return (
    <div class="panel" data-testid="player-panel" data-entity={entity} data-stale={error !== null}>
      <header class="panel-head">
        <div>
          <h2 data-testid="player-name">{p.name}</h2>
          <p class="panel-sub">
            <DoorName door={p.door} />
            <span>
              level {count(p.level)}
              {p.since !== null && ` · here ${duration(now - Date.parse(p.since))}`}
              {p.node !== null && ` · node ${p.node}`}
            </span>
            {p.dead && <span class="tag tag-dead">dead</span>}
            {p.frozen && <span class="tag tag-frozen">frozen</span>}
          </p>
        </div>
        {close}
      </header>
      <div class="panel-scroll">
        <div class="panel-part">
          <Meter name="Health" share={p.healthMax > 0 ? p.health / p.healthMax : 0} text={`${count(p.health)} / ${count(p.healthMax)}`} />
          <div class="panel-buttons">
            {onMap ? (
              <Button icon={<FollowIcon size={16} />} aria-pressed={engine?.following} onClick={() => updateRoute({ follow: engine?.following ? null : 1 })} data-testid="panel-follow">
                {engine?.following ? "Following" : "Follow"}
              </Button>
            ) : (
              <Button icon={<MapIcon size={16} />} onClick={() => navigate("map", { area: p.areaId, player: entity, follow: 1 })}>
                On the map
              </Button>
            )}
            <Button icon={<PullIcon size={16} />} onClick={() => navigate("corrections", { player: p.name, weight: p.counts.some((c) => reasonWeight(c.reason) === "unusual" || reasonWeight(c.reason) === "suspicious") ? null : "all" })} data-testid="panel-why">
              Why pulled back?
            </Button>
            <Button icon={<BookIcon size={16} />} why={atLeast("moderator") ? null : "Only moderators can read chat."} onClick={() => navigate("audit", { tab: "chat", who: p.account })} data-testid="panel-chat">
              Chat
            </Button>
            <Button icon={<PastIcon size={16} />} why={followDenied(p, tapes)} title="Follow this player on the map, from a minute ago on" onClick={() => followBack(p)} data-testid="follow-back">
              Follow back
            </Button>
          </div>
        </div>
        <Actions player={p} onDone={reload} />
        <Connection p={p} />
        <Counts p={p} />
        <Hits p={p} now={now} />
        <Inventory p={p} />
        <Facts p={p} />
      </div>
    </div>
  );
}

// followDenied returns why a player cannot be followed in the past, or null.
function followDenied(p: Player, tapes: Tapes): string | null {
  const recorded = tapes.get(p.areaId);
  if (recorded === undefined) return "Asking what is recorded…";
  return recorded === null || recorded.spans.length === 0 ? "The past is not recorded: the server's tape is off." : null;
}

function Connection({ p }: { p: Player }) {
  const { lastMinute: past } = p;
  const rtt = past.rttMs.filter((ms) => ms !== null);
  const line = (name: string, value: string, values: number[], id: string) => (
    <tr>
      <th scope="row">{name}</th>
      <td class="num" data-testid={id}>
        {value}
      </td>
      <td class="spark-cell">{values.length > 1 && <Spark values={values} label={`${name} over the last minute`} />}</td>
    </tr>
  );
  return (
    <section class="panel-part">
      <h3>Connection</h3>
      <table class="figures">
        <tbody>
          {line("Round trip", millis(p.rttMs), rtt, "rtt")}
          {line("Bytes in", `${bytes(p.bytesInPerS)}/s`, past.bytesIn, "bytes-in")}
          {line("Bytes out", `${bytes(p.bytesOutPerS)}/s`, past.bytesOut, "bytes-out")}
          {line("Packets in", `${figure(p.packetsInPerS)}/s`, past.packetsIn, "packets-in")}
          {line("Packets out", `${figure(p.packetsOutPerS)}/s`, past.packetsOut, "packets-out")}
        </tbody>
      </table>
      <dl class="facts facts-two">
        <dt>Loss</dt>
        <dd data-testid="loss">{permille(p.lossPermille)}</dd>
        <dt>In view</dt>
        <dd data-testid="in-view">{p.inView === null ? "–" : `${count(p.inView)} actors`}</dd>
      </dl>
    </section>
  );
}

// Counts shows the holds, corrections and refusals of this session by reason, most frequent first.
function Counts({ p }: { p: Player }) {
  const list = p.counts.filter((c) => reasonWeight(c.reason) !== "operator").sort((a, b) => b.n - a.n || b.late - a.late);
  const max = Math.max(1, ...list.map((c) => c.n));
  const late = list.reduce((sum, c) => sum + c.late, 0);
  return (
    <section class="panel-part">
      <h3>
        Pulled back in this session
        <span class="h3-figure" data-testid="pulled">
          {count(p.held + p.corrected)} <span class="faint">+ {count(p.refused)} refused</span>
        </span>
      </h3>
      {list.length === 0 ? (
        <p class="hint">Never: every movement was accepted.</p>
      ) : (
        <ul class="bars" data-testid="counts">
          {list.map((c) => (
            <li key={c.verdict + c.reason}>
              <a class="bar-row" href={`#/corrections?player=${encodeURIComponent(p.name)}&reason=${c.reason}&verdict=${c.verdict}&weight=all`}>
                <span class="bar-name">
                  <ReasonDot name={c.reason} /> {reasonText(c.reason)} <VerdictTag verdict={c.verdict as Verdict} />
                </span>
                <svg class={`bar bar-reason ${reasonShade(c.reason)}`} width="100%" height="4" preserveAspectRatio="none" viewBox="0 0 100 4" aria-hidden="true">
                  <rect width={Math.max(1.5, (c.n / max) * 100)} height="4" />
                </svg>
                <span class="bar-count">{count(c.n)}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {late > 0 && <p class="hint">{plural(late, "decision", "decisions")} of a late server not counted.</p>}
    </section>
  );
}

const shownHits = 8;
const unknownActor = "an actor that has left";

function Hits({ p, now }: { p: Player; now: number }) {
  const list = [...p.hits].sort((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, shownHits);
  return (
    <section class="panel-part">
      <h3>Last hits</h3>
      {list.length === 0 ? (
        <p class="hint">No fights yet.</p>
      ) : (
        <ul class="hits" data-testid="hits">
          {list.map((h, i) => (
            <li key={`${h.at}${i}`} class={`hit-${h.kind}`}>
              <span class="hit-damage">{h.kind === "missed" ? "miss" : count(h.damage)}</span>
              <span>{h.kind === "taken" || h.by !== p.name ? `by ${h.by || unknownActor}` : `on ${h.on || unknownActor}`}</span>
              <time>{ago(Date.parse(h.at), now)}</time>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Inventory({ p }: { p: Player }) {
  return (
    <section class="panel-part">
      <h3>
        Inventory
        <span class="h3-figure">{count(p.gold)} gold</span>
      </h3>
      {p.inventory.length === 0 ? (
        <p class="hint">Empty pockets.</p>
      ) : (
        <ul class="items" data-testid="inventory">
          {p.inventory.map((i) => (
            <li key={i.slot} class={i.worn ? "item-worn" : ""} title={`Slot ${i.slot}${i.worn ? ", worn" : ""}, condition ${i.health} %`}>
              {i.item}
              {i.amount > 1 && <span class="faint"> × {count(i.amount)}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Facts({ p }: { p: Player }) {
  return (
    <section class="panel-part">
      <h3>Facts</h3>
      <dl class="facts">
        <dt>Account</dt>
        <dd>{p.account}</dd>
        <dt>Address</dt>
        <dd data-testid="address">{p.addr}</dd>
        <dt>Area</dt>
        <dd>{p.area}</dd>
        <dt>Place</dt>
        <dd data-testid="place">
          {p.pos ? (
            <>
              {place(p.pos)} <span class="faint">y {p.pos.y.toFixed(1)}</span>
            </>
          ) : (
            "between two areas"
          )}
        </dd>
        {p.targetName && (
          <>
            <dt>Fights</dt>
            <dd>{p.targetName}</dd>
          </>
        )}
        {p.mountName && (
          <>
            <dt>Rides</dt>
            <dd>{p.mountName}</dd>
          </>
        )}
        <dt>Experience</dt>
        <dd>{count(p.xp)}</dd>
        <dt>Entity</dt>
        <dd>{p.entity}</dd>
      </dl>
    </section>
  );
}
