package server

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/internal/duration"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/tape"
	"github.com/truestep-io/truestep/telemetry"
)

// TapeConfig configures the tape: the log of every tick, from which a server restores its areas after it was killed.
type TapeConfig struct {
	Tape       string        `help:"Log every tick to DATA-DIR/tape, from which a server that was killed continues; a node of a cluster only shows the past from it: on or off." enum:"on,off" default:"on" toml:"tape"`
	TapeSync   time.Duration `help:"Interval at which the tape is synced to disk; a loss of power loses at most this time of the tape." default:"200ms" toml:"tape-sync"`
	TapeRetain string        `help:"How much of the past the tape keeps, as age, size or both; 0 keeps only what a restart needs, in a cluster about a minute." default:"1h,2GiB" placeholder:"AGE,SIZE" toml:"tape-retain"`
}

// tapeDiscarded is the beginning of the name that a tape's folder gets when the tape is no longer used. The time of the renaming
// follows.
const tapeDiscarded = "tape-set-aside-"

// Limits of TapeSync.
const (
	minTapeSync = 10 * time.Millisecond
	maxTapeSync = time.Minute
)

func (c *TapeConfig) hasTape() bool { return c.Tape != gateway.Off && c.Tape != "" }

func (c *TapeConfig) check(p *gateway.Problems) {
	if !c.hasTape() {
		return
	}
	p.Refuse(c.TapeSync < minTapeSync || c.TapeSync > maxTapeSync, "tape-sync %v: must be 10ms..1m", c.TapeSync)
	_, err := c.retain()
	p.Add(err)
}

// sizeUnits are the units in which a setting such as TapeRetain can give a size, and their numbers of bytes.
var sizeUnits = []struct {
	name  string
	bytes float64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}}

// retain parses TapeRetain. An age or size that is not given is unlimited. The text "0" stands for an age and size of 0.
func (c *TapeConfig) retain() (tape.Retain, error) {
	if c.TapeRetain == "0" {
		return tape.Retain{}, nil
	}
	r := tape.Retain{Age: math.MaxInt64, Bytes: math.MaxInt64}
	for _, part := range strings.Split(c.TapeRetain, ",") {
		part = strings.TrimSpace(part)
		if age, err := duration.Parse(part); err == nil && age > 0 && r.Age == math.MaxInt64 {
			r.Age = age
			continue
		}
		bytes := parseSize(part)
		if bytes <= 0 || r.Bytes != math.MaxInt64 {
			return r, fmt.Errorf("tape-retain %q: must be an age, a size or both, such as 1h,2GiB, or 0 to keep only what a restart needs", c.TapeRetain)
		}
		r.Bytes = bytes
	}
	return r, nil
}

// parseSize returns the number of bytes of a size such as 2GiB, or 0 if text is not a size.
func parseSize(text string) int64 {
	for _, u := range sizeUnits {
		if number, ok := strings.CutSuffix(text, u.name); ok {
			n, err := strconv.ParseFloat(number, 64)
			if err != nil || !(n > 0) || n*u.bytes >= 1<<60 {
				return 0
			}
			return int64(n * u.bytes)
		}
	}
	return 0
}

// openTape opens the tape, restores the areas in which players were when the server ended, and sets o.Open so that the areas start
// from their restored states. It returns the records of the restored areas for the hub, or nil if the tape is off. An existing tape
// is renamed instead of used if the stored records are newer than the tape, or will be. This is the case if (1) the tape is off, (2)
// an operator has chosen to discard it, (3) the tape lacks its newest ticks because its disk failed, (4) another server,
// or a node of a cluster, has used the database since, or (5) this data folder was that of a node of a cluster.
func (s *Server) openTape(o *area.Options) (*session.RestoredRecords, error) {
	dir := filepath.Join(s.cfg.DataDir, sqlite.TapeFolder)
	behind, err := tape.Behind(tape.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	if behind {
		s.log.Warn("the disk of the tape failed, so the tape lacks its newest ticks; the stored characters are newer than the end of the tape")
	}
	stale := !s.store.FitsTape() && hasFolder(dir)
	if stale {
		s.log.Warn("the tape is older than the stored records: another server, or a node of a cluster, has used the database since")
	}
	ofCluster, err := tape.OfCluster(tape.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	if ofCluster {
		s.log.Warn("the tape was recorded while this server was a node of a cluster; areas are not restored from it")
	}
	if s.cfg.TapeDiscard || !s.cfg.hasTape() || behind || stale || ofCluster {
		if err := s.setTapeAside(dir, time.Now(), "players start from their stored records"); err != nil {
			return nil, err
		}
	}
	if !s.cfg.hasTape() {
		return nil, nil
	}
	options, err := s.tapeOptions(dir, o.Seed)
	if err != nil {
		return nil, err
	}
	records := &session.RestoredRecords{}
	options.Records, options.Replayed = true, records.AddFrame
	if s.tape, err = tape.Open(options); err != nil {
		return nil, err
	}
	o.Open = s.tape.OpenArea
	s.logTapeReport()
	return records, nil
}

// openClusterTape opens the tape of a node of a cluster and sets o.Tape, unless the tape is off. Nothing is restored from that tape,
// because the areas continue from their Raft logs. The tape of a single server that used the data folder before is renamed; openStore
// has checked that the server has stopped, see checkUnsavedTicks.
func (s *Server) openClusterTape(o *area.Options) error {
	dir := filepath.Join(s.cfg.DataDir, sqlite.TapeFolder)
	ofCluster, err := tape.OfCluster(tape.Options{Dir: dir})
	if err != nil {
		return err
	}
	if s.cfg.TapeDiscard || !ofCluster {
		if err := s.setTapeAside(dir, time.Now(), "this node of the cluster does not continue it"); err != nil {
			return err
		}
	}
	if !s.cfg.hasTape() {
		return nil
	}
	options, err := s.tapeOptions(dir, o.Seed)
	if err != nil {
		return err
	}
	if s.tape, err = tape.OpenForClusterNode(options); err != nil {
		return err
	}
	o.Tape = s.tape.Follower
	s.logTapeReport()
	return nil
}

// checkUnsavedTicks returns an error if the server of a data folder, a single server, was killed and has not started again. Then only its
// tape has what happened to players since their records were last saved. If a node of a cluster has written Raft logs into the folder since,
// the tape is too old for that: nodes whose tape was off left it where it was. The caller must have locked the folder.
func checkUnsavedTicks(dataDir string) error {
	area, err := tape.InPlay(tape.Options{Dir: filepath.Join(dataDir, sqlite.TapeFolder)})
	if err != nil {
		return fmt.Errorf("the tape of %s cannot be read: %w", dataDir, err)
	}
	if area == "" {
		return nil
	}
	logs, err := lastChange(filepath.Join(dataDir, clusterFolder))
	ticks, failed := lastChange(filepath.Join(dataDir, sqlite.TapeFolder))
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	if !logs.After(ticks) {
		return fmt.Errorf("the single server of %s was killed while it ran, and only its tape has what happened to the players of the area %s since they were last saved: start that server once, with the store that it had, and stop it with SIGTERM or Ctrl-C; its start with --tape-discard gives up what the tape has", dataDir, area)
	}
	return nil
}

// lastChange returns when a file in a folder was last written, the zero time if there is none.
func lastChange(dir string) (last time.Time, err error) {
	err = filepath.WalkDir(dir, func(_ string, f fs.DirEntry, err error) error {
		if err != nil || f.IsDir() {
			return err
		}
		info, err := f.Info()
		if err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return last, err
}

// tapeOptions returns the options of the tape in a folder. The parameter seed is that of new areas.
func (s *Server) tapeOptions(dir string, seed uint64) (tape.Options, error) {
	retain, err := s.cfg.retain()
	if err != nil {
		return tape.Options{}, err
	}
	build, err := program(s.cfg.Version)
	m := s.metrics
	return tape.Options{
		Dir: dir, World: s.cfg.World.World, Program: build, Seed: seed, Log: s.log, SyncEvery: s.cfg.TapeSync, Retain: retain,
		Metrics: &tape.Metrics{Gaps: m.TapeGaps, GapTicks: m.TapeMissed, Bytes: m.TapeBytes, Disk: m.TapeDisk},
	}, err
}

// logTapeReport logs what was found when the tape was opened.
func (s *Server) logTapeReport() {
	for i := range s.cfg.World.Areas {
		for _, line := range s.tape.Recovered(sim.AreaID(i)).Report {
			s.log.Info("tape: "+line, telemetry.FieldArea, s.cfg.World.Areas[i].Name)
		}
	}
}

func hasFolder(dir string) bool {
	_, err := os.Stat(dir)
	return err == nil
}

// setTapeAside renames the folder of the tape, if it exists, so that the server no longer restores areas from that tape or continues
// it. The parameter now becomes part of the new name. The parameter effect is logged.
func (s *Server) setTapeAside(dir string, now time.Time, effect string) error {
	aside := filepath.Join(s.cfg.DataDir, tapeDiscarded+now.UTC().Format("20060102-150405"))
	if err := os.Rename(dir, aside); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return fmt.Errorf("rename the folder of the tape: %w", err)
	}
	s.log.Warn("the tape was moved aside; "+effect, telemetry.FieldFile, aside)
	return nil
}

// restore passes the players and the records of restored areas to the hub.
func (s *Server) restore(ctx context.Context, records *session.RestoredRecords) error {
	if records == nil {
		return nil
	}
	for i := range s.cfg.World.Areas {
		if a := s.tape.Recovered(sim.AreaID(i)).Area; a != nil {
			records.AddArea(a)
		}
	}
	return errors.Join(s.hub.RestoreRecords(ctx, records), s.hub.Restore(ctx, s.world.Restored()))
}

// closeTape closes the tape. If clean is set, every player has left and every record is stored, so the next start does
// not restore areas from the tape.
func (s *Server) closeTape(clean bool) error {
	if s.tape == nil {
		return nil
	}
	var err error
	if s.world != nil {
		err = s.world.CloseLogs(clean)
	}
	return errors.Join(err, s.tape.Close())
}

// VerifyTape steps all ticks of a tape again, in the world in which the tape was recorded. It compares the hashes of the resulting
// states with the recorded hashes. The parameter dir is the folder of the tape, or the data folder that contains it. A folder without
// any segment of the world's areas is an error. The result took is the duration of the verification.
func VerifyTape(dir string, config WorldConfig) (v tape.Verification, took time.Duration, err error) {
	if err := config.Check(); err != nil {
		return v, 0, err
	}
	if dir, err = tapeFolder(dir); err != nil {
		return v, 0, err
	}
	w, err := config.Load()
	if err != nil {
		return v, 0, err
	}
	began := time.Now()
	v, err = tape.Verify(tape.Options{Dir: dir, World: w.World.World})
	if err == nil && v.Segments == 0 && len(v.Problems) == 0 {
		err = fmt.Errorf("%s has no segment of an area of the world %q: name the tape of a server that has this world", dir, w.World.World.Name)
	}
	return v, time.Since(began), err
}

// tapeFailure returns why the tape cannot be written at present, or nil if it can be written.
func (s *Server) tapeFailure() *telemetry.Failure {
	if s.tape == nil {
		return nil
	}
	return s.tape.Status().Failure
}

// program returns a text that identifies this build: its version, followed by the revision of its source code, or by a
// hash of the executable if the revision is unknown.
func program(version string) (string, error) {
	b, err := buildID()
	return version + " " + b, err
}

// buildID returns the revision of this build's source code, or a hash of the executable if the revision is unknown.
var buildID = sync.OnceValues(func() (string, error) {
	revision, modified := "", false
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			switch setting.Key {
			case "vcs.revision":
				revision = setting.Value
			case "vcs.modified":
				modified = setting.Value == "true"
			}
		}
	}
	if revision != "" && !modified {
		return revision[:min(len(revision), 12)], nil
	}
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("identify the build of this program: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("identify the build of this program: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("identify the build of this program: %w", err)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:6]), nil
})
