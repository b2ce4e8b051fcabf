// Networks of an address, for bans. They are written as in CIDR notation.

// networksOf returns what a ban of an address can apply to, smallest first: an IPv4 address itself and its /24, the /64 and /48 of an
// IPv6 address. The list is empty if the text is no address.
export function networksOf(address: string): string[] {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) {
    const bytes = address.split(".").map(Number);
    return bytes.some((b) => b > 255) ? [] : [address, `${bytes.slice(0, 3).join(".")}.0/24`];
  }
  const groups = ipv6Groups(address.split("%")[0]);
  return groups === null ? [] : [`${groups.slice(0, 4).join(":")}::/64`, `${groups.slice(0, 3).join(":")}::/48`];
}

// ipv6Groups returns the eight groups of an IPv6 address without leading zeros, null if the text is no IPv6 address. An address that
// ends like an IPv4 address (::ffff:192.0.2.1) is not supported.
function ipv6Groups(text: string): string[] | null {
  const halves = text.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const given = halves.flat();
  const missing = 8 - given.length;
  if (halves.length > 2 || (halves.length === 1 ? missing !== 0 : missing < 1) || !given.every((g) => /^[0-9a-fA-F]{1,4}$/.test(g))) return null;
  const [head, tail = []] = halves;
  return [...head, ...Array<string>(missing).fill("0"), ...tail].map((g) => parseInt(g, 16).toString(16));
}
