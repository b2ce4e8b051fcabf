// Formatting of numbers and times. The functions accept all values that the API returns and never throw for NaN, Infinity or
// null.

const dash = "–";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

// count writes 12,345.
export function count(n: number | null | undefined): string {
  return n === null || n === undefined || !Number.isFinite(n) ? dash : whole.format(n);
}

// figure writes a number: from 100 on without decimals, from 1 on with at most the given decimals, below 1 with two significant digits.
export function figure(n: number | null | undefined, decimals = 1): string {
  if (n === null || n === undefined || !Number.isFinite(n)) return dash;
  if (Math.abs(n) >= 100) return whole.format(n);
  return Math.abs(n) >= 1 ? String(Number(n.toFixed(decimals))) : Math.abs(n) < 1e-6 ? "0" : String(Number(n.toPrecision(2)));
}

// figurePair writes two numbers that a rule compared, with as many digits as are needed to distinguish them: 0.504 and 0.5, not
// 0.5 twice.
export function figurePair(asked: number, allowed: number, decimals = 1): [string, string] {
  let pair: [string, string] = [figure(asked, decimals), figure(allowed, decimals)];
  for (let digits = 1; pair[0] === pair[1] && asked !== allowed && digits <= 9; digits++) {
    pair = [String(Number(asked.toFixed(digits))), String(Number(allowed.toFixed(digits)))];
  }
  return pair;
}

// bytes writes 812 B, 1.4 KB, 3.2 MB (powers of 1000).
export function bytes(n: number | null | undefined): string {
  if (n === null || n === undefined || !Number.isFinite(n)) return dash;
  const units = ["B", "KB", "MB", "GB", "TB"];
  let unit = 0;
  while (Math.abs(n) >= 999.5 && unit < units.length - 1) {
    n /= 1000;
    unit++;
  }
  return `${unit > 0 && Math.abs(n) < 99.5 ? n.toFixed(1) : Math.round(n)} ${units[unit]}`;
}

// micros writes microseconds as 84 µs or 2.41 ms.
export function micros(us: number | null | undefined): string {
  if (us === null || us === undefined || !Number.isFinite(us)) return dash;
  if (us < 999.5) return `${Math.round(us)} µs`;
  const ms = us / 1000;
  return `${ms < 9.995 ? ms.toFixed(2) : figure(ms)} ms`;
}

// millis writes a round-trip time.
export function millis(ms: number | null | undefined): string {
  return ms === null || ms === undefined || !Number.isFinite(ms) ? dash : `${Math.round(ms)} ms`;
}

// permille writes thousandths as a percentage.
export function permille(n: number | null | undefined): string {
  return n === null || n === undefined || !Number.isFinite(n) ? dash : `${(n / 10).toFixed(n > 0 && n < 100 ? 1 : 0)} %`;
}

// duration writes a number of ms in its two largest units: 42 s, 5 min 10 s, 3 h 12 min, 2 d 4 h.
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return dash;
  const s = Math.max(0, Math.floor(ms / 1000));
  if (s < 60) return `${s} s`;
  const min = Math.floor(s / 60);
  if (min < 60) return s % 60 === 0 ? `${min} min` : `${min} min ${s % 60} s`;
  const h = Math.floor(min / 60);
  if (h < 24) return min % 60 === 0 ? `${h} h` : `${h} h ${min % 60} min`;
  const d = Math.floor(h / 24);
  return h % 24 === 0 ? `${d} d` : `${d} d ${h % 24} h`;
}

// ago writes how long before now a time was.
export function ago(at: number, now: number): string {
  const ms = now - at;
  if (!Number.isFinite(ms)) return dash;
  if (ms < 1500) return "just now";
  const s = Math.round(ms / 1000);
  if (s < 60) return `${s} s ago`;
  if (s < 3600) return `${Math.floor(s / 60)} min ago`;
  if (s < 86_400) return `${Math.floor(s / 3600)} h ago`;
  return `${Math.floor(s / 86_400)} d ago`;
}

const two = (n: number) => String(n).padStart(2, "0");

// clock writes a time of day in the operator's time zone. If tenths is true, it includes tenths of a second.
export function clock(at: number, tenths = false): string {
  const t = new Date(at);
  if (Number.isNaN(t.getTime())) return dash;
  const time = `${two(t.getHours())}:${two(t.getMinutes())}:${two(t.getSeconds())}`;
  return tenths ? `${time}.${Math.floor(t.getMilliseconds() / 100)}` : time;
}

// zone returns the name of the operator's time zone at a time: UTC, GMT+2, EST.
export function zone(at: number): string {
  const part = Number.isNaN(at) ? undefined : zoneFormat.formatToParts(at).find((p) => p.type === "timeZoneName");
  return part?.value ?? "";
}

const zoneFormat = new Intl.DateTimeFormat("en", { timeZoneName: "short" });

// day writes 2026-01-02, in the operator's zone.
export function day(at: number): string {
  const t = new Date(at);
  return Number.isNaN(t.getTime()) ? dash : `${t.getFullYear()}-${two(t.getMonth() + 1)}-${two(t.getDate())}`;
}

// stamp writes a time as day, time of day and time zone.
export function stamp(at: number): string {
  return Number.isNaN(at) ? dash : `${day(at)} ${clock(at)} ${zone(at)}`;
}

// place writes a position, rounded to a tenth of a unit.
export function place(p: { x: number; z: number } | null | undefined): string {
  return p ? `${p.x.toFixed(1)}, ${p.z.toFixed(1)}` : dash;
}

// winds are the names of the eight compass directions, clockwise from north.
const winds = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];

// compassDirection names the direction of a vector: x grows to the east, z to the north.
export function compassDirection(dx: number, dz: number): string {
  if (!Number.isFinite(dx) || !Number.isFinite(dz) || (dx === 0 && dz === 0)) return "";
  const eighths = Math.round(Math.atan2(dx, dz) / (Math.PI / 4));
  return winds[(eighths + 8) % 8];
}

// reasonText turns the name of a reason into words: too_fast becomes "too fast".
export function reasonText(name: string): string {
  return name.replaceAll("_", " ");
}

// plural writes "1 player", "2 players".
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

// roundStep returns the largest number of the form 1, 2 or 5 times a power of ten that is at most n, for scale bars and grids.
export function roundStep(n: number): number {
  if (!(n > 0) || !Number.isFinite(n)) return 1;
  const power = 10 ** Math.floor(Math.log10(n) + 1e-9);
  const lead = n / power;
  return (lead >= 5 - 1e-9 ? 5 : lead >= 2 - 1e-9 ? 2 : 1) * power;
}
