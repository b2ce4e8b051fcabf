import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { readColors } from "../../lib/colors";
import { clock } from "../../lib/format";
import { useStore } from "../../lib/store";
import { themeVersion } from "../../state";
import { lonePoints } from "./lone";

export interface Line {
  name: string;
  color: string; // a CSS variable
  values: (number | null)[]; // null leaves a gap
}

interface Props {
  title: string;
  note?: string;
  at: number[]; // Unix ms
  lines: Line[];
  write: (n: number) => string;
  none?: string; // text when there is no line
  marks?: number[]; // Unix ms at which a vertical line is drawn, such as restarts of the server
  label?: (ms: number, spanMs: number) => string; // text of a label of the time axis; by default a time of day
}

const plotHeight = 168;

// Plot draws lines over time. All plots share one cursor. The legend shows the values at the cursor, or the newest values
// without one.
export function Plot({ title, note, at, lines, write, none, marks, label }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const paint = useStore(themeVersion);
  const names = lines.map((l) => l.name + l.color).join("|");
  const data = [at.map((t) => t / 1000), ...lines.map((l) => l.values)] as uPlot.AlignedData;
  const newest = useRef(data);
  newest.current = data;
  const shownMarks = useRef<number[]>([]);
  shownMarks.current = marks ?? [];

  useEffect(() => {
    const element = box.current!;
    if (lines.length === 0) return;
    const made = new uPlot(readColors((color) => options(element.clientWidth, lines, write, color, shownMarks, label)), newest.current, element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: plotHeight }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [names, paint]);

  useEffect(() => {
    plot.current?.setData(newest.current);
  }, [at, names]);

  return (
    <section class="chart card" aria-label={note ? `${title} ${note}` : title}>
      <h2>
        {title} {note && <span class="faint">{note}</span>}
        <span class="chart-legend">
          {lines.map((l) => (
            <span key={l.name} class="chart-key">
              <svg width="10" height="10" aria-hidden="true">
                <rect class={l.color.slice(2)} width="10" height="3" y="4" rx="1.5" />
              </svg>
              {l.name} <b>{write(l.values[l.values.length - 1] ?? 0)}</b>
            </span>
          ))}
        </span>
      </h2>
      <div class="chart-box" ref={box} role="img" aria-label={describe(title, lines, write)}>
        {lines.length === 0 && <p class="chart-none">{none ?? "Nothing to show yet."}</p>}
      </div>
    </section>
  );
}

function describe(title: string, lines: Line[], write: (n: number) => string): string {
  return `${title}: ${lines.map((l) => `${l.name} ${write(l.values[l.values.length - 1] ?? 0)} now, ${write(Math.max(0, ...l.values.map((v) => v ?? 0)))} at most`).join("; ")}`;
}

function options(
  width: number,
  lines: Line[],
  write: (n: number) => string,
  color: (name: string) => string,
  marks: { current: number[] },
  label: ((ms: number, spanMs: number) => string) | undefined,
): uPlot.Options {
  const font = `11px ${getComputedStyle(document.documentElement).getPropertyValue("--font")}`;
  const axis = { stroke: color("--muted"), font, grid: { stroke: color("--chart-grid"), width: 1 }, ticks: { show: false } };
  return {
    width: Math.max(120, width),
    height: plotHeight,
    padding: [8, 20, 0, 0], // the 20 pixels on the right have room for half of the last label
    legend: { show: false },
    cursor: { sync: { key: "charts" }, drag: { x: false, y: false }, points: { size: 6 } },
    scales: { x: { time: true }, y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
    axes: [
      { ...axis, space: 70, size: 24, gap: 4, values: (_, ticks) => ticks.map((t) => (label === undefined ? clock(t * 1000).slice(0, t % 60 === 0 ? 5 : 8) : label(t * 1000, (ticks[ticks.length - 1] - ticks[0]) * 1000))) },
      { ...axis, size: 66, space: 30, values: (_, ticks) => ticks.map((t) => write(t)) },
    ],
    series: [{}, ...lines.map((l) => ({ label: l.name, stroke: color(l.color), width: 1.5, points: { show: true, size: 4, fill: color(l.color), filter: (u: uPlot, i: number) => lonePoints(u.data[i]) } }))],
    plugins: [readout(lines, write, label === undefined ? clock : (ms) => label(ms, 0)), verticals(marks, color("--muted"))],
  };
}

// verticals is a uPlot plugin that draws dashed lines at points of time.
function verticals(marks: { current: number[] }, color: string): uPlot.Plugin {
  return {
    hooks: {
      draw: (u) => {
        const g = u.ctx;
        g.save();
        g.strokeStyle = color;
        g.lineWidth = devicePixelRatio;
        g.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
        for (const ms of marks.current) {
          const x = Math.round(u.valToPos(ms / 1000, "x", true));
          if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) continue;
          g.beginPath();
          g.moveTo(x, u.bbox.top);
          g.lineTo(x, u.bbox.top + u.bbox.height);
          g.stroke();
        }
        g.restore();
      },
    },
  };
}

// readout is a uPlot plugin that writes the values at the cursor beside it.
function readout(lines: Line[], write: (n: number) => string, time: (ms: number) => string): uPlot.Plugin {
  const box = document.createElement("div");
  box.className = "chart-readout";
  box.hidden = true;
  return {
    hooks: {
      init: (u) => {
        u.over.append(box);
      },
      setCursor: (u) => {
        const { idx, left } = u.cursor;
        box.hidden = idx === null || idx === undefined || (left ?? -1) < 0;
        if (box.hidden) return;
        const rows = lines.map((l, i) => `${l.name} ${u.data[i + 1][idx!] === null ? "–" : write(u.data[i + 1][idx!] ?? 0)}`);
        box.textContent = [time(u.data[0][idx!] * 1000), ...rows].join("\n");
        const flip = left! > u.over.clientWidth / 2;
        box.style.left = flip ? "" : `${left! + 10}px`;
        box.style.right = flip ? `${u.over.clientWidth - left! + 10}px` : "";
      },
    },
  };
}
