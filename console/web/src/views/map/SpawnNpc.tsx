import { useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Area } from "../../api/types";
import { parseDecimal } from "../../lib/route";
import { useStore } from "../../lib/store";
import { access, atLeast, reach, world } from "../../state";
import { ActionDialog } from "../../ui/ActionDialog";
import { Button } from "../../ui/basics";
import { JumpIcon, PlusIcon, TrashIcon } from "../../ui/icons";
import { Coordinate } from "../Actions";
import { pick } from "./pick";

// useDenied returns why the operator cannot spawn and remove NPCs, or null.
function useDenied(): string | null {
  useStore(access);
  const lost = !useStore(reach).api;
  return lost ? "The server cannot be reached." : atLeast("admin") ? null : "Only an administrator can spawn and remove NPCs.";
}

// SpawnNpc spawns an NPC in the area that the map shows.
export function SpawnNpc({ area }: { area: Area }) {
  const denied = useDenied();
  const templates = useStore(world)?.templates ?? [];
  const [open, setOpen] = useState(false);
  const [template, setTemplate] = useState<number | null>(null);
  const [x, setX] = useState("0");
  const [z, setZ] = useState("0");
  const [y, setY] = useState("");
  const [nx, nz, ny] = [parseDecimal(x.trim()), parseDecimal(z.trim()), y.trim() === "" ? null : parseDecimal(y.trim())];
  const chosen = templates.find((t) => t.id === template) ?? templates.find((t) => !t.playable) ?? templates[0];
  const ready = chosen !== undefined && nx !== null && nz !== null && (y.trim() === "" || ny !== null);
  const choose = () => {
    setOpen(false);
    const back = () => {
      pick.set(null);
      setOpen(true);
    };
    pick.set({
      text: `Click the place for ${chosen?.name ?? "the NPC"}.`,
      onPick: (px, pz) => {
        setX(px.toFixed(1));
        setZ(pz.toFixed(1));
        back();
      },
      cancel: back,
    });
  };
  return (
    <section class="panel-part" aria-label="NPCs">
      <Button class="button-whole" icon={<PlusIcon size={16} />} why={denied} onClick={() => setOpen(true)} data-testid="spawn">
        Spawn an NPC
      </Button>
      {open && (
        <ActionDialog
          title={`Spawn an NPC in ${area.name}`}
          verb="Spawn"
          ready={ready}
          act={async () => void (await api.spawn(chosen!.id, { areaId: area.id, x: nx!, y: ny, z: nz! }))}
          doneText={`${chosen?.name ?? "The NPC"} is at ${x}, ${z} in ${area.name}.`}
          onClose={() => setOpen(false)}
          onDone={() => setOpen(false)}
        >
          <p>It stays until it dies or is removed, also over a restart. It is marked as spawned by an operator.</p>
          <label class="label" for="spawn-template">
            What
          </label>
          <select id="spawn-template" class="input" value={chosen?.id} onChange={(e) => setTemplate(Number(e.currentTarget.value))} data-testid="spawn-template">
            {templates.map((t) => (
              <option key={t.id} value={t.id}>
                {t.name}
              </option>
            ))}
          </select>
          <div class="form-row">
            <Coordinate id="spawn-x" name="x (east)" value={x} set={setX} testid="spawn-x" />
            <Coordinate id="spawn-z" name="z (north)" value={z} set={setZ} testid="spawn-z" />
            <Coordinate id="spawn-y" name="y (height)" value={y} set={setY} testid="spawn-y" hint="on the ground" />
          </div>
          <Button icon={<JumpIcon size={16} />} onClick={choose} data-testid="spawn-pick">
            Pick on the map
          </Button>
          {!ready && <p class="form-error">Coordinates are numbers in world units, such as 12.5.</p>}
        </ActionDialog>
      )}
    </section>
  );
}

// RemoveNpc removes an NPC.
export function RemoveNpc({ id, name, spawned, onDone }: { id: number; name: string; spawned: boolean; onDone: () => void }) {
  const denied = useDenied();
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button kind="danger" icon={<TrashIcon size={16} />} why={denied} onClick={() => setOpen(true)} data-testid="npc-remove">
        Remove
      </Button>
      {open && (
        <ActionDialog title={`Remove ${name}`} verb="Remove" danger missing="It has died or was removed already." act={() => api.removeNpc(id)} doneText={`${name} was removed.`} onClose={close} onDone={() => (close(), onDone())}>
          <p>{spawned ? `${name} is gone for good, without a death.` : `${name} is gone at once, without a death. If the world file spawns it, another one comes after the period of its spawn; a pet is gone for good.`}</p>
        </ActionDialog>
      )}
    </>
  );
}
