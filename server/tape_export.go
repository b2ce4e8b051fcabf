package server

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/tape"
)

// TapeExport selects the range of ticks of a tape that is written to a replay file.
type TapeExport struct {
	Dir  string `arg:"" help:"Folder of the tape: tape in the data folder." type:"existingdir"`
	File string `arg:"" help:"Replay file to write; it must not exist." type:"path"`
	Area string `help:"Area of the world; the first one if it has only one." placeholder:"NAME"`
	From string `help:"Start: how long ago (10m, 90s) or when (15:04:05, '2026-01-31 15:04')." default:"10s" placeholder:"TIME"`
	To   string `help:"End, written as the start; the end of the tape if not given." placeholder:"TIME"`
	WorldConfig
}

// Export writes the replay file and prints its area and its range of ticks. Nothing is written if a flag is invalid or the tape cannot be read.
func (c *TapeExport) Export(out io.Writer, now time.Time) error {
	from, to, err := stretchTimes(c.From, c.To, now)
	if err = errors.Join(err, c.Check()); err != nil {
		return err
	}
	loaded, err := c.Load()
	if err != nil {
		return err
	}
	w := loaded.World.World
	id, err := areaOf(c.Area, w)
	if err != nil {
		return err
	}
	r, err := tape.Extract(tape.Options{Dir: c.Dir, World: w}, id, from, to)
	if err != nil {
		return err
	}
	if err := writeReplay(c.File, r); err != nil {
		return err
	}
	length := time.Duration(len(r.Ticks)) * time.Second / time.Duration(w.TicksPerSecond)
	_, err = fmt.Fprintf(out, "wrote %s: %d ticks (%v) of %s; truestep replay %s steps them\n", c.File, len(r.Ticks), length, r.Area, c.File)
	return err
}

// writeReplay writes a replay to a new file that only its owner can read, because a replay contains names and chat.
func writeReplay(path string, r *area.Replay) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(r.Append(nil))
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}
