import { useEffect, useRef } from "preact/hooks";
import type { Area } from "../../api/types";
import { count, plural } from "../../lib/format";
import { useStore } from "../../lib/store";
import { navigate, overview } from "../../state";

export function AreaTabs({ areas, area }: { areas: Area[]; area: Area }) {
  const figures = useStore(overview);
  const strip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    strip.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [area.id]);
  const move = (e: KeyboardEvent) => {
    const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    e.preventDefault();
    const next = areas[(areas.findIndex((a) => a.id === area.id) + step + areas.length) % areas.length];
    navigate("map", { area: next.id });
    document.getElementById(`area-${next.id}`)?.focus();
  };
  return (
    <div class="area-tabs" role="tablist" aria-label="Areas" ref={strip} onKeyDown={move} data-testid="areas">
      {areas.map((a) => {
        const f = figures?.areas.find((x) => x.id === a.id);
        return (
          <button
            key={a.id}
            id={`area-${a.id}`}
            type="button"
            role="tab"
            class="area-tab"
            aria-selected={a.id === area.id}
            tabIndex={a.id === area.id ? 0 : -1}
            onClick={() => navigate("map", { area: a.id })}
            title={f ? `${plural(f.players, "player")}, ${plural(f.actors, "actor")} in all${a.pvp ? "; players may fight each other here" : ""}` : a.name}
            data-testid="area-tab"
            data-area={a.id}
          >
            {a.name}
            {f && (
              <span class="area-count">
                <b>{count(f.players)}</b>
                <span aria-hidden="true">/</span>
                {count(f.actors)}
              </span>
            )}
          </button>
        );
      })}
    </div>
  );
}
