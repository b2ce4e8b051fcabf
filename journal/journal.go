package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// FileName is the name of the journal in the data folder.
const FileName = "journal.sqlite"

// What Options stand for where they say nothing.
const (
	DefaultMaxEntries = 200_000            // entries    about 60 MB
	DefaultMaxAge     = 7 * 24 * time.Hour // a week     guess: players complain within days
)

// Options of a journal. Path is needed; any other field that is 0 or nil stands for the value behind it.
type Options struct {
	Path       string        // of the file; its folder is made if missing
	MaxEntries int           // entries that are kept at most; DefaultKeep. Of events around them twice as many
	MaxAge     time.Duration // how long they are kept at most; DefaultRetain

	// Who says what is known of a player now. It is called from one goroutine, with a lock of the journal held, and must
	// not call the journal. nil: nobody is known but by the name in the frame.
	Identify func(sim.EntityID) (Identity, bool)
	// Text turns the bytes of names into UTF-8. nil: what is UTF-8 stays, anything else is Latin-1.
	Text func(string) string

	Log     *slog.Logger       // slog.Default()
	Metrics *telemetry.Metrics // counted, but nobody sees it
}

func (o *Options) setDefaults() {
	if o.MaxEntries <= 0 {
		o.MaxEntries = DefaultMaxEntries
	}
	if o.MaxAge <= 0 {
		o.MaxAge = DefaultMaxAge
	}
	if o.Identify == nil {
		o.Identify = func(sim.EntityID) (Identity, bool) { return Identity{}, false }
	}
	if o.Text == nil {
		o.Text = latin1ToUTF8
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Metrics == nil {
		o.Metrics = telemetry.New()
	}
}

// latin1ToUTF8 makes UTF-8 of bytes that are none.
func latin1ToUTF8(raw string) string {
	if utf8.ValidString(raw) {
		return raw
	}
	var b strings.Builder
	for i := range len(raw) {
		b.WriteRune(rune(raw[i]))
	}
	return b.String()
}

// Journal writes the file. It answers the same questions as a Reader. Its methods are safe for any goroutine.
type Journal struct {
	*Reader
	opt     Options
	log     *slog.Logger
	db      *sql.DB // one connection, which writes
	firstID int64   // the first ID of this run

	def          *sim.World // of Watch
	areas        []string   // names by AreaID, UTF-8; of Watch
	feed         *area.Feed // nil before Watch
	feedDone     chan struct{}
	stopping     chan struct{}
	stopOnce     sync.Once
	writerDone   chan struct{} // closed when the writer has ended
	writeErr     error         // of the last turn of the writer, to be read once idle is closed
	cancelWriter context.CancelCauseFunc
	actionCount  atomic.Int64 // how many the file has

	mu          sync.Mutex
	players     map[sim.EntityID]*playerState
	nextID      int64
	queue       []*openEntry
	nearbyQueue []nearbyRow
	lostEntries uint64 // entries that found the queue full
	lostNearby  uint64
	lostFrames  uint64
	listeners   []*listener
	sweptAt     time.Time
}

// Open opens the journal for writing; only one may at a time, which the caller sees to. A file that is damaged, of
// another program or of a newer version is moved aside, which is logged, and a new one is begun. An error is one line that
// names the file.
func Open(o Options) (*Journal, error) {
	o.setDefaults()
	db, err := openFile(o.Path, o.Log)
	if err != nil {
		return nil, err
	}
	j := &Journal{
		opt: o, log: o.Log, db: db,
		feedDone: make(chan struct{}), stopping: make(chan struct{}), writerDone: make(chan struct{}),
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

// feedDepth is how many frames of each area may wait: 12 s at 20 ticks a second, and reading one takes microseconds.
const feedDepth = 256

// Watch begins to read the frames of a world. It is called once, before the world starts.
func (j *Journal) Watch(w area.Host) {
	j.def = w.Def()
	for i := range j.def.Areas {
		j.areas = append(j.areas, j.opt.Text(j.def.Areas[i].Name))
	}
	feed := w.Subscribe("journal", feedDepth, area.All)
	j.feed = feed
	go func() {
		defer close(j.feedDone)
		for p := range feed.C() {
			j.readFrame(p)
			p.Release()
		}
	}()
}

// Close reads what the feed still has, which ends when the world has stopped, writes everything and closes the file. An
// error says how many entries were not written when ctx ended. It may be called more than once.
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
		return fmt.Errorf("%s: %d entries are not written: %w", j.opt.Path, rest, errors.Join(j.writeErr, err))
	}
	return err
}

// Counts is what was decided against a player of this world in his present visit, sorted by verdict and reason; nil if
// nothing was or he is not here.
func (j *Journal) Counts(id sim.EntityID) []Count {
	j.mu.Lock()
	defer j.mu.Unlock()
	v := j.players[id]
	if v == nil {
		return nil
	}
	list := slices.Clone(v.counts)
	slices.SortFunc(list, func(a, b Count) int {
		if a.Verdict != b.Verdict {
			return int(a.Verdict) - int(b.Verdict)
		}
		return int(a.Reason) - int(b.Reason)
	})
	return list
}

// listener is somebody who hears of entries.
type listener struct{ notify func(Entry) }

// OnEntry calls hear with every entry as soon as it is in the file, new ones in order of their IDs, until cancel is called;
// a call that has begun may still go on then. An entry that came to stand for more is told again with the same ID, at most
// once for every turn of the writer, four times a second. One that the disk did not take is not told. hear is called from
// one goroutine, the writer, and must not wait.
func (j *Journal) OnEntry(hear func(Entry)) (cancel func()) {
	t := &listener{hear}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.listeners = append(j.listeners, t)
	return func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		if i := slices.Index(j.listeners, t); i >= 0 {
			j.listeners = slices.Delete(slices.Clone(j.listeners), i, i+1)
		}
	}
}
