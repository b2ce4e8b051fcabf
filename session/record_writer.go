package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
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
	opt   Options
	log   *slog.Logger

	feed       *area.Feed
	feedDone   chan struct{}      // closed when the last frame has been read
	wakeup     chan struct{}      // has capacity 1 and holds a value while a save is requested
	stop       context.CancelFunc // ends the writer goroutine
	writerDone chan struct{}      // is closed when the writer goroutine has ended

	mu       sync.Mutex
	records  map[sim.CharacterID]*sim.Character
	traders  map[sim.CharacterID]bool      // characters of records that must be saved in one transaction
	held     map[sim.CharacterID]time.Time // records that are not saved before that time: see dropHold
	droppers map[uint32]sim.CharacterID    // character that dropped each item on the ground, by the item's handle
	failure  *saveFailure                  // nil while saving works
	batches  uint64                        // batches saved so far
}

func newRecordWriter(st store.Store, o Options) *recordWriter {
	return &recordWriter{
		store: st, opt: o, log: o.Log,
		feedDone: make(chan struct{}), wakeup: make(chan struct{}, 1), writerDone: make(chan struct{}),
		records: map[sim.CharacterID]*sim.Character{}, traders: map[sim.CharacterID]bool{},
		held: map[sim.CharacterID]time.Time{}, droppers: map[uint32]sim.CharacterID{},
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

// dropHold is how long the record of a player is not saved after it has dropped an item, so that a player that picks the item up
// is saved in the same transaction: if the server is killed before, the item is still with the player that dropped it. An item
// that is on the ground for longer is lost if the server is killed. Less than the world's saving period.
const dropHold = 5 * time.Second

// putFrame holds the records of a frame until they are saved. It reports whether an item was picked up: the records of both players
// are then saved at once. The world emits the record of a player in the tick in which it drops or picks up, after that event.
func (k *recordWriter) putFrame(f *sim.Frame, now time.Time) (pickedUp bool) {
	if !slices.ContainsFunc(f.Events, func(e sim.Event) bool { return e.Record != nil || e.Kind == sim.EventPickedUp }) {
		return false // most frames have no record
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range f.Events {
		if c := f.Events[i].Record; c != nil {
			k.putLocked(c)
		}
	}
	for i := range f.Events {
		e := &f.Events[i]
		switch e.Kind {
		case sim.EventDropped:
			if c := recordOf(f, e.Who); c != nil {
				k.droppers[e.Ground.Handle] = c.ID
				if _, holds := k.held[c.ID]; !holds {
					k.held[c.ID] = now.Add(dropHold)
				}
			}
		case sim.EventPickedUp: // Who is 0 if the item has expired
			giver := k.droppers[e.Ground.Handle]
			delete(k.droppers, e.Ground.Handle)
			if c := recordOf(f, e.Who); c != nil {
				k.traders[c.ID] = true
				if k.records[giver] != nil {
					k.traders[giver] = true
				}
				pickedUp = true
			}
		case sim.EventLeft, sim.EventDeparted:
			if e.Record != nil {
				delete(k.held, e.Record.ID)
			}
		}
	}
	return pickedUp
}

// recordOf returns the last record of an actor in a frame, nil if there is none.
func recordOf(f *sim.Frame, who sim.EntityID) *sim.Character {
	for i := len(f.Events) - 1; i >= 0 && who != 0; i-- {
		if e := &f.Events[i]; e.Who == who && e.Record != nil {
			return e.Record
		}
	}
	return nil
}

// put holds a record until it is saved.
func (k *recordWriter) put(c *sim.Character) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.putLocked(c)
}

// putLocked holds a record unless a newer one of the same character is held already. The caller holds k.mu.
func (k *recordWriter) putLocked(c *sim.Character) {
	if have := k.records[c.ID]; have == nil || have.Version <= c.Version {
		k.records[c.ID] = c
		k.opt.Metrics.Unsaved.Set(len(k.records))
	}
}

// remove drops the record of a deleted character.
func (k *recordWriter) remove(id sim.CharacterID) {
	k.mu.Lock()
	delete(k.records, id)
	delete(k.traders, id)
	delete(k.held, id)
	k.mu.Unlock()
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
	return len(k.records)
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
			roster[i] = newer
		}
	}
	return true
}

// run saves at intervals, or at once after saveSoon, until ctx ends. each is called once per round. After an error it backs off
// exponentially, and logs the failure again as long as it lasts.
func (k *recordWriter) run(ctx context.Context, each func(now time.Time)) {
	pause, failing := k.opt.SaveEvery, false
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for {
		wake := k.wakeup
		if failing {
			wake = nil // after an error saveSoon must not bypass the back-off
		}
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-wake:
		}
		each(time.Now())
		n, err := k.flush(ctx, false)
		if ctx.Err() != nil {
			return
		}
		k.report(n, err, time.Now())
		failing = err != nil
		if failing {
			pause = min(pause*2, k.opt.SaveRetry)
		} else {
			pause = k.opt.SaveEvery
		}
		timer.Reset(pause)
	}
}

// failureLogEvery is the interval of log lines about a failure that lasts.
const failureLogEvery = time.Minute

// report notes the result of a flush that has saved n records.
func (k *recordWriter) report(n int, err error, now time.Time) {
	k.mu.Lock()
	failed, unsaved := k.failure, len(k.records)
	switch {
	case err == nil:
		k.failure = nil
	case failed == nil:
		k.failure = &saveFailure{since: now, err: err, logged: now}
	case now.Sub(failed.logged) >= failureLogEvery:
		k.failure = &saveFailure{since: failed.since, err: err, logged: now}
	default:
		k.failure = &saveFailure{since: failed.since, err: err, logged: failed.logged}
	}
	k.mu.Unlock()
	k.opt.Metrics.SaveFailing.Set(map[bool]int{true: 1}[err != nil])
	switch {
	case err == nil && failed != nil:
		k.log.Info("player records are saved again", "records", n, telemetry.FieldDuration, now.Sub(failed.since))
	case err != nil && failed == nil:
		k.log.Error("cannot save player records, retrying", "unsaved", unsaved, telemetry.FieldErr, err)
	case err != nil && now.Sub(failed.logged) >= failureLogEvery:
		k.log.Error("still cannot save player records, retrying", "unsaved", unsaved, telemetry.FieldDuration, now.Sub(failed.since), telemetry.FieldErr, err)
	}
}

// status returns what is not saved at present.
func (k *recordWriter) status() SaveStatus {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := SaveStatus{Unsaved: len(k.records)}
	if k.failure != nil {
		s.Since, s.Err = k.failure.since, k.failure.err
	}
	return s
}

// maxBatch bounds the duration of a transaction, so that logins, which read the store, do not wait long.
const maxBatch = 500 // records per transaction   measured: 27 ms with SQLite on 2 cores

// flush saves every record that is held now, but for those of players that have just dropped an item unless all is set. It returns
// their number.
func (k *recordWriter) flush(ctx context.Context, all bool) (n int, err error) {
	traders, others := k.snapshot(time.Now(), all)
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

// snapshot returns the records to save. Those of traders belong into one transaction: after a part of them an item could be there
// twice or not at all.
func (k *recordWriter) snapshot(now time.Time, all bool) (traders, others []*sim.Character) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for id, c := range k.records {
		switch {
		case k.traders[id]:
			traders = append(traders, c)
		case all || !now.Before(k.held[id]):
			others = append(others, c)
		}
	}
	return traders, others
}

// save stores a batch and drops those of its records that are still the newest.
func (k *recordWriter) save(ctx context.Context, batch []*sim.Character) error {
	if err := k.store.SaveCharacters(ctx, batch); err != nil {
		k.opt.Metrics.Saves.With(resultError).Add(len(batch))
		return err
	}
	k.opt.Metrics.Saves.With(resultOK).Add(len(batch))
	k.mu.Lock()
	defer k.mu.Unlock()
	k.batches++
	for _, c := range batch {
		if have := k.records[c.ID]; have != nil && have.Version == c.Version {
			delete(k.records, c.ID)
			delete(k.traders, c.ID)
			delete(k.held, c.ID)
		}
	}
	k.opt.Metrics.Unsaved.Set(len(k.records))
	return nil
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
		_, err := k.flush(ctx, true)
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
	k.mu.Lock()
	list := slices.SortedFunc(maps.Values(k.records), func(a, b *sim.Character) int { return cmp.Compare(a.ID, b.ID) })
	k.mu.Unlock()
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
