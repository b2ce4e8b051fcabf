import { useState } from "preact/hooks";
import { api } from "../api/client";
import type { ClusterArea, ClusterNode, ClusterState } from "../api/types";
import { isFailOver, isLate, lateText, leadOf, troubleText, settledText, transferAge, transferNote } from "../lib/cluster";
import { ago, clock, count, day, duration, micros, stamp } from "../lib/format";
import { useLoaded } from "../lib/load";
import { serverNow, useDenied } from "../state";
import { ActionDialog } from "../ui/ActionDialog";
import { Button, Empty, Failure, Loading } from "../ui/basics";
import { Table } from "../ui/Table";

type Open = { what: "drain" | "undrain"; node: string } | { what: "move" | "release"; area: ClusterArea } | null;

const denied = "Only an administrator can drain nodes and move areas.";

// Cluster shows the nodes of the cluster and which node leads each area, as the node that serves this page sees them. It
// has controls to drain nodes and to move areas.
export function Cluster() {
  const { data, error, reload } = useLoaded("cluster", api.cluster, 2000);
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const done = () => {
    close();
    reload();
  };
  return (
    <div class="page page-pad" data-testid="cluster">
      <header class="page-head">
        <h1>Cluster</h1>
        {data && <p class="page-sub">As node {data.node} sees it</p>}
      </header>
      {data === null ? error ? <Failure error={error} what="The cluster" retry={reload} /> : <Loading what="the cluster" /> : <State state={data} open={setOpen} />}
      {data && open?.what === "drain" && (
        <ActionDialog title={`Drain node ${open.node}`} verb="Drain" danger act={() => api.drainNode(open.node)} doneText={`Node ${open.node} leads no area.`} onClose={close} onDone={done}>
          <p>
            Node {open.node} hands over the areas that it leads, and leads none until it is undrained or starts again. Its players notice nothing. Areas that were moved to it lose that preference.
          </p>
        </ActionDialog>
      )}
      {data && open?.what === "undrain" && (
        <ActionDialog title={`Undrain node ${open.node}`} verb="Undrain" act={() => api.undrainNode(open.node)} doneText={`Node ${open.node} leads areas again.`} onClose={close} onDone={done}>
          <p>Node {open.node} gets the areas again that it leads by default or by load.</p>
        </ActionDialog>
      )}
      {data && open?.what === "release" && (
        <ActionDialog title={`Release ${open.area.name}`} verb="Release" act={() => api.releaseArea(open.area.id)} doneText={`${open.area.name} is released.`} onClose={close} onDone={done}>
          <p>The area no longer stays with node {open.area.preferred}: load, or the default order, decides again which node leads it.</p>
        </ActionDialog>
      )}
      {data && open?.what === "move" && <Move area={open.area} nodes={data.nodes} onClose={close} onDone={done} />}
    </div>
  );
}

function State({ state, open }: { state: ClusterState; open: (o: Open) => void }) {
  const without = state.areas.filter((a) => a.lead === null).length;
  const late = lateText(state.transfers);
  const trouble = troubleText(state);
  return (
    <div class="cluster">
      {without > 0 && (
        <p class="planned" role="alert" data-testid="cluster-stopped">
          <b>{without === 1 ? "An area has no leader and stands still." : `${without} areas have no leader and stand still.`}</b> Most nodes must run and reach each other.
        </p>
      )}
      {late !== null && (
        <p class="planned" role="alert" data-testid="transfers-late">
          <b>{late}</b>
        </p>
      )}
      <h2>Nodes</h2>
      <Nodes state={state} open={open} />
      {trouble !== "" && (
        <p class="faint" data-testid="cluster-messages">
          {trouble}
        </p>
      )}
      <h2>Areas</h2>
      <Areas state={state} open={open} />
      {state.paused !== "" && (
        <p class="faint" data-testid="placement-paused">
          No area is placed by load now: {state.paused}.
        </p>
      )}
      <h2>Players between areas</h2>
      <Transfers state={state} />
      <h2>Changes of leaders</h2>
      <Changes state={state} />
    </div>
  );
}

const stateTags: Record<ClusterNode["state"], string> = { up: "tag-on", draining: "tag-late", leaving: "tag-late", down: "tag-dead" };

function Nodes({ state, open }: { state: ClusterState; open: (o: Open) => void }) {
  const now = serverNow();
  const why = useDenied("admin", denied);
  const own = state.nodes.find((n) => n.self)?.version;
  return (
    <Table columns={["Node", "State", ["For", "roomy"], ["Leads", "num"], ["Load", "num"], ["Round trip", "num minor"], ["Clock", "num minor"], ["Version", "minor"], ["Address", "minor"], "Action"]} label="Nodes of the cluster">
      {state.nodes.map((n) => (
        <tr key={n.name} data-testid="node-row" data-node={n.name} data-state={n.state}>
          <td>
            <b>{n.name}</b>
            {n.self && <span class="faint"> this one</span>}
          </td>
          <td>
            <span class={`tag ${stateTags[n.state]}`} title={n.link?.problem || undefined}>
              {n.state}
            </span>
            {n.neverLeads && <span class="faint nowrap" title="Its setting cluster-lead is false" data-testid="never-leads"> never leads</span>}
            <span class="cell-lines narrow-only">{duration(now - Date.parse(n.since))}</span>
          </td>
          <td class="nowrap roomy" title={`Since ${stamp(Date.parse(n.since))}`}>
            {duration(now - Date.parse(n.since))}
          </td>
          <td class="num">{count(n.leads)}</td>
          <td class="num" title={`${count(n.load - n.doorLoad)} of the areas that it leads, ${count(n.doorLoad)} of the players who are connected through it`} data-testid="node-load">
            {count(n.load)}
          </td>
          <td class="num nowrap minor">{n.link && n.state !== "down" ? micros(n.link.roundTripUs) : "–"}</td>
          <td class="num nowrap minor">{n.link && n.state !== "down" ? `${n.link.clockOffsetMs > 0 ? "+" : ""}${n.link.clockOffsetMs} ms` : "–"}</td>
          <td class="nowrap minor" data-testid="node-version">
            {n.version === "" ? "–" : n.version === own ? n.version : <span class="tag tag-late" title={`Node ${state.node} runs ${own}`}>{n.version}</span>}
          </td>
          <td class="detail-cell minor">{n.state === "down" && n.link?.problem ? n.link.problem : n.addr}</td>
          <td>
            {n.state === "draining" ? (
              <Button why={why} onClick={() => open({ what: "undrain", node: n.name })} data-testid="undrain">
                Undrain
              </Button>
            ) : (
              <Button why={why ?? whyNoDrain(n)} onClick={() => open({ what: "drain", node: n.name })} data-testid="drain">
                Drain
              </Button>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

// whyNoDrain returns why a node cannot be drained, or null if it can.
function whyNoDrain(n: ClusterNode): string | null {
  if (n.neverLeads) return `Node ${n.name} leads no areas, because its setting cluster-lead is false.`;
  return n.state === "up" ? null : `Node ${n.name} is ${n.state}.`;
}

function Areas({ state, open }: { state: ClusterState; open: (o: Open) => void }) {
  const now = serverNow();
  const why = useDenied("admin", denied);
  const refused = (a: ClusterArea) => why ?? (a.lead === null ? "The area has no leader." : null);
  return (
    <Table columns={["Area", "Leader", ["For", "roomy"], ["Load", "num minor"], "Ticks behind", ["Log", "num minor"], ["Unsaved", "num minor"], ["Changes", "num minor"], "Action"]} label="Areas, with the node that leads each">
      {state.areas.map((a) => (
        <tr key={a.id} data-testid="led-area" data-area={a.id} data-lead={a.lead ?? ""}>
          <td>{a.name}</td>
          <td>
            {a.lead === null ? <span class="tag tag-dead">none</span> : <b>{a.lead}</b>}
            {a.preferred !== null && <span class="faint nowrap"> moved to {a.preferred}</span>}
            {a.placedBy === "load" && <span class="faint nowrap"> by load</span>}
            <span class="cell-lines narrow-only">
              {duration(now - Date.parse(a.since))}, load {count(a.load)}
            </span>
          </td>
          <td class="nowrap roomy" title={`Since ${stamp(Date.parse(a.since))}`} data-testid="area-since">
            {duration(now - Date.parse(a.since))}
          </td>
          <td class="num minor" title="Intents of players per second, plus the number of players" data-testid="area-load">
            {count(a.load)}
          </td>
          <td>
            <span class="copies">
              {a.copies.map((c) => (
                <span key={c.node} class={`tag ${c.lagTicks === null ? "tag-dead" : c.lagTicks > behindTicks ? "tag-late" : ""}`} title={c.lagTicks === null ? `Node ${c.node} is down` : `The copy of node ${c.node} is ${count(c.lagTicks)} ticks behind`}>
                  {c.node} {c.lagTicks === null ? "–" : count(c.lagTicks)}
                </span>
              ))}
            </span>
          </td>
          <td class="num minor" title={`Entries of the log of the area that node ${state.node} has not stepped`} data-testid="area-log">
            {count(Math.max(0, a.logLast - a.logStepped))}
          </td>
          <td class="num minor" title="Ticks whose records are not stored">
            {count(Math.max(0, a.tick - a.savedTick))}
          </td>
          <td class="num minor">{count(a.leadChanges)}</td>
          <td>
            <Button why={refused(a)} onClick={() => open({ what: "move", area: a })} data-testid="move">
              Move
            </Button>
            {a.preferred !== null && (
              <Button why={why} onClick={() => open({ what: "release", area: a })} data-testid="release">
                Release
              </Button>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

const behindTicks = 20; // an area's copy on another node is marked if it is more than this many ticks, one second, behind

// Transfers shows the players who have left an area and whose arrival in another one is not confirmed.
function Transfers({ state }: { state: ClusterState }) {
  if (state.transfers.length === 0) {
    return (
      <p class="faint" data-testid="transfers-none">
        {settledText(state)}
      </p>
    );
  }
  return (
    <Table columns={["From → to", ["Players", "num"], ["Longest", "num"], ["Before", "num minor"], "Why"]} label="Players between areas">
      {state.transfers.map((t) => (
        <tr key={`${t.from} ${t.to}`} data-testid="transfer" data-from={t.from} data-to={t.to} data-late={isLate(t)}>
          <td>
            {t.fromName} <span class="faint nowrap">{leadOf(state, t.from)}</span> → {t.toName} <span class="faint nowrap">{leadOf(state, t.to)}</span>
          </td>
          <td class="num">{count(t.underWay)}</td>
          <td class="num nowrap">{isLate(t) ? <span class="tag tag-late" title="Players should be under way for less than a second">{transferAge(t)}</span> : transferAge(t)}</td>
          <td class="num minor" title="Players who have gone this way before">
            {count(t.settled)}
          </td>
          <td>{transferNote(t)}</td>
        </tr>
      ))}
    </Table>
  );
}

function Changes({ state }: { state: ClusterState }) {
  if (state.changes.length === 0) return <Empty title="No leader has changed">Since node {state.node} started, each area has had one leader.</Empty>;
  const now = serverNow();
  return (
    <Table columns={["Time", "Area", "Leader", "Why"]} label="Changes of leaders, newest first">
      {state.changes.map((c) => (
        <tr key={`${c.at} ${c.area}`} data-testid="lead-change">
          <td class="nowrap" title={ago(Date.parse(c.at), now)}>
            <span class="wide-only">{day(Date.parse(c.at))} </span>
            {clock(Date.parse(c.at))}
          </td>
          <td>{c.area}</td>
          <td class="nowrap">
            {c.from} → {c.to}
          </td>
          <td class="detail-cell">
            {isFailOver(c) && <span class="tag tag-late">fail-over</span>} {c.reason}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Move({ area, nodes, onClose, onDone }: { area: ClusterArea; nodes: ClusterNode[]; onClose: () => void; onDone: () => void }) {
  const others = nodes.filter((n) => n.name !== area.lead && n.state === "up" && !n.neverLeads);
  const [node, setNode] = useState(others[0]?.name ?? "");
  return (
    <ActionDialog title={`Move ${area.name}`} verb="Move" ready={node !== ""} act={() => api.moveArea(area.id, node)} doneText={`Node ${node} leads ${area.name}.`} onClose={onClose} onDone={onDone}>
      <p>Another node leads the area from then on, and again after it was down, until the area is moved again or released, or that node drains or stops; until then it is not placed by load. Players notice a pause of a tick or two.</p>
      <label class="label" for="move-node">
        To node
      </label>
      <select id="move-node" class="input" value={node} onChange={(e) => setNode(e.currentTarget.value)} data-testid="move-node">
        {others.length === 0 && <option value="">No other node can lead it</option>}
        {others.map((n) => (
          <option key={n.name} value={n.name}>
            {n.name}, which leads {n.leads}
          </option>
        ))}
      </select>
    </ActionDialog>
  );
}
