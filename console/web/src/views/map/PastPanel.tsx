import { useEffect, useState } from "preact/hooks";
import type { Area, Entry } from "../../api/types";
import { clock, count, place, zone } from "../../lib/format";
import type { Engine } from "../../map/engine";
import { npcKind } from "../../map/crowd";
import type { PastEvents } from "../../past/events";
import { goLive } from "../../past/go";
import type { Tapes } from "../../past/tapes";
import { navigate, updateRoute, world } from "../../state";
import { Button, DoorName, Empty, IconButton } from "../../ui/basics";
import { CloseIcon, FollowIcon, PullIcon } from "../../ui/icons";
import { ActionButtons } from "../Actions";
import { FeedRow, Tile } from "./AreaPanel";
import { Meter, stateNames } from "./NpcPanel";

const beatMs = 200;
const shownEntries = 30;
const justNow = 2500; // entries at most this many ms older than the shown time are highlighted

function useBeat(): void {
  const [, set] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => set((n) => n + 1), beatMs);
    return () => window.clearInterval(timer);
  }, []);
}

// entriesUntil returns the newest entries that are not later than the time at. The maximum number of entries is most.
export function entriesUntil(entries: readonly Entry[], at: number, most: number): Entry[] {
  const list: Entry[] = [];
  for (const e of entries) {
    if (Date.parse(e.at) <= at) list.push(e);
    if (list.length >= most) break;
  }
  return list;
}

function Entries({ entries, at, tapes }: { entries: readonly Entry[]; at: number; tapes: Tapes }) {
  return (
    <ul class="feed" data-testid="past-entries">
      {entries.map((e) => (
        <FeedRow key={e.id} entry={e} tapes={tapes} now={at - Date.parse(e.at) < justNow} />
      ))}
    </ul>
  );
}

// PastAreaPanel is shown beside a recording while no actor is selected.
export function PastAreaPanel({ area, engine, onClose, events, tapes }: { area: Area; engine: Engine | null; onClose: () => void; events: PastEvents; tapes: Tapes }) {
  useBeat();
  const at = engine?.shownTime ?? NaN;
  const { frame } = engine?.sample ?? { frame: null };
  let players = 0;
  let dead = 0;
  if (frame !== null) {
    for (let i = 0; i < frame.count; i++) {
      if (frame.kind[i] !== npcKind) players++;
      if (frame.health[i] === 0) dead++;
    }
  }
  const list = entriesUntil(events.entries, at, shownEntries);
  return (
    <div class="panel panel-past" data-testid="past-area-panel">
      <header class="panel-head">
        <div>
          <h2>{area.name}</h2>
          <p class="panel-sub">{Number.isNaN(at) ? "Opening the recording…" : `As it was at ${clock(at)} ${zone(at)}`}</p>
        </div>
        <IconButton label="Close the panel" onClick={onClose}>
          <CloseIcon size={18} />
        </IconButton>
      </header>
      <dl class="tiles tiles-three">
        <Tile name="Players" value={count(players)} />
        <Tile name="Actors" value={count(frame?.count)} />
        <Tile name="Dead" value={count(dead)} />
      </dl>
      <section class="panel-part panel-grow">
        <h3>Pulled back until then</h3>
        {list.length === 0 ? <Empty title="Nobody had been pulled back">Holds and corrections of the hour before appear here.</Empty> : <Entries entries={list} at={at} tapes={tapes} />}
      </section>
    </div>
  );
}

// PastPlayerPanel shows a player's state in the recording. Actions are disabled, because they would affect the present.
export function PastPlayerPanel({ entity, engine, onClose, entries, tapes }: { entity: number; engine: Engine | null; onClose: () => void; entries: readonly Entry[]; tapes: Tapes }) {
  useBeat();
  const row = engine?.selectedRow() ?? -1;
  const { sample } = engine ?? { sample: null };
  const frame = sample?.frame ?? null;
  const at = engine?.shownTime ?? NaN;
  const known = row < 0 ? undefined : engine!.known.get(frame!.ids[row]);
  const name = known?.name ?? engine?.selectedName ?? "Player";
  const mine = entriesUntil(entries.filter((e) => e.player === name), at, shownEntries);
  return (
    <div class="panel panel-past" data-testid="past-player-panel" data-entity={entity}>
      <header class="panel-head">
        <div>
          <h2 data-testid="player-name">{name}</h2>
          <p class="panel-sub">
            {known?.door && <DoorName door={known.door} />}
            <span>{Number.isNaN(at) ? "Opening the recording…" : `at ${clock(at)} ${zone(at)}`}</span>
          </p>
        </div>
        <IconButton label="Close the panel" onClick={onClose} data-testid="close-panel">
          <CloseIcon size={18} />
        </IconButton>
      </header>
      <div class="panel-scroll">
        {row < 0 ? (
          <Empty title={`${name} is not in this area at this time`}>Move the time, or look at another area: the map follows {name} again as soon as they appear.</Empty>
        ) : (
          <div class="panel-part">
            <Meter name="Health" share={frame!.health[row] / 255} text={`${Math.round((frame!.health[row] / 255) * 100)} %`} />
            <dl class="facts">
              <dt>State</dt>
              <dd>{stateNames(frame!.flags[row])}</dd>
              <dt>Place</dt>
              <dd data-testid="place">
                {place({ x: sample!.x[row], z: sample!.z[row] })} <span class="faint">y {sample!.y[row].toFixed(1)}</span>
              </dd>
            </dl>
          </div>
        )}
        <div class="panel-part">
          <div class="panel-buttons panel-buttons-first">
            <Button icon={<FollowIcon size={16} />} aria-pressed={engine?.following} onClick={() => updateRoute({ follow: engine?.following ? null : 1 })} data-testid="panel-follow">
              {engine?.following ? "Following" : "Follow"}
            </Button>
            <Button icon={<PullIcon size={16} />} onClick={() => navigate("corrections", { player: name })}>
              Why pulled back?
            </Button>
          </div>
        </div>
        <section class="panel-part" aria-label="Actions">
          <h3>Actions</h3>
          <ActionButtons denied={pastDenied} banDenied={pastDenied} itemsDenied={pastDenied} frozen={false} muted={false} empty={false} onAction={() => undefined} />
          <p class="hint">
            Actions apply to the present.{" "}
            {world.get()?.live !== false && (
              <button type="button" class="text-button" onClick={goLive}>
                Go live
              </button>
            )}
          </p>
        </section>
        <section class="panel-part">
          <h3>Pulled back until then</h3>
          {mine.length === 0 ? <p class="hint">Not in the hour before.</p> : <Entries entries={mine} at={at} tapes={tapes} />}
        </section>
      </div>
    </div>
  );
}

const pastDenied = "The map shows the past. Go live to act on a player.";
