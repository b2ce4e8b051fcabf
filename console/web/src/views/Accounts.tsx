import { useState } from "preact/hooks";
import { api, ApiError } from "../api/client";
import type { Account, AccountCharacter, AttributeValue, FoundAccount } from "../api/types";
import { clock, count, day, figure, plural, zone } from "../lib/format";
import { useLoaded } from "../lib/load";
import { useMorePages } from "../lib/pages";
import { formatRoute, parseDecimal } from "../lib/route";
import { useStore } from "../lib/store";
import { navigate, route, toast, updateRoute, useDenied, world } from "../state";
import { Button, Dialog, Empty, Failure, Loading } from "../ui/basics";
import { ActionDialog } from "../ui/ActionDialog";
import { MoreButton, Table } from "../ui/Table";
import { BanDialog, MuteDialog } from "./admin/RuleDialogs";
import { AttributeDialog, GiveDialog, TakeDialog } from "./ItemDialogs";
import { Select } from "./Players";

// Accounts finds stored accounts, also of players who are not in the world, and changes them.
export function Accounts() {
  const { query } = useStore(route);
  const doors = useStore(world)?.doors ?? [];
  const [q, door, banned, account] = [query.q ?? "", query.door ?? "", query.banned ?? "", query.account ?? ""];
  const key = `${q} ${door} ${banned}`;
  const { data, error, reload } = useLoaded(`accounts ${key}`, (signal) => api.accounts({ q, door, banned }, signal), 10_000);
  return (
    <div class="page page-pad">
      <header class="page-head">
        <h1>Accounts</h1>
      </header>
      <div class="filters">
        <div class="field">
          <input class="input" type="search" aria-label="Start of a name" placeholder="Start of a name" value={q} onInput={(e) => updateRoute({ q: e.currentTarget.value })} data-testid="account-search" />
        </div>
        <Select label="Door" value={door} all="All doors" options={doors.map((d): [string, string] => [d.name, d.title])} set={(v) => updateRoute({ door: v })} testid="account-door" />
        <Select label="Ban" value={banned} all="Banned or not" options={[["true", "Banned"], ["false", "Not banned"]]} set={(v) => updateRoute({ banned: v })} testid="account-banned" />
      </div>
      {data === null ? error ? <Failure error={error} what="The list" retry={reload} /> : <Loading what="the list" /> : <List key={key} first={data} ask={(after) => api.accounts({ q, door, banned, after })} />}
      {account !== "" && <Details key={account} name={account} onClose={() => updateRoute({ account: null })} onChange={reload} />}
    </div>
  );
}

type Found = { accounts: FoundAccount[]; next: string | null };

function List({ first, ask }: { first: Found; ask: (after: string) => Promise<Found> }) {
  const more = useMorePages(first.next, async (after: string) => {
    const { accounts, next } = await ask(after);
    return { items: accounts, next };
  });
  if (first.accounts.length === 0) return <Empty title="No account matches">Names of accounts and of characters are compared from their start.</Empty>;
  return (
    <Table columns={["Account", "Characters", ["Doors", "minor"], "Last seen"]} label="Stored accounts by name" testid="accounts" foot={<MoreButton pages={more} what="more" />}>
      {[...first.accounts, ...more.items].map((a) => (
        <tr key={a.name} data-testid="account-row">
          <td class="detail-cell">
            <a href={formatRoute("accounts", { ...route.get().query, account: a.name })} data-testid="account-open">
              {a.name}
            </a>
            {a.banned && <b> banned</b>}
          </td>
          <td class="detail-cell">{a.characters.join(", ")}</td>
          <td class="minor">{a.doors.join(", ")}</td>
          <td>
            <span class="nowrap">{day(Date.parse(a.lastSeen))}</span>{" "}
            <span class="nowrap">
              {clock(Date.parse(a.lastSeen))} <span class="faint">{zone(Date.parse(a.lastSeen))}</span>
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}

type Open = { what: "secret" | "merge" | "delete" | "ban" | "mute" } | { what: "edit" | "move" | "remove" | "give" | "take" | "attribute"; character: AccountCharacter } | null;

function Details({ name, onClose, onChange }: { name: string; onClose: () => void; onChange: () => void }) {
  const { data, error, reload } = useLoaded(`account ${name}`, (signal) => api.account(name, signal));
  const [open, setOpen] = useState<Open>(null);
  const names = useStore(world)?.attributes ?? [];
  const why = useDenied("admin", "Only an administrator can change accounts.");
  const muteDenied = useDenied("moderator", "Only moderators can mute.");
  const close = () => setOpen(null);
  const done = (gone: boolean) => () => {
    close();
    onChange();
    if (gone) onClose();
    else reload();
  };
  if (data === null) {
    return (
      <Dialog title={name} onClose={onClose}>
        {error ? <Failure error={error} what="The account" retry={reload} /> : <Loading what="the account" />}
      </Dialog>
    );
  }
  const rest = { onClose: close, online: data.online };
  if (open?.what === "secret") return <Secret account={data} onClose={close} onDone={done(false)} />;
  if (open?.what === "merge") return <Merge account={data} {...rest} onDone={done(true)} />;
  if (open?.what === "delete") return <Delete account={data} {...rest} onDone={done(true)} />;
  if (open?.what === "mute") return <MuteDialog account={data.name} onClose={close} onDone={done(false)} />;
  if (open?.what === "ban") return <BanDialog account={data.name} onClose={close} onDone={done(false)} />;
  if (open?.what === "edit") return <Edit account={data} character={open.character} {...rest} onDone={done(false)} />;
  const change = (c: AccountCharacter) => ({ name: c.name, note: data.online ? onlineNote : undefined, onClose: close, onDone: done(false), edit: (change: Record<string, unknown>) => api.editCharacter(data.name, c.name, change) });
  if (open?.what === "give") {
    const { edit, ...dialog } = change(open.character);
    return <GiveDialog act={(item, amount) => edit({ give: [{ item, amount }] })} {...dialog} />;
  }
  if (open?.what === "take") {
    const { edit, ...dialog } = change(open.character);
    return <TakeDialog inventory={open.character.items} act={(from, amount) => edit({ take: [{ item: from.itemId, amount }] })} {...dialog} />;
  }
  if (open?.what === "attribute") {
    const { edit, ...dialog } = change(open.character);
    return <AttributeDialog attributes={sheetAttributes(open.character, names)} act={(a, value, max) => edit({ attributes: [{ index: a.index, value, max }] })} {...dialog} />;
  }
  if (open?.what === "move") return <Move account={data} character={open.character} {...rest} onDone={done(false)} />;
  if (open?.what === "remove") return <Remove account={data} character={open.character} {...rest} onDone={done(false)} />;
  return (
    <Dialog title={data.name} onClose={onClose} testid="account" wide>
      <p>
        Created {day(Date.parse(data.createdAt))}
        {data.email && `, ${data.email}`}
        {data.online && ", in the world"}
        {data.banned && ", banned"}
        {data.frozen && ", frozen"}
        {!data.hasSecret && ", logs in without a password"}.
      </p>
      <div class="action-grid">
        <Button why={why ?? (data.hasSecret ? null : "Players of this account log in without a password.")} onClick={() => setOpen({ what: "secret" })} data-testid="account-secret">
          New password
        </Button>
        <Button why={why} onClick={() => void exportAccount(data.name)} data-testid="account-export">
          Export
        </Button>
        <Button onClick={() => navigate("audit", { tab: "chat", who: data.name })} data-testid="account-chat">
          Chat
        </Button>
        <Button why={why} onClick={() => setOpen({ what: "merge" })} data-testid="account-merge">
          Merge
        </Button>
        <Button why={muteDenied} onClick={() => setOpen({ what: "mute" })} data-testid="account-mute">
          Mute
        </Button>
        <Button kind="danger" why={why} onClick={() => setOpen({ what: "ban" })}>
          Ban
        </Button>
        <Button kind="danger" why={why} onClick={() => setOpen({ what: "delete" })} data-testid="account-delete">
          Delete
        </Button>
      </div>
      {data.characters.map((c) => (
        <section key={c.id} class="panel-part" aria-label={c.name} data-testid="account-character">
          <h3>{c.name}</h3>
          <p>
            {c.sheet.door}, level {count(c.sheet.level)}, {count(c.sheet.gold)} gold, in {c.sheet.area} at {figure(c.sheet.pos[0])}, {figure(c.sheet.pos[1])}, {figure(c.sheet.pos[2])}
          </p>
          <p class="hint">{c.items.map((i) => `${i.amount} x ${i.item || `item ${i.itemId}`}${i.worn ? " (worn)" : ""}`).join(", ") || "no items"}</p>
          <div class="action-grid">
            <Button why={why} onClick={() => setOpen({ what: "edit", character: c })} data-testid="character-edit">
              Change
            </Button>
            <Button why={why} onClick={() => setOpen({ what: "give", character: c })} data-testid="character-give">
              Give
            </Button>
            <Button why={why ?? (c.items.length === 0 ? "The character carries nothing." : null)} onClick={() => setOpen({ what: "take", character: c })}>
              Take
            </Button>
            <Button why={why} onClick={() => setOpen({ what: "attribute", character: c })}>
              Attribute
            </Button>
            <Button why={why} onClick={() => setOpen({ what: "move", character: c })}>
              Move
            </Button>
            <Button kind="danger" why={why} onClick={() => setOpen({ what: "remove", character: c })}>
              Delete
            </Button>
          </div>
        </section>
      ))}
    </Dialog>
  );
}

// sheetAttributes returns the attributes of a stored character for which the world has names.
function sheetAttributes(of: AccountCharacter, names: { id: number; name: string }[]): AttributeValue[] {
  return names.map((a) => {
    const [value, max] = of.sheet.attr?.[a.id] ?? [0, 0];
    return { index: a.id, name: a.name, value, max, hidden: false };
  });
}

// exportAccount downloads all data that the server stores about an account.
async function exportAccount(name: string): Promise<void> {
  try {
    const text = JSON.stringify(await api.exportAccount(name), null, 1);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = `${name.replace(/[^A-Za-z0-9_-]/g, "_")}.json`;
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    toast("good", `All stored data of ${name} was exported.`);
  } catch (error) {
    toast("bad", error instanceof ApiError ? error.message : "The account could not be exported.");
  }
}

type Props = { account: Account; online: boolean; onClose: () => void; onDone: () => void };

const onlineNote = "A player of this account is in the world, and is sent away first.";

function OnlineNote({ online }: { online: boolean }) {
  return online ? <p class="form-error">{onlineNote}</p> : null;
}

function Secret({ account, onClose, onDone }: { account: Account; onClose: () => void; onDone: () => void }) {
  const [made, setMade] = useState<string | null>(null);
  if (made !== null) {
    return (
      <Dialog title={`Password of ${account.name}`} onClose={onDone} testid="account-password">
        <p>The new password is shown this once. It is valid at all doors.</p>
        <p>
          <code data-testid="new-password">{made}</code>
        </p>
        <div class="form-buttons">
          <Button kind="primary" onClick={onDone}>
            Done
          </Button>
        </div>
      </Dialog>
    );
  }
  const act = async () => setMade((await api.resetSecret(account.name)).secret);
  return (
    <ActionDialog title={`New password for ${account.name}`} verb="Make a new one" act={act} doneText="The password was changed." onClose={onClose} onDone={() => undefined}>
      <p>The old password is not valid any more. A player who is in the world stays there.</p>
    </ActionDialog>
  );
}

function Field({ id, name, value, set, testid }: { id: string; name: string; value: string; set: (v: string) => void; testid?: string }) {
  return (
    <div>
      <label class="label" for={id}>
        {name}
      </label>
      <input id={id} class="input" value={value} onInput={(e) => set(e.currentTarget.value)} data-testid={testid} />
    </div>
  );
}

function Merge({ account, online, ...rest }: Props) {
  const [into, setInto] = useState("");
  return (
    <ActionDialog title={`Merge ${account.name}`} verb="Merge" danger ready={into.trim() !== ""} act={() => api.mergeAccount(account.name, into.trim())} doneText={`${account.name} was merged.`} {...rest}>
      <p>All characters of {account.name} move to another account, whose password stays. Then {account.name} is deleted. Players of both accounts are sent away first.</p>
      <div class="form-row">
        <Field id="merge-into" name="Account that gets the characters" value={into} set={setInto} testid="merge-into" />
      </div>
      <OnlineNote online={online} />
    </ActionDialog>
  );
}

function Delete({ account, online, ...rest }: Props) {
  const [typed, setTyped] = useState("");
  return (
    <ActionDialog title={`Delete ${account.name}`} verb="Delete" danger ready={typed === account.name} act={() => api.deleteAccount(account.name)} doneText={`${account.name} was deleted.`} {...rest}>
      <p>
        The account, its {plural(account.characters.length, "character")}, and what the journal has of its player are deleted for good. Backups and the tape have them until these are deleted; the audit stays.
      </p>
      <div class="form-row">
        <Field id="delete-name" name={`Type ${account.name} to confirm`} value={typed} set={setTyped} testid="delete-name" />
      </div>
      <OnlineNote online={online} />
    </ActionDialog>
  );
}

type CharacterProps = Props & { character: AccountCharacter };

function Move({ account, character, online, ...rest }: CharacterProps) {
  const [to, setTo] = useState("");
  return (
    <ActionDialog title={`Move ${character.name}`} verb="Move" ready={to.trim() !== ""} act={() => api.moveCharacter(account.name, character.name, to.trim())} doneText={`${character.name} was moved.`} {...rest}>
      <div class="form-row">
        <Field id="move-to" name="Account that gets the character" value={to} set={setTo} testid="move-to" />
      </div>
      <OnlineNote online={online} />
    </ActionDialog>
  );
}

function Remove({ account, character, online, ...rest }: CharacterProps) {
  return (
    <ActionDialog title={`Delete ${character.name}`} verb="Delete" danger act={() => api.deleteCharacter(account.name, character.name)} doneText={`${character.name} was deleted.`} {...rest}>
      <p>The character and its items are deleted for good.</p>
      <OnlineNote online={online} />
    </ActionDialog>
  );
}

// Edit is the dialog to edit a stored character. It sends only the fields that the operator has changed.
function Edit({ account, character, online, ...rest }: CharacterProps) {
  const s = character.sheet;
  const areas = useStore(world)?.areas ?? [];
  const was = { name: character.name, gold: String(s.gold), level: String(s.level), area: s.area, x: s.pos[0].toFixed(2), y: s.pos[1].toFixed(2), z: s.pos[2].toFixed(2), slot: "", item: "", amount: "1" };
  const [now, setNow] = useState(was);
  const set = (key: keyof typeof was) => (value: string) => setNow({ ...now, [key]: value });
  const [gold, level, x, y, z] = [now.gold, now.level, now.x, now.y, now.z].map((v) => parseDecimal(v.trim()));
  const moved = now.area !== was.area || now.x !== was.x || now.y !== was.y || now.z !== was.z;
  const [slot, item, amount] = [now.slot, now.item, now.amount].map((v) => parseDecimal(v.trim()));
  const withItem = now.slot.trim() !== "";
  const ready = (now.gold === was.gold || gold !== null) && (now.level === was.level || level !== null) && (!moved || (x !== null && y !== null && z !== null)) && (!withItem || (slot !== null && amount !== null && (amount === 0 || item !== null)));
  const change: Record<string, unknown> = {};
  if (now.name !== was.name) change.name = now.name;
  if (now.gold !== was.gold) change.gold = gold;
  if (now.level !== was.level) change.level = level;
  if (moved) Object.assign(change, { area: now.area, x, y, z });
  if (withItem) change.items = [{ slot, item: item ?? 0, amount }];
  return (
    <ActionDialog
      title={`Change ${character.name}`}
      verb="Change"
      ready={ready && Object.keys(change).length > 0}
      act={() => api.editCharacter(account.name, character.name, change)}
      doneText={`${now.name} was changed.`}
      {...rest}
    >
      <div class="form-row">
        <Field id="edit-name" name="Name" value={now.name} set={set("name")} testid="edit-name" />
        <Field id="edit-gold" name="Gold" value={now.gold} set={set("gold")} testid="edit-gold" />
        <Field id="edit-level" name="Level" value={now.level} set={set("level")} testid="edit-level" />
      </div>
      <label class="label" for="edit-area">
        Area
      </label>
      <select id="edit-area" class="input" value={now.area} onChange={(e) => set("area")(e.currentTarget.value)}>
        {!areas.some((a) => a.name === was.area) && <option value={was.area}>{was.area}</option>}
        {areas.map((a) => (
          <option key={a.id} value={a.name}>
            {a.name}
          </option>
        ))}
      </select>
      <div class="form-row">
        <Field id="edit-x" name="x (east)" value={now.x} set={set("x")} />
        <Field id="edit-y" name="y (height)" value={now.y} set={set("y")} />
        <Field id="edit-z" name="z (north)" value={now.z} set={set("z")} />
      </div>
      <div class="form-row">
        <Field id="edit-slot" name="Item in slot" value={now.slot} set={set("slot")} />
        <Field id="edit-item" name="Item number" value={now.item} set={set("item")} />
        <Field id="edit-amount" name="Amount (or 0)" value={now.amount} set={set("amount")} />
      </div>
      {!ready && <p class="form-error">Gold, level, position, slot, item and amount are numbers.</p>}
      <OnlineNote online={online} />
    </ActionDialog>
  );
}
