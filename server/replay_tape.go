package server

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/tape"
)

// ReplayTape selects a stretch of a server's tape, the ticks between two times, and what is printed about it. The server may be running.
type ReplayTape struct {
	Area   string `help:"Area of a tape; needed if the world has several." placeholder:"NAME"`
	From   string `help:"Start of a stretch of a tape: how long ago (10m, -90s) or when (15:04:05, '2026-01-31 15:04', RFC 3339); default 1m." placeholder:"TIME"`
	To     string `help:"End of the stretch, in the same form as the start; default the end of the tape." placeholder:"TIME"`
	Follow string `help:"Print only the intents, the events and the positions of one player, given by name or entity id." placeholder:"PLAYER"`
	Events bool   `help:"Print only what happened, not what players asked for."`
	JSON   bool   `name:"json" help:"Print JSON instead of text: one object a line."`
	Serve  string `help:"Show the stretch in the operator's console instead, read-only, on this address of this machine, such as 127.0.0.1:8081." placeholder:"HOST:PORT"`
}

// Check reports whether the parameter path names a tape, and returns an error if flags are set that do not apply to it. A data
// folder stands for its tape; any other path is that of a replay file; "" is the default data folder. The parameter fileFlags
// says whether flags are set that apply to replay files only.
func (c *ReplayTape) Check(path string, fileFlags bool) (isTape bool, err error) {
	info, err := os.Stat(path)
	isTape = path == "" || err == nil && info.IsDir()
	switch {
	case isTape && fileFlags:
		return isTape, errors.New("--tick, --all and --export-test apply to replay files only: give the path of such a file, or select a part of the tape with --from and --to")
	case c.Serve != "" && (c.Follow != "" || c.Events || c.JSON):
		return isTape, errors.New("--follow, --events and --json apply to printed output only: leave them out with --serve")
	case !isTape && err == nil && *c != ReplayTape{}:
		return isTape, fmt.Errorf("%s is not a tape, and --area, --from, --to, --follow, --events, --json and --serve apply to tapes only: leave them out, or give the data folder of a server, which contains its tape", path)
	}
	return isTape, nil
}

// ReplayStretch is a stretch of a tape, the ticks between two times, that is ready to be printed or displayed.
type ReplayStretch struct{ printer *stretchPrinter }

// Close closes the tape.
func (s *ReplayStretch) Close() { s.printer.playback.Close() }

// Print steps the simulation through all ticks of the stretch, and prints what happens in them.
func (s *ReplayStretch) Print(out io.Writer) error {
	p, b := s.printer, bufio.NewWriter(out)
	p.out, p.print = b, p.printText
	if p.JSON {
		p.print = p.printJSON
	}
	return errors.Join(p.run(), b.Flush())
}

// Open opens the tape at the first tick of the stretch. The parameter dir is the folder of the server's data or of its tape; ""
// is the default data folder.
func (c *ReplayTape) Open(dir string, config WorldConfig, now time.Time) (*ReplayStretch, error) {
	from, to, err := stretchTimes(orDefault(c.From, "1m"), c.To, now)
	if err = errors.Join(err, config.Check()); err != nil {
		return nil, err
	}
	if dir, err = tapeFolder(dir); err != nil {
		return nil, err
	}
	loaded, err := config.Load()
	if err != nil {
		return nil, err
	}
	w := loaded.World.World
	id, err := areaOf(c.Area, w)
	if err != nil {
		return nil, err
	}
	playback, err := tape.OpenPlayback(tape.Options{Dir: dir, World: w}, id)
	if err != nil {
		return nil, err
	}
	p := &stretchPrinter{ReplayTape: c, world: w, maps: loaded.World.Appearance, area: id, dir: dir, playback: playback, from: from, to: to, names: map[sim.EntityID]string{}}
	p.id, _ = strconv.ParseUint(c.Follow, 10, 64)
	if err := p.begin(); err != nil {
		playback.Close()
		return nil, err
	}
	return &ReplayStretch{p}, nil
}

func orDefault(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// stretchTimes parses the start and the end of a stretch of a tape. An empty toText means now.
func stretchTimes(fromText, toText string, now time.Time) (from, to time.Time, err error) {
	if from, err = journal.ParseTime(fromText, now); err != nil {
		err = fmt.Errorf("--from: %w", err)
	}
	to = now
	if toText != "" {
		var wrong error
		if to, wrong = journal.ParseTime(toText, now); wrong != nil {
			err = errors.Join(err, fmt.Errorf("--to: %w", wrong))
		}
	}
	if err == nil && !from.Before(to) {
		err = fmt.Errorf("--from %s is not before --to %s", fromText, orDefault(toText, "now"))
	}
	return from, to, err
}

// areaOf returns the id of the area with the given name. The name may be "" if the world has only one area.
func areaOf(name string, w *sim.World) (sim.AreaID, error) {
	if name == "" && len(w.Areas) == 1 {
		return 0, nil
	}
	if id := w.AreaNamed(name); id != sim.NoArea {
		return id, nil
	}
	names := make([]string, len(w.Areas))
	for i := range w.Areas {
		names[i] = w.Areas[i].Name
	}
	if name == "" {
		return 0, fmt.Errorf("name an area with --area: the world has the areas %s", strings.Join(names, ", "))
	}
	return 0, fmt.Errorf("there is no area %q: the world has %s; name one of them with --area", name, strings.Join(names, ", "))
}

// tapeFolder returns the folder of a tape. The parameter dir is that folder itself or the data folder that contains it; "" is the
// default data folder.
func tapeFolder(dir string) (string, error) {
	data := orDefault(dir, gateway.DefaultDataDir)
	if info, err := os.Stat(filepath.Join(data, sqlite.TapeFolder)); err == nil && info.IsDir() {
		return filepath.Join(data, sqlite.TapeFolder), nil
	}
	areas, err := filepath.Glob(filepath.Join(data, "[0-9][0-9][0-9]-*"))
	if err == nil && len(areas) > 0 {
		return data, nil
	}
	return "", fmt.Errorf("%s contains no tape: name the data folder of a server that records a tape, or the folder %s in it", data, sqlite.TapeFolder)
}

// stretchPrinter steps the ticks of a stretch of a tape and prints what happens in them.
type stretchPrinter struct {
	*ReplayTape
	world    *sim.World
	maps     appearance.Tables // appearance tables of the world; only their maps are used
	area     sim.AreaID
	dir      string // folder of the tape
	playback *tape.Playback
	from, to time.Time // wall-clock times of the stretch
	out      io.Writer
	print    func(*stretchLine) error // printText or printJSON

	id     uint64                  // entity id if Follow is a number, else 0
	names  map[sim.EntityID]string // names of the actors in the frames so far
	found  bool                    // the followed player was in a frame so far
	last   stretchLine             // last printed state of the followed player
	totals stretchLine             // line that is printed at the end
}

// begin moves to the first tick that is not before the start of the stretch.
func (p *stretchPrinter) begin() error {
	if err := p.playback.Seek(p.from.Add(-time.Millisecond)); err != nil {
		return err
	}
	err := error(nil)
	for err == nil && p.playback.Time().Before(p.from) {
		if err = p.playback.Step(); isGap(err) {
			err = nil
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if err == nil && !p.playback.Time().After(p.to) {
		return nil
	}
	spans, err := p.playback.Spans()
	if err != nil {
		return err
	}
	if len(spans) == 0 {
		return fmt.Errorf("the tape has no recording of the area %q", p.world.Areas[p.area].Name)
	}
	return fmt.Errorf("the tape of the area %q has no ticks from %s to %s; its first is of %s and its last of %s", p.world.Areas[p.area].Name, p.from.Format(time.DateTime), p.to.Format(time.DateTime),
		spans[0].From.Format(time.DateTime), spans[len(spans)-1].To.Format(time.DateTime))
}

func isGap(err error) bool {
	_, ok := errors.AsType[*tape.GapError](err)
	return ok
}

// run prints the ticks from the current one to the end of the stretch.
func (p *stretchPrinter) run() error {
	p.totals = stretchLine{Type: lineEnd, From: formatStretchTime(p.playback.Time())}
	var err error
	for err == nil && !p.playback.Time().After(p.to) {
		if err = p.tick(); err != nil {
			return err
		}
		if err = p.playback.Step(); isGap(err) {
			gap, _ := errors.AsType[*tape.GapError](err)
			if gap.To.After(p.to) {
				break
			}
			line := stretchLine{Type: lineGap, From: formatStretchTime(gap.From), To: formatStretchTime(gap.To)}
			if gap.Reloaded {
				line.Type = lineReload
			}
			if err = p.print(&line); err == nil {
				err = p.playback.Step()
			}
		}
	}
	if err != nil && !errors.Is(err, io.EOF) && !isGap(err) {
		return err
	}
	if p.Follow != "" && !p.found {
		return p.notFound()
	}
	return p.print(&p.totals)
}

// notFound returns the error for a player that the flag --follow selects and that was not in the area. The error names the
// players that were in the area.
func (p *stretchPrinter) notFound() error {
	const most = 20
	var players []string
	for id, name := range p.names {
		if id.Serial() != 0 {
			players = append(players, name)
		}
	}
	slices.Sort(players)
	players = slices.Compact(players)
	switch n := len(players); {
	case n == 0:
		return fmt.Errorf("--follow %q: no player was in the area during the selected time", p.Follow)
	case n > most:
		players = append(players[:most], fmt.Sprintf("%d more", n-most))
	}
	return fmt.Errorf("--follow %q: no such player was in the area during the selected time; the players there were %s", p.Follow, strings.Join(players, ", "))
}

// tick prints the intents, the events and the state of the current tick.
func (p *stretchPrinter) tick() error {
	f := p.playback.Frame()
	for i := range f.Actors {
		a := &f.Actors[i]
		if _, known := p.names[a.ID]; !known {
			p.names[a.ID] = a.Body.Name
			p.found = p.found || p.follows(a.ID)
		}
	}
	at := formatStretchTime(p.playback.Time())
	p.totals.To = at
	p.totals.Ticks++
	intents := p.playback.Intents()
	for i := range intents {
		in := &intents[i]
		if p.Follow != "" && !p.follows(in.Who) && !p.follows(in.Target) {
			continue
		}
		p.totals.Intents++
		if p.Events {
			continue
		}
		line := stretchLine{Type: lineIntent, At: at, Tick: f.Tick}
		line.setIntent(p, in)
		if err := p.print(&line); err != nil {
			return err
		}
	}
	for i := range f.Events {
		e := &f.Events[i]
		if p.Follow != "" && !p.follows(e.Who) && !p.follows(e.Other) {
			continue
		}
		p.totals.Events++
		line := stretchLine{Type: lineEvent, At: at, Tick: f.Tick}
		line.setEvent(p, e)
		if err := p.print(&line); err != nil {
			return err
		}
	}
	return p.state(f, at)
}

// state prints the state of the player that the flag --follow selects, if it has changed since it was last printed.
func (p *stretchPrinter) state(f *sim.Frame, at string) error {
	if p.Follow == "" || p.Events {
		return nil
	}
	for i := range f.Actors {
		a := &f.Actors[i]
		if !p.follows(a.ID) {
			continue
		}
		line := stretchLine{}
		line.setState(p, a)
		if line.sameState(&p.last) {
			return nil
		}
		p.last = line
		line.At, line.Tick = at, f.Tick
		return p.print(&line)
	}
	return nil
}

// follows reports whether an actor is the player that the flag --follow selects.
func (p *stretchPrinter) follows(id sim.EntityID) bool {
	if id == 0 || p.Follow == "" {
		return false
	}
	return uint64(id) == p.id || id.Serial() != 0 && strings.EqualFold(p.names[id], p.Follow)
}
