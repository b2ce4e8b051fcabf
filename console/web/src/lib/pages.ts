import { useState } from "preact/hooks";

export interface MorePages<T> {
  items: T[]; // of the pages after the first one, in order
  left: boolean; // there is a further page
  failed: boolean; // the last page that was asked for could not be loaded
  load: () => Promise<void>;
}

// useMorePages loads the pages after the first page of a list, one for each call of load. next is the start of the second page, as the first
// one names it: null if there is none, or if the first page is not there yet. ask returns the page that begins at a start.
export function useMorePages<T, Start>(next: Start | null, ask: (start: Start) => Promise<{ items: T[]; next: Start | null }>): MorePages<T> {
  const [more, setMore] = useState<{ items: T[]; next: Start | null }>({ items: [], next: null });
  const [end, setEnd] = useState<Start | null>(null); // start of a page that was empty
  const [failed, setFailed] = useState(false);
  const start = more.items.length > 0 ? more.next : next;
  const load = async () => {
    if (start === null) return;
    try {
      const page = await ask(start);
      if (page.items.length === 0) setEnd(start);
      setMore({ items: [...more.items, ...page.items], next: page.next });
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  return { items: more.items, left: start !== null && start !== end, failed, load };
}

// mergePages puts older entries after those of the first page, each once: a first page that is polled moves over the older ones.
export function mergePages<T extends { id: number }>(newest: readonly T[], older: readonly T[]): T[] {
  const first = new Set(newest.map((e) => e.id));
  return [...newest, ...older.filter((e) => !first.has(e.id))];
}
