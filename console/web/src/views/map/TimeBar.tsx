import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ago, clock, day, duration, zone } from "../../lib/format";
import { useNow } from "../../lib/load";
import type { Engine } from "../../map/engine";
import { speeds } from "../../past/commands";
import type { PastControl } from "../../past/control";
import { enterPast, goLive } from "../../past/go";
import { axisStep, axisTimes, clampTime, firstWidth, gapsOf, growing, hour, liveView, markPath, nearestMark, placeOf, timeAt, viewAround, widths, widthText, zoomView, type Mark, type Recorded, type Span } from "../../past/strip";
import { serverNow } from "../../state";
import { IconButton } from "../../ui/basics";
import { PauseIcon, PlayIcon, StepBackIcon, StepIcon } from "../../ui/icons";

interface Props {
  engine: Engine | null;
  control: PastControl | null; // null: live
  recorded: Recorded | null | undefined; // null: there is no tape, undefined: not known yet
  marks: Mark[];
  live: boolean; // there is a live world to return to
}

// TimeBar is the bar below the map for the last hour: recorded spans, corrections and deaths, and the time that the map shows.
export function TimeBar({ engine, control, recorded, marks, live }: Props) {
  if (recorded === undefined) return <div class="time-bar" aria-hidden="true" />;
  if (recorded === null && control === null) {
    return (
      <div class="time-bar time-bar-off" data-testid="time-bar" data-state="off">
        <p class="hint">The past is not recorded: this server runs with <code>--tape off</code> or <code>--tape-retain 0</code>.</p>
      </div>
    );
  }
  return <Bar engine={engine} control={control} recorded={recorded ?? { spans: [], tickMs: 50 }} marks={marks} live={live} />;
}

function Bar({ engine, control, recorded: answered, marks, live }: Props & { recorded: Recorded }) {
  useNow(1000);
  const now = live ? serverNow() : (answered.spans[answered.spans.length - 1]?.to ?? 0);
  const recorded = live ? growing(answered, now) : answered;
  const [width, setWidth] = useState<number | null>(null); // time span that the operator has chosen, in ms; null: the recording determines the span
  const first = recorded.spans[0]?.from ?? now;
  const longest = Math.max(hour, now - first);
  const shownWidth = width ?? firstWidth(recorded, now);
  const end = useRef<number | null>(null); // end of the view; null: the present
  const at = control === null ? now : control.time;
  const before = liveView(end.current ?? now, shownWidth);
  const view = control === null ? liveView(now, shownWidth) : control.dragging ? before : viewAround(before, at, shownWidth, now);
  end.current = view.to >= now - 1500 ? null : view.to;

  const zoom = (factor: number, around: number) => {
    const next = zoomView(view, factor, around, longest, now);
    end.current = next.to >= now - 1500 ? null : next.to;
    setWidth(next.to - next.from);
  };
  const nextWidth = () => {
    const i = widths.findIndex((w) => w > shownWidth + 1);
    const wider = i < 0 ? (shownWidth + 1 < longest ? longest : widths[0]) : widths[i];
    const to = Math.min(now, at + wider * 0.5);
    end.current = to >= now - 1500 ? null : to;
    setWidth(wider);
  };
  return (
    <div class="time-bar" role="group" aria-label="Time" data-testid="time-bar" data-state={control === null ? "live" : "past"}>
      <Transport engine={engine} control={control} />
      <Strip engine={engine} control={control} recorded={recorded} marks={marks} view={view} now={now} live={live} zoom={zoom} />
      <div class="time-end">
        <button type="button" class="chip time-width" onClick={nextWidth} title="How much time the bar shows; the wheel zooms, too" data-testid="time-width">
          {widthText(shownWidth)}
        </button>
        <Clock engine={engine} control={control} />
        {live && (
          <button type="button" class="live-button" aria-pressed={control === null} onClick={goLive} title={control === null ? "The map shows the present" : "Back to the present (End)"} data-testid="live">
            <span class="live-dot" aria-hidden="true" />
            Live
          </button>
        )}
      </div>
    </div>
  );
}

// togglePlaying pauses or plays the recording. From the live map it opens the recording, paused.
export function togglePlaying(engine: Engine | null, control: PastControl | null): void {
  if (control !== null) control.toggle();
  else enterPast(shownNow(engine), false);
}

// stepTicks steps the recording by a number of ticks, back if it is negative. From the live map, a step back opens the
// recording.
export function stepTicks(engine: Engine | null, control: PastControl | null, ticks: number): void {
  if (control !== null) control.step(ticks);
  else if (ticks < 0) enterPast(shownNow(engine), false);
}

function shownNow(engine: Engine | null): number {
  const at = engine?.shownTime ?? NaN;
  return Number.isNaN(at) ? serverNow() : at;
}

const speedText = (speed: number) => `×${speed}`;

function Transport({ engine, control }: { engine: Engine | null; control: PastControl | null }) {
  const state = usePastState(control);
  const playing = state === null || state.playing;
  return (
    <div class="transport">
      <IconButton label="One tick back" title="One tick back ([)" onClick={() => stepTicks(engine, control, -1)} data-testid="step-back">
        <StepBackIcon size={18} />
      </IconButton>
      <IconButton label={playing ? "Pause" : "Play"} title={`${playing ? "Pause" : "Play"} (Space)`} class="transport-play" onClick={() => togglePlaying(engine, control)} data-testid="play" data-playing={playing}>
        {playing ? <PauseIcon size={18} /> : <PlayIcon size={18} />}
      </IconButton>
      <IconButton label="One tick on" title="One tick on (])" disabled={control === null} onClick={() => stepTicks(engine, control, 1)} data-testid="step">
        <StepIcon size={18} />
      </IconButton>
      <select
        class="speed"
        aria-label="Speed"
        title="Speed (< slower, > faster)"
        disabled={control === null}
        value={String(state?.speed ?? 1)}
        onChange={(e) => control?.setSpeed(Number(e.currentTarget.value))}
        data-testid="speed"
      >
        {speeds.map((s) => (
          <option key={s} value={String(s)}>
            {speedText(s)}
          </option>
        ))}
      </select>
    </div>
  );
}

// usePastState returns the state of a recording, null while the map is live.
export function usePastState(control: PastControl | null) {
  const [state, set] = useState(() => control?.state.get() ?? null);
  useEffect(() => {
    set(control?.state.get() ?? null);
    return control?.state.watch(set);
  }, [control]);
  return control === null ? null : state;
}

// useFrames calls paint in every frame that the browser draws.
function useFrames(paint: () => void): void {
  const latest = useRef(paint);
  latest.current = paint;
  useEffect(() => {
    let request = 0;
    const loop = () => {
      latest.current();
      request = requestAnimationFrame(loop);
    };
    request = requestAnimationFrame(loop);
    return () => cancelAnimationFrame(request);
  }, []);
}

// shownTime returns the time to display: the time to which the operator drags, else the time that the map shows.
function shownTime(engine: Engine | null, control: PastControl | null): number {
  if (control === null) return serverNow();
  const drawn = engine?.shownTime ?? NaN;
  return control.dragging || control.jumping || Number.isNaN(drawn) ? control.time : drawn;
}

// Clock shows the time of the map, in the operator's zone.
function Clock({ engine, control }: { engine: Engine | null; control: PastControl | null }) {
  const main = useRef<HTMLSpanElement>(null);
  const place = useRef<HTMLSpanElement>(null);
  const about = useRef<HTMLSpanElement>(null);
  useFrames(() => {
    if (main.current === null || place.current === null || about.current === null) return; // the bar is being removed from the page
    const at = shownTime(engine, control);
    const now = serverNow();
    const time = clock(at, control !== null);
    const parts = [day(at) === day(now) ? "" : day(at), control === null ? "" : ago(at, now)].filter(Boolean);
    write(main.current, time);
    write(place.current, zone(at));
    write(about.current, parts.map((part) => ` · ${part}`).join(""));
  });
  return (
    <time class="bar-clock" data-testid="shown-time">
      <span ref={main} class="bar-clock-main" />
      <span class="bar-clock-sub">
        <span ref={place} />
        <span ref={about} class="bar-clock-about" />
      </span>
    </time>
  );
}

// write sets the text of an element if it differs.
function write(to: HTMLElement, text: string): void {
  if (to.textContent !== text) to.textContent = text;
}

const bandTop = 6;
const bandBottom = 28;
const stripHeight = 46;
const liveReach = 5; // a drag that ends within this many pixels of the present returns to the live map
const labelGap = 84; // minimum distance of two labels of the axis in pixels

interface StripProps {
  engine: Engine | null;
  control: PastControl | null;
  recorded: Recorded;
  marks: Mark[];
  view: Span;
  now: number;
  live: boolean;
  zoom: (factor: number, around: number) => void;
}

// Strip draws the recorded spans with their marks. The operator drags it to change the time.
function Strip({ engine, control, recorded, marks, view, now, live, zoom }: StripProps) {
  const box = useRef<HTMLDivElement>(null);
  const head = useRef<SVGGElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const [pixels, setPixels] = useState(600);
  const [hover, setHover] = useState<number | null>(null); // pixels
  const pointer = useRef<number | null>(null); // id of the pointer that drags; null for none
  const wanted = useRef<number | null>(null); // time to which the operator drags; null without a drag
  const state = usePastState(control);

  useEffect(() => {
    const observer = new ResizeObserver(() => setPixels(Math.max(40, box.current?.clientWidth ?? 0)));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);

  useFrames(() => {
    const at = wanted.current ?? shownTime(engine, control);
    const x = Math.max(0, Math.min(pixels, placeOf(view, at, pixels)));
    head.current?.setAttribute("transform", `translate(${x.toFixed(1)} 0)`);
  });

  // If a recording opens while the operator drags the time bar, the recording follows the drag.
  useEffect(() => {
    if (control !== null && pointer.current !== null) control.drag();
  }, [control]);

  const timeOf = (x: number) => clampTime(recorded, Math.min(now, timeAt(view, x, pixels)));
  const place = (e: MouseEvent) => e.clientX - box.current!.getBoundingClientRect().left;
  const atPresent = (x: number) => live && x >= placeOf(view, now, pixels) - liveReach;

  const move = (x: number) => {
    const at = timeOf(x);
    if (at === null) return;
    wanted.current = at;
    if (control !== null) control.seek(at);
    else if (!atPresent(x)) enterPast(at, true);
  };
  const press = (e: PointerEvent) => {
    if ((e.pointerType === "mouse" && e.button !== 0) || pointer.current !== null) return;
    pointer.current = e.pointerId;
    box.current!.setPointerCapture(e.pointerId);
    box.current!.focus({ preventScroll: true });
    control?.drag();
    const x = place(e);
    const near = nearestMark(marks, view, x, pixels, e.pointerType === "mouse" ? 2.5 : 0);
    move(near === null ? x : placeOf(view, near.at, pixels));
    e.preventDefault();
  };
  const drag = (e: PointerEvent) => {
    const x = place(e);
    setHover(e.pointerType === "mouse" || pointer.current !== null ? x : null);
    if (e.pointerId === pointer.current) move(x);
  };
  const release = (e: PointerEvent) => {
    if (e.pointerId !== pointer.current) return;
    pointer.current = null;
    wanted.current = null;
    control?.drop();
    if (e.pointerType !== "mouse") setHover(null);
    if (atPresent(place(e))) goLive();
  };
  const wheel = (e: WheelEvent) => {
    e.preventDefault();
    const turn = Math.max(-300, Math.min(300, e.deltaY * (e.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 : 1)));
    zoom(Math.exp(turn * 0.003), timeAt(view, place(e), pixels));
  };
  const wheelNow = useRef(wheel);
  wheelNow.current = wheel;
  useEffect(() => {
    const listen = (e: WheelEvent) => wheelNow.current(e);
    box.current!.addEventListener("wheel", listen, { passive: false });
    return () => box.current?.removeEventListener("wheel", listen);
  }, []);

  const jump = (ms: number) => {
    const at = (control === null ? shownNow(engine) : control.time) + ms;
    if (live && at >= now - 300) {
      if (control !== null) goLive();
      return;
    }
    const to = clampTime(recorded, at);
    if (to === null) return;
    if (control === null) enterPast(to, false);
    else control.seek(to);
  };
  const keys: Record<string, (e: KeyboardEvent) => void> = {
    ArrowLeft: (e) => jump(e.shiftKey ? -10_000 : -1000),
    ArrowRight: (e) => jump(e.shiftKey ? 10_000 : 1000),
    PageDown: () => jump(-60_000),
    PageUp: () => jump(60_000),
  };
  const key = (e: KeyboardEvent) => {
    const act = e.ctrlKey || e.metaKey || e.altKey ? undefined : keys[e.key];
    if (act === undefined) return;
    e.preventDefault();
    act(e);
  };

  const at = control === null ? now : control.time;
  const watch = control?.watch ?? null;
  const hovered = hover === null ? null : timeAt(view, hover, pixels);
  const near = hover === null ? null : nearestMark(marks, view, hover, pixels, 3);
  useEffect(() => {
    if (tip.current !== null && hover !== null) tip.current.style.setProperty("left", `${Math.max(0, Math.min(pixels, hover))}px`);
  });
  const first = recorded.spans[0]?.from ?? now;
  return (
    <div
      class="strip"
      ref={box}
      role="slider"
      tabIndex={0}
      aria-label="Time that the map shows"
      aria-valuemin={Math.round(first / 1000)}
      aria-valuemax={Math.round(now / 1000)}
      aria-valuenow={Math.round(at / 1000)}
      aria-valuetext={control === null ? "live" : `${clock(at)} ${zone(at)}, ${ago(at, now)}`}
      onPointerDown={press}
      onPointerMove={drag}
      onPointerUp={release}
      onPointerCancel={release}
      onPointerLeave={() => setHover(null)}
      onKeyDown={key}
      data-testid="strip"
      data-from={Math.round(view.from)}
      data-to={Math.round(view.to)}
    >
      <Picture view={view} recorded={recorded} marks={marks} pixels={pixels} now={now} live={live} watch={watch} />
      <svg class="strip-layer" width={pixels} height={stripHeight} aria-hidden="true">
        {hover !== null && <path class="strip-hover" d={`M${Math.round(hover) + 0.5} ${bandTop - 2}V${bandBottom + 2}`} />}
        <g ref={head} class={`strip-head ${control === null ? "strip-head-live" : ""}`}>
          <path class="strip-head-line" d={`M0 ${bandTop - 3}V${bandBottom + 3}`} />
          <path class="strip-head-knob" d={`M-5.5 0h11v6L0 ${bandTop + 6}-5.5 6Z`} />
        </g>
      </svg>
      {hovered !== null && (
        <div class="strip-tip" ref={tip} data-testid="strip-tip">
          <b>{clock(hovered, view.to - view.from < 150_000)}</b>
          {near !== null ? <span class={`tip-${near.kind}`}>{near.text}</span> : <span class="faint">{aboutTime(recorded, hovered, now)}</span>}
        </div>
      )}
      {state?.ready === false && state.error === null && <span class="strip-busy" role="status" aria-label="Opening the recording" />}
    </div>
  );
}

// aboutTime returns a text about the time under the pointer. It is used if no mark is there.
function aboutTime(recorded: Recorded, at: number, now: number): string {
  if (at > now) return "";
  const { spans } = recorded;
  if (spans.length === 0 || at < spans[0].from) return "not recorded, or no longer kept";
  const gap = spans.slice(1).find((s, i) => at > spans[i].to && at < s.from);
  return gap === undefined ? ago(at, now) : gap.reloaded ? "the world file was reloaded" : "not recorded";
}

interface PictureProps {
  view: Span;
  recorded: Recorded;
  marks: Mark[];
  pixels: number;
  now: number;
  live: boolean;
  watch: { from: number; at: number; until: number } | null;
}

// Picture draws the parts of the time bar that do not change in every frame.
function Picture({ view, recorded, marks, pixels, now, live, watch }: PictureProps) {
  const step = axisStep(view, pixels, labelGap);
  const labels = useMemo(() => axisTimes(view, step, -new Date(view.to).getTimezoneOffset() * 60_000), [view.from, view.to, step]);
  const x = (t: number) => placeOf(view, t, pixels);
  const cut = (s: Span) => {
    const from = Math.max(0, x(s.from));
    return { x: from, width: Math.max(1, Math.min(pixels, x(s.to)) - from) };
  };
  const high = bandBottom - bandTop;
  return (
    <svg class="strip-layer" width={pixels} height={stripHeight} aria-hidden="true">
      <defs>
        <pattern id="strip-gap" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path class="strip-gap-line" d="M0 0V6" />
        </pattern>
        <clipPath id="strip-band">
          <rect y={bandTop} width={pixels} height={high} rx="4" />
        </clipPath>
      </defs>
      <rect class="strip-back" y={bandTop} width={pixels} height={high} rx="4" />
      <g clip-path="url(#strip-band)">
        {recorded.spans
          .filter((s) => s.to > view.from && s.from < view.to)
          .map((s) => (
            <rect key={s.from} class="strip-span" y={bandTop} height={high} {...cut(s)} data-testid="strip-span" />
          ))}
        {gapsOf(recorded, view).map((g) =>
          g.reloaded ? (
            <rect key={g.from} class="strip-reload" y={bandTop} height={high} {...cut(g)} data-testid="strip-reload">
              <title>the world file was reloaded</title>
            </rect>
          ) : (
            <rect key={g.from} class="strip-gap" y={bandTop} height={high} fill="url(#strip-gap)" {...cut(g)} data-testid="strip-gap">
              <title>{`not recorded for ${duration(g.to - g.from)}`}</title>
            </rect>
          ),
        )}
        {watch !== null && watch.until > view.from && watch.from < view.to && (
          <rect class="strip-watch" y={bandTop} height={high} {...cut({ from: watch.from, to: watch.until })} data-testid="strip-watch" />
        )}
        {[...new Set(marks.map((m) => m.shade))].filter(Boolean).map((shade) => (
          <path key={shade} class={`strip-mark ${shade}`} d={markPath(marks, shade, view, pixels, bandTop + 9, bandBottom)} data-testid="strip-mark" />
        ))}
        <path class="strip-died" d={crosses(marks, view, pixels)} data-testid="strip-died" />
      </g>
      {live && x(now) <= pixels + 1 && <circle class="strip-now" cx={Math.min(pixels - 3, x(now))} cy={(bandTop + bandBottom) / 2} r="3" />}
      {labels.map((t) => {
        const at = x(t);
        return at < 22 || at > pixels - 22 ? null : (
          <g key={t}>
            <path class="strip-tick" d={`M${Math.round(at) + 0.5} ${bandBottom}v4`} />
            <text class="strip-label" x={at} y={stripHeight - 4}>
              {step < 60_000 ? clock(t) : clock(t).slice(0, 5)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

// crosses returns the SVG path of the deaths, each a small cross at the top of the band.
function crosses(marks: readonly Mark[], view: Span, pixels: number): string {
  const seen = new Set<number>();
  for (const m of marks) if (m.kind === "died" && m.at >= view.from && m.at <= view.to) seen.add(Math.round(placeOf(view, m.at, pixels)));
  return [...seen].map((x) => `M${x - 2.5} ${bandTop + 2}l5 5m0-5-5 5`).join("");
}
