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

// behindFile is the name of a file in the folder of a tape. While it exists, the store may have records of ticks that are not
// on the tape. Areas must not be restored from such a tape: that would reset players to a state older than their stored
// records.
const behindFile = "behind"

// behindCheck is the interval at which watchBehind checks whether it must write or remove behindFile.
const behindCheck = 200 * time.Millisecond

// ErrBehind is the error of Open if the store has records of later ticks than the tape. The operator must discard the
// tape.
var ErrBehind = errors.New("tape: the tape ends at an earlier tick than that of the stored records of players: start with --tape-discard, which renames the folder of the tape and continues from the records")

// Behind reports whether the store has records of ticks that are missing on a tape. Options.Dir or Options.FS must be set.
func Behind(o Options) (bool, error) {
	names, err := cmp.Or[FS](o.FS, osFS{o.Dir}).ReadDir(".")
	return slices.Contains(names, behindFile), err
}

// watchBehind is the goroutine that creates and removes behindFile, the mark that the tape is behind the store. It creates the
// file while ticks cannot be written. Only when the file exists does Storable allow records of ticks that the tape lacks.
// watchBehind removes the file when the tape again has all ticks whose records are stored.
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

// setBehind writes behindFile if the parameter behind is true, and else removes it. The change survives a loss of power.
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
		t.behind.Store(false) // reset before the file is removed: without the file, Storable must not allow records of unwritten ticks
		err = t.fs.Remove(behindFile)
	}
	if err = errors.Join(err, t.fs.SyncDir(".")); err == nil {
		t.behind.Store(behind)
	}
	return err
}

// Storable implements area.Log: it returns the newest tick up to which records may be stored. Normally that is the newest tick
// that would survive a loss of power. While ticks cannot be written and behindFile exists, it is the newest tick that was
// passed to Seal.
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

// isBehind reports whether the store may have records of ticks that the tape does not have yet, or has only in a form that would not
// survive a loss of power.
func (l *Log) isBehind() bool { return l.durable.Load() < l.ahead.Load() }
