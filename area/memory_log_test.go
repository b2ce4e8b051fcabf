package area

import (
	"context"
	"sync"
	"testing"

	"github.com/truestep-io/truestep/sim"
)

// memoryLog is a Log in memory. After a simulated crash it has at least the durable ticks and any number of later ones.
type memoryLog struct {
	every sim.Tick // ticks between two snapshots

	mu        sync.Mutex
	snapshots []loggedSnapshot
	batches   []loggedBatch
	started   sim.Tick // tick of the newest snapshot that was requested
	sealed    sim.Tick
	durable   sim.Tick
	synced    sim.Tick // newest tick that becomes durable with the next call of finishSync
	saved     sim.Tick
	asked     bool   // Sync has been called since the last finishSync
	closed    []bool // argument clean of each call of Close so far
	memory    sim.Area
}

type loggedSnapshot struct {
	tick  sim.Tick
	state []byte
}

type loggedBatch struct {
	tick     sim.Tick
	prevHash uint64
	intents  []byte
}

// newMemoryLog returns the log of an area that starts from the state a. That state counts as durable. a is nil for a new area.
func newMemoryLog(a *sim.Area) *memoryLog {
	l := &memoryLog{every: 40}
	if a != nil {
		l.sealed, l.durable, l.synced = a.Now(), a.Now(), a.Now()
	}
	return l
}

func (l *memoryLog) Seal(b Batch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.batches = append(l.batches, loggedBatch{b.Tick, b.PrevHash, sim.AppendIntents(nil, b.Intents)})
	l.sealed = b.Tick
}

func (l *memoryLog) Commit() {}

func (l *memoryLog) SnapshotBuffer() *sim.Area {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.snapshots) > 0 && l.sealed < l.started+l.every {
		return nil
	}
	l.started = l.sealed
	return &l.memory
}

func (l *memoryLog) Snapshot(a *sim.Area) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.snapshots = append(l.snapshots, loggedSnapshot{a.Now(), a.Snapshot(nil)})
}

func (l *memoryLog) Durable() sim.Tick {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.durable
}

func (l *memoryLog) Storable() sim.Tick { return l.Durable() }

func (l *memoryLog) Sync() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked, l.synced = true, l.sealed
}

// finishSync completes a sync: the batches that had been sealed before the sync began become durable.
func (l *memoryLog) finishSync() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.durable, l.synced, l.asked = l.synced, l.sealed, false
}

func (l *memoryLog) Redefine(_ context.Context, _ *sim.World, a *sim.Area) { l.Snapshot(a) }

func (l *memoryLog) Saved(tick sim.Tick) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.saved = tick
}

func (l *memoryLog) Close(clean bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = append(l.closed, clean)
	return nil
}

// restore returns the state after tick number kept. It steps from the newest snapshot up to that tick and compares the hashes.
func (l *memoryLog) restore(t *testing.T, def *sim.World, id sim.AreaID, kept sim.Tick) *sim.Area {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.snapshots) - 1
	for n > 0 && l.snapshots[n].tick > kept {
		n--
	}
	a, err := sim.Restore(def, l.snapshots[n].state)
	if err != nil {
		t.Fatal(err)
	}
	for i := range l.batches {
		b := &l.batches[i]
		if b.tick <= a.Now() || b.tick > kept {
			continue
		}
		if b.tick != a.Now()+1 || b.tick > 1 && b.prevHash != a.Hash() {
			t.Fatalf("area %d: batch %d after tick %d, hash %x, logged %x", id, b.tick, a.Now(), a.Hash(), b.prevHash)
		}
		intents, err := sim.ParseIntents(nil, b.intents)
		if err != nil {
			t.Fatal(err)
		}
		a.Recycle(a.Step(intents))
	}
	if a.Now() != kept {
		t.Fatalf("area %d: restored to tick %d, want %d", id, a.Now(), kept)
	}
	return a
}
