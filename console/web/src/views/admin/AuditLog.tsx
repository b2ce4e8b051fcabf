import { useState } from "preact/hooks";
import { api } from "../../api/client";
import type { AuditEntry } from "../../api/types";
import { clock, day, reasonText, zone } from "../../lib/format";
import { useLoaded } from "../../lib/load";
import { Button, Empty, Failure, Loading } from "../../ui/basics";

// AuditLog shows the actions of operators, including refused ones, newest first.
export function AuditLog() {
  const { data, error, reload } = useLoaded("audit", (signal) => api.audit(undefined, signal), 5000);
  const [older, setOlder] = useState<AuditEntry[]>([]);
  const [next, setNext] = useState<number | null>(null);
  const [failed, setFailed] = useState(false);
  if (data === null) return error ? <Failure error={error} what="The audit" retry={reload} /> : <Loading what="the audit" />;
  if (data.entries.length === 0) {
    return <Empty title="No operator has done anything yet">Messages, kicks, mutes, bans, announcements and all other actions are listed here with their operator; so are refused attempts.</Empty>;
  }
  const first = new Set(data.entries.map((d) => d.id));
  const list = [...data.entries, ...older.filter((d) => !first.has(d.id))];
  const more = older.length > 0 ? next : data.next;
  const load = async () => {
    try {
      const page = await api.audit(more ?? undefined);
      setOlder([...older, ...page.entries]);
      setNext(page.next);
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  return (
    <div class="table-wrap">
      <table class="table" data-testid="audit">
        <thead>
          <tr>
            <th>Time</th>
            <th class="roomy">Operator</th>
            <th>Action</th>
            <th>Player</th>
            <th class="roomy">Detail</th>
            <th class="roomy">Result</th>
          </tr>
        </thead>
        <tbody>
          {list.map((d) => (
            <tr key={d.id} data-testid="audit-row">
              <td>
                <span class="nowrap">{day(Date.parse(d.at))}</span>{" "}
                <span class="nowrap">
                  {clock(Date.parse(d.at))} <span class="faint">{zone(Date.parse(d.at))}</span>
                </span>
              </td>
              <td class="roomy">
                {d.operator} {d.role !== "" && <span class={`tag wide-only role-${d.role}`}>{d.role}</span>}
              </td>
              <td>
                <b>{reasonText(d.action)}</b>
              </td>
              <td>
                {d.player || d.account}
                {d.player && d.account && d.account !== d.player && <span class="faint wide-only"> {d.account}</span>}
                <div class="narrow-only cell-lines">
                  <span>by {d.operator}</span>
                  {d.detail && <span>{d.detail}</span>}
                  <span class={d.result === "ok" ? "good" : "bad"}>{d.result}</span>
                </div>
              </td>
              <td class="roomy detail-cell">{d.detail}</td>
              <td class={`roomy result-cell ${d.result === "ok" ? "good" : "bad"}`}>{d.result}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more !== null && (
        <p class="table-more">
          <Button onClick={() => void load()}>Load older ones</Button>
          {failed && <span class="form-error">Older ones could not be loaded. Try again.</span>}
        </p>
      )}
    </div>
  );
}
