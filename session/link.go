package session

import "sync/atomic"

// Link holds the measurements of one player's connection. The player's gateway writes them; any goroutine may read
// them.
type Link struct {
	BytesIn, BytesOut     atomic.Uint64 // bytes since the connection was opened or the player logged in
	PacketsIn, PacketsOut atomic.Uint64 // datagrams, or with TCP the protocol's packets

	RTT    atomic.Int32 // round-trip time in ms; -1 if unknown
	Loss   atomic.Int32 // recent share of retransmitted packets in thousandths; -1 if unknown
	InView atomic.Int32 // number of other actors that the client is shown now; -1 if unknown
}

// LinkStats is a snapshot of a Link. Its fields have the meaning of the fields of Link.
type LinkStats struct {
	BytesIn, BytesOut     uint64 // bytes since the connection was opened or the player logged in
	PacketsIn, PacketsOut uint64 // datagrams, or with TCP the protocol's packets

	RTT    int32 // round-trip time in ms; -1 if unknown
	Loss   int32 // recent share of retransmitted packets in thousandths; -1 if unknown
	InView int32 // number of other actors that the client is shown now; -1 if unknown
}

// reset sets the counters to 0 and RTT, Loss and InView to unknown.
func (l *Link) reset() {
	l.RTT.Store(-1)
	l.Loss.Store(-1)
	l.InView.Store(-1)
}

// Stats returns a snapshot of the measurements.
func (l *Link) Stats() LinkStats {
	return LinkStats{
		BytesIn: l.BytesIn.Load(), BytesOut: l.BytesOut.Load(),
		PacketsIn: l.PacketsIn.Load(), PacketsOut: l.PacketsOut.Load(),
		RTT: l.RTT.Load(), Loss: l.Loss.Load(), InView: l.InView.Load(),
	}
}
