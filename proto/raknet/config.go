package raknet

// Config sets a server up. 0 in a field is its default.
type Config struct {
	GUID      uint64  // the server's, which clients show nowhere
	Protocols []uint8 // RakNet protocols that are let in; default 11 and 10

	// Secret keys the cookies and the limits on floods. It must be unpredictable in production, or a forged source address
	// creates state; tests set it to anything. Servers that share a socket may share it.
	Secret [32]byte

	// NoCookies lets in who cannot repeat a cookie: the backends jsp-raknet and raknet-node. Whoever forges source
	// addresses then creates half-open sessions, within their limits. Not for the open network.
	NoCookies bool

	MTU uint16 // bytes of an IP datagram that we send at most, 400..1492; default 1492

	MaxSessions        int  // half-open ones included; default 5000
	MaxPerAddr         int  // from one IPv4 address or IPv6 /64; default 64, negative no limit
	MaxHalfOpenPerAddr int  // of them not yet connected; default 8, negative no limit
	MaxHalfOpen        int  // not yet connected from all addresses; default 1024; the oldest gives way
	LimitLoopback      bool // apply both per-address limits to loopback addresses, too

	PongsPerAddr   int // pongs a second to one IPv4 address or IPv6 /64; default 10
	PongsPerSecond int // pongs a second to all; default 2000

	Limits
}

// Limits are what both a Server and a Client keep to. 0 in a field is its default.
type Limits struct {
	HalfOpenTimeout int64 // ms until a session that does not connect is dropped; default 10000       RK-6
	IdleTimeout     int64 // ms without a datagram after which a session is over; default 10000       RK-7
	StallTimeout    int64 // ms for which a hole in the order, or an unacknowledged message, is waited for; default 30000
	CloseTimeout    int64 // ms for which Close waits for acknowledgements; default 3000
	PingInterval    int64 // ms between pings; default 5000

	AckDelay  int64 // ms that an acknowledgement waits for company; default 10, negative none    RK-8
	NackDelay int64 // ms that a gap may be mere reordering; default 30, negative none             RK-11
	MinRTO    int64 // ms before a resend at least; default 50                                     RK-11
	MaxRTO    int64 // ms before a resend at most; default 2000                                    RK-11

	MaxInFlight        int // datagrams, and messages, sent and not acknowledged; default 192, at most  RK-12
	MaxQueuedBytes     int // bytes of memory that wait for one peer; default 8 MiB                     RK-12
	MaxHostQueuedBytes int // the same for all peers together; default 256 MiB; the greediest gives way

	MaxOutOfOrder       int   // messages held out of order for one peer; default 2048                    RK-10
	MaxOutOfOrderBytes  int   // their memory; default 4 MiB                                              RK-10
	MaxParts            int   // parts of one message; default 512                                        RK-13
	MaxSplits           int   // messages in parts that are not complete; default 16                      RK-13
	MaxSplitBytes       int   // their memory; default 4 MiB                                              RK-13
	SplitTimeout        int64 // ms until such a message is dropped; default 30000                        RK-13
	MaxHostReceiveBytes int   // memory of everything held for all peers together; default 64 MiB; the greediest gives way

	MaxMessage   int // bytes of a message that is sent; default 1 MiB
	MaxMalformed int // datagrams a second with a next number, and no sense, until a session is over; default 100   RK-15
}

const (
	minMTU       = 400  // bytes
	maxMTU       = 1492 // bytes
	maxLegacyMTU = 1400 // bytes; with RakNet protocol 10, whose backend takes it for the bytes of UDP payload
	maxDatagram  = 2048 // bytes that may come in

	maxInFlight = 192 // of a window of 256

	overhead4 = 20 + 8 // bytes of IPv4 and UDP headers
	overhead6 = 40 + 8 // bytes of IPv6 and UDP headers

	latestProtocol = 11
	legacyProtocol = 10
)

// set gives a field that is zero its default.
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
