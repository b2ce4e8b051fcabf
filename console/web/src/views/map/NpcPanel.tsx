import { useEffect, useState } from "preact/hooks";
import { useStore } from "../../lib/store";
import { flagDead, flagFlying, flagFrozen, flagRides, flagRunning, flagSpawned, flagTarget } from "../../live/decode";
import type { Engine } from "../../map/engine";
import { updateRoute, world } from "../../state";
import { Button, Empty, IconButton } from "../../ui/basics";
import { CloseIcon, DoorMark, FollowIcon } from "../../ui/icons";
import { place } from "../../lib/format";
import { RemoveNpc } from "./SpawnNpc";

const states: [number, string][] = [
  [flagDead, "dead"],
  [flagFrozen, "frozen"],
  [flagTarget, "fighting"],
  [flagRunning, "running"],
  [flagFlying, "flying"],
  [flagRides, "riding"],
];

// stateNames describes the flags of an actor.
export function stateNames(flags: number): string {
  const names = states.filter(([flag]) => (flags & flag) !== 0).map(([, name]) => name);
  return names.length > 0 ? names.join(", ") : "at rest or walking";
}

// NpcPanel shows the state of an NPC that the map has, live or from a recording.
export function NpcPanel({ id, engine, past, onClose }: { id: number; engine: Engine | null; past: boolean; onClose: () => void }) {
  const [, beat] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => beat((n) => n + 1), 200);
    return () => window.clearInterval(timer);
  }, []);
  const templates = useStore(world)?.templates ?? [];
  const known = engine?.known.get(id);
  const row = engine?.sample.row(id) ?? -1;
  const close = (
    <IconButton label="Close the panel" onClick={onClose}>
      <CloseIcon size={18} />
    </IconButton>
  );
  if (engine === null || row < 0) {
    return (
      <div class="panel">
        <header class="panel-head">
          <h2>{known?.name ?? "NPC"}</h2>
          {close}
        </header>
        <Empty title="This actor is not in this area">It has died or left. Select another actor on the map.</Empty>
      </div>
    );
  }
  const { sample } = engine;
  const flags = sample.frame!.flags[row];
  const spawned = (flags & flagSpawned) !== 0;
  const health = Math.round((sample.frame!.health[row] / 255) * 100);
  return (
    <div class="panel" data-testid="npc-panel">
      <header class="panel-head">
        <div>
          <h2>
            <DoorMark kind="npc" /> {known?.name || "NPC"}
          </h2>
          <p class="panel-sub">
            {templates.find((t) => t.id === known?.template)?.name ?? "NPC"}
            {spawned && <span class="tag" data-testid="npc-spawned">spawned by an operator</span>}
          </p>
        </div>
        {close}
      </header>
      <div class="panel-part">
        <Meter name="Health" share={health / 100} text={`${health} %`} />
        <dl class="facts">
          <dt>State</dt>
          <dd>{stateNames(flags)}</dd>
          <dt>Place</dt>
          <dd>
            {place({ x: sample.x[row], z: sample.z[row] })} <span class="faint">y {sample.y[row].toFixed(1)}</span>
          </dd>
          <dt>Id</dt>
          <dd>{id}</dd>
        </dl>
        <div class="panel-buttons">
          <Button icon={<FollowIcon size={16} />} aria-pressed={engine.following} onClick={() => updateRoute({ follow: engine.following ? null : 1 })}>
            {engine.following ? "Following" : "Follow"}
          </Button>
          {!past && <RemoveNpc id={id} name={known?.name || "the NPC"} spawned={spawned} onDone={onClose} />}
        </div>
      </div>
    </div>
  );
}

export function Meter({ name, share, text }: { name: string; share: number; text: string }) {
  const level = share > 0.5 ? "good" : share > 0.25 ? "warn" : "bad";
  return (
    <div class="meter">
      <span class="meter-name">{name}</span>
      <svg class={`meter-bar meter-${level}`} width="100%" height="6" preserveAspectRatio="none" viewBox="0 0 100 6" role="img" aria-label={`${name} ${text}`}>
        <rect class="meter-back" width="100" height="6" />
        <rect class="meter-fill" width={Math.max(0, Math.min(100, share * 100))} height="6" />
      </svg>
      <span class="meter-text">{text}</span>
    </div>
  );
}
