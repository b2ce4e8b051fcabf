import { describe, expect, it } from "vitest";
import type { Rule } from "../src/api/types";
import { networksOf } from "../src/lib/network";
import { parsePeriod } from "../src/lib/period";
import { ruleKey, ruleTarget, stopText } from "../src/lib/rules";

const rule = (account: string | null, network: string | null): Rule => ({ account, network, reason: "", by: "", since: null, until: null });

describe("rules", () => {
  it("rules have an account or a network as target, and distinct keys", () => {
    expect([ruleTarget(rule("ann", null)), ruleTarget(rule(null, "192.0.2.0/24"))]).toEqual(["ann", "192.0.2.0/24"]);
    const keys = [rule("ann", null), rule(null, "192.0.2.0/24"), rule(null, "198.51.100.0/24"), rule("192.0.2.0/24", null)].map(ruleKey);
    expect(new Set(keys).size).toBe(4);
  });

  it("a rule can apply to the address or to the networks of a player", () => {
    expect(networksOf("192.0.2.17")).toEqual(["192.0.2.17", "192.0.2.0/24"]);
    expect(networksOf("2001:db8:0:7::1")).toEqual(["2001:db8:0:7::/64", "2001:db8:0::/48"]);
    expect(networksOf("::1")).toEqual(["0:0:0:0::/64", "0:0:0::/48"]);
    expect(networksOf("fe80::1%eth0")).toEqual(["fe80:0:0:0::/64", "fe80:0:0::/48"]);
    for (const text of ["", "256.1.1.1", "1.2.3", "ann", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "g::1"]) expect(networksOf(text)).toEqual([]);
  });

  it("the period of a rule has the notation that the server accepts", () => {
    expect(["90s", "30m", "12h", "30d", "1w2d3h"].map(parsePeriod)).toEqual([90_000, 1_800_000, 43_200_000, 2_592_000_000, 788_400_000]);
    expect(["", "0s", "5", "h", "-1d", "1d1w", "1.5h", "1 h", "ten days"].map(parsePeriod)).toEqual(Array(9).fill(null));
  });

  it("the text of a planned stop counts down in whole seconds", () => {
    const plan = { restart: true, at: "2026-01-02T03:09:00.000Z", reason: "", by: "" };
    const at = Date.parse(plan.at);
    expect([stopText(plan, at - 250_000), stopText(plan, at - 900), stopText(plan, at), stopText({ ...plan, restart: false }, at - 60_000), stopText({ ...plan, restart: false }, at + 1)]).toEqual([
      "Restart in 4 min 10 s",
      "Restart in 1 s",
      "Restarting now",
      "Stop in 1 min",
      "Stopping now",
    ]);
  });
});
