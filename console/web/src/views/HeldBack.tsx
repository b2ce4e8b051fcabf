import { api } from "../api/client";
import { clock, count, day, stamp, zone } from "../lib/format";
import { limitText, networkText } from "../lib/heldBack";
import { useLoaded } from "../lib/load";
import { useEntries } from "../lib/pages";
import { useStore } from "../lib/store";
import { route, updateRoute, world } from "../state";
import { Empty, Failure, Loading } from "../ui/basics";
import { MoreButton, Table } from "../ui/Table";
import { Select } from "./Players";

// HeldBack lists, by minute, the networks whose connections and logins the server refused or displaced, with the limit that
// caused it.
export function HeldBack() {
  const { query } = useStore(route);
  const doors = useStore(world)?.doors ?? [];
  const options: [string, string][] = [...doors.map((d): [string, string] => [d.name, d.title]), ["console", "Console"], ["metrics", "Metrics"]];
  return (
    <div class="page page-pad">
      <header class="page-head">
        <h1>Held back</h1>
        <p class="page-sub">Times in {zone(Date.now())}</p>
      </header>
      <div class="filters">
        <Select label="Door" value={query.door ?? ""} all="All doors" options={options} set={(door) => updateRoute({ door })} testid="held-door" />
      </div>
      <List key={query.door ?? ""} door={query.door} />
    </div>
  );
}

function List({ door }: { door: string | undefined }) {
  const { data, error, reload } = useLoaded(`held ${door ?? ""}`, (signal) => api.heldBack(door, undefined, signal), 5000);
  const { entries, older } = useEntries(data, (before) => api.heldBack(door, before));
  if (data === null) return error ? <Failure error={error} what="The list" retry={reload} /> : <Loading what="the list" />;
  if (data.entries.length === 0) {
    return <Empty title="Nobody has been held back">Connections and logins that exceed a limit are listed here a minute later, with their network. Limits are settings of the server.</Empty>;
  }
  return (
    <Table
      columns={["Time", "Network", "Door", "Limit", ["Times", "num"], ["Since", "minor"]]}
      label="Connections and logins that were held back, newest minute first"
      testid="held"
      foot={<MoreButton pages={older} what="older ones" />}
    >
      {entries.map((e) => (
        <tr key={e.id} data-testid="held-row">
          <td class="nowrap">
            <span class="wide-only">{day(Date.parse(e.at))} </span>
            {clock(Date.parse(e.at))}
          </td>
          <td class="detail-cell">
            {networkText(e)}
            {e.account && <b> {e.account}</b>}
          </td>
          <td>{e.door}</td>
          <td class="detail-cell">{limitText(e.budget)}</td>
          <td class="num">{count(e.times)}</td>
          <td class="minor nowrap">{stamp(Date.parse(e.since))}</td>
        </tr>
      ))}
    </Table>
  );
}
