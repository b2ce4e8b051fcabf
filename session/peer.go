package session

import (
	"net/netip"
	"strings"

	"github.com/truestep-io/truestep/admission"
)

// peerKey identifies a connection among all gateways.
type peerKey struct {
	door string
	conn uint64
}

func (p Peer) key() peerKey { return peerKey{p.Door, p.Conn} }

// network returns the key of per-address limits: the IPv4 address, or the /64 network of an IPv6 address.
func (p Peer) network() netip.Addr { return admission.AddrOf(p.Addr) }

// accountKey is the key for counts of failed logins and for known addresses: an account name, and the address from which
// clients have used it. The account need not exist.
type accountKey struct {
	addr netip.Addr
	name string
}

func (p Peer) accountKey(name string) accountKey { return accountKey{p.network(), foldName(name)} }

// networkKey is the key for counts of failed logins and for known networks: an account name, and the network from which
// clients have used it. The account need not exist.
type networkKey struct {
	network netip.Prefix
	name    string
}

func (p Peer) networkKey(name string) networkKey {
	return networkKey{admission.NetworkOf(p.Addr), foldName(name)}
}

// foldName returns the form in which account names are compared. It truncates names that are longer than any account
// name.
func foldName(name string) string {
	return strings.ToLower(name[:min(len(name), maxNameBytes)])
}
