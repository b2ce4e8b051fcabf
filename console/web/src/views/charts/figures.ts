import type { History } from "../../api/types";
import { clock, day } from "../../lib/format";
import type { Line } from "./Plot";

// Time ranges of the charts for which the server keeps values across restarts.
export const ranges = [
  { key: "1d", title: "1 d", ms: 86_400_000 },
  { key: "1w", title: "1 w", ms: 7 * 86_400_000 },
  { key: "30d", title: "30 d", ms: 30 * 86_400_000 },
  { key: "1y", title: "1 y", ms: 365 * 86_400_000 },
];

// times returns the start of every interval in ms since 1970.
export function times(h: History): number[] {
  return Array.from({ length: h.points }, (_, i) => h.from + i * h.stepMs);
}

// figureLine returns the line of a measured value, multiplied by scale, in a list. The line has gaps where the server did not
// run.
export function figureLine(h: History, name: string, title: string, color: string, scale = 1): Line[] {
  const figure = h.figures.find((f) => f.name === name);
  if (figure === undefined) return [];
  return [{ name: title, color, values: figure.values.map((v) => (v === null ? null : v * scale)) }];
}

// perMinute returns the factor that converts the sum over an interval to a number per minute.
export const perMinute = (h: History): number => 60_000 / h.stepMs;

const mostGroups = 6;

// groupLines returns a line for each measured value whose name begins with prefix, largest first. Values that are always 0 are
// omitted. The values after the sixth are summed in one line.
export function groupLines(h: History, prefix: string, title: (rest: string) => string, scale = 1): Line[] {
  const groups = h.figures
    .filter((f) => f.name.startsWith(prefix))
    .map((f) => ({ name: title(f.name.slice(prefix.length)), values: f.values.map((v) => (v === null ? null : v * scale)), sum: f.values.reduce<number>((a, v) => a + (v ?? 0), 0) }))
    .filter((g) => g.sum > 0)
    .sort((a, b) => b.sum - a.sum);
  const lines: Line[] = groups.slice(0, mostGroups).map((g, i) => ({ name: g.name, color: `--chart-${i + 1}`, values: g.values }));
  const rest = groups.slice(mostGroups);
  if (rest.length > 0) {
    const values = rest[0].values.map((_, i) => (rest.every((g) => g.values[i] === null) ? null : rest.reduce((sum, g) => sum + (g.values[i] ?? 0), 0)));
    lines.push({ name: "others", color: "--chart-7", values });
  }
  return lines;
}

// dateLabel returns the label of a time on an axis that spans spanMs, in the operator's zone: the time of day for up to two days,
// else the day. If spanMs is 0, it returns both.
export function dateLabel(ms: number, spanMs: number): string {
  const date = day(ms);
  const time = clock(ms).slice(0, 5);
  if (spanMs === 0) return `${date} ${time}`;
  return spanMs <= 2 * 86_400_000 && time !== "00:00" ? time : date.slice(5);
}
