package session

import (
	"crypto/rand"
	"log/slog"
	"net/netip"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// Peer identifies the connection that a request comes from.
type Peer struct {
	Addr netip.Addr
	Conn uint64 // the gateway's number of the connection, unique in the process
	Door string // name of the gateway's protocol: "rcce", "rs"...

	Authority move.Authority // movement authority of players of this gateway
}

// Options configures a hub. A field that is zero gets its default.
type Options struct {
	Log     *slog.Logger       // default: slog.Default()
	Metrics *telemetry.Metrics // default: metrics that are counted but not exported

	Node uint16 // number of this node in a cluster, part of its players' ids, below sim.MaxNodes; default 0

	HashCost         Cost // cost of hashing a secret; default: DefaultCost
	Hashers          int  // passwords hashed concurrently; default: half of the cores, which leaves the rest to ticks, but at most 4
	MaxWaitingLogins int  // maximum number of logins that wait for a hasher; more get ErrThrottled; default 1024

	FailuresPerPeer int           // failed logins allowed per connection and Window; more get ErrThrottled; default 5
	FailuresPerAddr int           // failed logins allowed per address and Window; more get ErrThrottled; default 30
	AccountsPerAddr int           // new accounts allowed per address and Window, loopback exempt; default 30
	Window          time.Duration // period over which logins and new accounts are counted; default 60 s
	SecretCacheTime time.Duration // a verified password is not hashed again within this time; default 10 min

	AreaChat int // chat lines allowed per second in one area; more get ErrBudget; default 20

	SaveEvery     time.Duration // interval of writing records to the store; default 1 s
	SaveRetry     time.Duration // longest back-off after write errors; default 30 s
	RecordTimeout time.Duration // how long Enter waits for the record of a player that is leaving; default 3 s
}

const (
	maxTracked = 1 << 16 // peers and addresses in each window counter; the oldest is evicted   guess: 64 Ki x ~100 bytes
	maxKnown   = 1 << 13 // verified secrets in the cache   guess: more than players log in within ten minutes
	maxChanges = 5       // password changes allowed per account and Window   guess: more than a user makes in a minute
	feedDepth  = 256     // frames buffered per area: 12 s at 20 ticks a second; reading one takes microseconds
)

// or sets field to value if it is zero.
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
	or(&o.AreaChat, 20)
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

// Hub connects all gateways of a process with the accounts and the world. Its methods are safe for any goroutine.
type Hub struct {
	world area.Host
	store store.Store
	opt   Options
	log   *slog.Logger

	hasher          *hasher
	failuresByPeer  *admission.Window[peerKey]         // failed logins per connection
	failuresByAddr  *admission.Window[netip.Addr]      // failed logins per network address
	newAccounts     *admission.Window[netip.Addr]      // new accounts per network address
	secretChanges   *admission.Window[store.AccountID] // changed secrets per account
	verifiedSecrets *admission.Window[[32]byte]        // results of secretDigest for secrets that matched
	key             [32]byte                           // random key of secretDigest
	serial          atomic.Uint64                      // number of the last EntityID assigned
	rejected        rejectedCounts
	areaChats       []areaChat // by sim.AreaID

	writer   *recordWriter
	freezing chan struct{} // capacity 1: held while Freeze runs

	mu               sync.Mutex
	closed           bool
	online           map[store.AccountID]*presence // accounts in the world or entering it
	presences        map[sim.EntityID]*presence    // players whose last record is not known yet
	leavingByAccount map[store.AccountID]*presence // presences that have left; one per account, since Enter waits for it
	rosterLocked     map[store.AccountID]bool      // accounts with a character that is being deleted
	frozen           map[store.AccountID]bool      // freeze state set by operators; accounts frozen before the start are added at login
	orders           uint32                        // serial number of the last operator order
	banned           map[store.AccountID]bool      // bans since the start; they also refuse players that had logged in before the ban
}

// NewHub returns a hub that reads the frames of w, which need not have started. The caller owns the store and closes it after
// the hub.
func NewHub(w area.Host, st store.Store, o Options) *Hub {
	o.fill()
	h := &Hub{
		world: w, store: st, opt: o, log: o.Log,
		hasher:           newHasher(o.HashCost, o.Hashers, o.MaxWaitingLogins),
		failuresByPeer:   admission.NewWindow[peerKey](o.Window, maxTracked),
		failuresByAddr:   admission.NewWindow[netip.Addr](o.Window, maxTracked),
		newAccounts:      admission.NewWindow[netip.Addr](o.Window, maxTracked),
		verifiedSecrets:  admission.NewWindow[[32]byte](o.SecretCacheTime, maxKnown),
		secretChanges:    admission.NewWindow[store.AccountID](o.Window, maxTracked),
		areaChats:        make([]areaChat, len(w.Def().Areas)),
		freezing:         make(chan struct{}, 1),
		online:           map[store.AccountID]*presence{},
		presences:        map[sim.EntityID]*presence{},
		leavingByAccount: map[store.AccountID]*presence{},
		rosterLocked:     map[store.AccountID]bool{},
		frozen:           map[store.AccountID]bool{},
		banned:           map[store.AccountID]bool{},
	}
	rand.Read(h.key[:]) // never fails
	h.writer = newRecordWriter(st, o)
	h.writer.start(h, w.Subscribe("session", feedDepth, area.All))
	return h
}

// Stats are counts of the hub that are not in telemetry.Metrics.
type Stats struct {
	Online  int // accounts in the world
	Leaving int // players that have left and whose last record is not known yet
	Unsaved int // records that are not stored yet

	// Intents refused because they exceeded a rate limit, by class. AreaChat are chat lines above the limit of their area.
	Claims, Attacks, Chat, AreaChat, Items, Inputs, Other uint64
}

// Stats returns the current counts.
func (h *Hub) Stats() Stats {
	s := h.rejected.stats()
	h.mu.Lock()
	s.Online = len(h.online)
	s.Leaving = len(h.leavingByAccount)
	h.mu.Unlock()
	s.Unsaved = h.writer.unsaved()
	return s
}
