import { duration } from "./format";

// connectionLost returns the text that a player's connection is lost, and for how long its actor still lingers. until is null
// while the player changes areas.
export function connectionLost(until: string | null, now: number): string {
  const left = until === null ? NaN : Date.parse(until) - now;
  return Number.isFinite(left) ? `connection lost, ${duration(Math.ceil(left / 1000) * 1000)}` : "connection lost";
}
