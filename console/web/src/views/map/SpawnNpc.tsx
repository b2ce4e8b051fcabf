import { useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Area } from "../../api/types";
import { parsePlace } from "../../lib/place";
import { useStore } from "../../lib/store";
import { useDenied, world } from "../../state";
import { ActionDialog } from "../../ui/ActionDialog";
import { Button } from "../../ui/basics";
import { PlusIcon, TrashIcon } from "../../ui/icons";
import { PlaceFields } from "../../ui/PlaceFields";
import { pick } from "./pick";

const tooLow = "Only an administrator can spawn and remove NPCs.";

// SpawnNpc spawns an NPC in the area that the map shows.
export function SpawnNpc({ area }: { area: Area }) {
  const denied = useDenied("admin", tooLow);
  const templates = useStore(world)?.templates ?? [];
  const [open, setOpen] = useState(false);
  const [template, setTemplate] = useState<number | null>(null);
  const [text, setText] = useState({ x: "0", z: "0", y: "" });
  const place = parsePlace(text);
  const chosen = templates.find((t) => t.id === template) ?? templates.find((t) => !t.playable) ?? templates[0];
  const choose = () => {
    setOpen(false);
    const back = () => {
      pick.set(null);
      setOpen(true);
    };
    pick.set({
      text: `Click the place for ${chosen?.name ?? "the NPC"}.`,
      onPick: (x, z) => {
        setText({ ...text, x: x.toFixed(1), z: z.toFixed(1) });
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
          ready={chosen !== undefined && place !== null}
          act={async () => void (await api.spawn(chosen!.id, { areaId: area.id, ...place! }))}
          doneText={`${chosen?.name ?? "The NPC"} is at ${text.x}, ${text.z} in ${area.name}.`}
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
          <PlaceFields name="spawn" text={text} set={setText} onPick={choose} />
        </ActionDialog>
      )}
    </section>
  );
}

// RemoveNpc removes an NPC.
export function RemoveNpc({ id, name, spawned, onDone }: { id: number; name: string; spawned: boolean; onDone: () => void }) {
  const denied = useDenied("admin", tooLow);
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
