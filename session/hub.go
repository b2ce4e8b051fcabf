package session

import (
	"crypto/rand"
	"log/slog"
	"net/netip"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// Peer is who asks.
type Peer struct {
	Addr netip.Addr
	Conn uint64 // the door's number of the connection, never used twice in the life of the process
	Door string // "rcce", "rs"...

	Authority move.Authority // by which the movement of those who come through this door is judged
}

// Options of a hub. The zero value is usable: a field that is 0 or nil stands for the value behind it.
type Options struct {
	Log     *slog.Logger       // slog.Default()
	Metrics *telemetry.Metrics // counted, but nobody sees it

	Node uint16 // number of this node in a cluster, below sim.MaxNodes, in the ids of its players; 0

	HashCost         Cost // DefaultCost
	Hashers          int  // secrets hashed at the same time; half of the cores, so that ticks have the rest, at most 4 for memory's sake
	MaxWaitingLogins int  // logins that may wait for a hasher, then ErrThrottled; 1024

	FailuresPerPeer int           // failed logins per connection and Window, then ErrThrottled; 5
	FailuresPerAddr int           // the same per address; 30
	AccountsPerAddr int           // new accounts per address and Window, loopback aside; 30
	Window          time.Duration // 60 s
	SecretCacheTime time.Duration // a secret is not hashed again so soon after it was right; 10 min

	SaveEvery     time.Duration // records are written at least so often; 1 s
	SaveRetry     time.Duration // the longest pause between attempts after errors; 30 s
	RecordTimeout time.Duration // how long Enter waits for the record of the last visit; 3 s
}

const (
	maxTracked = 1 << 16 // peers, addresses   guess: 64 Ki x ~100 bytes; the oldest is forgotten first
	maxKnown   = 1 << 13 // remembered logins  guess: more than players who log in within ten minutes
	maxChanges = 5       // secrets per account and Window   guess: nobody forgets five in a minute
	feedDepth  = 256     // frames per area    12 s at 20 ticks a second; reading one takes microseconds
)

// or fills what was left out.
func or[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

func (o *Options) fill() {
	or(&o.HashCost, DefaultCost)
	or(&o.Hashers, max(1, min(runtime.GOMAXPROCS(0)/2, 4)))
	or(&o.MaxWaitingLogins, 1024)
	or(&o.FailuresPerPeer, 5)
	or(&o.FailuresPerAddr, 30)
	or(&o.AccountsPerAddr, 30)
	or(&o.Window, time.Minute)
	or(&o.SecretCacheTime, 10*time.Minute)
	or(&o.SaveEvery, time.Second)
	or(&o.SaveRetry, 30*time.Second)
	or(&o.RecordTimeout, 3*time.Second)
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Metrics == nil {
		o.Metrics = telemetry.New()
	}
}

// Hub is where all doors of a process meet the accounts. Its methods are safe for any goroutine.
type Hub struct {
	world area.Host
	store store.Store
	opt   Options
	log   *slog.Logger

	hasher   *hasher
	peers    *tally[peerKey]         // failed logins
	addrs    *tally[netip.Addr]      // failed logins
	makers   *tally[netip.Addr]      // new accounts
	changers *tally[store.AccountID] // changed secrets
	known    *tally[[32]byte]        // see remember
	key      [32]byte                // of the process, for known
	serial   atomic.Uint64           // the last EntityID given out
	turned   turnedAway

	keeper   *keeper
	freezing chan struct{} // holds one while Freeze runs

	mu       sync.Mutex
	closed   bool
	online   map[store.AccountID]*visit // who is in the world or on the way into it
	visits   map[sim.EntityID]*visit    // until their last record has come
	leavers  map[store.AccountID]*visit // those of visits that have left: one per account, since Enter waits for it
	changing map[store.AccountID]bool   // a character of it is being deleted
	frozen   map[store.AccountID]bool   // operators' last orders; accounts frozen before the start are added at login
	orders   uint32                     // the number of an operator's last order
	banned   map[store.AccountID]bool   // in the life of the process: whoever was at the door then does not get in either
}

// NewHub returns a hub that already reads the frames of w, which need not have started. The store stays the caller's
// and is closed after the hub.
func NewHub(w area.Host, st store.Store, o Options) *Hub {
	o.fill()
	h := &Hub{
		world: w, store: st, opt: o, log: o.Log,
		hasher:   newHasher(o.HashCost, o.Hashers, o.MaxWaitingLogins),
		peers:    newTally[peerKey](o.Window, maxTracked),
		addrs:    newTally[netip.Addr](o.Window, maxTracked),
		makers:   newTally[netip.Addr](o.Window, maxTracked),
		known:    newTally[[32]byte](o.SecretCacheTime, maxKnown),
		freezing: make(chan struct{}, 1),
		changers: newTally[store.AccountID](o.Window, maxTracked),
		online:   map[store.AccountID]*visit{},
		visits:   map[sim.EntityID]*visit{},
		leavers:  map[store.AccountID]*visit{},
		changing: map[store.AccountID]bool{},
		frozen:   map[store.AccountID]bool{},
		banned:   map[store.AccountID]bool{},
	}
	rand.Read(h.key[:]) // never fails
	h.keeper = newKeeper(st, o)
	h.keeper.start(h, w.Subscribe("session", feedDepth, area.All))
	return h
}

// Stats is what the hub counts beside telemetry.Metrics.
type Stats struct {
	Online  int // accounts in the world
	Leaving int // visits whose last record has not come yet
	Unsaved int // records that the store does not have yet

	// Intents turned away because their session's budget was used up, by kind of wish.
	Claims, Attacks, Chat, Items, Inputs, Other uint64
}

// Stats returns the figures of now.
func (h *Hub) Stats() Stats {
	s := h.turned.stats()
	h.mu.Lock()
	s.Online = len(h.online)
	s.Leaving = len(h.leavers)
	h.mu.Unlock()
	s.Unsaved = h.keeper.unsaved()
	return s
}
