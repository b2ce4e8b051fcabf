// Texts and figures that the page Cluster derives from the answer of the API.
import type { ClusterState, LeadChange, Transfer } from "../api/types";
import { figure, plural } from "./format";

// A player who changes areas is under way for about a tenth of a second. The page warns from this age on.
const lateMs = 1000;

export const isLate = (t: Transfer): boolean => t.oldestMs > lateMs;

// transferAge writes how long the first player of a transfer has been under way, in seconds: 0.1 s, 1.4 s, 75 s.
export const transferAge = (t: Transfer): string => `${figure(t.oldestMs / 1000)} s`;

// lateText says how many players are in transfers that are late, and for how long; null if no transfer is late.
export function lateText(transfers: Transfer[]): string | null {
  const late = transfers.filter(isLate);
  if (late.length === 0) return null;
  const oldest = late.reduce((a, b) => (b.oldestMs > a.oldestMs ? b : a));
  const players = late.reduce((sum, t) => sum + t.underWay, 0);
  return `${plural(players, "player")} ${players === 1 ? "is" : "are"} between areas, ${players === 1 ? "" : "the first "}for ${transferAge(oldest)}: ${oldest.fromName} → ${oldest.toName}.`;
}

// transferNote says what is known about a transfer: how many of its players have arrived without a confirmation, and why the first
// one waits.
export function transferNote(t: Transfer): string {
  const arrived = t.arrived === 0 ? "" : t.arrived === t.underWay ? "arrived, not confirmed yet" : `${t.arrived} of them arrived, not confirmed yet`;
  return [t.why, arrived].filter((s) => s !== "").join("; ");
}

// settledText says how often players have changed areas.
export function settledText(state: ClusterState): string {
  const settled = state.areas.reduce((sum, a) => sum + a.settled, 0);
  return settled === 0 ? "No player has changed areas yet." : `No player is between areas. Players have changed areas ${plural(settled, "time")}.`;
}

// leadOf returns the node that leads an area, or "no leader".
export const leadOf = (state: ClusterState, area: number): string => state.areas.find((a) => a.id === area)?.lead ?? "no leader";

// troubleText says what has gone wrong with messages between nodes, and with records, since the start of the answering node; "" if nothing has.
export function troubleText(state: ClusterState): string {
  const parts = [
    state.refused > 0 && `refused ${plural(state.refused, "message")} of other nodes that it could not use`,
    state.dropped > 0 && `dropped ${plural(state.dropped, "message")} because a queue was full`,
    state.fenced > 0 && `was taken for dead ${plural(state.fenced, "time")}`,
    state.lostTicks > 0 && `found no records of ${plural(state.lostTicks, "tick")} on any node, which are lost`,
  ].filter((s) => s !== false);
  return parts.length === 0 ? "" : `Since its start, node ${state.node} ${parts.join("; ")}.`;
}

const failOvers = ["no_connection", "no_answer", "no_link", "regained"];

// isFailOver reports whether the leader has changed because of a failure, not by an operator or the placement of areas.
export const isFailOver = (c: LeadChange): boolean => failOvers.includes(c.cause);
