package session

import (
	"context"
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

// Options configures a Hub. A zero field means its default.
type Options struct {
	Log     *slog.Logger       // log of the hub; default slog.Default()
	Metrics *telemetry.Metrics // metrics of the hub; default: metrics that are counted but not exported
	Gate    *admission.Gate    // counts rate-limited clients; default: a new Gate that counts in Metrics

	Node      uint16    // number of this node in a cluster, part of its players' ids, below sim.MaxNodes; default 0
	Directory Directory // says through which process of a cluster an account is in the world; nil for a single server

	HashCost         Cost          // cost of hashing a secret; default: DefaultCost
	Hashers          int           // passwords hashed concurrently; default: half of the cores, which leaves the rest to ticks, but at most 4
	MaxWaitingLogins int           // maximum number of logins that wait for a hasher; further ones get ErrOverloaded; default 4096
	LoginsPerAddr    int           // maximum number of logins per address that wait for a hasher, loopback exempt; further ones get ErrOverloaded; default 64
	LoginPatience    time.Duration // a login that has waited longer for a hasher gets ErrOverloaded, because its client has given up; default 30 s

	FailuresPerPeer    int // failed logins allowed per connection and Window; more get ErrThrottled; default 5
	FailuresPerAccount int // failed logins allowed per account from one address and Window; more get ErrThrottled; default 10

	// FailuresAnywhere is a number of failed logins per account and Window, over all addresses. Once an account has reached
	// that number, a network from which the account has not logged in within KnownTime may fail once per Window; further
	// logins get ErrThrottled. Default 30.
	FailuresAnywhere int

	// FailuresPerAddr is a number of failed logins per address and Window. Logins from an address that has reached that number
	// are served after those of other addresses, but not refused. Default 1.
	FailuresPerAddr int
	AccountsPerAddr int           // new accounts allowed per address and Window, loopback exempt; default 60
	Window          time.Duration // period over which logins and new accounts are counted; default 60 s
	KnownTime       time.Duration // an address is known to an account for this time after a login, and logins from there are served first; default 7 days
	SecretCacheTime time.Duration // a verified password is not hashed again within this time; default DefaultSecretCacheTime
	ProofTime       time.Duration // a verified password is not hashed again within this time after its player left the world, or after a restart; default 1 min
	ProofFile       string        // file, in memory, that keeps verified passwords of players over a restart; "" for none. See proofs.go for why it must not be on a disk

	// OnWithheld, if not nil, is called with each line of chat that is not shown to anybody. It must not block. A client may cause calls
	// as fast as it can send.
	OnWithheld func(WithheldChat)

	AreaChat int // chat lines allowed per second in one area; more get ErrBudget; default 20

	SaveEvery     time.Duration // interval at which records are written to the store; default 1 s
	SaveRetry     time.Duration // longest back-off after write errors; default 30 s
	RecordTimeout time.Duration // how long Enter waits for the record of a player that is leaving; default 3 s
	DumpDir       string        // folder for records that cannot be saved at shutdown; if writing there is impossible, the system's temporary folder; "" for no file
}

// DefaultSecretCacheTime is the default of Options.SecretCacheTime.
const DefaultSecretCacheTime = 10 * time.Minute

const (
	maxTracked = 1 << 16 // peers and addresses in each window counter; the oldest is evicted   guess: 64 Ki x ~100 bytes
	maxKnown   = 1 << 13 // maximum number of verified secrets in the cache   guess: more than the logins of ten minutes
	maxHashers = 4       // passwords hashed concurrently by default, to bound memory; all cores may hash while players wait long
	manyNew    = 4       // number of new accounts per address and Window above which logins from the address get a lower priority   guess
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

// fillLimits sets the defaults of the fields of Limits.
func (o *Options) fillLimits() {
	or(&o.FailuresPerAccount, 10)
	or(&o.FailuresAnywhere, 30)
	or(&o.AccountsPerAddr, 60)
	or(&o.AreaChat, 20)
}

func (o *Options) fill() {
	o.fillLimits()
	or(&o.HashCost, DefaultCost)
	or(&o.Hashers, max(1, min(runtime.GOMAXPROCS(0)/2, maxHashers)))
	or(&o.MaxWaitingLogins, 4096)
	or(&o.LoginsPerAddr, 64)
	or(&o.LoginPatience, 30*time.Second)
	or(&o.FailuresPerPeer, 5)
	or(&o.FailuresPerAddr, 1)
	or(&o.Window, time.Minute)
	or(&o.KnownTime, 7*24*time.Hour)
	or(&o.SecretCacheTime, DefaultSecretCacheTime)
	or(&o.ProofTime, time.Minute)
	or(&o.SaveEvery, time.Second)
	or(&o.SaveRetry, 30*time.Second)
	or(&o.RecordTimeout, 3*time.Second)
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Metrics == nil {
		o.Metrics = telemetry.New()
	}
	if o.Gate == nil {
		o.Gate = admission.NewGate(func(door string, b admission.Budget) { o.Metrics.HeldBack(door).With(string(b)).Inc() })
	}
}

// Hub connects all gateways of a process with the accounts and the world. Its methods are safe for any goroutine.
type Hub struct {
	world area.Host
	store store.Store
	opt   Options
	log   *slog.Logger

	hasher            *hasher
	failuresByPeer    *admission.Window[peerKey]         // number of failed logins per connection
	failuresByAccount *admission.Window[accountKey]      // number of failed logins per account and address
	failuresByAddr    *admission.Window[netip.Addr]      // number of failed logins per network address
	failuresByName    *admission.Window[string]          // number of failed logins per account, over all addresses
	failuresInNetwork *admission.Window[networkKey]      // number of failed logins per account and network
	known             *knownAddresses                    // addresses and networks from which accounts have logged in
	hashedFor         *admission.Window[netip.Addr]      // number of hashes for logins from unknown addresses, per network address
	newAccounts       *admission.Window[netip.Addr]      // number of new accounts per network address
	secretChanges     *admission.Window[store.AccountID] // number of password changes per account
	verifiedSecrets   *admission.Window[[32]byte]        // results of secretDigest for secrets that were verified
	proofs            *proofs                            // verified secrets of accounts in the world, which survive a restart
	serials           serials                            // numbers for EntityIDs of new players
	rejected          rejectedCounts
	limits            atomic.Pointer[Limits] // never nil
	areaChats         []areaChat             // chat limits of the areas, by sim.AreaID

	claims       claims // accounts that this process has claimed in Options.Directory
	releaseFails bool   // the last call of releaseClaims failed; used by its goroutine, and by Close after that has ended
	writer       *recordWriter
	joining      sync.RWMutex  // read-locked while a join is submitted; EndAll locks it
	freezing     chan struct{} // has capacity 1 and is full while Freeze runs

	access      *accessTable  // bans, mutes and the whitelist
	restricting chan struct{} // has capacity 1 and is full while a rule of access changes
	stopPlanner stopPlanner

	mu               sync.Mutex
	closed           bool
	online           map[store.AccountID]*presence   // accounts in the world or entering it
	presences        map[sim.EntityID]*presence      // players in the world, and those whose last record has not arrived yet
	leavingByAccount map[store.AccountID]*presence   // presences that have left and wait for their last record; one per account, since Enter waits for its end
	leftIn           []lastFrame                     // frames in which players left, until their ticks are durable
	rosterLocked     map[store.AccountID]bool        // accounts that are deleting a character
	frozen           map[store.AccountID]bool        // freeze state of accounts; those frozen before the start of the process are added at login
	orders           uint32                          // count of operator orders, see nextOrder
	areaOrders       map[uint32]chan areaOrderResult // orders to areas that wait for their result, by serial number
	creating         map[string]chan struct{}        // by name: accounts that are being created; the channel is closed when the creation ends
}

// NewHub returns a hub that reads the frames of w. The world w need not have started. The caller owns the store and closes it after the hub.
func NewHub(w area.Host, st store.Store, o Options) *Hub {
	o.fill()
	h := &Hub{
		world: w, store: st, opt: o, log: o.Log,
		hasher:            &hasher{cost: o.HashCost, queue: newHashQueue(&o), hashed: o.Metrics.Secrets.With("argon2id")},
		failuresByPeer:    admission.NewWindow[peerKey](o.Window, maxTracked),
		failuresByAddr:    admission.NewWindow[netip.Addr](o.Window, maxTracked),
		failuresByAccount: admission.NewWindow[accountKey](o.Window, maxTracked),
		failuresByName:    admission.NewWindow[string](o.Window, maxTracked),
		failuresInNetwork: admission.NewWindow[networkKey](o.Window, maxTracked),
		hashedFor:         admission.NewWindow[netip.Addr](o.Window, maxTracked),
		creating:          map[string]chan struct{}{},
		newAccounts:       admission.NewWindow[netip.Addr](o.Window, maxTracked),
		verifiedSecrets:   admission.NewWindow[[32]byte](o.SecretCacheTime, maxKnown),
		secretChanges:     admission.NewWindow[store.AccountID](o.Window, maxTracked),
		areaChats:         make([]areaChat, len(w.Def().Areas)),
		freezing:          make(chan struct{}, 1),
		restricting:       make(chan struct{}, 1),
		access:            newAccessTable(),
		stopPlanner:       stopPlanner{due: make(chan PlannedStop, 1)},
		online:            map[store.AccountID]*presence{},
		presences:         map[sim.EntityID]*presence{},
		leavingByAccount:  map[store.AccountID]*presence{},
		rosterLocked:      map[store.AccountID]bool{},
		claims:            claims{dir: o.Directory, accounts: map[store.AccountID]*claim{}},
		frozen:            map[store.AccountID]bool{},
		areaOrders:        map[uint32]chan areaOrderResult{},
	}
	h.SetLimits(Limits{o.AreaChat, o.FailuresPerAccount, o.FailuresAnywhere, o.AccountsPerAddr})
	if err := h.loadAccess(context.Background()); err != nil {
		h.log.Error("cannot read bans and the whitelist; nobody can log in until they can be read", telemetry.FieldErr, err)
	}
	h.known = newKnownAddresses(st, &h.opt)
	h.proofs = loadProofs(&o, time.Now())
	h.writer = newRecordWriter(st, w, len(w.Def().Areas), o)
	h.writer.start(h, w.Subscribe("session", feedDepth, area.All))
	return h
}

// Limits are the limits of Options that can be changed while the hub runs. Their fields are those of Options.
type Limits struct{ AreaChat, FailuresPerAccount, FailuresAnywhere, AccountsPerAddr int }

// SetLimits changes limits. A field that is 0 gets its default. What has been counted so far stays counted.
func (h *Hub) SetLimits(l Limits) {
	o := Options{AreaChat: l.AreaChat, FailuresPerAccount: l.FailuresPerAccount, FailuresAnywhere: l.FailuresAnywhere, AccountsPerAddr: l.AccountsPerAddr}
	o.fillLimits()
	h.limits.Store(&Limits{o.AreaChat, o.FailuresPerAccount, o.FailuresAnywhere, o.AccountsPerAddr})
}

// newHashQueue returns the queue of the logins that need a hasher.
func newHashQueue(o *Options) *admission.Queue {
	return admission.NewQueue(admission.QueueLimits{
		Slots: o.Hashers, Waiting: o.MaxWaitingLogins, PerAddr: o.LoginsPerAddr, Patience: o.LoginPatience,
		Surge: min(runtime.GOMAXPROCS(0), maxHashers) - o.Hashers,
	}, o.Gate)
}

// Gate returns the counter of clients that gateways, logins and the console have rate-limited. It returns nil for a nil Hub.
func (h *Hub) Gate() *admission.Gate {
	if h == nil {
		return nil
	}
	return h.opt.Gate
}

// Stats are counts of the hub that are not in telemetry.Metrics.
type Stats struct {
	Online  int // accounts in the world
	Leaving int // players that have left and whose last record has not arrived yet
	Unsaved int // records that are not stored yet

	Hashes uint64               // number of passwords hashed since the start
	Logins admission.QueueStats // state of the queue of logins that wait for a hasher

	// Intents refused because they exceeded a rate limit, by class. AreaChat counts chat lines beyond the chat limit of their area.
	Claims, Attacks, Chat, AreaChat, Items, Inputs, Other uint64
}

// SaveStatus describes the player records that are not saved yet.
type SaveStatus struct {
	Unsaved int       // player records that wait to be saved
	Since   time.Time // time at which saving began to fail; zero while saving works
	Err     error     // error of the last attempt; nil while saving works
}

// SaveStatus returns the number of player records that are not saved yet and, if saving fails, since when.
func (h *Hub) SaveStatus() SaveStatus { return h.writer.status() }

// Stats returns the current counts.
func (h *Hub) Stats() Stats {
	s := h.rejected.stats()
	h.mu.Lock()
	s.Online = len(h.online)
	s.Leaving = len(h.leavingByAccount)
	h.mu.Unlock()
	s.Unsaved = h.writer.unsaved()
	s.Hashes, s.Logins = h.hasher.count.Load(), h.hasher.queue.Stats()
	return s
}
