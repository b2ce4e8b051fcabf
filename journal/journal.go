package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// FileName is the name of the journal in the data folder.
const FileName = "journal.sqlite"

// Default values of the fields of Options.
const (
	DefaultMaxEntries = 200_000            // entries in the file, about 60 MB
	DefaultMaxAge     = 7 * 24 * time.Hour // age at which entries are deleted (chosen so that players have days to complain)
	DefaultFeedDepth  = 256                // frames per area that wait to be read: 12 s at 20 ticks per second; reading one takes microseconds
)

// Options configures a journal. Path is required. Every other field gets its default if it is 0 or nil.
type Options struct {
	Path string // path of the file; its folder is created if missing
	// MaxEntries is the maximum number of entries in the file, not counting entries about hits; default DefaultMaxEntries. In addition,
	// the file contains at most a quarter of this number of entries about hits, and twice this number of nearby events (NearbyEvent).
	MaxEntries int
	MaxAge     time.Duration // age at which entries are deleted; default DefaultMaxAge

	// Identify returns the current Identity of a player, or false if the player is not in the world. It is called by
	// one goroutine, which holds the journal's lock. Therefore it must not call the journal. If Identify is nil, the
	// journal knows only the names in frames.
	Identify func(sim.EntityID) (Identity, bool)

	// OfCluster must be true if a cluster simulates the areas. After a restart, the first frames may then be of ticks whose decisions the
	// earlier run has already stored; the journal ignores these frames.
	OfCluster bool

	FeedDepth int // maximum number of frames per area that wait to be read; later ones are missed; default DefaultFeedDepth

	Log     *slog.Logger       // default: slog.Default()
	Metrics *telemetry.Metrics // default: metrics that are counted but not exported
}

func (o *Options) setDefaults() {
	if o.MaxEntries <= 0 {
		o.MaxEntries = DefaultMaxEntries
	}
	if o.MaxAge <= 0 {
		o.MaxAge = DefaultMaxAge
	}
	if o.FeedDepth <= 0 {
		o.FeedDepth = DefaultFeedDepth
	}
	if o.Identify == nil {
		o.Identify = func(sim.EntityID) (Identity, bool) { return Identity{}, false }
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Metrics == nil {
		o.Metrics = telemetry.New()
	}
}

// Journal writes the journal file and answers queries like a Reader. Its methods are safe for concurrent use.
type Journal struct {
	*Reader
	opt     Options
	log     *slog.Logger
	db      *sql.DB // the only connection that writes
	firstID int64   // ID of the first entry of this run of the server

	loadedMS map[string]int64 // by area name: time of the newest entry of earlier runs in ms since 1970, at most the time of Open; nil without OfCluster

	def          func() *sim.World // returns the world whose frames are read; nil before Watch
	areas        []string          // area names by AreaID, in UTF-8; set by Watch
	feed         *area.Feed        // nil before Watch
	feedDone     chan struct{}
	stopping     chan struct{}
	stopOnce     sync.Once
	forgets      chan forgetRequest
	writerDone   chan struct{} // closed when the writer has returned
	writeErr     error         // error of the last write, valid after writerDone is closed
	cancelWriter context.CancelCauseFunc
	actionCount  atomic.Int64 // number of operator actions in the file

	mu          sync.Mutex
	players     map[sim.EntityID]*playerState
	nextID      int64
	queue       []*openEntry       // new and changed entries that wait to be written
	nearbyQueue []nearbyRow        // nearby events that wait to be written
	lostEntries uint64             // entries dropped because the queue was full
	lostNearby  uint64             // nearby events dropped because the queue was full
	lostFrames  uint64             // frames missed because the feed was full
	pastFrames  uint64             // those of lostFrames that this node, which was away, made up for; see area.Published.CatchUp
	failure     *telemetry.Failure // nil while the file can be written
	listeners   []*listener        // callbacks registered with OnEntry
	sweptAt     time.Time          // time at which sweep last looked for players that have left
}

// Open opens the journal for writing. The caller ensures that only one process at a time does so. If the file is
// damaged, or was written by another program or a newer version, Open renames it, logs that, and creates a new file. An
// error is one line that names the file.
func Open(o Options) (*Journal, error) {
	o.setDefaults()
	db, err := fileKind.Open(o.Path, o.Log)
	if err != nil {
		return nil, err
	}
	j := &Journal{
		opt: o, log: o.Log, db: db, def: func() *sim.World { return nil },
		feedDone: make(chan struct{}), stopping: make(chan struct{}), forgets: make(chan forgetRequest), writerDone: make(chan struct{}),
		players: map[sim.EntityID]*playerState{},
	}
	w := newWriter(j)
	if err = w.load(context.Background()); err == nil {
		j.Reader, err = OpenReader(o.Path)
	}
	if err == nil {
		err = j.countActions(context.Background())
	}
	if err != nil {
		return nil, errors.Join(err, j.Reader.Close(), db.Close())
	}
	j.firstID = j.nextID
	j.Reader.firstID = j.firstID
	ctx, cancel := context.WithCancelCause(context.Background())
	j.cancelWriter = cancel
	go func() {
		defer close(j.writerDone)
		j.writeErr = w.run(ctx)
	}()
	return j, nil
}

// Watch starts reading the frames of a world. Call it once, before the world starts.
func (j *Journal) Watch(w area.Host) {
	j.def = w.Def
	for i := range w.Def().Areas {
		j.areas = append(j.areas, w.Def().Areas[i].Name)
	}
	feed := w.Subscribe("journal", j.opt.FeedDepth, area.All)
	j.feed = feed
	go func() {
		defer close(j.feedDone)
		for p := range feed.C() {
			j.readFrame(p)
			p.Release()
		}
	}()
}

// Close waits until the world has stopped and its last frames are read. Then it writes all queued entries and closes the
// file. If ctx ends first, the error contains the number of entries that were not written. Close may be called more than
// once.
func (j *Journal) Close(ctx context.Context) error {
	if j.feed != nil {
		select {
		case <-j.feedDone:
		case <-ctx.Done():
			j.feed.Close()
			<-j.feedDone
		}
	}
	j.stopOnce.Do(func() { close(j.stopping) })
	select {
	case <-j.writerDone:
	case <-ctx.Done():
		j.cancelWriter(ctx.Err())
		<-j.writerDone
	}
	j.mu.Lock()
	rest := len(j.queue)
	j.mu.Unlock()
	err := errors.Join(j.Reader.Close(), j.db.Close())
	if j.writeErr != nil || rest > 0 {
		return fmt.Errorf("%s: %d journal entries could not be written: %w", j.opt.Path, rest, errors.Join(j.writeErr, err))
	}
	return err
}

// DecisionCounts returns the number of holds, corrections and refusals of a player since it entered the world, sorted by
// verdict and reason. It returns nil if there are none or the player is not in the world.
func (j *Journal) DecisionCounts(id sim.EntityID) []Count {
	j.mu.Lock()
	defer j.mu.Unlock()
	v := j.players[id]
	if v == nil {
		return nil
	}
	list := slices.DeleteFunc(slices.Clone(v.counts), func(c Count) bool { return c.Verdict == Hit })
	slices.SortFunc(list, func(a, b Count) int {
		if a.Verdict != b.Verdict {
			return int(a.Verdict) - int(b.Verdict)
		}
		return int(a.Reason) - int(b.Reason)
	})
	return list
}

// Failure returns the current failure to write the file and when it began, or nil while the file can be written.
func (j *Journal) Failure() *telemetry.Failure {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.failure
}

// noteWrite updates the failure state with the result of a write. It returns err.
func (j *Journal) noteWrite(err error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.failure = j.failure.Next("JOURNAL NOT WRITTEN", err, time.Now())
	j.opt.Metrics.JournalFailing.Set(map[bool]int{true: 1}[err != nil])
	return err
}

// listener holds a callback that was registered with OnEntry.
type listener struct{ notify func(Entry) }

// OnEntry registers the function notify, which is called with every entry that has been written to the file; new
// entries come in order of their IDs. When later decisions are merged into a stored entry, notify is called again with
// the same ID, at most once per write (four times a second). notify is not called with entries that could not be
// written. The writer's goroutine calls notify, so notify must not block. The result cancel is a function that
// unregisters notify; a call that is running may still finish after cancel has returned.
func (j *Journal) OnEntry(notify func(Entry)) (cancel func()) {
	l := &listener{notify}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.listeners = append(j.listeners, l)
	return func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		if i := slices.Index(j.listeners, l); i >= 0 {
			j.listeners = slices.Delete(slices.Clone(j.listeners), i, i+1)
		}
	}
}
