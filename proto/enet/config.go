package enet

// Config configures a host. The zero value configures a server with default limits: a field that is 0 has its default. A
// negative value means no limit where the comment of the field says so.
type Config struct {
	// MaxPeers is the maximum number of connections, including half-open ones. Each connection is in a slot; slot i has the
	// peer number FirstPeer + i*PeerStride. Several hosts can share one socket if they have different peer numbers. MaxPeers is
	// reduced if necessary, so that all peer numbers stay below 0x7fff.
	MaxPeers   int // default 5000, as in section 1.6 of docs/wire/rcce.md
	FirstPeer  int // peer number of the first slot; default 0
	PeerStride int // difference between the peer numbers of successive slots; default 1

	// SessionSeed is the seed of all random choices: the session ids of clients, clock offsets, slots and challenges. In
	// production it must be unpredictable, because the defences against forged addresses depend on it. Tests may use any
	// number.
	SessionSeed uint64

	RefuseConnect bool // ignore incoming CONNECT commands, as a client should

	PeersPerAddr    int  // maximum connections from one IPv4 address or IPv6 /64; default 64 (chosen without measurements), negative means no limit
	HalfOpenPerAddr int  // maximum half-open connections from one IPv4 address or IPv6 /64; default 16 (chosen without measurements), negative means no limit
	MaxHalfOpen     int  // maximum half-open connections from all addresses; default MaxPeers/2, at least 1
	LimitLoopback   bool // loopback addresses are limited by PeersPerAddr and HalfOpenPerAddr, too
	// CookiesAfter is the number of half-open connections from which on the host uses cookies: for a further CONNECT it stores
	// nothing until the sender has proven its address with a cookie. Default MaxHalfOpen/2, at least 1; a negative value means that
	// cookies are never used.
	CookiesAfter    int
	HalfOpenTimeout int // ms after which a half-open connection is dropped; default 5000, because clients wait 5 s
	LingerTime      int // ms for which repetitions of a disconnect are acknowledged; default 2000, because clients wait 1 s
	// MigrateAfter is the time in ms for which the port of a peer must have been silent. After that, a datagram of the peer's session
	// from another port of the same IP address is answered with a challenge, because a NAT may have changed the port. Default 2000.
	MigrateAfter int

	MTU      int // size of the largest datagram that is sent, in bytes, 576..4096; default 1400
	Window   int // maximum bytes of reliable data in flight, 4096..32768; default 32768
	Channels int // number of channels that Connect requests, 1..255; default 254, as in section 1.4 of docs/wire/rcce.md

	MaxMessage   int // length of the longest message in either direction, in bytes; default 65536 (chosen without measurements)
	MaxFragments int // maximum fragments of one incoming message; default 128, enough for 64 KiB at an MTU of 576
	MaxHeld      int // maximum incoming messages and fragments held out of order per peer; default 1024
	MaxHeldBytes int // maximum bytes of held messages and of incomplete fragmented messages per peer; default 131072
	MaxHostHeld  int // maximum bytes of held and incomplete messages of all peers together; default 64 MiB
	MaxQueued    int // maximum bytes of unsent or unacknowledged reliable messages per peer; default 1 MiB
	// MaxHostQueued is the maximum number of bytes of unsent or unacknowledged reliable messages of all peers together. At the
	// limit, the peer with the longest queue is disconnected. Default 256 MiB.
	MaxHostQueued int
	SendBudget    SendBudget // limits the send queues of several hosts together; nil means only MaxHostQueued
	MaxUnreliable int        // maximum bytes of unreliable messages that wait for a flush, per peer; default 256 KiB
	MaxAcks       int        // maximum acknowledgements that wait for a flush, per peer; default 2048

	// SilenceTimeout is a time in ms. A peer times out if it has sent neither data nor acknowledgements for this time and its
	// retransmission timeout has grown to 32 times its first value. Without acknowledgements for 30000 ms it times out in any
	// case. Default 5000 (section 1.5 of docs/wire/rcce.md). Servers whose clients load levels without reading their socket
	// need more.
	SilenceTimeout int

	MinRTO int // lower bound of the first retransmission timeout, ms; default 30, because clients answer once per frame
}

const (
	minMTU    = 576   // smallest MTU of the protocol, bytes
	maxMTU    = 4096  // largest MTU of the protocol, bytes
	minWindow = 4096  // smallest window of the protocol, bytes
	maxWindow = 32768 // largest window of the protocol, bytes

	defaultMTU      = 1400 // MTU of known clients, bytes
	defaultChannels = 254  // number of channels of known clients

	throttleInterval     = 5000 // interval of the packet throttle, ms; the throttle values are sent, but this package does not use them
	throttleAcceleration = 2
	throttleDeceleration = 2
)

// SendBudget limits the memory that several hosts together use for messages that wait to be sent or acknowledged. A host calls
// the methods only in the goroutine that uses the host.
type SendBudget interface {
	HasRoom(n int) bool // reports whether n more bytes may be queued
	Add(n int)          // records that n more bytes are queued, or -n fewer if n is negative
}

// withDefaults returns the configuration with defaults in place of zero fields. It limits the other fields to the bounds of
// the protocol.
func (c Config) withDefaults() Config {
	set := func(v *int, def int) {
		if *v == 0 {
			*v = def
		}
	}
	set(&c.MaxPeers, 5000)
	set(&c.PeerStride, 1)
	c.FirstPeer = min(max(c.FirstPeer, 0), noPeer-1)
	c.PeerStride = max(c.PeerStride, 1)
	c.MaxPeers = max(1, min(c.MaxPeers, (noPeer-1-c.FirstPeer)/c.PeerStride+1))
	set(&c.PeersPerAddr, 64)
	set(&c.HalfOpenPerAddr, 16)
	set(&c.MaxHalfOpen, c.MaxPeers/2)
	c.MaxHalfOpen = max(1, min(c.MaxHalfOpen, c.MaxPeers))
	set(&c.CookiesAfter, max(1, c.MaxHalfOpen/2))
	set(&c.HalfOpenTimeout, 5000)
	set(&c.LingerTime, 2000)
	set(&c.MigrateAfter, 2000)
	set(&c.MTU, defaultMTU)
	set(&c.Window, maxWindow)
	set(&c.Channels, defaultChannels)
	c.MTU = min(max(c.MTU, minMTU), maxMTU)
	c.Window = min(max(c.Window, minWindow), maxWindow)
	c.Channels = min(max(c.Channels, 1), 255)
	set(&c.MaxMessage, 65536)
	set(&c.MaxFragments, 128)
	set(&c.MaxHeld, 1024)
	set(&c.MaxHeldBytes, 128<<10)
	set(&c.MaxHostHeld, 64<<20)
	set(&c.MaxQueued, 1<<20)
	set(&c.MaxHostQueued, 256<<20)
	set(&c.MaxUnreliable, 256<<10)
	set(&c.MaxAcks, 2048)
	set(&c.MinRTO, 30)
	set(&c.SilenceTimeout, timeoutMin)
	return c
}
