package gateway

import (
	"cmp"

	"github.com/truestep-io/truestep/admission"
)

// Limits of connections that are not logged in. After a restart a house of 30 players behind one address logs in at once, and
// RuneScape clients have a second connection for files.
const (
	waitingPerAddr    = 64  // waiting connections of one address
	waitingPerNetwork = 256 // of one IPv4 /24 or IPv6 /48
	minWaiting        = 64  // of all addresses, at least, if the door has no limit of its own
)

// NewPlaces returns the places of a door, with the limits that all doors share. Of l it uses Connections, PerAddr, LimitLoopback
// and Waiting, which is half of the connections if it is 0.
func NewPlaces(door string, l admission.PlaceLimits, gate *admission.Gate) *admission.Places {
	l.Waiting = cmp.Or(l.Waiting, min(max(l.Connections/2, minWaiting), l.Connections))
	l.WaitingPerAddr, l.WaitingPerNetwork = min(l.PerAddr, waitingPerAddr), waitingPerNetwork
	return admission.NewPlaces(door, l, gate)
}
