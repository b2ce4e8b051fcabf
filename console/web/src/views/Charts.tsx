import { useEffect, useState } from "preact/hooks";
import { api, type ApiError } from "../api/client";
import type { Series } from "../api/types";
import { bytes, clock, count, figure, micros, reasonText, zone } from "../lib/format";
import { reasonShade, reasonWeight } from "../lib/reasons";
import { useStore } from "../lib/store";
import { updateRoute, overview, reach, route } from "../state";
import { Failure, Loading } from "../ui/basics";
import { join, tail } from "./charts/join";
import { ranges } from "./charts/figures";
import { LongCharts } from "./charts/LongCharts";
import { Plot, type Line } from "./charts/Plot";
import { Tile } from "./map/AreaPanel";

// Time spans within the last hour, for which there is a point per second. For longer ones see ranges.
const spans = [
  { key: "5m", title: "5 min", ms: 300_000 },
  { key: "15m", title: "15 min", ms: 900_000 },
  { key: "1h", title: "1 h", ms: 3_600_000 },
];

const hour = 3_600_000;
const every = 2000; // ms between two requests for new points

// Charts shows the last minutes, up to an hour, with one point per second; new points are added on the right. LongCharts shows longer
// ranges.
export function Charts() {
  const { query } = useStore(route);
  const long = ranges.find((r) => r.key === query.span);
  const span = spans.find((s) => s.key === query.span) ?? spans[0];
  const { series, error, again } = useSeries();
  const now = useStore(overview);
  const shown = series === null ? null : tail(series, span.ms);
  const lost = !useStore(reach).api;
  const fresh = (text: string) => (lost ? "–" : text); // the newest point is no longer the present
  return (
    <div class="page charts">
      <header class="page-head">
        <h1>Charts</h1>
        <p class="page-sub">Times in {zone(Date.now())}</p>
        <div class="segments" role="radiogroup" aria-label="Time span">
          {[...spans, ...ranges].map((s) => (
            <button key={s.key} type="button" role="radio" aria-checked={s === (long ?? span)} onClick={() => updateRoute({ span: s.key })} data-testid={`span-${s.key}`}>
              {s.title}
            </button>
          ))}
        </div>
      </header>
      {long !== undefined ? (
        <LongCharts ms={long.ms} />
      ) : shown === null ? (
        error ? (
          <Failure error={error} what="The charts" retry={again} />
        ) : (
          <Loading what="the charts" />
        )
      ) : (
        <>
          <dl class="tiles tiles-wide">
            <Tile name="Players" value={fresh(count(now?.online ?? last(shown.players)))} />
            <Tile name="Actors" value={fresh(count(last(shown.actors)))} />
            <Tile name="Tick p99" value={fresh(micros(last(shown.tickP99Us)))} alarm={!lost && last(shown.tickP99Us) > 50_000} />
            <Tile name="Out" value={fresh(`${bytes(last(shown.bytesOut))}/s`)} />
            <Tile name="In" value={fresh(`${bytes(last(shown.bytesIn))}/s`)} />
            <Tile name="Live maps" value={count(now?.viewers)} />
          </dl>
          {lost && (
            <p class="charts-lost" data-testid="charts-lost">
              No data since {clock(last(shown.at))} {zone(last(shown.at))}: the charts end there.
            </p>
          )}
          <div class="chart-grid" data-testid="charts">
            <Plot title="Tick time" note="of the slowest area" at={shown.at} write={micros} lines={[line("p50", "--chart-1", shown.tickP50Us), line("p99", "--chart-2", shown.tickP99Us)]} />
            <Plot title="In the world" at={shown.at} write={count} lines={[line("players", "--chart-1", shown.players), line("actors", "--chart-3", shown.actors)]} />
            <Plot title="Bytes a second" at={shown.at} write={(n) => `${bytes(n)}/s`} lines={[line("in", "--chart-1", shown.bytesIn), line("out", "--chart-2", shown.bytesOut)]} />
            <Plot title="Packets a second" at={shown.at} write={(n) => `${figure(n)}/s`} lines={[line("in", "--chart-1", shown.packetsIn), line("out", "--chart-2", shown.packetsOut)]} />
            <Plot title="Corrections a second" note="by reason" at={shown.at} write={figure} lines={byReason(shown.corrections)} none="No corrections in this time." />
            <Plot title="Holds a second" note="by reason" at={shown.at} write={figure} lines={byReason(shown.holds)} none="No holds in this time." />
          </div>
        </>
      )}
    </div>
  );
}

const last = (list: number[]): number => list[list.length - 1] ?? 0;
const line = (name: string, color: string, values: number[]): Line => ({ name, color, values });

const maxLines = 6; // maximum number of lines; one line shows the sum of the remaining reasons

// byReason returns a line for each reason that occurred, most frequent first, in the colour of the reason. Reasons caused by
// operators are left out.
function byReason(of: Record<string, number[]>): Line[] {
  const sums = Object.entries(of)
    .filter(([reason]) => reasonWeight(reason) !== "operator")
    .map(([reason, values]) => ({ reason, values, sum: values.reduce((a, b) => a + b, 0) }))
    .filter((r) => r.sum > 0)
    .sort((a, b) => b.sum - a.sum);
  const lines = sums.slice(0, maxLines).map((r) => line(reasonText(r.reason), `--${reasonShade(r.reason)}`, r.values));
  const rest = sums.slice(maxLines);
  if (rest.length > 0) lines.push(line("others", "--chart-7", rest[0].values.map((_, i) => rest.reduce((sum, r) => sum + (r.values[i] ?? 0), 0))));
  return lines;
}

function useSeries(): { series: Series | null; error: ApiError | null; again: () => void } {
  const [state, setState] = useState<{ series: Series | null; error: ApiError | null }>({ series: null, error: null });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    let timer = 0;
    let kept: Series | null = null;
    const run = async () => {
      try {
        const since = kept === null ? Date.now() - hour : last(kept.at) + 1;
        const fresh = await api.series(since, stop.signal);
        if (stop.signal.aborted) return;
        kept = kept === null ? fresh : join(kept, fresh, hour);
        setState({ series: kept, error: null });
      } catch (cause) {
        if (stop.signal.aborted) return;
        const error = cause as ApiError;
        setState({ series: kept, error });
        if (error.loggedOut) return;
      }
      timer = window.setTimeout(run, document.hidden ? 4 * every : every);
    };
    void run();
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [turn]);
  return { ...state, again: () => setTurn((n) => n + 1) };
}
