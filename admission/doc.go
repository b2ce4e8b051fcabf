// Package admission decides which connections and logins a server serves first when there are more than it can serve. All
// doors and the console share one policy, so that an attack on one of them does not keep honest clients out.
//
// It consists of four parts, each safe for concurrent use:
//
//	Places  connections of one door: few places for those that are not logged in, apart from the places of players
//	Queue   turns at a scarce resource, such as the hashing of secrets: fair between networks and addresses
//	Window  counts per key in a time window, such as wrong secrets per address and account
//	Gate    counts what was held back, by which budget, for metrics and for the operator
//
// Limits apply to an address (an IPv4 address or an IPv6 /64), to its network (an IPv4 /24 or an IPv6 /48) and to a door.
// Loopback addresses are exempt from limits per address and network unless a limit says otherwise: they are the operator's,
// and a proxy on the same machine has one address for all of its clients.
//
// Memory is bounded whatever addresses clients have: a Places holds as many entries as it has places, a Queue, a Window and
// a Gate as many as their limits say.
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
// The package starts no goroutines. It reads the time with time.Now, so tests in a synctest bubble control it.
package admission
