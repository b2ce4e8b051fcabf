package raknet

// Config configures a Server. A field with the value 0 selects its default.
type Config struct {
	GUID      uint64  // number of the server in pongs and replies; clients do not display it
	Protocols []uint8 // accepted versions of the RakNet protocol; default 11 and 10

	// Secret is the key of the hashes with which the server computes cookies and limits pongs. In production it must be
	// unpredictable, otherwise senders with forged source addresses can create sessions. Servers that share a socket may
	// share the secret.
	Secret [32]byte

	// NoCookies accepts clients that cannot repeat a cookie, for example those with the JavaScript backends jsp-raknet
	// and raknet-node. Senders with forged source addresses can then create half-open sessions, within
	// MaxHalfOpen and MaxHalfOpenPerAddr. Do not use it on an open network.
	NoCookies bool

	MTU uint16 // size of the largest IP datagram that is sent, in bytes, 400..1492; default 1492

	MaxSessions int // maximum sessions at the same time, including half-open ones; default 5000
	MaxPerAddr  int // maximum sessions per IPv4 address or IPv6 /64 network; default 64, negative means no limit
	// MaxHalfOpenPerAddr is the maximum number of half-open sessions per IPv4 address or IPv6 /64 network. At the maximum, a
	// new session replaces the oldest half-open session of the same network. Default 8; a negative value means no limit.
	MaxHalfOpenPerAddr int
	// MaxHalfOpen is the maximum number of half-open sessions of all networks. At the maximum, a new session replaces a
	// half-open one: the oldest of the network that has the most half-open sessions. Default 1024.
	MaxHalfOpen   int
	LimitLoopback bool // MaxPerAddr and MaxHalfOpenPerAddr also limit loopback addresses

	PongsPerAddr   int // maximum pongs per second to one IPv4 address or IPv6 /64 network; default 10
	PongsPerSecond int // maximum pongs per second to all addresses; default 2000

	Limits
}

// Limits apply to both a Server and a Client. A field with the value 0 selects its default. Limits implements these
// rules of docs/wire/bedrock.md: RK-6 (HalfOpenTimeout), RK-7 (IdleTimeout), RK-8 (AckDelay), RK-10 (MaxOutOfOrder,
// MaxOutOfOrderBytes), RK-11 (NackDelay, MinRTO, MaxRTO), RK-12 (MaxInFlight, MaxQueuedBytes), RK-13 (MaxParts to
// SplitTimeout) and RK-15 (MaxMalformed).
type Limits struct {
	HalfOpenTimeout int64 // ms after which a session that has not connected is dropped; default 10000
	IdleTimeout     int64 // ms without a received datagram after which a session ends; default 10000
	StallTimeout    int64 // ms after which a message that stays missing or unacknowledged ends the session; default 30000
	CloseTimeout    int64 // maximum ms that Close waits for acknowledgements; default 3000
	PingInterval    int64 // ms between keep-alive pings; default 5000

	AckDelay  int64 // ms for which acknowledgements are collected before they are sent; default 10, negative means 0
	NackDelay int64 // ms to wait for a missing datagram, which may only be late, before a NACK; default 30, negative means 0
	MinRTO    int64 // minimum retransmission timeout, ms; default 50
	MaxRTO    int64 // maximum retransmission timeout, ms; default 2000

	MaxInFlight    int // maximum unacknowledged datagrams, and the same maximum of messages; default and upper bound 192
	MaxQueuedBytes int // maximum size of the send queue of one peer, in bytes; default 8 MiB
	// MaxHostQueuedBytes is the maximum number of bytes in the send queues of all peers together. At the maximum, the peer with
	// the longest queue is disconnected. Default 256 MiB.
	MaxHostQueuedBytes int
	SendBudget         SendBudget // limits the send queues of several hosts together; nil means only MaxHostQueuedBytes

	MaxOutOfOrder      int   // maximum messages per peer that arrived out of order and are held; default 2048
	MaxOutOfOrderBytes int   // maximum bytes of held messages that arrived out of order, per peer; default 4 MiB
	MaxParts           int   // maximum parts of one split message; default 512
	MaxSplits          int   // maximum incomplete split messages per peer; default 16
	MaxSplitBytes      int   // maximum bytes of the parts of incomplete split messages, per peer; default 4 MiB
	SplitTimeout       int64 // ms after which an incomplete split message is dropped; default 30000
	// MaxHostReceiveBytes is the maximum number of bytes of received data that wait for earlier messages or for missing parts,
	// for all peers together. At the maximum, the session with the most such bytes ends. Default 64 MiB.
	MaxHostReceiveBytes int

	MaxMessage int // maximum length of a message to send, in bytes; default 1 MiB
	// MaxMalformed is the number of malformed datagrams within one second that ends the session. A datagram counts only if its
	// number is in the receive window and was not received before. Default 100.
	MaxMalformed int
}

const (
	minMTU       = 400  // smallest accepted MTU, bytes
	maxMTU       = 1492 // largest accepted MTU, bytes
	maxLegacyMTU = 1400 // largest MTU with RakNet protocol 10, bytes; clients of that version do not count the IP and UDP headers
	maxDatagram  = 2048 // maximum length of a received datagram, in bytes

	maxInFlight = 192 // maximum datagrams in flight; must be below the receive window of jsp-raknet (256 numbers)

	overhead4 = 20 + 8 // bytes of the IPv4 and UDP headers
	overhead6 = 40 + 8 // bytes of the IPv6 and UDP headers

	latestProtocol = 11 // RakNet protocol version of current clients
	legacyProtocol = 10 // older RakNet protocol version, of jsp-raknet and raknet-node
)

// SendBudget limits the memory that several servers together use for messages that wait to be sent or acknowledged. A server
// calls the methods only in the goroutine that uses the server.
type SendBudget interface {
	HasRoom(n int) bool // reports whether n more bytes may be queued
	Add(n int)          // records that n more bytes are queued, or -n fewer if n is negative
}

// setDefault sets the field v to the value def if the field is 0.
func setDefault[T uint8 | int | int64](v *T, def T) {
	if *v == 0 {
		*v = def
	}
}

func (c Config) withDefaults() Config {
	if c.Protocols == nil {
		c.Protocols = []uint8{latestProtocol, legacyProtocol}
	}
	c.MTU = clampMTU(c.MTU)
	setDefault(&c.MaxSessions, 5000)
	setDefault(&c.MaxPerAddr, 64)
	setDefault(&c.MaxHalfOpenPerAddr, 8)
	setDefault(&c.MaxHalfOpen, 1024)
	setDefault(&c.PongsPerAddr, 10)
	setDefault(&c.PongsPerSecond, 2000)
	c.Limits = c.Limits.withDefaults()
	return c
}

func (l Limits) withDefaults() Limits {
	setDefault(&l.HalfOpenTimeout, 10000)
	setDefault(&l.IdleTimeout, 10000)
	setDefault(&l.StallTimeout, 30000)
	setDefault(&l.CloseTimeout, 3000)
	setDefault(&l.PingInterval, 5000)
	setDefault(&l.AckDelay, 10)
	setDefault(&l.NackDelay, 30)
	setDefault(&l.MinRTO, 50)
	setDefault(&l.MaxRTO, 2000)
	setDefault(&l.MaxInFlight, maxInFlight)
	l.AckDelay, l.NackDelay = max(l.AckDelay, 0), max(l.NackDelay, 0)
	l.MaxInFlight = min(max(l.MaxInFlight, 1), maxInFlight)
	setDefault(&l.MaxQueuedBytes, 8<<20)
	setDefault(&l.MaxHostQueuedBytes, 256<<20)
	setDefault(&l.MaxOutOfOrder, 2048)
	setDefault(&l.MaxOutOfOrderBytes, 4<<20)
	setDefault(&l.MaxParts, 512)
	setDefault(&l.MaxSplits, 16)
	setDefault(&l.MaxSplitBytes, 4<<20)
	setDefault(&l.SplitTimeout, 30000)
	setDefault(&l.MaxHostReceiveBytes, 64<<20)
	setDefault(&l.MaxMessage, 1<<20)
	setDefault(&l.MaxMalformed, 100)
	return l
}

func clampMTU(mtu uint16) uint16 {
	if mtu == 0 {
		return maxMTU
	}
	return min(max(mtu, minMTU), maxMTU)
}
