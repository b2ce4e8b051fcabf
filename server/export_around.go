package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/tape"
)

// aroundEntry is how much of the tape is exported before a journal entry. The same amount is exported after the entry.
const aroundEntry = 5 * time.Second

// around returns the ticks for the flag --around: those before and after the journal entry that the flag selects. The parameter
// dataDir is the folder of the journal. The result shown is a line for the user that names the tick of the entry.
func (c *TapeExport) around(ctx context.Context, o tape.Options, dataDir string) (r *area.Replay, shown string, err error) {
	why := Why{DataDir: dataDir}
	reader, err := why.Open()
	if err != nil {
		return nil, "", err
	}
	entry, _, err := reader.Entry(ctx, c.Around)
	if err = errors.Join(err, reader.Close()); err != nil {
		return nil, "", fmt.Errorf("--around: %w; truestep why lists the entries with their numbers", err)
	}
	id := o.World.AreaNamed(entry.Area)
	if id == sim.NoArea {
		return nil, "", fmt.Errorf("--around %d: the journal entry is from the area %q, which this world does not have", c.Around, entry.Area)
	}
	if r, err = tape.Extract(o, id, entry.At.Add(-aroundEntry), entry.At.Add(aroundEntry)); err != nil {
		return nil, "", err
	}
	found, err := hasEntry(o.World, r, &entry)
	if err == nil && !found {
		err = fmt.Errorf("--around %d: the tape does not contain what this journal entry records (tick %d of the area %s, at %s)",
			c.Around, entry.Tick, entry.Area, entry.At.Format(time.DateTime))
	}
	return r, fmt.Sprintf("entry %d is in tick %d, --tick %d: entity %d %s, %s\n", c.Around, entry.Tick, entry.Tick, entry.Entity, entry.Verdict, entry.Reason), err
}

// hasEntry steps a replay and reports whether the tick of a journal entry contains what the entry records: a
// hold, correction, refusal or hit.
func hasEntry(w *sim.World, r *area.Replay, e *journal.Entry) (bool, error) {
	p, err := r.Play(w)
	if err != nil {
		return false, err
	}
	for {
		_, f, err := p.Next()
		switch {
		case errors.Is(err, io.EOF):
			return false, nil
		case err != nil:
			return false, err
		case f.Tick != e.Tick:
			continue
		}
		for i := range f.Events {
			if e.Records(&f.Events[i]) {
				return true, nil
			}
		}
		return false, nil
	}
}

// withAliases returns a copy of a replay that can be given to others: the names and texts of players are replaced by made-up
// ones. It steps the original and the copy, and returns an error if their frames differ in anything but names and texts.
func withAliases(w *sim.World, r *area.Replay) (*area.Replay, error) {
	ticks := make([][]sim.Intent, len(r.Ticks))
	for i := range r.Ticks {
		ticks[i] = r.Ticks[i].Intents
	}
	anonymizer, err := sim.NewAnonymizer(w, r.Snapshot, ticks)
	if err != nil {
		return nil, err
	}
	named, err := r.Play(w)
	if err != nil {
		return nil, err
	}
	c := *r
	c.Ticks = make([]area.ReplayTick, len(r.Ticks))
	if len(r.Snapshot) > 0 {
		if c.Snapshot, err = anonymizer.Snapshot(r.Snapshot); err != nil {
			return nil, err
		}
	}
	for i := range c.Ticks {
		c.Ticks[i].Intents = anonymizer.Intents(ticks[i])
	}
	aliased, err := c.Play(w)
	if err != nil {
		return nil, err
	}
	for i := range c.Ticks {
		recorded, f, err := named.Next()
		if err != nil {
			return nil, err
		}
		_, g, err := aliased.Next()
		if err != nil {
			return nil, err
		}
		if f.Hash != recorded.Hash {
			return nil, fmt.Errorf("cannot replace the players' names: this program computes another state for tick %d than the tape has recorded; export with the program that recorded the tape, or keep the names with --names", f.Tick)
		}
		if !sim.SameFrameButTexts(f, g) {
			return nil, fmt.Errorf("cannot replace the players' names: the game's rules use a name or a text of a player in tick %d; keep names and texts with --names", f.Tick)
		}
		c.Ticks[i].Hash = g.Hash
	}
	return &c, nil
}
