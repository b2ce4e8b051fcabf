import type { HeldBackEntry } from "../api/types";

// limits maps the names of the server's limits to texts. A limit that is not in this table is shown by its name.
const limits: Record<string, string> = {
  address: "connections of the address",
  network: "connections of the network",
  door: "connections of the door",
  account: "wrong passwords for the account from the address",
  guessed: "wrong passwords for the account from anywhere",
  client: "wrong passwords of the connection",
  accounts: "new accounts of the address",
  queue: "waiting logins",
};

// limitText returns the text of a limit. The limit is empty in the entry that sums up all networks without an entry of their own.
export function limitText(budget: string): string {
  return budget === "" ? "several" : (limits[budget] ?? budget.replaceAll("_", " "));
}

// networkText names the network of an entry.
export function networkText(entry: Pick<HeldBackEntry, "network">): string {
  return entry.network === "" ? "all others" : entry.network;
}
