//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	startTimeout = 30 * time.Second // maximum time until a server is ready
	stopTimeout  = 30 * time.Second // maximum time until a server has saved all players and ended
	playTime     = 3 * time.Second  // time for which players play once all are in the world
)

// testServer is `truestep serve` as a child process.
type testServer struct {
	cmd     *exec.Cmd
	folder  string
	address string // address of the door
	metrics string // address of the metrics
	started time.Time

	mu  sync.Mutex
	gcs []time.Duration // ends of garbage collections since the start of the process
	log []string        // last lines of the log
}

// collection matches the line that the Go runtime prints for each garbage collection with GODEBUG=gctrace=1. The group is the
// time of the collection in s since the start of the process.
var collection = regexp.MustCompile(`^gc \d+ @([0-9.]+)s `)

func startServer(ctx context.Context, bin, door, folder string) (*testServer, error) {
	s := &testServer{folder: folder}
	args := []string{"serve", "--data-dir", folder, "--console", "off", "--metrics", "127.0.0.1:0", "--web", "off", "--no-status"}
	for _, d := range []string{"rcce", "rs", "bedrock"} {
		at := "off"
		if d == door {
			at = "127.0.0.1:0"
		}
		args = append(args, "--"+d, at)
	}
	s.cmd = exec.CommandContext(ctx, bin, args...)
	s.cmd.Env = append(os.Environ(), "GODEBUG=gctrace=1")
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stdout, errOut := s.cmd.StdoutPipe()
	stderr, errErr := s.cmd.StderrPipe()
	if err := errors.Join(errOut, errErr); err != nil {
		return nil, err
	}
	s.started = time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go s.readLog(stderr)
	ready := make(chan struct{})
	go s.readAddresses(stdout, door, ready)
	select {
	case <-ready:
		return s, nil
	case <-time.After(startTimeout):
	case <-ctx.Done():
	}
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	return nil, fmt.Errorf("the server is not ready after %v; its last output: %s", startTimeout, s.tail())
}

// readAddresses reads the addresses that the server prints, and closes the channel ready once the server accepts players.
func (s *testServer) readAddresses(r io.Reader, door string, ready chan<- struct{}) {
	for in := bufio.NewScanner(r); in.Scan(); {
		line := in.Text()
		switch f := strings.Fields(line); {
		case strings.HasPrefix(line, "ready"):
			close(ready)
			_, _ = io.Copy(io.Discard, r)
			return
		case len(f) > 1 && f[0] == door:
			s.address, _, _ = strings.Cut(f[1], "/")
		case len(f) > 1 && f[0] == "metrics":
			s.metrics = f[1]
		}
	}
}

// readLog collects the times of garbage collections, and the last 10 other lines for error messages.
func (s *testServer) readLog(r io.Reader) {
	for in := bufio.NewScanner(r); in.Scan(); {
		s.mu.Lock()
		if m := collection.FindSubmatch(in.Bytes()); m != nil {
			seconds, _ := strconv.ParseFloat(string(m[1]), 64)
			s.gcs = append(s.gcs, time.Duration(seconds*float64(time.Second)))
		} else {
			s.log = append(s.log[max(0, len(s.log)-9):], in.Text())
		}
		s.mu.Unlock()
	}
}

func (s *testServer) tail() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.log, "\n")
}

// collections returns the times of the garbage collections between the times from and to. All times are durations since the start
// of the server.
func (s *testServer) collections(from, to time.Duration) (in []time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, at := range s.gcs {
		if from <= at && at <= to {
			in = append(in, at)
		}
	}
	return in
}

// stop ends the server with SIGINT, on which the server saves all players, and waits until the process has ended.
func (s *testServer) stop() error {
	_ = s.cmd.Process.Signal(os.Interrupt)
	ended := make(chan error, 1)
	go func() { ended <- s.cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("the server was stopped and ended with %w; its last output: %s", err, s.tail())
		}
		return nil
	case <-time.After(stopTimeout):
		_ = s.cmd.Process.Kill()
		return fmt.Errorf("the server has not ended within %v after SIGINT and was killed; its last output: %s", stopTimeout, s.tail())
	}
}

// swarmReport holds the fields of the JSON report of `truestep swarm` that this program needs.
type swarmReport struct {
	Joined   int            `json:"clients_joined"`    // number of players that joined
	Failed   int            `json:"clients_failed"`    // number of players that could not join
	Dropped  int            `json:"clients_dropped"`   // number of players that lost their connections
	Reasons  map[string]int `json:"reasons"`           // number of failed and dropped players, by error
	Retries  map[string]int `json:"join_retries"`      // number of repeated logins, by the error of the failed one
	LastJoin float64        `json:"last_join_seconds"` // time in seconds between the first login and the last player's entry to the world
	Login    struct {       // time in ms between a player's first packet and its entry to the world
		P50 float64 `json:"p50_ms"`
		P99 float64 `json:"p99_ms"`
		Max float64 `json:"max_ms"`
	} `json:"login"`
	Corrections uint64 `json:"corrections"` // corrections of walking players; the RuneScape report has none
}

// runSwarm runs `truestep swarm` with players who log in through a door and then walk for the duration of the parameter play. It
// returns the swarm's report and the processor time of its process.
func runSwarm(ctx context.Context, o options, s *testServer, door string, r ramp, play time.Duration) (report swarmReport, cpu time.Duration, err error) {
	args := []string{"-n", strconv.Itoa(o.nice), o.server, "swarm", door, "--server", s.address, "--clients", strconv.Itoa(o.clients),
		"--ramp", strconv.FormatFloat(r.perSecond, 'f', -1, 64), "--duration", play.String(), "--walk"}
	if door == "rs" {
		args = append(args, "--json", "-", "--public-key", filepath.Join(s.folder, "rs-public.txt"))
	} else {
		args = append(args, "--json")
	}
	cmd := exec.CommandContext(ctx, "nice", args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	failed := cmd.Run() // the exit status is 1 if a player did not join, which is in the report as well
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		return report, 0, errors.Join(failed, fmt.Errorf("decode the JSON report of truestep swarm: %w; its error output: %s", err, errOut.String()))
	}
	return report, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
