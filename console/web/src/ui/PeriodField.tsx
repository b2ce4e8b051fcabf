import { useState } from "preact/hooks";
import { stamp } from "../lib/format";
import { parsePeriod } from "../lib/period";
import { serverNow } from "../state";
import { useNow } from "../lib/load";

const other = "other";

export interface Period {
  choice: string;
  typed: string;
  choose: (choice: string) => void;
  type: (text: string) => void;
  value: string; // text that the API accepts, such as 12h
  ms: number | null; // length in ms; null if value is empty or invalid
  ready: boolean; // whether value can be sent
}

// usePeriod is the state of a period field: a period that the operator selects from a list or types.
export function usePeriod(initial: string, maxMS = Infinity): Period {
  const [choice, choose] = useState(initial);
  const [typed, type] = useState("");
  const value = choice === other ? typed.trim() : choice;
  const ms = parsePeriod(value);
  return { choice, typed, choose, type, value, ms, ready: choice !== other || (ms !== null && ms <= maxMS) };
}

interface PeriodFieldProps {
  id: string;
  label: string;
  period: Period;
  choices: [value: string, text: string][];
  until?: string; // word before the displayed time at which the period ends; "until" by default
  limit?: string; // the longest allowed period, as a text
}

// PeriodField is the input field for a period of usePeriod. It also shows when the period ends.
export function PeriodField({ id, label, period, choices, until = "until", limit }: PeriodFieldProps) {
  useNow();
  return (
    <>
      <label class="label" for={id}>
        {label} {period.ms !== null && period.ready && <span class="faint">{until} {stamp(serverNow() + period.ms)}</span>}
      </label>
      <div class="form-pair">
        <select id={id} class="input" value={period.choice} onChange={(e) => period.choose(e.currentTarget.value)} data-testid={id}>
          {choices.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
          <option value={other}>Another period…</option>
        </select>
        {period.choice === other && (
          <input class="input" aria-label={`${label}: another period`} placeholder="36h, 10d, 2w" value={period.typed} onInput={(e) => period.type(e.currentTarget.value)} data-testid={`${id}-typed`} />
        )}
      </div>
      {!period.ready && period.typed.trim() !== "" && (
        <p class="form-error">
          A period is a number with a unit, such as 90s, 30m, 12h, 10d or 2w{limit && `; at most ${limit}`}.
        </p>
      )}
    </>
  );
}
