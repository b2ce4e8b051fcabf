import type { PlannedStop, Rule } from "../api/types";
import { duration } from "./format";

// ruleTarget returns the account or the network of a rule, as in API requests.
export function ruleTarget(rule: Rule): string {
  return rule.network ?? rule.account ?? "";
}

// ruleKey returns a key that is unique among rules. The target alone is not unique: an account may be named like a network.
export function ruleKey(rule: Rule): string {
  return rule.network !== null ? `network ${rule.network}` : `account ${rule.account}`;
}

// stopText says how much time is left until a planned stop or restart: Restart in 4 min 10 s.
export function stopText(plan: PlannedStop, now: number): string {
  const left = Math.ceil((Date.parse(plan.at) - now) / 1000) * 1000;
  if (!(left > 0)) return plan.restart ? "Restarting now" : "Stopping now";
  return `${plan.restart ? "Restart" : "Stop"} in ${duration(left)}`;
}
