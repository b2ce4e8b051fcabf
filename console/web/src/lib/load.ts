import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../api/client";
import { Backoff } from "./backoff";

export interface Loaded<T> {
  data: T | null; // the last successful answer, also while later requests fail
  error: ApiError | null;
  reload: () => void;
}

// useLoaded calls ask when key changes and then at an interval of `every` ms (0: only once). While the server cannot be
// reached, it retries with backoff and returns the last answer. A hidden page does not poll, and a resource that was not found
// is not requested again.
export function useLoaded<T>(key: string | null, ask: (signal: AbortSignal) => Promise<T>, every = 0): Loaded<T> {
  const [state, setState] = useState<{ key: string | null; data: T | null; error: ApiError | null }>({ key, data: null, error: null });
  const [turn, setTurn] = useState(0);
  const asked = useRef(ask);
  asked.current = ask;
  useEffect(() => {
    if (key === null) return;
    const backoff = new Backoff(1000, 10_000);
    const stop = new AbortController();
    let timer = 0;
    const later = (ms: number) => {
      timer = window.setTimeout(run, ms);
    };
    const run = async () => {
      if (document.hidden && every > 0) return later(every);
      try {
        const data = await asked.current(stop.signal);
        if (stop.signal.aborted) return;
        backoff.reset();
        setState({ key, data, error: null });
        if (every > 0) later(every);
      } catch (cause) {
        if (stop.signal.aborted) return;
        const error = cause instanceof ApiError ? cause : new ApiError(-1, "internal", "This page could not read the answer.");
        setState((old) => ({ key, data: old.key === key ? old.data : null, error }));
        if (error.loggedOut || error.code === "not_found") return;
        if (every > 0 || error.unreachable) later(Math.max(every, backoff.next()));
      }
    };
    void run();
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [key, every, turn]);
  const reload = useCallback(() => setTurn((n) => n + 1), []);
  const fresh = state.key === key;
  return { data: fresh ? state.data : null, error: fresh ? state.error : null, reload };
}

// useNow renders the component again at intervals of the parameter every, in ms, for texts such as "3 s ago".
export function useNow(every = 1000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), every);
    return () => window.clearInterval(timer);
  }, [every]);
  return now;
}

// useDebounced returns the last value that has not changed for the time ms, for searches while the operator types.
export function useDebounced<T>(value: T, ms = 250): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), ms);
    return () => window.clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
