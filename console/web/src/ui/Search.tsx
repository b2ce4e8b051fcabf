import { useRef, useState } from "preact/hooks";
import { api } from "../api/client";
import { plural } from "../lib/format";
import { useLoaded, useDebounced } from "../lib/load";
import { useStore } from "../lib/store";
import { kindOf } from "../map/palette";
import { navigate, overview, world } from "../state";
import { Dialog } from "./basics";
import { DoorMark, MapIcon, SearchIcon } from "./icons";

interface Found {
  key: string;
  name: string;
  about: string;
  door: string | null; // null for an area
  open: () => void;
}

const maxResults = 12;

// Search finds players anywhere in the world, and areas by name.
export function Search({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const q = useDebounced(text.trim(), 120);
  const { data, error } = useLoaded(`search ${q}`, (signal) => api.players(q, signal));
  const areas = useStore(world)?.areas ?? [];
  const figures = useStore(overview);
  const field = useRef<HTMLInputElement>(null);

  const found: Found[] = (data?.players ?? []).slice(0, maxResults).map((p) => ({
    key: `p${p.entity}`,
    name: p.name,
    about: [p.area, p.account].filter(Boolean).join(" · "),
    door: p.door,
    open: () => navigate("map", { area: p.areaId, player: p.entity, follow: 1 }),
  }));
  for (const area of areas) {
    if (q !== "" && !area.name.toLowerCase().includes(q.toLowerCase())) continue;
    const players = figures?.areas.find((a) => a.id === area.id)?.players ?? 0;
    found.push({ key: `a${area.id}`, name: area.name, about: `Area · ${plural(players, "player")}`, door: null, open: () => navigate("map", { area: area.id }) });
  }
  const chosen = Math.min(at, found.length - 1);

  const press = (e: KeyboardEvent) => {
    if (e.key === "ArrowDown") setAt(Math.min(found.length - 1, chosen + 1));
    else if (e.key === "ArrowUp") setAt(Math.max(0, chosen - 1));
    else if (e.key === "Enter" && found[chosen]) open(found[chosen]);
    else return;
    e.preventDefault();
  };
  const open = (f: Found) => {
    onClose();
    f.open();
  };

  return (
    <Dialog title="Search" onClose={onClose} testid="search">
      <div class="field field-search">
        <SearchIcon size={18} />
        <input
          ref={field}
          autofocus
          type="search"
          value={text}
          placeholder="Player, account or area"
          aria-label="Player, account or area"
          role="combobox"
          list={undefined}
          aria-expanded="true"
          aria-controls="found"
          aria-activedescendant={found[chosen] ? `found-${found[chosen].key}` : undefined}
          onInput={(e) => {
            setText(e.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={press}
          data-testid="search-field"
        />
      </div>
      <ul id="found" class="found" role="listbox" aria-label="Found">
        {found.map((f, i) => (
          <li key={f.key} id={`found-${f.key}`} role="option" aria-selected={i === chosen} class="found-row" onClick={() => open(f)} onPointerMove={() => setAt(i)} data-testid="found">
            {f.door === null ? <MapIcon size={16} /> : <DoorMark kind={kindOf(f.door, true)} />}
            <span class="found-name">{f.name}</span>
            <span class="found-about">{f.about}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="hint">{error ? "The server cannot be reached." : `No player or area matches “${q}”. NPCs can be selected on the map.`}</p>}
    </Dialog>
  );
}
