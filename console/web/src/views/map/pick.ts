import { useEffect } from "preact/hooks";
import { Store, useStore } from "../../lib/store";
import type { Engine } from "../../map/engine";

// Pick is a request for a position: while one is set, a click on the map calls onPick instead of selecting an actor.
export interface Pick {
  text: string; // text that asks the operator for the position
  onPick: (x: number, z: number) => void;
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
