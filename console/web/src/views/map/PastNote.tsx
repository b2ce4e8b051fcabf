import { useEffect, useRef, useState } from "preact/hooks";
import { ago, clock, day, duration, figure, reasonText, zone } from "../../lib/format";
import type { Engine } from "../../map/engine";
import type { PastControl } from "../../past/control";
import { goLive } from "../../past/go";
import { relativeText } from "../../past/watch";
import { serverNow, updateRoute, world } from "../../state";
import { Button, DoorName, IconButton, ReasonDot, VerdictTag } from "../../ui/basics";
import { CloseIcon, PastIcon, PlayIcon, WarnIcon } from "../../ui/icons";
import { usePastState } from "./TimeBar";

interface Props {
  engine: Engine | null;
  control: PastControl | null;
}

const beatMs = 100;

// useBeat renders a component again ten times a second, because the engine does not notify components of changes.
function useBeat(): void {
  const [, set] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => set((n) => n + 1), beatMs);
    return () => window.clearInterval(timer);
  }, []);
}

// PastBadge is the badge on the map that says that the map shows the past, and which time.
export function PastBadge({ engine, control }: Props) {
  useBeat();
  const drawn = engine?.shownTime ?? NaN;
  const at = control === null || Number.isNaN(drawn) || control.dragging || control.jumping ? (control?.time ?? NaN) : drawn;
  const now = serverNow();
  return (
    <p class="past-badge" data-testid="past-badge">
      <PastIcon size={16} />
      <b>Past</b>
      {!Number.isNaN(at) && (
        <span>
          {day(at) !== day(now) && `${day(at)} `}
          {clock(at)} {zone(at)} <span class="past-ago">{ago(at, now)}</span>
        </span>
      )}
    </p>
  );
}

// PastNote is the sentence at the lower edge of the map: the watched correction, a gap, or why nothing can be shown.
export function PastNote({ engine, control }: Props) {
  const state = usePastState(control);
  if (control === null || state === null) return null;
  if (state.error !== null) {
    return (
      <div class="past-note past-note-bad" role="alert" data-testid="past-error">
        <WarnIcon size={18} />
        <p>{state.error}</p>
        <Button onClick={() => control.seek(control.time)}>Try again</Button>
        {world.get()?.live !== false && <Button onClick={goLive}>Live</Button>}
      </div>
    );
  }
  if (engine?.watched) return <Watching engine={engine} control={control} />;
  if (state.gap?.reloaded) {
    return (
      <div class="past-note" role="status" data-testid="past-reload">
        <p>The world file was reloaded at {clock(state.gap.to)}: from here on its new rules hold.</p>
      </div>
    );
  }
  if (state.gap !== null && state.gap.to > state.gap.from) {
    return (
      <div class="past-note" role="status" data-testid="past-gap">
        <p>
          Nothing was recorded from {clock(state.gap.from)} to {clock(state.gap.to)} ({duration(state.gap.to - state.gap.from)}).
        </p>
      </div>
    );
  }
  return null;
}

// Watching describes the watched correction, with the time until it or since it.
function Watching({ engine, control }: { engine: Engine; control: PastControl }) {
  useBeat();
  const bar = useRef<HTMLSpanElement>(null);
  const { watch } = control;
  const e = engine.watched?.entry;
  const at = engine.shownTime;
  useEffect(() => {
    if (watch === null || bar.current === null) return;
    const share = Math.min(1, Math.max(0, (at - watch.from) / (watch.until - watch.from)));
    bar.current.style.setProperty("width", `${(share * 100).toFixed(1)}%`);
  });
  if (watch === null || e === undefined) return null;
  return (
    <div class="past-note past-watch" data-testid="watching" data-id={e.id}>
      <span class="past-watch-time" data-testid="watch-time">
        {Number.isNaN(at) ? "…" : relativeText(at - watch.at)}
      </span>
      <p>
        <DoorName door={e.door} short /> <b>{e.player}</b> <VerdictTag verdict={e.verdict} /> <ReasonDot name={e.reason} /> {reasonText(e.reason)}
        {e.unit !== "" && (
          <span class="past-figures">
            {" "}
            asked <b class="bad">{figure(e.asked)}</b>, allowed <b class="good">{figure(e.allowed)}</b> {e.unit}
          </span>
        )}
      </p>
      <IconButton
        label="Watch again"
        onClick={() => {
          control.seek(watch.from);
          control.play();
        }}
        data-testid="watch-again"
      >
        <PlayIcon size={16} />
      </IconButton>
      <IconButton label="Close" onClick={() => updateRoute({ watch: null })} data-testid="watch-close">
        <CloseIcon size={16} />
      </IconButton>
      <span class="past-watch-progress" aria-hidden="true">
        <span ref={bar} />
      </span>
    </div>
  );
}
