package session

import "sync/atomic"

// Link is what a gateway measures of one player's connection. The gateway writes it, anybody reads it.
type Link struct {
	BytesIn, BytesOut     atomic.Uint64 // of the wire, since the connection was opened or the player logged in
	PacketsIn, PacketsOut atomic.Uint64 // datagrams; over TCP the packets of the protocol

	RTT    atomic.Int32 // ms, -1 not known
	Loss   atomic.Int32 // thousandths of what was sent lately that had to be sent again, -1 not known
	InView atomic.Int32 // actors that his client is shown now, his own not counted, -1 not known
}

// LinkStats are the figures of a Link at one time.
type LinkStats struct {
	BytesIn, BytesOut     uint64
	PacketsIn, PacketsOut uint64

	RTT, Loss, InView int32
}

// reset is a link of which nothing is known yet.
func (l *Link) reset() {
	l.RTT.Store(-1)
	l.Loss.Store(-1)
	l.InView.Store(-1)
}

// Read returns the figures of now.
func (l *Link) Read() LinkStats {
	return LinkStats{
		BytesIn: l.BytesIn.Load(), BytesOut: l.BytesOut.Load(),
		PacketsIn: l.PacketsIn.Load(), PacketsOut: l.PacketsOut.Load(),
		RTT: l.RTT.Load(), Loss: l.Loss.Load(), InView: l.InView.Load(),
	}
}
