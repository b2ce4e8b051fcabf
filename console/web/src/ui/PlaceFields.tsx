import { parsePlace, type PlaceText } from "../lib/place";
import { Button } from "./basics";
import { JumpIcon } from "./icons";

// PlaceFields are the inputs for a position in an area, with a button to pick it on the map. The ids of the inputs begin with
// name.
export function PlaceFields({ name, text, set, onPick }: { name: string; text: PlaceText; set: (text: PlaceText) => void; onPick: () => void }) {
  const field = (axis: keyof PlaceText, label: string, hint?: string) => (
    <div>
      <label class="label" for={`${name}-${axis}`}>
        {label}
      </label>
      <input id={`${name}-${axis}`} class="input" inputMode="decimal" value={text[axis]} placeholder={hint} onInput={(e) => set({ ...text, [axis]: e.currentTarget.value })} data-testid={`${name}-${axis}`} />
    </div>
  );
  return (
    <>
      <div class="form-row">
        {field("x", "x (east)")}
        {field("z", "z (north)")}
        {field("y", "y (height)", "ground")}
      </div>
      <Button icon={<JumpIcon size={16} />} onClick={onPick} data-testid={`${name}-pick`}>
        Pick on the map
      </Button>
      {parsePlace(text) === null && <p class="form-error">Coordinates are numbers in world units, such as 12.5.</p>}
    </>
  );
}
