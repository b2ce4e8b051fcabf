import { api } from "../../api/client";
import { clock, day, reasonText, zone } from "../../lib/format";
import { useLoaded } from "../../lib/load";
import { useEntries } from "../../lib/pages";
import { Empty, Failure, Loading } from "../../ui/basics";
import { MoreButton, Table } from "../../ui/Table";

// AuditLog shows the actions of operators, including refused ones, newest first.
export function AuditLog() {
  const { data, error, reload } = useLoaded("audit", (signal) => api.audit(undefined, signal), 5000);
  const { entries, older } = useEntries(data, (before) => api.audit(before));
  if (data === null) return error ? <Failure error={error} what="The audit" retry={reload} /> : <Loading what="the audit" />;
  if (data.entries.length === 0) {
    return <Empty title="No operator has done anything yet">Messages, kicks, mutes, bans, announcements and all other actions are listed here with their operator; so are refused attempts.</Empty>;
  }
  return (
    <Table
      columns={["Time", ["Operator", "roomy"], "Action", "Player", ["Detail", "roomy"], ["Result", "roomy"]]}
      label="Actions of operators, newest first"
      testid="audit"
      foot={<MoreButton pages={older} what="older ones" />}
    >
      {entries.map((d) => (
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
    </Table>
  );
}
