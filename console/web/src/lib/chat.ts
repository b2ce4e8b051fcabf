import type { ChatLine } from "../api/types";
import { parsePeriod } from "./period";

// ChatFields are the fields of the chat search form. If all are empty, the search finds all lines.
export interface ChatFields {
  q: string;
  who: string;
  area: string;
  channel: string;
  withheld: string;
  span: string; // period before now, such as 1h
}

// chatFields returns the fields of the chat search from the query of an address.
export function chatFields(query: Record<string, string>): ChatFields {
  const of = (key: keyof ChatFields) => query[key] ?? "";
  return { q: of("q"), who: of("who"), area: of("area"), channel: of("channel"), withheld: of("withheld"), span: of("span") };
}

// hasCriteria reports whether any field is set.
export function hasCriteria(fields: ChatFields): boolean {
  return Object.values(fields).some((text) => text.trim() !== "");
}

// chatQuery returns the parameters of the call for a search at the time now (ms).
export function chatQuery({ span, ...rest }: ChatFields, now: number): Record<string, string> {
  const ms = parsePeriod(span);
  return ms === null ? rest : { ...rest, since: new Date(now - ms).toISOString() };
}

// speakerOf returns the speaker of a line and, for a line of an operator, the recipient.
export function speakerOf(line: ChatLine): string {
  switch (line.channel) {
    case "announcement":
      return `${line.operator} to ${line.told === 1 ? "1 player" : `${line.told} players`}`;
    case "message":
      return `${line.operator} to ${person(line.toPlayer, line.toAccount)}`;
    default:
      return person(line.player, line.account);
  }
}

function person(player: string, account: string): string {
  if (player === "") return account;
  return account === "" || account.toLowerCase() === player.toLowerCase() ? player : `${player} (${account})`;
}

const reasons: Record<string, string> = { muted: "muted", rate_limit: "too fast", area_limit: "too many lines in the area", busy: "server busy" };

// withheldText says why no player was shown a line.
export function withheldText(reason: string): string {
  return `withheld: ${reasons[reason] ?? reason}`;
}
