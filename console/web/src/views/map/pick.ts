import { useEffect } from "preact/hooks";
import { Store, useStore } from "../../lib/store";
import type { Engine } from "../../map/engine";

// Pick is a place that somebody waits for: while one is set, a click on the map gives it instead of selecting.
export interface Pick {
  name: string; // who will be teleported
  take: (x: number, z: number) => void;
  cancel: () => void;
}

export const pick = new Store<Pick | null>(null);

export function usePick(engine: Engine | null): Pick | null {
  const now = useStore(pick);
  useEffect(() => {
    if (engine !== null) engine.picking = now !== null;
  }, [engine, now]);
  useEffect(() => {
    if (now === null) return;
    const press = (e: KeyboardEvent) => {
      if (e.key === "Escape") {
        e.preventDefault();
        now.cancel();
      }
    };
    window.addEventListener("keydown", press, true);
    return () => window.removeEventListener("keydown", press, true);
  }, [now]);
  useEffect(() => () => pick.get()?.cancel(), []);
  return now;
}
