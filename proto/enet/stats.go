package enet

// Stats counts what passed through a host since NewHost. Bad input is counted by kind and otherwise ignored.
type Stats struct {
	DatagramsIn, DatagramsOut uint64
	BytesIn, BytesOut         uint64
	CommandsIn, CommandsOut   uint64
	Connects, Disconnects     uint64 // events of that kind
	Messages                  uint64 // events of that kind

	Resent        uint64 // reliable commands sent again
	Timeouts      uint64 // peers given up
	Duplicates    uint64 // reliable commands that had been received before
	StaleMessages uint64 // unreliable messages that came too late to be delivered
	QueueFull     uint64 // sends refused by a queue limit
	Migrations    uint64 // peers that moved to another source port

	BadDatagram   uint64 // shorter than 8 or longer than 4096 bytes
	BadPeer       uint64 // peer number that no connection has
	BadSession    uint64 // session that is not the connection's
	BadAddress    uint64 // source address that is not the connection's
	UnprovenPort  uint64 // source port that is not the connection's, not (yet) proven
	BadCommand    uint64 // unknown, cut short, or not legal in the connection's state
	BadFragment   uint64 // fields that contradict each other or exceed a limit
	BadAck        uint64 // acknowledgements of nothing outstanding, or with a time at which it was not sent
	BadConnect    uint64 // CONNECT with impossible terms
	RefusedLimit  uint64 // CONNECT refused: address limit or no slot
	HalfOpenLost  uint64 // connections that were never completed
	OverHold      uint64 // reliable commands not taken because too much is held already; the sender repeats them
	OverAcks      uint64 // datagrams cut short because too many acknowledgements wait
	ConnectRepeat uint64 // CONNECT of a connection that exists
}

// PeerStats counts what passed between the host and one peer.
type PeerStats struct {
	DatagramsIn, DatagramsOut uint64
	BytesIn, BytesOut         uint64
	Sent                      uint64 // reliable commands, each counted once
	Resent                    uint64 // how often one was sent again
}

// Stats returns the counters of the connection.
func (p *Peer) Stats() PeerStats { return p.stats }

// Stats returns the counters.
func (h *Host) Stats() Stats { return h.stats }
