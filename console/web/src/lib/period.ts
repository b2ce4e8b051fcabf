// Periods in the notation that the server accepts: 90s, 12h, 30d, 1w2d (Go package internal/duration, without fractions of a
// second).

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }; // ms

// parsePeriod returns the length of a period in ms, above 0; null if the text is invalid. Each unit may occur once, weeks and
// days first.
export function parsePeriod(text: string): number | null {
  const parts = /^(?:(\d{1,5})w)?(?:(\d{1,5})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,8})s)?$/.exec(text);
  if (parts === null) return null;
  const ms = ["w", "d", "h", "m", "s"].reduce((sum, unit, i) => sum + Number(parts[i + 1] ?? 0) * units[unit], 0);
  return ms > 0 ? ms : null;
}
