// Package admission decides which connections and logins a server serves first when there are more than it can serve. All
// doors and the console share one policy, so that an attack on one of them does not keep honest clients out.
//
// It consists of four parts, each safe for concurrent use:
//
//	Places  connections of one door: connections that are not logged in have places of their own, apart from those of players
//	Queue   turns at a scarce resource, such as the hashing of secrets: fair between networks and addresses
//	Window  event counts per key in a time window, such as wrong secrets per address and account
//	Gate    counts of refused and displaced connections and logins per budget, for metrics and for the operator
//
// Limits apply to an address (an IPv4 address or an IPv6 /64), to its network (an IPv4 /24 or an IPv6 /48) and to a door.
// Loopback addresses are exempt from limits per address and network unless a limit says otherwise: the operator uses them,
// and a proxy on the same machine has one address for all of its clients.
//
// Memory is bounded whatever addresses clients have: a Places has at most one entry per place; a Queue, a Window and a Gate
// have maximum numbers of entries.
//
//	places := admission.NewPlaces("rs", admission.PlaceLimits{Connections: 5000, Waiting: 1024, WaitingPerAddr: 64}, gate)
//	place, ok := places.Enter(addr, func() { conn.Close() })
//	if !ok {
//		conn.Close()
//	}
//	defer place.Leave()
//	...
//	place.LogIn()
//
// The package starts no goroutines. It reads the time with time.Now, so tests can control the time with testing/synctest.
package admission
