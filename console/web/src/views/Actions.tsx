import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { Player, Rule } from "../api/types";
import { stamp } from "../lib/format";
import { useLoaded } from "../lib/load";
import { parsePlace } from "../lib/place";
import { useStore } from "../lib/store";
import { atLeast, navigate, route, useDenied, world } from "../state";
import { ActionDialog, ReasonField } from "../ui/ActionDialog";
import { Button } from "../ui/basics";
import { BanIcon, FreezeIcon, GiftIcon, HandIcon, JumpIcon, KickIcon, MessageIcon, MuteIcon, SlidersIcon } from "../ui/icons";
import { PlaceFields } from "../ui/PlaceFields";
import { BanDialog, MuteDialog, UnmuteDialog } from "./admin/RuleDialogs";
import { AttributeDialog, GiveDialog, TakeDialog } from "./ItemDialogs";
import { pick } from "./map/pick";

type ActionName = "message" | "teleport" | "freeze" | "kick" | "mute" | "ban" | "give" | "take" | "attribute";

const hasLeft = "The player has left the world.";

// Actions are the operator's actions on a player. An action that is not possible is disabled and shows the reason.
export function Actions({ player, onDone }: { player: Player; onDone: () => void }) {
  const [open, setOpen] = useState<ActionName | null>(null);
  const [place, setPlace] = useState<{ x: number; z: number } | null>(null);
  const denied = useDenied("moderator", "Your token is a viewer's. A moderator or an administrator can do this.");
  const banDenied = useDenied("admin", "Only an administrator can ban.");
  const itemsDenied = useDenied("admin", "Only an administrator can change items and attributes.");
  const { data, reload } = useLoaded(atLeast("moderator") ? "mutes" : null, api.mutes, 10_000);
  const mute = data?.mutes.find((m) => m.account?.toLowerCase() === player.account.toLowerCase());
  const close = () => {
    setOpen(null);
    setPlace(null);
  };
  const done = () => {
    close();
    reload();
    onDone();
  };
  const choose = () => {
    setOpen(null);
    if (route.get().view !== "map") navigate("map", { area: player.areaId, player: player.entity });
    pick.set({
      text: `Click the place to teleport ${player.name} to.`,
      onPick: (x, z) => {
        pick.set(null);
        setPlace({ x, z });
        setOpen("teleport");
      },
      cancel: () => pick.set(null),
    });
  };
  return (
    <section class="panel-part" aria-label="Actions">
      <h3>Actions</h3>
      <ActionButtons denied={denied} banDenied={denied ?? banDenied} itemsDenied={denied ?? itemsDenied} frozen={player.frozen} muted={mute !== undefined} empty={player.inventory.length === 0} onAction={setOpen} />
      {mute && <MutedHint mute={mute} />}
      {(denied ?? banDenied) && <p class="hint">{denied ?? banDenied}</p>}
      {open === "message" && <Message player={player} onClose={close} onDone={done} />}
      {open === "teleport" && <Teleport player={player} place={place} onPick={choose} onClose={close} onDone={done} />}
      {open === "freeze" && <Freeze player={player} onClose={close} onDone={done} />}
      {open === "kick" && <Kick player={player} onClose={close} onDone={done} />}
      {open === "mute" && (mute ? <UnmuteDialog account={player.account} onClose={close} onDone={done} /> : <MuteDialog account={player.account} onClose={close} onDone={done} />)}
      {open === "give" && <GiveDialog name={player.name} missing={hasLeft} act={(item, n) => api.give(player.entity, item, n)} onClose={close} onDone={done} />}
      {open === "take" && <TakeDialog name={player.name} missing={hasLeft} inventory={player.inventory} act={(from, n) => api.take(player.entity, from, n)} onClose={close} onDone={done} />}
      {open === "attribute" && (
        <AttributeDialog name={player.name} missing={hasLeft} attributes={player.attributes} act={(a, value, max) => api.setAttribute(player.entity, a.index, value, max)} onClose={close} onDone={done} />
      )}
      {open === "ban" && <BanDialog account={player.account} name={player.name} addr={player.addr} onClose={close} onDone={done} />}
    </section>
  );
}

// MutedHint says until when and why a player may not talk.
function MutedHint({ mute }: { mute: Rule }) {
  return (
    <p class="hint" data-testid="muted">
      Muted {mute.until === null ? "without an end" : `until ${stamp(Date.parse(mute.until))}`}
      {mute.by && ` by ${mute.by}`}
      {mute.reason && `: ${mute.reason}`}
    </p>
  );
}

interface ActionButtonsProps {
  denied: string | null; // why none of the actions is possible
  banDenied: string | null;
  itemsDenied: string | null;
  empty: boolean; // the player carries nothing
  frozen: boolean;
  muted: boolean;
  onAction: (action: ActionName) => void;
}

export function ActionButtons({ denied, banDenied, itemsDenied, empty, frozen, muted, onAction }: ActionButtonsProps) {
  return (
    <div class="action-grid">
      <Button icon={<MessageIcon size={16} />} why={denied} onClick={() => onAction("message")} data-testid="act-message">
        Message
      </Button>
      <Button icon={<JumpIcon size={16} />} why={denied} onClick={() => onAction("teleport")} data-testid="act-teleport">
        Teleport
      </Button>
      <Button icon={<FreezeIcon size={16} />} why={denied} onClick={() => onAction("freeze")} data-testid="act-freeze">
        {frozen ? "Unfreeze" : "Freeze"}
      </Button>
      <Button icon={<KickIcon size={16} />} kind="danger" why={denied} onClick={() => onAction("kick")} data-testid="act-kick">
        Kick
      </Button>
      <Button icon={<MuteIcon size={16} />} why={denied} onClick={() => onAction("mute")} data-testid="act-mute">
        {muted ? "Unmute" : "Mute"}
      </Button>
      <Button icon={<BanIcon size={16} />} kind="danger" why={banDenied} onClick={() => onAction("ban")} data-testid="act-ban">
        Ban
      </Button>
      <Button icon={<GiftIcon size={16} />} why={itemsDenied} onClick={() => onAction("give")} data-testid="act-give">
        Give
      </Button>
      <Button icon={<HandIcon size={16} />} why={itemsDenied ?? (empty ? "The player carries nothing." : null)} onClick={() => onAction("take")} data-testid="act-take">
        Take
      </Button>
      <Button icon={<SlidersIcon size={16} />} why={itemsDenied} onClick={() => onAction("attribute")} data-testid="act-attribute">
        Attribute
      </Button>
    </div>
  );
}

type DialogProps = { player: Player; onClose: () => void; onDone: () => void };

function Message({ player, ...rest }: DialogProps) {
  const [text, setText] = useState("");
  return (
    <ActionDialog title={`Message to ${player.name}`} missing={hasLeft} verb="Send" ready={text.trim() !== ""} act={() => api.message(player.entity, text.trim())} doneText={`Message sent to ${player.name}.`} {...rest}>
      <p>{player.name} reads this in the chat, as a message from the server. Nobody else sees it.</p>
      <label class="label" for="message-text">
        Message
      </label>
      <input id="message-text" class="input" maxLength={200} autofocus value={text} onInput={(e) => setText(e.currentTarget.value)} data-testid="action-text" />
    </ActionDialog>
  );
}

function Teleport({ player, place, onPick, ...rest }: DialogProps & { place: { x: number; z: number } | null; onPick: () => void }) {
  const areas = useStore(world)?.areas ?? [];
  const shown = Number(route.get().query.area ?? player.areaId);
  const [area, setArea] = useState(place ? shown : player.areaId);
  const [text, setText] = useState({ x: (place?.x ?? player.pos?.x ?? 0).toFixed(1), z: (place?.z ?? player.pos?.z ?? 0).toFixed(1), y: "" });
  const to = parsePlace(text);
  const name = areas.find((a) => a.id === area)?.name ?? player.area;
  return (
    <ActionDialog
      title={`Teleport ${player.name}`}
      missing={hasLeft}
      verb="Teleport"
      ready={to !== null}
      act={() => api.teleport(player.entity, { areaId: area, ...to! })}
      doneText={`${player.name} was teleported to ${text.x}, ${text.z} in ${name}.`}
      {...rest}
    >
      <p>
        {player.name} is moved there at once{area !== player.areaId ? ` and leaves ${player.area}` : ""}. Their client is informed; this does not count as a correction.
      </p>
      <label class="label" for="tp-area">
        Area
      </label>
      <select id="tp-area" class="input" value={area} onChange={(e) => setArea(Number(e.currentTarget.value))} data-testid="teleport-area">
        {areas.map((a) => (
          <option key={a.id} value={a.id}>
            {a.name}
          </option>
        ))}
      </select>
      <PlaceFields name="teleport" text={text} set={setText} onPick={onPick} />
    </ActionDialog>
  );
}

function Freeze({ player, ...rest }: DialogProps) {
  const to = !player.frozen;
  return (
    <ActionDialog
      title={to ? `Freeze ${player.name}` : `Unfreeze ${player.name}`}
      missing={hasLeft}
      verb={to ? "Freeze" : "Unfreeze"}
      act={() => api.freeze(player.entity, to)}
      doneText={to ? `${player.name} is frozen.` : `${player.name} can move again.`}
      {...rest}
    >
      <p>
        {to
          ? `${player.name} can neither move nor fight until an operator lifts it; logging in again does not. They can still chat, and others can still see and hit them.`
          : `${player.name} can move and fight again at once.`}
      </p>
    </ActionDialog>
  );
}

function Kick({ player, ...rest }: DialogProps) {
  const [why, setWhy] = useState("");
  return (
    <ActionDialog title={`Kick ${player.name}`} missing={hasLeft} verb="Kick" danger act={() => api.kick(player.entity, why.trim())} doneText={`${player.name} was kicked.`} {...rest}>
      <p>{player.name} is saved and disconnected, and reads the reason. They may come back at once; to keep them out, ban the account.</p>
      <ReasonField value={why} set={setWhy} />
    </ActionDialog>
  );
}
