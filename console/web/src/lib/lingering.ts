import { duration } from "./format";

// connectionLost says that the connection of a player is lost, and how long its body stays. until is null while the player changes areas.
export function connectionLost(until: string | null, now: number): string {
  const left = until === null ? NaN : Date.parse(until) - now;
  return Number.isFinite(left) ? `connection lost, ${duration(Math.ceil(left / 1000) * 1000)}` : "connection lost";
}
