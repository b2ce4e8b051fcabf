package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/tape"
)

// TapeExport is the command that writes a range of ticks of a tape to a file.
type TapeExport struct {
	Paths   []string `arg:"" name:"path" help:"The file to write, which must not exist; before it the folder of the data or of the tape, if that is not --data-dir." type:"path"`
	Around  int64    `help:"Entry of the journal, as truestep why prints its number: from 5 s before it to 5 s after it." placeholder:"ID"`
	Area    string   `help:"Without --around: area of the world; the first one if it has only one." placeholder:"NAME"`
	From    string   `help:"Without --around: start, as how long ago (10m, 90s) or when (15:04:05, '2026-01-31 15:04')." default:"10s" placeholder:"TIME"`
	To      string   `help:"End, in the same form as the start; the end of the tape if not given." placeholder:"TIME"`
	Names   bool     `help:"Do not replace names, chat and other texts of players in the file."`
	NoWorld bool     `help:"Write the file without the files of the world."`
	DataDir string   `help:"Folder of the server's data." default:"./truestep-data" placeholder:"DIR"`
	WorldConfig
}

// paths returns the folder of the tape, the data folder, and the path of the file to write.
func (c *TapeExport) paths() (dir, data, file string, err error) {
	switch len(c.Paths) {
	case 1:
		dir, data, file = filepath.Join(c.DataDir, sqlite.TapeFolder), c.DataDir, c.Paths[0]
	case 2:
		if dir, err = tapeFolder(c.Paths[0]); err != nil {
			return "", "", "", err
		}
		return dir, filepath.Dir(dir), c.Paths[1], nil
	default:
		return "", "", "", fmt.Errorf("%d paths are given: give the folder of the data or of the tape and the file to write, or only the file", len(c.Paths))
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", "", "", fmt.Errorf("%s is not the folder of a tape; name that folder, or the server's data folder with --data-dir DIR", dir)
	}
	return dir, data, file, nil
}

// Export writes the file and prints the area and the range of ticks. If a flag is invalid or the tape cannot be read,
// it writes nothing.
func (c *TapeExport) Export(ctx context.Context, out io.Writer, now time.Time) error {
	dir, data, file, err := c.paths()
	if err = errors.Join(err, c.Check()); err != nil {
		return err
	}
	loaded, source, err := c.loadWithSource()
	if err != nil {
		return err
	}
	w := loaded.World.World
	var r *area.Replay
	shown := ""
	if c.Around != 0 {
		r, shown, err = c.around(ctx, tape.Options{Dir: dir, World: w}, data)
	} else {
		r, err = c.between(tape.Options{Dir: dir, World: w}, now)
	}
	if err == nil && !c.Names {
		r, err = withAliases(w, r)
	}
	if err != nil {
		return err
	}
	e := exportFile{replay: r.Append(nil)}
	if !c.NoWorld {
		e.world = *source
	}
	b, err := e.encode()
	if err == nil && !c.NoWorld {
		_, _, err = parseReplay(b, WorldConfig{}) // check that the file can be loaded without the files of the world
	}
	if err != nil {
		return err
	}
	if err := writeNew(file, b); err != nil {
		return err
	}
	length := time.Duration(len(r.Ticks)) * time.Second / time.Duration(w.TicksPerSecond)
	_, err = fmt.Fprintf(out, "wrote %s: %d ticks (%v) of %s, %d KiB; truestep replay %s%s steps them\n%s", file, len(r.Ticks), length, r.Area, (len(b)+1023)>>10, file,
		c.worldFlags(), shown)
	return err
}

// worldFlags returns the flags with which truestep replay must be called to load the world of the exported ticks. The text begins
// with a space, because it is appended to a command line. It is "" if no flags are needed: the file contains the world, or the
// world is the unchanged embedded one.
func (c *TapeExport) worldFlags() string {
	if !c.NoWorld || !c.selectsWorld() {
		return ""
	}
	return " " + strings.Join(c.flags(), " ")
}

// between returns the ticks that the flags --area, --from and --to select.
func (c *TapeExport) between(o tape.Options, now time.Time) (*area.Replay, error) {
	from, to, err := stretchTimes(c.From, c.To, now)
	if err != nil {
		return nil, err
	}
	id, err := areaOf(c.Area, o.World)
	if err != nil {
		return nil, err
	}
	return tape.Extract(o, id, from, to)
}

// writeNew writes a new file that only its owner can read. If the file cannot be written completely, writeNew removes
// it.
func writeNew(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}
