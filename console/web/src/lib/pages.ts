import { useState } from "preact/hooks";

export interface MorePages<T> {
  items: T[]; // items of the loaded pages after the first one, in order
  left: boolean; // there is a further page
  failed: boolean; // the last requested page could not be loaded
  load: () => Promise<void>;
}

// useMorePages loads the pages of a list after the first one, one for each call of load. next is the start of the second page,
// which the first page contains; null if there is no second page, or if the first has not been loaded yet. ask returns the page
// that begins at a start.
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

// mergePages appends older entries to those of the first page, without duplicates. The pages may overlap, because the first
// page is polled and grows.
export function mergePages<T extends { id: number }>(newest: readonly T[], older: readonly T[]): T[] {
  const first = new Set(newest.map((e) => e.id));
  return [...newest, ...older.filter((e) => !first.has(e.id))];
}
