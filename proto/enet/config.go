package enet

// Config configures a host. The zero value is a server with defaults. 0 in a field selects its default, and a negative limit
// means no limit where the field says so.
type Config struct {
	// MaxPeers is the number of connections that the host holds, including half-open ones. The peer number of slot i is
	// FirstPeer + i*PeerStride, so that several hosts can share one socket and one number space; MaxPeers is reduced so
	// that all numbers stay below 0x7fff.
	MaxPeers   int // default 5000  spec 1.6
	FirstPeer  int // default 0
	PeerStride int // default 1

	// SessionSeed seeds all random choices: client sessions, clock offsets, slots, challenges. It must be unpredictable in
	// production, or the defences of the package comment do not hold; tests may use any number.
	SessionSeed uint64

	RefuseConnect bool // for clients: incoming CONNECT is ignored

	PeersPerAddr    int  // connections from one IPv4 address or IPv6 /64; default 64, negative no limit    guess
	HalfOpenPerAddr int  // half-open ones of them; default 16, negative no limit           guess
	MaxHalfOpen     int  // half-open connections from all addresses; default MaxPeers/2, at least 1
	LimitLoopback   bool // apply both per-address limits to loopback addresses, too
	HalfOpenTimeout int  // ms until a half-open connection is dropped; default 5000      clients wait 5 s
	LingerTime      int  // ms for which repeated disconnects are acknowledged; default 2000  clients wait 1 s
	MigrateAfter    int  // ms without data after which another source port is challenged; default 2000

	MTU      int // largest datagram sent in bytes, 576..4096; default 1400
	Window   int // bytes of reliable data in flight, 4096..32768; default 32768
	Channels int // channels that Connect requests, 1..255; default 254    spec 1.4

	MaxMessage    int // bytes of one message in either direction; default 65536        guess
	MaxFragments  int // fragments of one incoming message; default 128                 64 KiB at MTU 576
	MaxHeld       int // incoming messages and fragments held out of order per peer; default 1024
	MaxHeldBytes  int // bytes of held messages and of incomplete fragmented messages per peer; default 131072
	MaxHostHeld   int // the same for all peers together; default 64 MiB
	MaxQueued     int // bytes of unsent or unacknowledged reliable messages per peer; default 1 MiB
	MaxHostQueued int // the same for all peers together; default 256 MiB
	MaxUnreliable int // bytes of unreliable messages waiting for a flush per peer; default 256 KiB
	MaxAcks       int // acknowledgements waiting for a flush per peer; default 2048

	// SilenceTimeout is the time in ms without data and acknowledgements after which a peer times out once its RTO has
	// grown to 32 times the first. After 30000 ms without an acknowledgement it times out in any case. Default 5000 (spec
	// 1.5). Servers whose clients load levels without reading their socket need more.
	SilenceTimeout int

	MinRTO int // ms, lower bound of the first retransmission timeout; default 30    clients answer once per frame
}

const (
	minMTU    = 576   // bytes
	maxMTU    = 4096  // bytes
	minWindow = 4096  // bytes
	maxWindow = 32768 // bytes

	defaultMTU      = 1400
	defaultChannels = 254

	throttleInterval     = 5000 // ms; all three values are only echoed
	throttleAcceleration = 2
	throttleDeceleration = 2
)

// withDefaults sets zero fields to their defaults and clamps fields to the protocol's bounds.
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
