package raknet

// Config configures a Server. A zero field selects its default.
type Config struct {
	GUID      uint64  // the server's; clients do not display it
	Protocols []uint8 // RakNet protocol versions that are accepted; default 11 and 10

	// Secret keys the cookies and the pong rate limit. It must be unpredictable in production, otherwise forged source
	// addresses can create sessions; tests may set any value. Servers that share a socket may share it.
	Secret [32]byte

	// NoCookies accepts clients that cannot repeat a cookie: the backends jsp-raknet and raknet-node. Forged source
	// addresses can then create half-open sessions, within the limits below. Do not use it on an open network.
	NoCookies bool

	MTU uint16 // bytes of the largest IP datagram that is sent, 400..1492; default 1492

	MaxSessions        int  // half-open ones included; default 5000
	MaxPerAddr         int  // sessions from one IPv4 address or IPv6 /64; default 64, negative means no limit
	MaxHalfOpenPerAddr int  // half-open sessions from one address; default 8, negative means no limit
	MaxHalfOpen        int  // half-open sessions from all addresses; default 1024; the oldest is dropped for a new one
	LimitLoopback      bool // apply both per-address limits to loopback addresses too

	PongsPerAddr   int // pongs per second to one IPv4 address or IPv6 /64; default 10
	PongsPerSecond int // pongs per second in total; default 2000

	Limits
}

// Limits apply to both a Server and a Client. A zero field selects its default.
type Limits struct {
	HalfOpenTimeout int64 // ms until a session that does not connect is dropped; default 10000       RK-6
	IdleTimeout     int64 // ms without a received datagram until a session ends; default 10000       RK-7
	StallTimeout    int64 // ms that a gap in the order, or an unacknowledged message, may last; default 30000
	CloseTimeout    int64 // ms for which Close waits for acknowledgements; default 3000
	PingInterval    int64 // ms between pings; default 5000

	AckDelay  int64 // ms that an acknowledgement is delayed to batch it; default 10, negative none     RK-8
	NackDelay int64 // ms until a gap is NACKed, in case of mere reordering; default 30, negative none  RK-11
	MinRTO    int64 // minimum retransmission timeout, ms; default 50                                   RK-11
	MaxRTO    int64 // maximum retransmission timeout, ms; default 2000                                 RK-11

	MaxInFlight        int // unacknowledged datagrams, and messages, at most; default and maximum 192          RK-12
	MaxQueuedBytes     int // bytes of send queue per peer; default 8 MiB                                       RK-12
	MaxHostQueuedBytes int // bytes of send queue of all peers; default 256 MiB; the peer with the most is evicted

	MaxOutOfOrder       int   // messages received out of order and held, per peer; default 2048                   RK-10
	MaxOutOfOrderBytes  int   // their memory in bytes; default 4 MiB                                              RK-10
	MaxParts            int   // parts of one message; default 512                                        RK-13
	MaxSplits           int   // incomplete split messages per peer; default 16                                    RK-13
	MaxSplitBytes       int   // their memory in bytes; default 4 MiB                                              RK-13
	SplitTimeout        int64 // ms until an incomplete split message is dropped; default 30000                    RK-13
	MaxHostReceiveBytes int   // bytes held for reordering and reassembly of all peers; default 64 MiB; the peer with the most is evicted

	MaxMessage   int // bytes of the longest message that can be sent; default 1 MiB
	MaxMalformed int // malformed datagrams with a plausible number, per second, that end a session; default 100   RK-15
}

const (
	minMTU       = 400  // bytes
	maxMTU       = 1492 // bytes
	maxLegacyMTU = 1400 // bytes; with RakNet protocol 10, whose backend counts UDP payload only
	maxDatagram  = 2048 // bytes of the longest datagram that is accepted

	maxInFlight = 192 // of jsp-raknet's receive window of 256 numbers

	overhead4 = 20 + 8 // bytes of IPv4 and UDP headers
	overhead6 = 40 + 8 // bytes of IPv6 and UDP headers

	latestProtocol = 11
	legacyProtocol = 10
)

// setDefault sets a zero field to its default.
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
