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

	MaxSessions     int  // half-open ones included; default 5000
	PerAddr         int  // from one IPv4 address or IPv6 /64; default 64, negative no limit
	HalfOpenPerAddr int  // of them not yet connected; default 8, negative no limit
	MaxHalfOpen     int  // not yet connected from all addresses; default 1024; the oldest gives way
	LimitLoopback   bool // apply both per-address limits to loopback addresses, too

	PongsPerAddr   int // pongs a second to one IPv4 address or IPv6 /64; default 10
	PongsPerSecond int // pongs a second to all; default 2000

	Limits
}

// Limits are what both a Server and a Client keep to. 0 in a field is its default.
type Limits struct {
	HalfOpenFor int64 // ms until a session that does not connect is dropped; default 10000       RK-6
	SilenceFor  int64 // ms without a datagram after which a session is over; default 10000       RK-7
	StallFor    int64 // ms for which a hole in the order, or an unacknowledged message, is waited for; default 30000
	CloseFor    int64 // ms for which Close waits for acknowledgements; default 3000
	PingEvery   int64 // ms between pings; default 5000

	AckDelay  int64 // ms that an acknowledgement waits for company; default 10, negative none    RK-8
	NackDelay int64 // ms that a gap may be mere reordering; default 30, negative none             RK-11
	ResendMin int64 // ms before a resend at least; default 50                                     RK-11
	ResendMax int64 // ms before a resend at most; default 2000                                    RK-11

	MaxInFlight   int // datagrams, and messages, sent and not acknowledged; default 192, at most  RK-12
	MaxQueued     int // bytes of memory that wait for one peer; default 8 MiB                     RK-12
	MaxHostQueued int // the same for all peers together; default 256 MiB; the greediest gives way

	MaxHeld       int   // messages held out of order for one peer; default 2048                    RK-10
	MaxHeldBytes  int   // their memory; default 4 MiB                                              RK-10
	MaxParts      int   // parts of one message; default 512                                        RK-13
	MaxSplits     int   // messages in parts that are not complete; default 16                      RK-13
	MaxSplitBytes int   // their memory; default 4 MiB                                              RK-13
	SplitFor      int64 // ms until such a message is dropped; default 30000                        RK-13
	MaxHostHeld   int   // memory of everything held for all peers together; default 64 MiB; the greediest gives way

	MaxMessage int // bytes of a message that is sent; default 1 MiB
	MaxBad     int // datagrams a second with a next number, and no sense, until a session is over; default 100   RK-15
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
func set[T uint8 | int | int64](v *T, def T) {
	if *v == 0 {
		*v = def
	}
}

func (c Config) withDefaults() Config {
	if c.Protocols == nil {
		c.Protocols = []uint8{latestProtocol, legacyProtocol}
	}
	c.MTU = clampMTU(c.MTU)
	set(&c.MaxSessions, 5000)
	set(&c.PerAddr, 64)
	set(&c.HalfOpenPerAddr, 8)
	set(&c.MaxHalfOpen, 1024)
	set(&c.PongsPerAddr, 10)
	set(&c.PongsPerSecond, 2000)
	c.Limits = c.Limits.withDefaults()
	return c
}

func (l Limits) withDefaults() Limits {
	set(&l.HalfOpenFor, 10000)
	set(&l.SilenceFor, 10000)
	set(&l.StallFor, 30000)
	set(&l.CloseFor, 3000)
	set(&l.PingEvery, 5000)
	set(&l.AckDelay, 10)
	set(&l.NackDelay, 30)
	set(&l.ResendMin, 50)
	set(&l.ResendMax, 2000)
	set(&l.MaxInFlight, maxInFlight)
	l.AckDelay, l.NackDelay = max(l.AckDelay, 0), max(l.NackDelay, 0)
	l.MaxInFlight = min(max(l.MaxInFlight, 1), maxInFlight)
	set(&l.MaxQueued, 8<<20)
	set(&l.MaxHostQueued, 256<<20)
	set(&l.MaxHeld, 2048)
	set(&l.MaxHeldBytes, 4<<20)
	set(&l.MaxParts, 512)
	set(&l.MaxSplits, 16)
	set(&l.MaxSplitBytes, 4<<20)
	set(&l.SplitFor, 30000)
	set(&l.MaxHostHeld, 64<<20)
	set(&l.MaxMessage, 1<<20)
	set(&l.MaxBad, 100)
	return l
}

func clampMTU(mtu uint16) uint16 {
	if mtu == 0 {
		return maxMTU
	}
	return min(max(mtu, minMTU), maxMTU)
}
