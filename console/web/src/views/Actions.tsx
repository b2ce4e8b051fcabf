import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { api, ApiError } from "../api/client";
import type { Player } from "../api/types";
import { parseDecimal } from "../lib/route";
import { useStore } from "../lib/store";
import { access, atLeast, navigate, route, toast, world } from "../state";
import { Button, Dialog } from "../ui/basics";
import { BanIcon, FreezeIcon, JumpIcon, KickIcon, MessageIcon } from "../ui/icons";
import { pick } from "./map/pick";

type ActionName = "message" | "teleport" | "freeze" | "kick" | "ban";

// Actions are the operator's actions on a player. Those that the role does not allow are disabled with the reason.
export function Actions({ player, onDone }: { player: Player; onDone: () => void }) {
  useStore(access);
  const [open, setOpen] = useState<ActionName | null>(null);
  const [place, setPlace] = useState<{ x: number; z: number } | null>(null);
  const denied = atLeast("moderator") ? null : "Your token is a viewer's. A moderator or an administrator can do this.";
  const banDenied = atLeast("admin") ? null : "Only an administrator can ban.";
  const close = () => {
    setOpen(null);
    setPlace(null);
  };
  const done = () => {
    close();
    onDone();
  };
  const choose = () => {
    setOpen(null);
    if (route.get().view !== "map") navigate("map", { area: player.areaId, player: player.entity });
    pick.set({
      name: player.name,
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
      <ActionButtons denied={denied} banDenied={denied ?? banDenied} frozen={player.frozen} onAction={setOpen} />
      {(denied ?? banDenied) && <p class="hint">{denied ?? banDenied}</p>}
      {open === "message" && <Message player={player} onClose={close} onDone={done} />}
      {open === "teleport" && <Teleport player={player} place={place} onPick={choose} onClose={close} onDone={done} />}
      {open === "freeze" && <Freeze player={player} onClose={close} onDone={done} />}
      {open === "kick" && <Kick player={player} onClose={close} onDone={done} />}
      {open === "ban" && <BanDialog account={player.account} name={player.name} onClose={close} onDone={done} />}
    </section>
  );
}

interface ActionButtonsProps {
  denied: string | null; // why none of the actions is possible
  banDenied: string | null;
  frozen: boolean;
  onAction: (action: ActionName) => void;
}

export function ActionButtons({ denied, banDenied, frozen, onAction }: ActionButtonsProps) {
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
      <Button icon={<BanIcon size={16} />} kind="danger" why={banDenied} onClick={() => onAction("ban")} data-testid="act-ban">
        Ban
      </Button>
    </div>
  );
}

interface ActionDialogProps {
  title: string;
  children: ComponentChildren;
  verb: string;
  danger?: boolean;
  ready?: boolean;
  act: () => Promise<void>;
  doneText: string; // of the toast after success
  onClose: () => void;
  onDone: () => void;
}

// ActionDialog asks for confirmation of an action, runs it, and reports the result.
export function ActionDialog({ title, children, verb, danger, ready = true, act, doneText, onClose, onDone }: ActionDialogProps) {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState("");
  const submit = async (e: Event) => {
    e.preventDefault();
    if (!ready || busy) return;
    setBusy(true);
    try {
      await act();
      toast("good", doneText);
      onDone();
    } catch (error) {
      setBusy(false);
      setFailed(failure(error));
    }
  };
  return (
    <Dialog title={title} onClose={onClose} testid="action-dialog">
      <form class="form" onSubmit={submit}>
        {children}
        {failed && (
          <p class="form-error" role="alert" data-testid="action-error">
            {failed}
          </p>
        )}
        <div class="form-buttons">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind={danger ? "danger" : "primary"} type="submit" disabled={busy || !ready} data-testid="action-confirm">
            {verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function failure(error: unknown): string {
  if (!(error instanceof ApiError)) return "Something went wrong. Nothing may have been done.";
  if (error.code === "not_found") return "The player has left the world.";
  if (error.code === "forbidden") return "Your role does not allow this.";
  return error.message;
}

type DialogProps = { player: Player; onClose: () => void; onDone: () => void };

function Message({ player, ...rest }: DialogProps) {
  const [text, setText] = useState("");
  return (
    <ActionDialog title={`Message to ${player.name}`} verb="Send" ready={text.trim() !== ""} act={() => api.message(player.entity, text.trim())} doneText={`Message sent to ${player.name}.`} {...rest}>
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
  const [x, setX] = useState((place?.x ?? player.pos?.x ?? 0).toFixed(1));
  const [z, setZ] = useState((place?.z ?? player.pos?.z ?? 0).toFixed(1));
  const [y, setY] = useState("");
  const [nx, nz, ny] = [parseDecimal(x.trim()), parseDecimal(z.trim()), y.trim() === "" ? null : parseDecimal(y.trim())];
  const ready = nx !== null && nz !== null && (y.trim() === "" || ny !== null);
  const name = areas.find((a) => a.id === area)?.name ?? player.area;
  return (
    <ActionDialog
      title={`Teleport ${player.name}`}
      verb="Teleport"
      ready={ready}
      act={() => api.teleport(player.entity, { areaId: area, x: nx!, y: ny, z: nz! })}
      doneText={`${player.name} was teleported to ${x}, ${z} in ${name}.`}
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
      <div class="form-row">
        <Coordinate id="tp-x" name="x (east)" value={x} set={setX} testid="teleport-x" />
        <Coordinate id="tp-z" name="z (north)" value={z} set={setZ} testid="teleport-z" />
        <Coordinate id="tp-y" name="y (height)" value={y} set={setY} testid="teleport-y" hint="on the ground" />
      </div>
      <Button icon={<JumpIcon size={16} />} onClick={onPick} data-testid="teleport-pick">
        Pick on the map
      </Button>
      {!ready && <p class="form-error">Coordinates are numbers in world units, such as 12.5.</p>}
    </ActionDialog>
  );
}

function Coordinate({ id, name, value, set, testid, hint }: { id: string; name: string; value: string; set: (v: string) => void; testid: string; hint?: string }) {
  return (
    <div>
      <label class="label" for={id}>
        {name}
      </label>
      <input id={id} class="input" inputMode="decimal" value={value} placeholder={hint} onInput={(e) => set(e.currentTarget.value)} data-testid={testid} />
    </div>
  );
}

function Freeze({ player, ...rest }: DialogProps) {
  const to = !player.frozen;
  return (
    <ActionDialog
      title={to ? `Freeze ${player.name}` : `Unfreeze ${player.name}`}
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
    <ActionDialog title={`Kick ${player.name}`} verb="Kick" danger act={() => api.kick(player.entity, why.trim())} doneText={`${player.name} was kicked.`} {...rest}>
      <p>{player.name} is saved and disconnected, and reads the reason. They may come back at once; to keep them out, ban the account.</p>
      <ReasonField value={why} set={setWhy} />
    </ActionDialog>
  );
}

export function BanDialog({ account, name, onClose, onDone }: { account: string; name: string; onClose: () => void; onDone: () => void }) {
  const [why, setWhy] = useState("");
  return (
    <ActionDialog title={`Ban ${account}`} verb="Ban" danger act={() => api.ban(account, why.trim())} doneText={`The account ${account} is banned.`} onClose={onClose} onDone={onDone}>
      <p>
        The account <b>{account}</b>
        {name !== account && name !== "" ? ` (now playing ${name})` : ""} is disconnected and cannot log in through any door until it is pardoned under Audit. All its characters are kept.
      </p>
      <ReasonField value={why} set={setWhy} />
    </ActionDialog>
  );
}

function ReasonField({ value, set }: { value: string; set: (v: string) => void }) {
  return (
    <>
      <label class="label" for="why">
        Reason <span class="faint">shown to the player and kept in the audit</span>
      </label>
      <input id="why" class="input" maxLength={150} autofocus value={value} onInput={(e) => set(e.currentTarget.value)} data-testid="action-reason" />
    </>
  );
}
