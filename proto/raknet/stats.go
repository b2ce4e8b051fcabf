package raknet

// Stats counts what a Server or Client has received and sent since its creation. Malformed input is only counted, by
// kind.
type Stats struct {
	DatagramsIn, DatagramsOut uint64 // datagrams received and sent
	BytesIn, BytesOut         uint64 // bytes in these datagrams, without UDP and IP headers
	Connects, Disconnects     uint64 // number of Connected and Disconnected events
	Messages                  uint64 // number of Message events
	Timeouts                  uint64 // sessions ended for lack of datagrams or acknowledgements, and unanswered attempts to connect

	Resent     uint64 // number of retransmitted datagrams
	NacksIn    uint64 // datagram numbers that the other side reported as missing
	NacksOut   uint64 // ranges of datagram numbers that this side reported as missing
	Overflows  uint64 // sessions ended because their send queue, or all send queues together, reached a limit
	QueueFull  uint64 // messages refused because a send queue was full
	Evicted    uint64 // sessions ended at a total memory limit because they used the most memory
	Duplicates uint64 // datagrams received more than once; each is acknowledged again
	Repeated   uint64 // messages that were received again in another datagram
	Stale      uint64 // sequenced messages that arrived too late, and ordered messages whose order index was already used

	Pings, Pongs        uint64 // offline pings received; pongs sent
	PongsLimited        uint64 // pings not answered because of the pong limits
	RequestsIn          uint64 // Open Connection Requests 1 and 2 received
	BadOffline          uint64 // malformed or unknown messages outside of a connection
	ShortRequest        uint64 // Open Connection Requests 1 refused because they are shorter than the reply
	BadProtocol         uint64 // Open Connection Requests 1 with an unsupported RakNet protocol version
	BadCookie           uint64 // Open Connection Requests 2 with a wrong cookie
	AlreadyConnected    uint64 // Open Connection Requests 2 from an address whose session is already connected
	RefusedLimit        uint64 // Open Connection Requests 2 refused by the limit per address or because the server is full
	RepliesFull         uint64 // offline replies dropped because too many wait for a flush
	HalfOpenDropped     uint64 // half-open sessions dropped before they connected
	NoSession           uint64 // datagrams of a connection from an address without a session
	BadDatagram         uint64 // datagrams that are empty or longer than 2048 bytes
	BadFrames           uint64 // data datagrams without frames, or with frames that are malformed or exceed the limits
	BadRecords          uint64 // ACKs and NACKs that are malformed or name too many numbers
	UnknownAcks         uint64 // spans of ACKs that match no datagram in flight
	TooFarAhead         uint64 // data datagrams with a number beyond the receive window
	NoRoom              uint64 // data datagrams refused for lack of room (message beyond a receive window, too many split messages); sent again later
	AckBacklog          uint64 // data datagrams refused because too many acknowledgements wait
	BadMessage          uint64 // RakNet's own messages that are malformed or not legal in the state of the session
	SplitsExpired       uint64 // split messages that were not completed in time
	DroppedImitatingJSP uint64 // datagrams and messages that a Client with ImitateJSPRakNet dropped because they exceed jsp-raknet's receive windows
}

// PeerStats counts what one peer and this side have exchanged, without the messages outside of the connection.
type PeerStats struct {
	DatagramsIn, DatagramsOut uint64 // datagrams received and sent
	BytesIn, BytesOut         uint64 // bytes in these datagrams, without UDP and IP headers
	Sent                      uint64 // data datagrams that need an acknowledgement, each counted once
	Resent                    uint64 // number of retransmitted datagrams
}

// Stats returns the counters of the connection.
func (p *Peer) Stats() PeerStats { return p.stats }
