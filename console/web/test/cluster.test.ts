import { describe, expect, it } from "vitest";
import type { ClusterState, LeadChange, Transfer } from "../src/api/types";
import { isFailOver, isLate, lateText, leadOf, troubleText, settledText, transferAge, transferNote } from "../src/lib/cluster";
import { formatRoute, parseRoute, views } from "../src/lib/route";

describe("the view of the cluster", () => {
  it("the view of the cluster can be opened by its address", () => {
    expect(views).toContain("cluster");
    expect(parseRoute(formatRoute("cluster")).view).toBe("cluster");
  });
});

const transfer = (t: Partial<Transfer>): Transfer => ({ from: 0, fromName: "Vale", to: 1, toName: "Ring", underWay: 1, arrived: 0, oldestMs: 100, settled: 0, why: "", ...t });

describe("players between areas", () => {
  it("a transfer of players is late after a second", () => {
    expect(isLate(transfer({ oldestMs: 1000 }))).toBe(false);
    expect(isLate(transfer({ oldestMs: 1001 }))).toBe(true);
  });

  it("a late transfer of players is announced", () => {
    expect(lateText([transfer({}), transfer({ from: 1, to: 0, underWay: 2 })])).toBe(null);
    expect(lateText([transfer({}), transfer({ fromName: "Ring", toName: "Vale", oldestMs: 1400 })])).toBe("1 player is between areas, for 1.4 s: Ring → Vale.");
    expect(lateText([transfer({ oldestMs: 1400 }), transfer({ fromName: "Ring", toName: "Vale", underWay: 2, oldestMs: 2400 })])).toBe("3 players are between areas, the first for 2.4 s: Ring → Vale.");
  });

  it("the age of a transfer is in seconds", () => {
    expect([50, 1400, 75_400, 7_200_000].map((oldestMs) => transferAge(transfer({ oldestMs })))).toEqual(["0.05 s", "1.4 s", "75.4 s", "7,200 s"]);
  });

  it("the note of a transfer says what it waits for and how many players have arrived", () => {
    expect(transferNote(transfer({}))).toBe("");
    expect(transferNote(transfer({ why: "Ring has no leader" }))).toBe("Ring has no leader");
    expect(transferNote(transfer({ arrived: 1 }))).toBe("arrived, not confirmed yet");
    expect(transferNote(transfer({ underWay: 3, arrived: 2, why: "Vale has no leader" }))).toBe("Vale has no leader; 2 of them arrived, not confirmed yet");
  });

  it("when no player is between areas, completed changes of area are counted over all areas", () => {
    const state = (...settled: number[]) => ({ areas: settled.map((n, id) => ({ id, settled: n, lead: id === 1 ? null : "a" })), transfers: [] }) as unknown as ClusterState;
    expect(settledText(state(0, 0))).toBe("No player has changed areas yet.");
    expect(settledText(state(1, 0))).toBe("No player is between areas. Players have changed areas 1 time.");
    expect(settledText(state(1200, 4))).toBe("No player is between areas. Players have changed areas 1,204 times.");
    expect(leadOf(state(1, 1), 0)).toBe("a");
    expect(leadOf(state(1, 1), 1)).toBe("no leader");
    expect(leadOf(state(1, 1), 7)).toBe("no leader");
  });
});

describe("messages between nodes", () => {
  const text = (counts: Partial<ClusterState>) => troubleText({ node: "a", refused: 0, dropped: 0, fenced: 0, lostTicks: 0, ...counts } as ClusterState);

  it("messages between nodes are mentioned only if something has gone wrong", () => {
    expect(text({})).toBe("");
    expect(text({ refused: 1 })).toBe("Since its start, node a refused 1 message of other nodes that it could not use.");
    expect(text({ refused: 1200, dropped: 3, fenced: 2 })).toBe("Since its start, node a refused 1,200 messages of other nodes that it could not use; dropped 3 messages because a queue was full; was taken for dead 2 times.");
    expect(text({ dropped: 3 })).toBe("Since its start, node a dropped 3 messages because a queue was full.");
    expect(text({ lostTicks: 1200 })).toBe("Since its start, node a found no records of 1,200 ticks on any node, which are lost.");
  });
});

describe("a change of leaders", () => {
  it("a change of leaders is a fail-over unless a node handed the area over", () => {
    const causes = ["no_connection", "no_answer", "no_link", "regained", "stops", "drains", "moved", "load", "missed_records", "behind", "default"];
    expect(causes.filter((cause) => isFailOver({ cause } as LeadChange))).toEqual(["no_connection", "no_answer", "no_link", "regained"]);
  });
});
