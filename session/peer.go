package session

import (
	"net/netip"

	"github.com/truestep-io/truestep/admission"
)

// peerKey identifies a connection of a gateway.
type peerKey struct {
	door string
	conn uint64
}

func (p Peer) key() peerKey { return peerKey{p.Door, p.Conn} }

// network returns the unit of limits per address.
func (p Peer) network() netip.Addr { return admission.AddrOf(p.Addr) }
