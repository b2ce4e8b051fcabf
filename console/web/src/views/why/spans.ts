// The time spans of the corrections search.
export const spans = [
  { key: "5m", title: "Last 5 minutes", ms: 300_000 },
  { key: "15m", title: "Last 15 minutes", ms: 900_000 },
  { key: "1h", title: "Last hour", ms: 3_600_000 },
  { key: "24h", title: "Last day", ms: 86_400_000 },
];

// spanStart returns the start time of a span in the form that the API expects, or undefined if no span is selected.
export function spanStart(key: string | undefined, now: number): string | undefined {
  const span = spans.find((s) => s.key === key);
  return span === undefined ? undefined : new Date(now - span.ms).toISOString();
}
