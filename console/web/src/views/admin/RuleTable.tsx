import type { Rule } from "../../api/types";
import { stamp } from "../../lib/format";
import { ruleKey, ruleTarget } from "../../lib/rules";
import { Button } from "../../ui/basics";
import { Table, type Column } from "../../ui/Table";

interface RuleTableProps {
  rules: Rule[];
  label: string;
  testid: string;
  listOnly?: boolean; // the table has no columns for reason and end, as for the whitelist
  verb: string;
  why: string | null; // why the operator may not execute the verb; null if it may
  onLift: (rule: Rule) => void;
}

// RuleTable lists bans, mutes or accounts on the whitelist. On narrow screens reason, operator and start are below the name.
export function RuleTable({ rules, label, testid, listOnly, verb, why, onLift }: RuleTableProps) {
  const verbTitle: Column = [<span class="for-readers">{verb}</span>, "num"];
  const columns: Column[] = listOnly
    ? ["Account", ["By", "roomy"], ["Since", "roomy"], verbTitle]
    : ["Who", ["Reason", "roomy"], ["By", "roomy"], ["Since", "roomy"], "Until", verbTitle];
  return (
    <Table columns={columns} label={label} testid={testid}>
      {rules.map((r) => (
        <tr key={ruleKey(r)} data-testid={`${testid}-row`}>
          <td class="name-cell">
            <b>{ruleTarget(r)}</b> {r.network !== null && <span class="tag">network</span>}
            <div class="narrow-only cell-lines">
              {r.reason && <span>{r.reason}</span>}
              <span>{[r.by && `by ${r.by}`, r.since && `since ${stamp(Date.parse(r.since))}`].filter(Boolean).join(", ")}</span>
            </div>
          </td>
          {!listOnly && <td class="roomy detail-cell">{r.reason || "–"}</td>}
          <td class="roomy">{r.by || "–"}</td>
          <td class="roomy">{r.since ? stamp(Date.parse(r.since)) : "–"}</td>
          {!listOnly && <td>{r.until ? stamp(Date.parse(r.until)) : "without an end"}</td>}
          <td class="num">
            <Button why={why} onClick={() => onLift(r)} data-testid={verb.toLowerCase()}>
              {verb}
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  );
}
