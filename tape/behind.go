package tape

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// behindFile is the name of a file in the folder of a tape. The file exists while the store may have records of ticks
// that are missing on the tape. A restore from such a tape would reset players to a state older than their stored
// records.
const behindFile = "behind"

// behindCheck is the interval at which watchBehind writes or removes behindFile.
const behindCheck = 200 * time.Millisecond

// ErrBehind is the error of Open if the store has records of ticks that are missing at the end of the tape. The operator
// must discard the tape.
var ErrBehind = errors.New("tape: the last ticks are missing, and the stored records are newer: start with --tape-discard, which renames the folder of the tape and continues from the records")

// Behind reports whether the store has records of ticks that are missing on a tape. o must have Dir or FS.
func Behind(o Options) (bool, error) {
	names, err := cmp.Or[FS](o.FS, osFS{o.Dir}).ReadDir(".")
	return slices.Contains(names, behindFile), err
}

// watchBehind is the goroutine that writes behindFile before the store may have records of ticks that are missing on
// the tape, and removes it once the tape has all these ticks again.
func (t *Tape) watchBehind() {
	defer close(t.watched)
	ticker := time.NewTicker(behindCheck)
	defer ticker.Stop()
	for {
		select {
		case <-t.done:
			return
		case <-ticker.C:
		}
		var err error
		if slices.ContainsFunc(t.areas, (*Log).failing) {
			err = t.setBehind(true)
		} else if !slices.ContainsFunc(t.areas, (*Log).isBehind) {
			err = t.setBehind(false)
		}
		if err != nil && !t.behindFailed {
			t.opt.Log.Error("tape: cannot write the file \"behind\", which says that stored records are newer than the tape; records are not stored until the disk works again", telemetry.FieldErr, err)
		}
		t.behindFailed = err != nil
	}
}

// setBehind writes or removes behindFile.
func (t *Tape) setBehind(behind bool) (err error) {
	t.behindMu.Lock()
	defer t.behindMu.Unlock()
	switch {
	case t.behind.Load() == behind:
		return nil
	case behind:
		var f File
		if f, err = t.fs.Create(behindFile); err == nil {
			err = errors.Join(f.Sync(), f.Close())
		} else if errors.Is(err, fs.ErrExist) {
			err = nil
		}
	default:
		t.behind.Store(false) // first, so that no record is stored while the file may be missing
		err = t.fs.Remove(behindFile)
	}
	if err = errors.Join(err, t.fs.SyncDir(".")); err == nil {
		t.behind.Store(behind)
	}
	return err
}

// Storable implements area.Log. While the log fails and behindFile exists, records of all sealed ticks may be stored.
func (l *Log) Storable() sim.Tick {
	if !l.failing() || !l.tape.behind.Load() {
		return sim.Tick(l.durable.Load())
	}
	tick := l.sealed.Load()
	for {
		old := l.ahead.Load()
		if tick <= old || l.ahead.CompareAndSwap(old, tick) {
			return sim.Tick(tick)
		}
	}
}

// isBehind reports whether the store may have records of ticks that are not durable on the tape.
func (l *Log) isBehind() bool { return l.durable.Load() < l.ahead.Load() }
