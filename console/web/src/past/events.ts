import { useEffect, useState } from "preact/hooks";
import { api } from "../api/client";
import type { Death, Entry } from "../api/types";
import { Backoff } from "../lib/backoff";
import { newestFirst } from "../lib/entries";
import { count, reasonText } from "../lib/format";
import { notable, reasonShade } from "../lib/reasons";
import { serverNow } from "../state";
import { hour, type Mark } from "./strip";

// PastEvents are the events of the last hour in one area that the time bar marks.
export interface PastEvents {
  entries: Entry[]; // holds and corrections, newest first
  deaths: Death[]; // deaths of players, oldest first
}

const every = 4000; // ms
const pageSize = 1000;
const mostPages = 4;
const overlap = 2000; // ms by which requests overlap, because entries are written with a delay and can grow for a second

// useEvents loads the events of the last hour, and then those that are new.
export function useEvents(areaId: number | null): PastEvents {
  const [events, setEvents] = useState<PastEvents>({ entries: [], deaths: [] });
  useEffect(() => {
    setEvents({ entries: [], deaths: [] });
    if (areaId === null) return;
    const stop = new AbortController();
    const backoff = new Backoff(1000, 10_000);
    const byId = new Map<number, Entry>();
    const deaths = new Map<string, Death>();
    let since = serverNow() - hour;
    let timer = 0;
    const load = async () => {
      if (document.hidden) {
        timer = window.setTimeout(load, every);
        return;
      }
      try {
        const begun = serverNow();
        const [pages, died] = await Promise.all([loadEntries(areaId, since, stop.signal), api.deaths(areaId, new Date(since).toISOString(), stop.signal)]);
        const before = byId.size + deaths.size;
        for (const e of pages) byId.set(e.id, e);
        for (const d of died.deaths) deaths.set(`${d.at} ${d.entity}`, d);
        const oldest = begun - hour;
        for (const [id, e] of byId) if (Date.parse(e.at) < oldest) byId.delete(id);
        for (const [key, d] of deaths) if (Date.parse(d.at) < oldest) deaths.delete(key);
        since = begun - overlap;
        backoff.reset();
        if (byId.size + deaths.size !== before || pages.length > 0) {
          setEvents({ entries: [...byId.values()].sort(newestFirst), deaths: [...deaths.values()] });
        }
        timer = window.setTimeout(load, every);
      } catch {
        if (!stop.signal.aborted) timer = window.setTimeout(load, Math.max(every, backoff.next()));
      }
    };
    void load();
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [areaId]);
  return events;
}

async function loadEntries(areaId: number, since: number, signal: AbortSignal): Promise<Entry[]> {
  const list: Entry[] = [];
  let before: number | undefined;
  for (let i = 0; i < mostPages; i++) {
    const page = await api.corrections({ area: String(areaId), verdict: "held,corrected", weight: "harmless,unusual,suspicious", since: new Date(since).toISOString(), before, limit: pageSize }, signal);
    list.push(...page.entries);
    if (page.next === null) break;
    before = page.next;
  }
  return list;
}

// marksOf returns the marks of the time bar: entries that are evidence about a player, and deaths.
export function marksOf({ entries, deaths }: PastEvents): Mark[] {
  return [
    ...entries.filter(notable).map((e): Mark => {
      const kind = e.verdict === "corrected" ? "corrected" : "held";
      return { at: Date.parse(e.at), kind, shade: reasonShade(e.reason), text: `${e.player} ${kind}: ${reasonText(e.reason)}${e.times > 1 ? ` × ${count(e.times)}` : ""}` };
    }),
    ...deaths.map((d): Mark => ({ at: Date.parse(d.at), kind: "died", shade: "", text: `${d.name} died` })),
  ];
}
