package area

import (
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// Replay is what an area saves when a panic stops it: a snapshot and the intents of every tick since, the last of which
// panics. Stepping the restored area through Ticks panics again.
type Replay struct {
	World    string
	Area     string
	Snapshot []byte // of sim.Area.Snapshot; empty: the initial state of sim.NewArea with Seed
	Seed     uint64
	Ticks    [][]sim.Intent // one entry per step
	Panic    string
	Stack    string
}

// ReadReplay reads a file that an area wrote. It trusts the file: do not read those of strangers.
func ReadReplay(r io.Reader) (*Replay, error) {
	p := new(Replay)
	if err := gob.NewDecoder(r).Decode(p); err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	return p, nil
}

// Run steps the area of w through the replay, as far as it goes without a panic, and returns its last state.
func (p *Replay) Run(w *sim.World) (*sim.Area, error) {
	id := w.AreaNamed(p.Area)
	if id == sim.NoArea {
		return nil, fmt.Errorf("replay: the world has no area %q", p.Area)
	}
	a := sim.NewArea(w, id, p.Seed)
	if len(p.Snapshot) > 0 {
		var err error
		if a, err = sim.Restore(w, p.Snapshot); err != nil {
			return nil, fmt.Errorf("replay: %w", err)
		}
	}
	for _, intents := range p.Ticks {
		a.Recycle(a.Step(intents))
	}
	return a, nil
}

// recorder keeps the contents of a replay in memory: the newest snapshot and the intents since.
type recorder struct {
	snapshot []byte
	ticks    [][]sim.Intent // reused; the first n are those since the snapshot
	n        int
}

// snapshotTicks is how many ticks of intents are kept before a new snapshot replaces them: 10 s at 20 ticks/s.
const snapshotTicks = 200

// recordTick stores the intents of the next step, and first a snapshot if the previous one is old enough.
func (r *recorder) recordTick(s stepper, intents []sim.Intent) {
	if r.n == snapshotTicks {
		r.snapshot = s.Snapshot(r.snapshot[:0])
		r.n = 0
	}
	if r.n == len(r.ticks) {
		r.ticks = append(r.ticks, nil)
	}
	clear(r.ticks[r.n]) // release what they refer to
	r.ticks[r.n] = append(r.ticks[r.n][:0], intents...)
	r.n++
}

// write stores the replay in dir and returns the path.
func (p *Replay) write(dir string, now time.Time) (path string, err error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, "area-"+now.UTC().Format("20060102-150405")+"-*.replay")
	if err != nil {
		return "", err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	return f.Name(), gob.NewEncoder(f).Encode(p)
}
