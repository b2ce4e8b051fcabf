package raknet

// Stats counts what passed through a Server or Client since it was made. Bad input is counted by kind and otherwise
// ignored.
type Stats struct {
	DatagramsIn, DatagramsOut uint64
	BytesIn, BytesOut         uint64
	Connects, Disconnects     uint64 // events of that kind
	Messages                  uint64 // events of that kind
	Timeouts                  uint64 // sessions over for silence, a stall, or want of acknowledgements

	Resent     uint64 // datagrams sent again
	NacksIn    uint64 // numbers of ours that the other side asked for
	NacksOut   uint64 // spans that we asked for
	Overflows  uint64 // sessions that ended for Config.MaxQueued
	QueueFull  uint64 // sends refused by a queue limit
	Evicted    uint64 // sessions ended because all together took too much memory, and they the most
	Duplicates uint64 // datagrams that had come before; acknowledged again
	Repeated   uint64 // messages that had come before in another datagram
	Stale      uint64 // sequenced messages that came too late, and ordered ones with a place that is taken

	Pings, Pongs     uint64 // offline pings in, pongs out
	PongsLimited     uint64 // pings not answered for the limits on pongs
	RequestsIn       uint64 // requests 1 and 2
	BadOffline       uint64 // offline messages that make no sense
	ShortRequest     uint64 // requests 1 shorter than their answer
	BadProtocol      uint64 // requests 1 of a RakNet protocol that is not let in
	BadCookie        uint64 // requests 2 with a wrong cookie
	AlreadyConnected uint64 // requests 2 for an address whose session is connected
	RefusedLimit     uint64 // requests 2 refused: per-address limit, or no room
	RepliesFull      uint64 // answers dropped because too many wait for a flush
	HalfOpenDropped  uint64 // sessions that were never connected
	NoSession        uint64 // datagrams of a connection from an address without one
	BadDatagram      uint64 // empty or longer than 2048 bytes
	BadFrames        uint64 // data datagrams with malformed or impossible frames
	BadRecords       uint64 // malformed or too long ACKs and NACKs
	UnknownAcks      uint64 // spans of ACKs in which nothing was outstanding
	TooFarAhead      uint64 // data datagrams with a number beyond the window
	NoRoom           uint64 // data datagrams neither taken nor acknowledged: a limit; the sender repeats them
	AckBacklog       uint64 // the same because too many acknowledgements wait
	BadMessage       uint64 // RakNet's own messages that are malformed or not legal now
	SplitsExpired    uint64 // messages in parts that were not completed in time
	LostLikeJSP      uint64 // a client like jsp-raknet: datagrams and messages lost beyond its windows
}

// PeerStats counts what passed between the host and one peer. Offline messages are nobody's.
type PeerStats struct {
	DatagramsIn, DatagramsOut uint64
	BytesIn, BytesOut         uint64
	Sent                      uint64 // data datagrams that want an acknowledgement, each counted once
	Resent                    uint64 // how often one was sent again
}

// Stats returns the counters of the connection.
func (p *Peer) Stats() PeerStats { return p.stats }
