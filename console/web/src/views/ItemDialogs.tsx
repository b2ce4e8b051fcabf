import { useState } from "preact/hooks";
import type { AttributeValue, InventoryItem } from "../api/types";
import { count, plural } from "../lib/format";
import { parseDecimal } from "../lib/route";
import { useStore } from "../lib/store";
import { world } from "../state";
import { ActionDialog } from "../ui/ActionDialog";

interface Props {
  name: string; // name of the player or character
  missing?: string;
  note?: string; // text about further effects of the action
  onClose: () => void;
  onDone: () => void;
}

const most = 65_535; // maximum number of items of one action
const largest = 32_767; // maximum value of an attribute

// whole parses a whole number from least to limit. It returns null for any other text.
export function whole(text: string, least: number, limit: number): number | null {
  const n = parseDecimal(text.trim());
  return n !== null && Number.isInteger(n) && n >= least && n <= limit ? n : null;
}

function Amount({ value, set }: { value: string; set: (v: string) => void }) {
  return (
    <>
      <label class="label" for="item-amount">
        Amount
      </label>
      <input id="item-amount" class="input" inputMode="numeric" value={value} onInput={(e) => set(e.currentTarget.value)} data-testid="item-amount" />
    </>
  );
}

// GiveDialog gives items of the world.
export function GiveDialog({ name, note, act, ...rest }: Props & { act: (item: string, amount: number) => Promise<void> }) {
  const items = useStore(world)?.items ?? [];
  const [item, setItem] = useState("");
  const [amount, setAmount] = useState("1");
  const n = whole(amount, 1, most);
  return (
    <ActionDialog title={`Give ${name} items`} verb="Give" ready={item.trim() !== "" && n !== null} act={() => act(item.trim(), n!)} doneText={`${name} has ${amount} more of ${item.trim()}.`} {...rest}>
      <label class="label" for="item-name">
        Item <span class="faint">its name or number</span>
      </label>
      <input id="item-name" class="input" list="item-names" maxLength={100} autofocus autocomplete="off" value={item} onInput={(e) => setItem(e.currentTarget.value)} data-testid="item-name" />
      <datalist id="item-names">
        {items.slice(0, 2000).map((i) => (
          <option key={i.id} value={i.name}>
            {`number ${i.id}`}
          </option>
        ))}
      </datalist>
      <Amount value={amount} set={setAmount} />
      <p class="hint">Items go into the backpack. If not all fit, none is given.</p>
      {note && <p class="form-error">{note}</p>}
    </ActionDialog>
  );
}

// TakeDialog takes items of one slot.
export function TakeDialog({ name, note, inventory, act, ...rest }: Props & { inventory: InventoryItem[]; act: (from: InventoryItem, amount: number) => Promise<void> }) {
  const [slot, setSlot] = useState(inventory[0]?.slot ?? -1);
  const from = inventory.find((i) => i.slot === slot);
  const [amount, setAmount] = useState(String(from?.amount ?? 1));
  const n = whole(amount, 1, from?.amount ?? 1);
  return (
    <ActionDialog title={`Take items from ${name}`} verb="Take" danger ready={from !== undefined && n !== null} act={() => act(from!, n!)} doneText={`${count(n ?? 0)} of ${from?.item ?? "the items"} were taken from ${name}.`} {...rest}>
      <label class="label" for="item-slot">
        Item
      </label>
      <select
        id="item-slot"
        class="input"
        value={slot}
        onChange={(e) => {
          const chosen = Number(e.currentTarget.value);
          setSlot(chosen);
          setAmount(String(inventory.find((i) => i.slot === chosen)?.amount ?? 1));
        }}
        data-testid="item-slot"
      >
        {inventory.map((i) => (
          <option key={i.slot} value={i.slot}>
            {i.item || `item ${i.itemId}`}
            {i.amount > 1 ? ` × ${count(i.amount)}` : ""}
            {i.worn ? ", worn" : ""}
          </option>
        ))}
      </select>
      <Amount value={amount} set={setAmount} />
      {n === null && <p class="form-error">{`The stack has ${plural(from?.amount ?? 0, "item", "items")}.`}</p>}
      {note && <p class="form-error">{note}</p>}
    </ActionDialog>
  );
}

// AttributeDialog sets the value and the maximum of an attribute.
export function AttributeDialog({ name, note, attributes, act, ...rest }: Props & { attributes: AttributeValue[]; act: (attribute: AttributeValue, value: number, max: number) => Promise<void> }) {
  const [index, setIndex] = useState(attributes[0]?.index ?? 0);
  const now = attributes.find((a) => a.index === index);
  const [value, setValue] = useState(String(now?.value ?? 0));
  const [max, setMax] = useState(String(now?.max ?? 0));
  const [v, m] = [whole(value, 0, largest), whole(max, 0, largest)];
  const ready = now !== undefined && v !== null && m !== null && v <= m;
  return (
    <ActionDialog title={`Set an attribute of ${name}`} verb="Set" ready={ready} act={() => act(now!, v!, m!)} doneText={`${name} has ${now?.name ?? "it"} ${value} of ${max}.`} {...rest}>
      <label class="label" for="attribute-name">
        Attribute
      </label>
      <select
        id="attribute-name"
        class="input"
        value={index}
        onChange={(e) => {
          const chosen = attributes.find((a) => a.index === Number(e.currentTarget.value));
          if (chosen === undefined) return;
          setIndex(chosen.index);
          setValue(String(chosen.value));
          setMax(String(chosen.max));
        }}
        data-testid="attribute-name"
      >
        {attributes.map((a) => (
          <option key={a.index} value={a.index}>
            {a.name}
            {a.hidden ? " (not shown by clients)" : ""}
          </option>
        ))}
      </select>
      <div class="form-row">
        <div>
          <label class="label" for="attribute-value">
            Value
          </label>
          <input id="attribute-value" class="input" inputMode="numeric" value={value} onInput={(e) => setValue(e.currentTarget.value)} data-testid="attribute-value" />
        </div>
        <div>
          <label class="label" for="attribute-max">
            Maximum
          </label>
          <input id="attribute-max" class="input" inputMode="numeric" value={max} onInput={(e) => setMax(e.currentTarget.value)} data-testid="attribute-max" />
        </div>
      </div>
      {!ready && <p class="form-error">{`Whole numbers from 0 to ${largest}, the value at most the maximum.`}</p>}
      {note && <p class="form-error">{note}</p>}
    </ActionDialog>
  );
}
