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

// Peer describes the connection from which a request comes.
type Peer struct {
	Addr netip.Addr // network address of the client
	Conn uint64     // the gateway's number of the connection, unique in the process
	Door string     // name of the gateway's door: "rcce", "rs"...

	Authority move.Authority // movement authority of players of this gateway
}

// Options configures a Hub. A field that is 0 or nil gets its default.
type Options struct {
	Log     *slog.Logger       // log of the hub; default slog.Default()
	Metrics *telemetry.Metrics // metrics of the hub; default: metrics that are counted but not exported
	Gate    *admission.Gate    // counts clients that were held back by a limit; default: a new Gate that counts in Metrics

	Node      uint16    // number of this node in a cluster, which is part of its players' ids; below sim.MaxNodes; default 0
	Directory Directory // stores which process each account uses to be in the world; nil for a single server

	HashCost         Cost // cost of hashing a secret; default: DefaultCost
	Hashers          int  // number of passwords hashed concurrently; default: half of the cores, at most 4
	MaxWaitingLogins int  // maximum number of logins that wait for a hasher; further logins get ErrOverloaded; default 4096
	// LoginsPerAddr is the maximum number of logins per address that wait until their password can be hashed (see Hashers).
	// Further logins get ErrOverloaded. Logins from loopback addresses are not limited. Default 64.
	LoginsPerAddr int
	// LoginPatience is how long a login waits until its password can be hashed (see Hashers). A login that has waited longer
	// gets ErrOverloaded, because its client no longer waits for the result. Default 30 s.
	LoginPatience time.Duration

	FailuresPerPeer    int // failed logins allowed per connection within Window; further logins get ErrThrottled; default 5
	FailuresPerAccount int // failed logins allowed from one address to one account within Window; further logins get ErrThrottled; default 10

	// FailuresAnywhere is the number of failed logins to one account within Window, from all addresses together, after which
	// the account is protected. Networks from which the account has logged in within KnownTime are still not limited by this
	// rule. Any other network is allowed one failed login per Window; its further logins get ErrThrottled. Default 30.
	FailuresAnywhere int

	// FailuresPerAddr is the number of failed logins per address within Window after which logins from the address are served after
	// those from other addresses. Such logins are not refused. Default 1.
	FailuresPerAddr int
	AccountsPerAddr int           // new accounts allowed per address within Window, loopback exempt; default 60
	Window          time.Duration // period over which logins and new accounts are counted; default 60 s
	// KnownTime is how long the address of a client remains known to an account after a login. Logins from known
	// addresses are served first. Default 7 days.
	KnownTime       time.Duration
	SecretCacheTime time.Duration // how long a verified password is not hashed again; default DefaultSecretCacheTime
	// ProofTime is the time after a player has left the world, or after a restart of the server, in which the player can log
	// in again without another hash of the password. Default 1 min.
	ProofTime time.Duration
	// ProofFile is the path of the file with digests of verified passwords, which a restarted server reads; "" for no file.
	// The file must be on a file system in memory, not on a disk; type proofs says why.
	ProofFile string

	// OnWithheld, if not nil, is called with each line of chat that no player receives. OnWithheld must not block, because
	// clients can cause calls as fast as they can send.
	OnWithheld func(WithheldChat)

	AreaChat int // chat lines allowed per second in one area; further lines get ErrBudget; default 20

	SaveEvery     time.Duration // interval at which records are written to the store; default 1 s
	SaveRetry     time.Duration // maximum pause before a retry after write errors; default 30 s
	RecordTimeout time.Duration // how long Enter waits for the last record of a player of the account who is leaving; default 3 s
	// DumpDir is the folder for records that cannot be saved at shutdown; "" for no file. If it is not writable, the records are
	// written to the temporary folder of the system.
	DumpDir string
}

// DefaultSecretCacheTime is the default of Options.SecretCacheTime, the time for which a verified password is not hashed
// again.
const DefaultSecretCacheTime = 10 * time.Minute

const (
	maxTracked = 1 << 16 // maximum number of keys in a counter of logins; the oldest is evicted (chosen so that they take 6.5 MB at about 100 bytes each)
	maxKnown   = 1 << 13 // maximum number of verified passwords in the cache (chosen to be more than the logins of ten minutes)
	maxHashers = 4       // maximum default of Options.Hashers, and maximum number of hashers while players wait long; it limits memory
	manyNew    = 4       // new accounts of an address within Window above which its logins have a lower priority (chosen, not measured)
	maxChanges = 5       // password changes allowed per account within Window (chosen to be more than a user makes in a minute)
	feedDepth  = 256     // frames buffered per area: 12 s at 20 ticks a second; reading one takes microseconds
)

// or sets *field to value if *field is the zero value of its type.
func or[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// fillLimits sets the defaults of the limits that can be changed while the hub runs: the fields of Options that type Limits
// has too.
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

// Hub connects all gateways of a process with the accounts and the world. Its methods are safe for concurrent use.
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
	known             *knownAddresses                    // addresses and networks of logins within Options.KnownTime
	hashedFor         *admission.Window[netip.Addr]      // number of hashes for logins from unknown addresses, per address
	newAccounts       *admission.Window[netip.Addr]      // number of new accounts per network address
	secretChanges     *admission.Window[store.AccountID] // number of password changes per account
	verifiedSecrets   *admission.Window[[32]byte]        // digests of passwords that were verified, see secretDigest
	proofs            *proofs                            // digests of passwords of accounts in the world; survive a restart
	serials           serials                            // serial numbers for the EntityIDs of new players
	rejected          rejectedCounts                     // intents refused by rate limits, by class
	limits            atomic.Pointer[Limits]             // never nil
	areaChats         []areaChat                         // chat limits of the areas, by sim.AreaID

	claims       claims // accounts that this process has claimed in Options.Directory
	releaseFails bool   // the last call of releaseClaims failed; used by the goroutine that calls it, and by Close afterwards
	writer       *recordWriter
	joining      sync.RWMutex  // read-locked while a join is submitted; write-locked by EndAll
	freezing     chan struct{} // has capacity 1 and is full while Freeze runs

	access      *accessTable  // bans, mutes and the whitelist
	restricting chan struct{} // has capacity 1 and is full while an access rule is being changed
	stopPlanner stopPlanner   // planned stop of the server
	locating    locating      // search for players that the hub has lost sight of

	mu        sync.Mutex
	closed    bool                          // Close was called
	online    map[store.AccountID]*presence // accounts in the world or entering it
	presences map[sim.EntityID]*presence    // players in the world, and players who left but whose last record has not arrived yet
	// leavingByAccount has the players who have left and whose last record the hub has not received yet. An account has
	// at most one, because Enter waits for that record.
	leavingByAccount map[store.AccountID]*presence
	leftIn           []lastFrame                     // ticks in which players left, until these ticks are durable
	rosterLocked     map[store.AccountID]bool        // accounts whose roster is being changed
	orders           uint32                          // number of operator orders so far, see nextOrder
	areaOrders       map[uint32]chan areaOrderResult // orders to areas that wait for a result, by serial number
	noLeadWarned     time.Time                       // time of the last line of warnNoLead
	creating         map[string]chan struct{}        // accounts being created, by folded name; each channel is closed when its creation ends
}

// NewHub returns a hub that reads the frames of w. The world w need not be started yet. The caller must close the store st
// after it has closed the hub.
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
		areaOrders:        map[uint32]chan areaOrderResult{},
	}
	h.SetLimits(Limits{o.AreaChat, o.FailuresPerAccount, o.FailuresAnywhere, o.AccountsPerAddr})
	if err := h.loadAccess(context.Background()); err != nil {
		h.log.Error("cannot read bans and the whitelist; no player can log in until they can be read", telemetry.FieldErr, err)
	}
	h.known = newKnownAddresses(st, &h.opt)
	h.proofs = loadProofs(&o, time.Now())
	h.writer = newRecordWriter(st, w, len(w.Def().Areas), o)
	h.writer.start(h, w.Subscribe("session", feedDepth, area.All))
	return h
}

// Limits are the limits that can be changed while the hub runs. Each field has the meaning of the field of Options with
// the same name.
type Limits struct {
	AreaChat           int // chat lines allowed per second in an area
	FailuresPerAccount int // failed logins allowed from one address to one account within Window
	FailuresAnywhere   int // failed logins to one account within Window after which unknown networks are limited
	AccountsPerAddr    int // new accounts allowed per address within Window
}

// SetLimits changes the limits. A field that is 0 gets its default. What the hub has counted so far, such as failed logins, still
// counts.
func (h *Hub) SetLimits(l Limits) {
	o := Options{AreaChat: l.AreaChat, FailuresPerAccount: l.FailuresPerAccount, FailuresAnywhere: l.FailuresAnywhere, AccountsPerAddr: l.AccountsPerAddr}
	o.fillLimits()
	h.limits.Store(&Limits{o.AreaChat, o.FailuresPerAccount, o.FailuresAnywhere, o.AccountsPerAddr})
}

// newHashQueue returns the queue of the logins that wait for a hasher.
func newHashQueue(o *Options) *admission.Queue {
	return admission.NewQueue(admission.QueueLimits{
		Slots: o.Hashers, Waiting: o.MaxWaitingLogins, PerAddr: o.LoginsPerAddr, Patience: o.LoginPatience,
		Surge: min(runtime.GOMAXPROCS(0), maxHashers) - o.Hashers,
	}, o.Gate)
}

// Gate returns the object that counts the clients, logins and console requests that were held back because of a limit. It
// returns nil for a nil Hub.
func (h *Hub) Gate() *admission.Gate {
	if h == nil {
		return nil
	}
	return h.opt.Gate
}

// Stats are counts of the hub that telemetry.Metrics does not have.
type Stats struct {
	Online  int // accounts with a player in the world or entering it
	Leaving int // players who left but whose last record has not arrived yet
	Unsaved int // records that are not stored yet

	Hashes uint64               // number of passwords hashed since the start
	Logins admission.QueueStats // state of the queue of logins that wait for a hasher

	// Numbers of intents refused because they exceeded a rate limit, by class. AreaChat counts chat lines beyond the
	// chat limit of their area.
	Claims, Attacks, Chat, AreaChat, Items, Inputs, Other uint64
}

// SaveStatus describes the player records that are not saved yet.
type SaveStatus struct {
	Unsaved int       // player records that wait to be saved
	Since   time.Time // time at which saving began to fail; zero while saving works
	Err     error     // error of the last attempt; nil while saving works
}

// SaveStatus returns the number of player records that are not saved yet. If saving fails, the result also has the error and
// the time at which saving began to fail.
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
