package session

import "sync/atomic"

// Link holds measurements of one player's connection. The gateway writes it; any goroutine may read it.
type Link struct {
	BytesIn, BytesOut     atomic.Uint64 // bytes on the wire since the connection was opened or the player logged in
	PacketsIn, PacketsOut atomic.Uint64 // datagrams; with TCP, packets of the protocol

	RTT    atomic.Int32 // round-trip time in ms; -1 if not known
	Loss   atomic.Int32 // recent share of retransmits in thousandths; -1 if not known
	InView atomic.Int32 // number of other actors that are shown to the client now; -1 if not known
}

// LinkStats is a snapshot of a Link.
type LinkStats struct {
	BytesIn, BytesOut     uint64
	PacketsIn, PacketsOut uint64

	RTT, Loss, InView int32
}

// reset sets the counters to 0 and marks RTT, Loss and InView as not known.
func (l *Link) reset() {
	l.RTT.Store(-1)
	l.Loss.Store(-1)
	l.InView.Store(-1)
}

// Read returns a snapshot of the measurements.
func (l *Link) Read() LinkStats {
	return LinkStats{
		BytesIn: l.BytesIn.Load(), BytesOut: l.BytesOut.Load(),
		PacketsIn: l.PacketsIn.Load(), PacketsOut: l.PacketsOut.Load(),
		RTT: l.RTT.Load(), Loss: l.Loss.Load(), InView: l.InView.Load(),
	}
}
