// The model of the time bar: the period that it shows, the position of a time on it, and the recorded spans. Times are ms since
// 1970 by the server's clock, positions are pixels from the bar's left edge.

export interface Span {
  from: number;
  to: number;
}

// RecordedSpan is a time recorded without a gap. If it begins with a reload of the world file, no tick is missing between the span
// before and this one.
export interface RecordedSpan extends Span {
  reloaded?: boolean;
}

// Recorded is what a tape holds: recorded spans, oldest first.
export interface Recorded {
  spans: RecordedSpan[];
  tickMs: number;
}

export const hour = 3_600_000;
const minute = 60_000;

// Widths of the bar that the operator can choose, in ms.
export const widths: readonly number[] = [30_000, 2 * minute, 10 * minute, 30 * minute, hour];

// widthText names a width: 30 s, 10 min, 1 h.
export function widthText(ms: number): string {
  if (ms < 100_000) return `${Math.round(ms / 1000)} s`;
  const min = Math.round(ms / minute);
  return min < 60 ? `${min} min` : min % 60 === 0 ? `${min / 60} h` : `${Math.floor(min / 60)} h ${min % 60} min`;
}

// firstWidth returns the smallest width of the bar that shows all recorded spans, at most an hour.
export function firstWidth(recorded: Recorded, end: number): number {
  const { spans } = recorded;
  const length = spans.length === 0 ? 0 : end - spans[0].from;
  return widths.find((w) => w >= length && w >= 2 * minute) ?? hour;
}

// liveView ends at the present.
export function liveView(end: number, width: number): Span {
  return { from: end - width, to: end };
}

// viewAround returns a view of the given width that contains a time. It is the present view unless the time is outside of it or
// near its edge.
export function viewAround(view: Span, at: number, width: number, end: number): Span {
  const same = view.to - view.from === width;
  const edge = width * 0.06;
  if (same && at >= view.from + edge && at <= view.to - edge) return view;
  if (same && view.to >= end && at > view.to - edge) return view; // near the present the view cannot move further
  const to = Math.min(end, same && at > view.to - edge ? at + width * 0.75 : at + width / 2);
  return { from: to - width, to };
}

// zoomView scales a view around the time at, whose position on the bar does not change. The width of the result stays between the
// smallest and longest, and the view ends at the latest at end.
export function zoomView(view: Span, factor: number, at: number, longest: number, end: number): Span {
  const old = view.to - view.from;
  const width = Math.min(longest, Math.max(widths[0], old * factor));
  const share = Math.min(1, Math.max(0, (at - view.from) / old));
  const to = Math.min(end, at + width * (1 - share));
  return { from: to - width, to };
}

export const placeOf = (view: Span, at: number, pixels: number): number => ((at - view.from) / (view.to - view.from)) * pixels;
export const timeAt = (view: Span, x: number, pixels: number): number => view.from + (x / Math.max(1, pixels)) * (view.to - view.from);

// clampTime returns the nearest time that can be shown: a time in a gap becomes the begin of the next recorded span, as the
// server does it. null if nothing is recorded.
export function clampTime(recorded: Recorded, at: number): number | null {
  const { spans } = recorded;
  if (spans.length === 0) return null;
  for (const s of spans) if (at <= s.to) return Math.max(at, s.from);
  return spans[spans.length - 1].to;
}

export const isRecorded = (recorded: Recorded, at: number): boolean => recorded.spans.some((s) => at >= s.from && at <= s.to);

// gapsOf returns the times between recorded spans within a view, and the reloads of the world file.
export function gapsOf(recorded: Recorded, view: Span): RecordedSpan[] {
  const list: RecordedSpan[] = [];
  recorded.spans.slice(1).forEach((s, i) => {
    const gap = { from: recorded.spans[i].to, to: s.from, ...(s.reloaded && { reloaded: true }) };
    if (gap.to > view.from && gap.from < view.to) list.push(gap);
  });
  return list;
}

// growing extends the last recorded span to the present if the server is recording, because the answer with the spans is some
// seconds old.
export function growing(recorded: Recorded, now: number): Recorded {
  const last = recorded.spans[recorded.spans.length - 1];
  if (last === undefined || now <= last.to || now - last.to > staleAfter) return recorded;
  return { ...recorded, spans: [...recorded.spans.slice(0, -1), { ...last, to: now }] };
}

const staleAfter = 20_000; // age in ms above which a recorded span is not extended to the present

// Labels of the axis are full seconds, minutes or hours of the operator's clock, at least gap pixels apart.
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400];

export function axisStep(view: Span, pixels: number, gap: number): number {
  const least = ((view.to - view.from) / 1000) * (gap / Math.max(1, pixels));
  return (steps.find((s) => s >= least) ?? steps[steps.length - 1]) * 1000;
}

// axisTimes returns the times of the labels. shift is the operator's zone: ms to add to UTC for local time.
export function axisTimes(view: Span, step: number, shift: number): number[] {
  const list: number[] = [];
  for (let t = Math.ceil((view.from + shift) / step) * step - shift; t <= view.to; t += step) list.push(t);
  return list;
}

// Mark is an event on the bar: a correction or a death.
export interface Mark {
  at: number;
  kind: "held" | "corrected" | "died";
  shade: string; // CSS class with the colour of the mark's reason
  text: string;
}

// nearestMark returns the mark nearest to the position x, at most reach pixels away; null if there is none.
export function nearestMark(marks: readonly Mark[], view: Span, x: number, pixels: number, reach: number): Mark | null {
  let best: Mark | null = null;
  let far = reach;
  for (const mark of marks) {
    const d = Math.abs(placeOf(view, mark.at, pixels) - x);
    if (d <= far) {
      best = mark;
      far = d;
    }
  }
  return best;
}

// markPath returns the SVG path of the strokes of one colour, at most one stroke for each pixel. Deaths are drawn differently.
export function markPath(marks: readonly Mark[], shade: string, view: Span, pixels: number, top: number, bottom: number): string {
  const seen = new Set<number>();
  for (const mark of marks) {
    if (mark.kind === "died" || mark.shade !== shade || mark.at < view.from || mark.at > view.to) continue;
    seen.add(Math.round(placeOf(view, mark.at, pixels)));
  }
  return [...seen].map((x) => `M${x + 0.5} ${top}V${bottom}`).join("");
}
