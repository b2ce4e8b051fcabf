import { useEffect, useState } from "preact/hooks";
import { api, type ApiError } from "../../api/client";
import type { History } from "../../api/types";
import { bytes, count, figure, micros } from "../../lib/format";
import { useStore } from "../../lib/store";
import { world } from "../../state";
import { Empty, Failure, Loading } from "../../ui/basics";
import { dateLabel, figureLine, groupLines, perMinute, times } from "./figures";
import { Plot } from "./Plot";

// LongCharts shows measurements of a day to a year, which the server stores on disk. Gaps are times in which the server did not
// run; dashed lines are its starts.
export function LongCharts({ ms }: { ms: number }) {
  const { history, error, again } = useHistory(ms);
  const doors = useStore(world)?.doors ?? [];
  if (history === null && error?.status === 404) {
    return <Empty title="This server stores no time series">It runs with --history-retain off, so only the last hour is shown.</Empty>;
  }
  if (history === null) return error ? <Failure error={error} what="The charts" retry={again} /> : <Loading what="the charts" />;
  const at = times(history);
  const shared = { at, marks: history.restarts, label: dateLabel };
  const door = (name: string) => doors.find((d) => d.name === name)?.title ?? name;
  const rate = perMinute(history);
  return (
    <div class="chart-grid" data-testid="long-charts" data-step={history.stepMs} data-restarts={history.restarts.length}>
      <Plot title="Players" {...shared} write={(n) => figure(n)} lines={[...figureLine(history, "players", "mean", "--chart-1"), ...figureLine(history, "players.peak", "most", "--chart-2")]} />
      <Plot title="Players" note="by door" {...shared} write={(n) => figure(n)} lines={groupLines(history, "players.door.", door)} none="No players in this time." />
      <Plot title="Players" note="by area" {...shared} write={(n) => figure(n)} lines={groupLines(history, "players.area.", (name) => name)} none="No players in this time." />
      <Plot title="Tick time" note="of the slowest area" {...shared} write={micros} lines={[...figureLine(history, "tick.p50", "p50", "--chart-1", 1e6), ...figureLine(history, "tick.p99", "p99, worst", "--chart-2", 1e6)]} />
      <Plot title="Late ticks" note="in each interval" {...shared} write={count} lines={figureLine(history, "ticks.late", "ticks", "--chart-4")} />
      <Plot title="Bytes a second" {...shared} write={(n) => `${bytes(n)}/s`} lines={[...figureLine(history, "bytes.in", "in", "--chart-1"), ...figureLine(history, "bytes.out", "out", "--chart-2")]} />
      <Plot title="Logins a minute" {...shared} write={(n) => figure(n)} lines={[...figureLine(history, "logins.ok", "ok", "--chart-3", rate), ...figureLine(history, "logins.failed", "failed", "--chart-4", rate)]} />
      <Plot title="Holds and corrections a minute" note="by weight of the reason" {...shared} write={(n) => figure(n)} lines={groupLines(history, "corrections.", (name) => name, rate)} none="None in this time." />
      <Plot title="Memory" note="most in each interval" {...shared} write={bytes} lines={figureLine(history, "memory", "in use", "--chart-5")} />
    </div>
  );
}

function useHistory(ms: number): { history: History | null; error: ApiError | null; again: () => void } {
  const [state, setState] = useState<{ ms: number; history: History | null; error: ApiError | null }>({ ms, history: null, error: null });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    let timer = 0;
    const run = async () => {
      let step = 10_000;
      try {
        const history = await api.history(Date.now() - ms, stop.signal);
        if (stop.signal.aborted) return;
        step = history.stepMs;
        setState({ ms, history, error: null });
      } catch (cause) {
        if (stop.signal.aborted) return;
        const error = cause as ApiError;
        setState((old) => ({ ms, history: old.ms === ms ? old.history : null, error }));
        if (error.loggedOut) return;
      }
      timer = window.setTimeout(run, Math.min(60_000, Math.max(10_000, step)));
    };
    void run();
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [ms, turn]);
  return { ...(state.ms === ms ? state : { history: null, error: null }), again: () => setTurn((n) => n + 1) };
}
