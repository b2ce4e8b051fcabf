//go:build linux

// Command login measures login storms: many players log in to `truestep serve` at once or at a steady rate. They do so first as
// new players, then with the same accounts after a restart of the server, and then after the server was killed with all players
// in the world.
//
//	go run ./bench/login --server bin/truestep [--clients 1000] [--nice 0] [--only TEXT,...]
//
// Each line of the result is one storm at one door. Storms at 12 players a second take 84 s; they run at both doors at the same
// time, with one server each, and therefore with twice the load. Servers and players share the machine. The program exits with
// status 1 if a storm misses its goals.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/truestep-io/truestep/e2e/process"
)

// Limits that a login storm must not exceed.
const (
	joinGoal = 40 * time.Second      // maximum time from the last player's first login attempt until all players are in the world
	killGoal = 20 * time.Second      // the same maximum as joinGoal, for players who were in the world when the server was killed
	tickGoal = 50 * time.Millisecond // maximum 99th percentile of the duration of a tick
	gcGoal   = 1.0                   // maximum number of garbage collections a second
)

// ramp is how fast the players of a storm log in: all at once, or a number per second.
type ramp struct {
	name      string
	perSecond float64 // first login attempts per second
	together  bool    // the storms of both doors run at the same time
}

var ramps = []ramp{{"at once", 100_000, false}, {"200/s", 200, false}, {"12/s", 12, true}}

var doors = []string{"rcce", "rs"}

// options are the values of the command line flags.
type options struct {
	server  string
	clients int
	nice    int
	only    []string
}

func main() {
	var o options
	flag.StringVar(&o.server, "server", "bin/truestep", "the program under test")
	flag.IntVar(&o.clients, "clients", 1000, "number of players of a storm")
	flag.IntVar(&o.nice, "nice", 0, "niceness of the players' process")
	only := flag.String("only", "", "run only storms whose name contains one of these texts, separated by commas, such as \"rcce at once\" or 12/s")
	flag.Parse()
	if *only != "" {
		o.only = strings.Split(*only, ",")
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	met, err := run(ctx, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench-login:", err)
		os.Exit(2)
	}
	if !met {
		os.Exit(1)
	}
}

// run measures all login storms: many players log in to a server. It reports whether each storm met its goals.
func run(ctx context.Context, o options) (met bool, err error) {
	if _, err := os.Stat(o.server); err != nil {
		return false, fmt.Errorf("--server %s: %w; run make build to create bin/truestep", o.server, errors.Unwrap(err))
	}
	fmt.Printf("machine: %s; %s\nserver and players share the cores; niceness of the players %d\n\n%s\n", machine(), runtime.Version(), o.nice, header)
	met = true
	for _, r := range ramps {
		for _, group := range r.groups() {
			ok, err := runGroup(ctx, o, r, group)
			if err != nil {
				return false, err
			}
			met = met && ok
		}
	}
	return met, nil
}

// groups divides the doors into groups. The login storms at the doors of one group run at the same time. A slow ramp has
// one group with both doors, which shortens the measurement. Other ramps have a group for each door.
func (r ramp) groups() [][]string {
	if r.together {
		return [][]string{doors}
	}
	return [][]string{doors[:1], doors[1:]}
}

// afterKill is the name of the storm that follows a kill of the server: the players that were in the world at that moment log in
// again.
const afterKill = "after kill -9"

// runGroup measures three storms of logins at the doors of a group, one after the other: (1) of new players, (2) of the
// same players after a restart of the server, (3) of the same players after a kill of the server.
func runGroup(ctx context.Context, o options, r ramp, group []string) (met bool, err error) {
	group = slices.DeleteFunc(slices.Clone(group), func(door string) bool { return !o.selects(door + " " + r.name) })
	folders := map[string]string{}
	for _, door := range group {
		if folders[door], err = os.MkdirTemp("", "bench-login-"); err != nil {
			return false, err
		}
		defer os.RemoveAll(folders[door])
	}
	met = true
	for _, who := range []string{"new", "known", afterKill} {
		results := make([]*result, len(group))
		failures := make([]error, len(group))
		var storms sync.WaitGroup
		for i, door := range group {
			storms.Go(func() { results[i], failures[i] = measure(ctx, o, door, who, r, folders[door]) })
		}
		storms.Wait()
		if err := errors.Join(failures...); err != nil {
			return false, err
		}
		for _, one := range results {
			fmt.Println(one)
			met = met && one.met()
		}
	}
	return met, nil
}

func (o *options) selects(name string) bool {
	return len(o.only) == 0 || slices.ContainsFunc(o.only, func(text string) bool { return strings.Contains(name, text) })
}

// measure starts a server with the given data folder, and measures one login storm, in which many players log in through one
// door.
func measure(ctx context.Context, o options, door, who string, r ramp, folder string) (*result, error) {
	if who == afterKill {
		if err := killInPlay(ctx, o, door, folder); err != nil {
			return nil, err
		}
	}
	s, err := startServer(ctx, o.server, door, folder)
	if err != nil {
		return nil, err
	}
	before, err := process.ReadMetrics(ctx, s.metrics)
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	started := time.Since(s.started)
	report, cpu, err := runSwarm(ctx, o, s, door, r, playTime)
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	ended := time.Since(s.started)
	after, err := process.ReadMetrics(ctx, s.metrics)
	if err := errors.Join(err, s.stop()); err != nil {
		return nil, err
	}
	one := &result{door: door, who: who, ramp: r, clients: o.clients, report: report, swarmCPU: cpu, load: loadAverage()}
	one.addServer(before, after, s.collections(started, ended), ended-started)
	return one, nil
}

// killInPlay starts a server, waits until all players have logged in, and kills the server.
func killInPlay(ctx context.Context, o options, door, folder string) error {
	s, err := startServer(ctx, o.server, door, folder)
	if err != nil {
		return err
	}
	playing, end := context.WithCancel(ctx)
	swarm := make(chan error, 1)
	go func() {
		_, _, err := runSwarm(playing, o, s, door, ramps[0], time.Hour)
		swarm <- err
	}()
	defer func() { end(); <-swarm }()
	for began := time.Now(); ; time.Sleep(200 * time.Millisecond) {
		values, err := process.ReadMetrics(ctx, s.metrics)
		if err != nil {
			return errors.Join(err, s.stop())
		}
		if int(sumOf(values, "truestep_players")) >= o.clients {
			break
		}
		if time.Since(began) > 2*joinGoal {
			return errors.Join(fmt.Errorf("door %s: some players are still not in the world after %v", door, 2*joinGoal), s.stop())
		}
	}
	time.Sleep(playTime)
	if err := s.cmd.Process.Kill(); err != nil {
		return err
	}
	_ = s.cmd.Wait() // returns an error because the server was killed
	return nil
}

// sumOf returns the sum of the values of a metric over all its labels.
func sumOf(values map[string]float64, name string) (sum float64) {
	for k, v := range values {
		if k == name || strings.HasPrefix(k, name+"{") {
			sum += v
		}
	}
	return sum
}

// machine describes the machine for the result: number of cores, processor model and kernel version.
func machine() string {
	model := "unknown processor"
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				model = strings.TrimSpace(value)
				break
			}
		}
	}
	kernel, _ := exec.Command("uname", "-sr").Output() // an error is ignored: the kernel version is only information
	return fmt.Sprintf("%d cores, %s, %s", runtime.NumCPU(), model, strings.TrimSpace(string(kernel)))
}

// loadAverage returns the machine's load average of the last minute as text, "?" if it is unknown.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "?"
	}
	return strings.Fields(string(text))[0]
}
