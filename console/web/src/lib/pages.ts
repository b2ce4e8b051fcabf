import { useRef, useState } from "preact/hooks";

export interface MorePages<T> {
  items: T[]; // items of the loaded pages after the first one, in order
  left: boolean; // there is a further page
  failed: boolean; // the last requested page could not be loaded
  load: () => Promise<void>;
}

// useMorePages loads the pages of a list after the first one, one for each call of load. next is the start of the second page,
// which the first page contains; null if there is no second page, or if the first has not been loaded yet. ask returns the page
// that begins at a start. Loaded pages are dropped when list, a number that identifies the list, changes.
export function useMorePages<T, Start>(next: Start | null, ask: (start: Start) => Promise<{ items: T[]; next: Start | null }>, list = 0): MorePages<T> {
  const [loaded, setMore] = useState<{ items: T[]; next: Start | null; list: number }>({ items: [], next: null, list });
  const [end, setEnd] = useState<Start | null>(null); // start of a page that was requested and is empty
  const [failed, setFailed] = useState(false);
  const more = loaded.list === list ? loaded : { items: [], next: null };
  const start = more.items.length > 0 ? more.next : next;
  const load = async () => {
    if (start === null) return;
    try {
      const page = await ask(start);
      if (page.items.length === 0) setEnd(start);
      setMore({ items: [...more.items, ...page.items], next: page.next, list });
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  return { items: more.items, left: start !== null && start !== end, failed, load };
}

// joinPages puts a newly polled first page before the entries known until then; all are sorted newest first. Entries that newer
// ones have moved off the first page are kept. Returns null if there may be entries between the two lists that neither contains.
export function joinPages<T extends { id: number }>(newest: readonly T[], known: readonly T[]): T[] | null {
  if (newest.length === 0 || known.length === 0) return [...newest, ...known];
  const oldest = newest[newest.length - 1].id;
  if (oldest > known[0].id) return null;
  return [...newest, ...known.filter((e) => e.id < oldest)];
}

// useEntries returns the entries of a list whose first page is polled, newest first, and loads older pages on demand. If more
// entries than a page holds have been added between two polls, the list begins again with its first page. first is null until
// the first page has been loaded; ask returns the entries before an id.
export function useEntries<T extends { id: number }>(
  first: { entries: readonly T[]; next: number | null } | null,
  ask: (before: number) => Promise<{ entries: T[]; next: number | null }>,
): { entries: T[]; older: MorePages<T> } {
  const known = useRef<{ page: unknown; entries: T[]; next: number | null; starts: number }>({ page: null, entries: [], next: null, starts: 0 });
  if (first !== null && known.current.page !== first) {
    const { entries, next, starts } = known.current;
    const joined = joinPages(first.entries, entries);
    // If the new first page joins the known entries, the next page still begins after the oldest known entry.
    if (joined !== null && entries.length > 0) known.current = { page: first, entries: joined, next, starts };
    else known.current = { page: first, entries: [...first.entries], next: first.next, starts: starts + 1 };
  }
  const { entries, next, starts } = known.current;
  const older = useMorePages(
    next,
    async (before: number) => {
      const page = await ask(before);
      return { items: page.entries, next: page.next };
    },
    starts,
  );
  return { entries: [...entries, ...older.items], older };
}
