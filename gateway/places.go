package gateway

import (
	"cmp"

	"github.com/truestep-io/truestep/admission"
)

// Limits of waiting connections, which have not logged in yet. With these limits, 30 players behind one address can log in
// at the same time after a restart. RuneScape clients need two connections each, the second to download cache files.
const (
	waitingPerAddr    = 64  // maximum number of waiting connections of one address
	waitingPerNetwork = 256 // maximum number of waiting connections of one IPv4 /24 or IPv6 /48
	minWaiting        = 64  // lowest default of the limit of all waiting connections together; a door may set another limit
)

// NewPlaces returns the Places that counts and limits a door's connections. The door sets the fields Connections, PerAddr,
// LimitLoopback and Waiting of l. A Waiting of 0 means half of Connections, but at least 64 if Connections allows that. The
// limits of waiting connections per address and per network are the same for all doors.
func NewPlaces(door string, l admission.PlaceLimits, gate *admission.Gate) *admission.Places {
	l.Waiting = cmp.Or(l.Waiting, min(max(l.Connections/2, minWaiting), l.Connections))
	l.WaitingPerAddr, l.WaitingPerNetwork = min(l.PerAddr, waitingPerAddr), waitingPerNetwork
	return admission.NewPlaces(door, l, gate)
}
