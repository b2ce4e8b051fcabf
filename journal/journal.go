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
	DefaultKeep   = 200_000            // entries    about 60 MB
	DefaultRetain = 7 * 24 * time.Hour // a week     guess: players complain within days
)

// Options of a journal. Path is needed; any other field that is 0 or nil stands for the value behind it.
type Options struct {
	Path   string        // of the file; its folder is made if missing
	Keep   int           // entries that are kept at most; DefaultKeep. Of events around them twice as many
	Retain time.Duration // how long they are kept at most; DefaultRetain

	// Who says what is known of a player now. It is called from one goroutine, with a lock of the journal held, and must
	// not call the journal. nil: nobody is known but by the name in the frame.
	Who func(sim.EntityID) (Who, bool)
	// Text turns the bytes of names into UTF-8. nil: what is UTF-8 stays, anything else is Latin-1.
	Text func(string) string

	Log     *slog.Logger       // slog.Default()
	Metrics *telemetry.Metrics // counted, but nobody sees it
}

func (o *Options) fill() {
	if o.Keep <= 0 {
		o.Keep = DefaultKeep
	}
	if o.Retain <= 0 {
		o.Retain = DefaultRetain
	}
	if o.Who == nil {
		o.Who = func(sim.EntityID) (Who, bool) { return Who{}, false }
	}
	if o.Text == nil {
		o.Text = latin
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Metrics == nil {
		o.Metrics = telemetry.New()
	}
}

// latin makes UTF-8 of bytes that are none.
func latin(raw string) string {
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
	opt   Options
	log   *slog.Logger
	db    *sql.DB // one connection, which writes
	first int64   // the first ID of this run

	def   *sim.World // of Watch
	areas []string   // names by AreaID, UTF-8; of Watch
	feed  *area.Feed // nil before Watch
	read  chan struct{}
	stop  chan struct{}
	once  sync.Once
	idle  chan struct{} // closed when the writer has ended
	err   error         // of the last turn of the writer, to be read once idle is closed
	shut  context.CancelCauseFunc
	deeds atomic.Int64 // how many the file has

	mu         sync.Mutex
	visits     map[sim.EntityID]*visit
	nextID     int64
	queue      []*item
	notes      []note
	lost       uint64 // entries that found the queue full
	lostNotes  uint64
	lostFrames uint64
	taps       []*tap
	swept      time.Time
}

// Open opens the journal for writing; only one may at a time, which the caller sees to. A file that is damaged, of
// another program or of a newer version is moved aside, which is logged, and a new one is begun. An error is one line that
// names the file.
func Open(o Options) (*Journal, error) {
	o.fill()
	db, err := openFile(o.Path, o.Log)
	if err != nil {
		return nil, err
	}
	j := &Journal{
		opt: o, log: o.Log, db: db,
		read: make(chan struct{}), stop: make(chan struct{}), idle: make(chan struct{}),
		visits: map[sim.EntityID]*visit{},
	}
	w := newWriter(j)
	if err = w.load(context.Background()); err == nil {
		j.Reader, err = OpenReader(o.Path)
	}
	if err == nil {
		err = j.countDeeds(context.Background())
	}
	if err != nil {
		return nil, errors.Join(err, j.Reader.Close(), db.Close())
	}
	j.first = j.nextID
	j.Reader.run = j.first
	ctx, cancel := context.WithCancelCause(context.Background())
	j.shut = cancel
	go func() {
		defer close(j.idle)
		j.err = w.run(ctx)
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
		defer close(j.read)
		for p := range feed.C() {
			j.see(p)
			p.Release()
		}
	}()
}

// Close reads what the feed still has, which ends when the world has stopped, writes everything and closes the file. An
// error says how many entries were not written when ctx ended. It may be called more than once.
func (j *Journal) Close(ctx context.Context) error {
	if j.feed != nil {
		select {
		case <-j.read:
		case <-ctx.Done():
			j.feed.Close()
			<-j.read
		}
	}
	j.once.Do(func() { close(j.stop) })
	select {
	case <-j.idle:
	case <-ctx.Done():
		j.shut(ctx.Err())
		<-j.idle
	}
	j.mu.Lock()
	rest := len(j.queue)
	j.mu.Unlock()
	err := errors.Join(j.Reader.Close(), j.db.Close())
	if j.err != nil || rest > 0 {
		return fmt.Errorf("%s: %d entries are not written: %w", j.opt.Path, rest, errors.Join(j.err, err))
	}
	return err
}

// Counts is what was decided against a player of this world in his present visit, sorted by verdict and reason; nil if
// nothing was or he is not here.
func (j *Journal) Counts(id sim.EntityID) []Count {
	j.mu.Lock()
	defer j.mu.Unlock()
	v := j.visits[id]
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

// tap is somebody who hears of entries.
type tap struct{ hear func(Entry) }

// Recent calls hear with every entry as soon as it is in the file, new ones in order of their IDs, until cancel is called;
// a call that has begun may still go on then. An entry that came to stand for more is told again with the same ID, at most
// once for every turn of the writer, four times a second. One that the disk did not take is not told. hear is called from
// one goroutine, the writer, and must not wait.
func (j *Journal) Recent(hear func(Entry)) (cancel func()) {
	t := &tap{hear}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.taps = append(j.taps, t)
	return func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		if i := slices.Index(j.taps, t); i >= 0 {
			j.taps = slices.Delete(slices.Clone(j.taps), i, i+1)
		}
	}
}
