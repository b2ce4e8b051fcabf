import { useEffect, useState } from "preact/hooks";

// Store holds one value that components subscribe to. set notifies subscribers only if the value differs.
export class Store<T> {
  private readonly watchers = new Set<(value: T) => void>();
  constructor(private value: T) {}

  get(): T {
    return this.value;
  }
  set(value: T): void {
    if (Object.is(value, this.value)) return;
    this.value = value;
    for (const watcher of [...this.watchers]) watcher(value);
  }
  update(change: (value: T) => T): void {
    this.set(change(this.value));
  }
  watch(watcher: (value: T) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }
}

// useStore renders the component again when the store's value changes, or with pick only when pick(value) changes.
export function useStore<T>(store: Store<T>): T;
export function useStore<T, P>(store: Store<T>, pick: (value: T) => P): P;
export function useStore<T, P>(store: Store<T>, pick?: (value: T) => P): T | P {
  const read = () => (pick ? pick(store.get()) : store.get());
  const [value, setValue] = useState<{ of: T | P }>(() => ({ of: read() }));
  useEffect(() => {
    const refresh = () => {
      const of = read();
      setValue((old) => (Object.is(old.of, of) ? old : { of }));
    };
    refresh();
    return store.watch(refresh);
  }, [store]);
  return value.of;
}
