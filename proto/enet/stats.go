package enet

// Stats are the counters of a host since NewHost. Bad input is counted by kind and otherwise ignored.
type Stats struct {
	DatagramsIn, DatagramsOut uint64 // datagrams received and sent
	BytesIn, BytesOut         uint64 // bytes in these datagrams, without UDP and IP headers
	CommandsIn, CommandsOut   uint64 // commands received and sent
	Connects, Disconnects     uint64 // number of Connected and Disconnected events
	Messages                  uint64 // number of Message events

	Resent        uint64 // number of retransmitted reliable commands
	Timeouts      uint64 // number of peers that timed out
	Duplicates    uint64 // reliable commands received more than once
	StaleMessages uint64 // unreliable messages dropped: they arrived late or twice, or there was no room to hold them
	QueueFull     uint64 // messages refused by a queue limit, and peers disconnected at the limit of all queues
	Migrations    uint64 // peers that migrated to another source port

	BadDatagram   uint64 // datagrams shorter than 8 or longer than 4096 bytes
	BadPeer       uint64 // datagrams with an unknown peer number, and CONNECT commands to a host with Config.RefuseConnect
	BadSession    uint64 // datagrams whose session id is not that of the peer
	BadAddress    uint64 // datagrams from a wrong source address
	UnprovenPort  uint64 // datagrams from a peer's IP address, but from a port at which the peer has not answered a challenge yet
	BadCommand    uint64 // commands that are unknown, truncated, or illegal in the connection's state
	BadFragment   uint64 // fragments whose fields contradict each other or exceed a limit
	BadAck        uint64 // acknowledgements of no outstanding command, or with a wrong send time
	BadConnect    uint64 // CONNECT commands with invalid parameters
	RefusedLimit  uint64 // CONNECT commands refused by a limit of connections or because no slot is free
	HalfOpenLost  uint64 // half-open connections that were dropped
	OverHold      uint64 // commands refused because too much data waits for missing messages; the sender retransmits the refused commands
	OverAcks      uint64 // datagrams not fully processed because too many acknowledgements are queued
	Cookies       uint64 // CONNECT commands answered with a cookie, without keeping state
	ConnectRepeat uint64 // repeated CONNECT commands of an existing connection
}

// PeerStats are the counters of one peer.
type PeerStats struct {
	DatagramsIn, DatagramsOut uint64 // datagrams received and sent
	BytesIn, BytesOut         uint64 // bytes in these datagrams, without UDP and IP headers
	Sent                      uint64 // reliable commands sent, each counted once
	Resent                    uint64 // number of retransmissions
}

// Stats returns the counters of the connection.
func (p *Peer) Stats() PeerStats { return p.stats }

// Stats returns the counters of the host since NewHost.
func (h *Host) Stats() Stats { return h.stats }
