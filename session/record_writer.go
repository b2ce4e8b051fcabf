package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// recordWriter holds the records that are not stored yet, the newest of each character, and writes them to the store in the
// background, so that a slow or failing disk delays no player. Readers of the store apply these records to what they have read.
type recordWriter struct {
	store store.Store
	def   *sim.World
	opt   Options
	log   *slog.Logger

	feed       *area.Feed
	feedDone   chan struct{}      // closed when the last frame has been read
	wakeup     chan struct{}      // has capacity 1 and holds a value while a save is requested
	stop       context.CancelFunc // ends the writer goroutine
	writerDone chan struct{}      // is closed when the writer goroutine has ended

	mu       sync.Mutex
	records  map[sim.CharacterID]*heldRecord
	droppers map[uint32]sim.CharacterID // character that dropped each item on the ground, by the item's handle
	changes  uint64                     // number of the last change of a record
	waiting  int                        // number of records that are not stored
	failure  *saveFailure               // nil while saving works
	batches  uint64                     // batches saved so far
}

// heldRecord is the newest record of a character. It is held until it is stored and none of its items is on the ground.
type heldRecord struct {
	c        *sim.Character
	onGround []droppedItem
	unsaved  bool
	trader   bool   // must be saved in one transaction with the other traders
	change   uint64 // number of the last change, by which one during a save is recognized
}

func newRecordWriter(st store.Store, def *sim.World, o Options) *recordWriter {
	return &recordWriter{
		store: st, def: def, opt: o, log: o.Log,
		feedDone: make(chan struct{}), wakeup: make(chan struct{}, 1), writerDone: make(chan struct{}),
		records: map[sim.CharacterID]*heldRecord{}, droppers: map[uint32]sim.CharacterID{},
	}
}

func (k *recordWriter) start(h *Hub, feed *area.Feed) {
	ctx, cancel := context.WithCancel(context.Background())
	k.feed, k.stop = feed, cancel
	go func() {
		defer close(k.feedDone)
		for p := range feed.C() {
			h.handleFrame(p.Frame, p.Missed)
			p.Release()
		}
		h.endAll()
	}()
	go func() {
		defer close(k.writerDone)
		k.run(ctx, h.endOverdue)
	}()
}

// saveFailure is a time in which records cannot be saved.
type saveFailure struct {
	since  time.Time
	err    error
	logged time.Time // time of the last log line about the failure
}

// put holds a record until it is saved.
func (k *recordWriter) put(c *sim.Character) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.putLocked(c)
}

// putLocked holds a record unless a newer one of the same character is held already. The caller holds k.mu.
func (k *recordWriter) putLocked(c *sim.Character) {
	r := k.records[c.ID]
	if r == nil {
		r = &heldRecord{}
		k.records[c.ID] = r
	} else if r.c.Version > c.Version {
		return
	}
	r.c = c
	k.changed(r)
}

// changed notes that a record differs from the stored one. The caller holds k.mu.
func (k *recordWriter) changed(r *heldRecord) {
	k.changes++
	r.change = k.changes
	k.setUnsaved(r, true)
}

// setUnsaved keeps the count of records that are not stored. The caller holds k.mu.
func (k *recordWriter) setUnsaved(r *heldRecord, unsaved bool) {
	if r.unsaved != unsaved {
		k.waiting += map[bool]int{true: 1, false: -1}[unsaved]
	}
	r.unsaved = unsaved
	k.opt.Metrics.Unsaved.Set(k.waiting)
}

// remove drops the record of a deleted character.
func (k *recordWriter) remove(id sim.CharacterID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r := k.records[id]; r != nil {
		k.setUnsaved(r, false)
		for _, item := range r.onGround {
			delete(k.droppers, item.handle)
		}
		delete(k.records, id)
	}
}

// saveSoon makes the writer save without waiting for the next interval.
func (k *recordWriter) saveSoon() {
	select {
	case k.wakeup <- struct{}{}:
	default: // an earlier request is still pending
	}
}

// savedBatches returns the number of batches saved so far, for applyUnsaved.
func (k *recordWriter) savedBatches() uint64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.batches
}

func (k *recordWriter) unsaved() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.waiting
}

// applyUnsaved replaces records that were read from the store by newer ones. seen is the result of savedBatches before reading.
// It returns false if a batch was saved since then: a record may be neither in what was read nor held here any more.
func (k *recordWriter) applyUnsaved(roster []*sim.Character, seen uint64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.batches != seen {
		return false
	}
	for i, c := range roster {
		if newer := k.records[c.ID]; newer != nil {
			roster[i] = newer.c
		}
	}
	return true
}

// run saves at intervals, or immediately after saveSoon, until ctx ends. each is called once per round. After an error it backs off
// exponentially, and saveSoon does not bypass that.
func (k *recordWriter) run(ctx context.Context, each func(now time.Time)) {
	pause, wake := k.opt.SaveEvery, k.wakeup
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-wake:
		}
		each(time.Now())
		n, err := k.flush(ctx)
		if ctx.Err() != nil {
			return
		}
		if k.report(n, err, time.Now()) {
			pause, wake = min(pause*2, k.opt.SaveRetry), nil
		} else {
			pause, wake = k.opt.SaveEvery, k.wakeup
		}
		timer.Reset(pause)
	}
}

// failureLogEvery is the interval of log lines about a failure that lasts.
const failureLogEvery = time.Minute

// report notes the result of a flush that has saved n records, and logs a failure as long as it lasts. It reports whether saving fails.
func (k *recordWriter) report(n int, err error, now time.Time) (failing bool) {
	k.mu.Lock()
	before, unsaved := k.failure, k.waiting
	text, f := "cannot save player records, retrying", &saveFailure{since: now, err: err, logged: now}
	if before != nil {
		text, f.since = "still cannot save player records, retrying", before.since
	}
	due := before == nil || now.Sub(before.logged) >= failureLogEvery
	if !due {
		f.logged = before.logged
	}
	if k.failure = f; err == nil {
		k.failure = nil
	}
	k.mu.Unlock()
	k.opt.Metrics.SaveFailing.Set(map[bool]int{true: 1}[err != nil])
	switch {
	case err == nil && before != nil:
		k.log.Info("player records are saved again", "records", n, telemetry.FieldDuration, now.Sub(f.since))
	case err != nil && due:
		k.log.Error(text, "unsaved", unsaved, telemetry.FieldDuration, now.Sub(f.since), telemetry.FieldErr, err)
	}
	return err != nil
}

// status returns what is not saved at present.
func (k *recordWriter) status() SaveStatus {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := SaveStatus{Unsaved: k.waiting}
	if k.failure != nil {
		s.Since, s.Err = k.failure.since, k.failure.err
	}
	return s
}

// maxBatch bounds the duration of a transaction, so that logins, which read the store, do not wait long.
const maxBatch = 500 // records per transaction   measured: 27 ms with SQLite on 2 cores

// flush saves every record that is not stored now, and returns their number.
func (k *recordWriter) flush(ctx context.Context) (n int, err error) {
	traders, others := k.snapshot()
	batches := slices.Collect(slices.Chunk(others, maxBatch))
	if len(traders) > 0 {
		batches = slices.Insert(batches, 0, traders)
	}
	for _, batch := range batches {
		if err := k.save(ctx, batch); err != nil {
			return n, err
		}
		n += len(batch)
	}
	return n, nil
}

// toSave is a record as it is stored.
type toSave struct {
	c      *sim.Character
	change uint64
}

// snapshot returns the records to save. Those of traders belong into one transaction: after a part of them an item could be there
// twice or not at all.
func (k *recordWriter) snapshot() (traders, others []toSave) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, r := range k.records {
		switch {
		case !r.unsaved:
		case r.trader:
			traders = append(traders, toSave{withDropped(r.c, r.onGround, k.def), r.change})
		default:
			others = append(others, toSave{withDropped(r.c, r.onGround, k.def), r.change})
		}
	}
	return traders, others
}

// save stores a batch and drops those of its records that are still the newest.
func (k *recordWriter) save(ctx context.Context, batch []toSave) error {
	list := make([]*sim.Character, len(batch))
	for i := range batch {
		list[i] = batch[i].c
	}
	if err := k.store.SaveCharacters(ctx, list); err != nil {
		k.opt.Metrics.Saves.With(resultError).Add(len(batch))
		return err
	}
	k.opt.Metrics.Saves.With(resultOK).Add(len(batch))
	k.mu.Lock()
	defer k.mu.Unlock()
	k.batches++
	for _, saved := range batch {
		r := k.records[saved.c.ID]
		if r == nil || r.change != saved.change {
			continue
		}
		r.trader = false
		k.setUnsaved(r, false)
		k.release(r)
	}
	return nil
}

// release drops a record that is stored unless an item of it is on the ground. The caller holds k.mu.
func (k *recordWriter) release(r *heldRecord) {
	if !r.unsaved && len(r.onGround) == 0 {
		delete(k.records, r.c.ID)
	}
}

// closeRetryDelay is the pause between attempts to save during close.
const closeRetryDelay = 100 * time.Millisecond

// close reads the remaining frames, stops the writer and saves the remaining records.
func (k *recordWriter) close(ctx context.Context) error {
	select {
	case <-k.feedDone:
	case <-ctx.Done():
		k.feed.Close()
		<-k.feedDone
	}
	k.stop()
	<-k.writerDone
	for {
		_, err := k.flush(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-time.After(closeRetryDelay):
		case <-ctx.Done():
			return k.dump(err)
		}
	}
}

// dump writes the records that could not be saved because of err into a file, and returns an error that names it.
func (k *recordWriter) dump(err error) error {
	traders, others := k.snapshot()
	var list []*sim.Character
	for _, r := range append(traders, others...) {
		list = append(list, r.c)
	}
	slices.SortFunc(list, func(a, b *sim.Character) int { return cmp.Compare(a.ID, b.ID) })
	lost := fmt.Errorf("%d player records are not saved: %w", len(list), err)
	if k.opt.DumpDir == "" {
		return lost
	}
	for _, dir := range []string{k.opt.DumpDir, os.TempDir()} {
		path, dumpErr := writeDump(dir, time.Now(), list)
		if dumpErr == nil {
			return fmt.Errorf("%w; they are in %s: when the disk works again, bring them back with truestep restore %s", lost, path, path)
		}
		lost = fmt.Errorf("%w; nor can they be written to %s: %w", lost, dir, dumpErr)
	}
	return lost
}

// writeDump writes records to a new file in dir, readable by its owner only, and returns its path.
func writeDump(dir string, now time.Time, list []*sim.Character) (path string, err error) {
	f, err := os.CreateTemp(dir, "unsaved-"+now.UTC().Format("20060102-150405")+"-*.jsonl")
	if err != nil {
		return "", err
	}
	err = store.WriteRecords(f, list)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}
