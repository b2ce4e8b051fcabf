package session

import (
	"context"
	"fmt"
	"log/slog"
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
	wakeup     chan struct{}      // capacity 1: holds a value while a save is requested
	stop       context.CancelFunc // ends the writer goroutine
	writerDone chan struct{}      // closed when the writer goroutine has ended

	mu      sync.Mutex
	records map[sim.CharacterID]*sim.Character
	batches uint64 // batches saved so far
}

func newRecordWriter(st store.Store, o Options) *recordWriter {
	return &recordWriter{
		store: st, opt: o, log: o.Log,
		feedDone: make(chan struct{}), wakeup: make(chan struct{}, 1), writerDone: make(chan struct{}),
		records: map[sim.CharacterID]*sim.Character{},
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

// put holds a record until it is saved, unless a newer one of the same character is held already.
func (k *recordWriter) put(c *sim.Character) {
	k.mu.Lock()
	if have := k.records[c.ID]; have == nil || have.Version <= c.Version {
		k.records[c.ID] = c
	}
	k.mu.Unlock()
}

// remove drops the record of a deleted character.
func (k *recordWriter) remove(id sim.CharacterID) {
	k.mu.Lock()
	delete(k.records, id)
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
// exponentially, and logs only the first of consecutive errors.
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
		n, err := k.flush(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			pause = min(pause*2, k.opt.SaveRetry)
			if !failing {
				k.log.Error("cannot save player records, retrying", telemetry.FieldErr, err)
			}
		default:
			pause = k.opt.SaveEvery
			if failing {
				k.log.Info("player records are saved again", "records", n)
			}
		}
		failing = err != nil
		timer.Reset(pause)
	}
}

// maxBatch bounds the duration of a transaction, so that logins, which read the store, do not wait long.
const maxBatch = 500 // records per transaction   measured: 27 ms with SQLite on 2 cores

// flush saves every record that is held now and returns their number.
func (k *recordWriter) flush(ctx context.Context) (n int, err error) {
	batch := make([]*sim.Character, 0, maxBatch)
	for _, c := range k.snapshot() {
		batch = append(batch, c)
		if len(batch) == maxBatch {
			if err := k.save(ctx, batch); err != nil {
				return n, err
			}
			n += len(batch)
			batch = batch[:0]
		}
	}
	if len(batch) == 0 {
		return n, nil
	}
	if err := k.save(ctx, batch); err != nil {
		return n, err
	}
	return n + len(batch), nil
}

func (k *recordWriter) snapshot() []*sim.Character {
	k.mu.Lock()
	defer k.mu.Unlock()
	list := make([]*sim.Character, 0, len(k.records))
	for _, c := range k.records {
		list = append(list, c)
	}
	return list
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
		}
	}
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
		_, err := k.flush(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-time.After(closeRetryDelay):
		case <-ctx.Done():
			return fmt.Errorf("%d player records are not saved: %w", k.unsaved(), err)
		}
	}
}
