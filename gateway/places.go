package gateway

import "github.com/truestep-io/truestep/admission"

// Limits of connections that are not logged in. After a restart a house of 30 players behind one address logs in at once.
const (
	waitingPerAddr    = 40  // of one address
	waitingPerNetwork = 160 // of one IPv4 /24 or IPv6 /48
	minWaiting        = 64  // of all addresses, at least
)

// NewPlaces returns the places of a door that serves connections at once, perAddr of them from one address. At most half of
// the connections may be waiting for a login. limitLoopback applies the limits per address to loopback, too.
func NewPlaces(door string, connections, perAddr int, limitLoopback bool, gate *admission.Gate) *admission.Places {
	return admission.NewPlaces(door, admission.PlaceLimits{
		Connections: connections, PerAddr: perAddr, LimitLoopback: limitLoopback,
		Waiting:           min(max(connections/2, minWaiting), connections),
		WaitingPerAddr:    min(perAddr, waitingPerAddr),
		WaitingPerNetwork: waitingPerNetwork,
	}, gate)
}
