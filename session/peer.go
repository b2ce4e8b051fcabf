package session

import (
	"net/netip"
	"strings"

	"github.com/truestep-io/truestep/admission"
)

// peerKey identifies a connection of a gateway.
type peerKey struct {
	door string
	conn uint64
}

func (p Peer) key() peerKey { return peerKey{p.Door, p.Conn} }

// network returns the key of limits per address: the IPv4 address, or the network of an IPv6 address.
func (p Peer) network() netip.Addr { return admission.AddrOf(p.Addr) }

// accountKey identifies an account as seen from one address. The account need not exist.
type accountKey struct {
	addr netip.Addr
	name string
}

func (p Peer) accountKey(name string) accountKey { return accountKey{p.network(), foldName(name)} }

// networkKey identifies an account as seen from one network. The account need not exist.
type networkKey struct {
	network netip.Prefix
	name    string
}

func (p Peer) networkKey(name string) networkKey {
	return networkKey{admission.NetworkOf(p.Addr), foldName(name)}
}

// foldName returns the form under which names of accounts are compared. Names that are longer than an account name may be are truncated.
func foldName(name string) string {
	return strings.ToLower(name[:min(len(name), maxNameBytes)])
}
