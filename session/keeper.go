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

// keeper holds the records that the store does not have yet, the newest of each character, and writes them behind the
// game: a slow or failing disk delays nobody. Whoever reads the store lays these records over what he read.
type keeper struct {
	store store.Store
	opt   Options
	log   *slog.Logger

	feed *area.Feed
	read chan struct{}      // closed when no more frames come
	wake chan struct{}      // holds one: somebody waits for a save
	stop context.CancelFunc // ends the writer
	idle chan struct{}      // closed when the writer has ended

	mu      sync.Mutex
	records map[sim.CharacterID]*sim.Character
	saved   uint64 // batches saved so far
}

func newKeeper(st store.Store, o Options) *keeper {
	return &keeper{
		store: st, opt: o, log: o.Log,
		read: make(chan struct{}), wake: make(chan struct{}, 1), idle: make(chan struct{}),
		records: map[sim.CharacterID]*sim.Character{},
	}
}

func (k *keeper) start(h *Hub, feed *area.Feed) {
	ctx, cancel := context.WithCancel(context.Background())
	k.feed, k.stop = feed, cancel
	go func() {
		defer close(k.read)
		for p := range feed.C() {
			h.see(p.Frame, p.Missed)
			p.Release()
		}
		h.allOver()
	}()
	go func() {
		defer close(k.idle)
		k.write(ctx, h.giveUp)
	}()
}

// put keeps a record until it is saved, unless a newer one of the same character is kept already.
func (k *keeper) put(c *sim.Character) {
	k.mu.Lock()
	if have := k.records[c.ID]; have == nil || have.Version <= c.Version {
		k.records[c.ID] = c
	}
	k.mu.Unlock()
}

// forget drops the record of a character that is deleted.
func (k *keeper) forget(id sim.CharacterID) {
	k.mu.Lock()
	delete(k.records, id)
	k.mu.Unlock()
}

// hurry makes the writer save now.
func (k *keeper) hurry() {
	select {
	case k.wake <- struct{}{}:
	default: // it is about to
	}
}

// saves is how many batches were saved so far, for overlay.
func (k *keeper) saves() uint64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.saved
}

func (k *keeper) unsaved() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.records)
}

// overlay replaces what was read from the store by newer records. It returns false if a batch was saved since saves
// returned seen, which was before reading: then a record may be neither in what was read nor here any more.
func (k *keeper) overlay(roster []*sim.Character, seen uint64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.saved != seen {
		return false
	}
	for i, c := range roster {
		if newer := k.records[c.ID]; newer != nil {
			roster[i] = newer
		}
	}
	return true
}

// write saves in a rhythm, or at once when hurried, until ctx ends. each is called once per round. After an error it
// waits longer and longer, and logs only the first of a row.
func (k *keeper) write(ctx context.Context, each func(now time.Time)) {
	pause, failing := k.opt.SaveEvery, false
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for {
		wake := k.wake
		if failing {
			wake = nil // hurrying would turn the pause into a rush
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
				k.log.Error("records are not saved; trying again until they are", telemetry.FieldErr, err)
			}
		default:
			pause = k.opt.SaveEvery
			if failing {
				k.log.Info("records are saved again", "records", n)
			}
		}
		failing = err != nil
		timer.Reset(pause)
	}
}

// maxBatch bounds a transaction, so that logins that read the store do not wait long.
const maxBatch = 500 // records   measured: 27 ms with SQLite on 2 cores

// flush saves everything that is there now and returns how many records that were.
func (k *keeper) flush(ctx context.Context) (n int, err error) {
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

func (k *keeper) snapshot() []*sim.Character {
	k.mu.Lock()
	defer k.mu.Unlock()
	list := make([]*sim.Character, 0, len(k.records))
	for _, c := range k.records {
		list = append(list, c)
	}
	return list
}

// save stores a batch and drops those of its records that are still the newest.
func (k *keeper) save(ctx context.Context, batch []*sim.Character) error {
	if err := k.store.SaveCharacters(ctx, batch); err != nil {
		k.opt.Metrics.Saves.With(resultError).Add(len(batch))
		return err
	}
	k.opt.Metrics.Saves.With(resultOK).Add(len(batch))
	k.mu.Lock()
	defer k.mu.Unlock()
	k.saved++
	for _, c := range batch {
		if have := k.records[c.ID]; have != nil && have.Version == c.Version {
			delete(k.records, c.ID)
		}
	}
	return nil
}

// retryClose is the pause between the last attempts to save.
const retryClose = 100 * time.Millisecond

// close reads what the feed still has, stops the writer and saves the rest.
func (k *keeper) close(ctx context.Context) error {
	select {
	case <-k.read:
	case <-ctx.Done():
		k.feed.Close()
		<-k.read
	}
	k.stop()
	<-k.idle
	for {
		_, err := k.flush(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-time.After(retryClose):
		case <-ctx.Done():
			return fmt.Errorf("%d records are not saved: %w", k.unsaved(), err)
		}
	}
}
