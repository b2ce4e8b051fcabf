//go:build linux

// Command cluster measures how the nodes of a cluster can agree on the input of each tick, with three processes on this
// machine:
//
//	pair  a primary and one backup; who they are is a row in PostgreSQL, changed by compare-and-set
//	raft  each area is a Raft group of three (package cluster/replica); a log file on each node
//
//	go run ./bench/cluster [--runs 3] [--faults none,kill,stop,all] [--busy 0,10] [--postgres-bin DIR]
//
// It prints one row for each arrangement, load and fault. Runs of the arrangements take turns, so that other work on the
// machine meets both. --help lists the flags. The program starts processes of itself, and a PostgreSQL server of its own in
// a temporary folder if pairs are measured.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// bench holds the settings and the database that all runs share.
type bench struct {
	tuning   tuning
	duration time.Duration
	folder   string
	postgres *postgres // nil if no run needs it
}

// options are the values of the command line flags.
type options struct {
	bench
	arrangements, faults, busy string
	areas, bytes               int
	playerAreas, players       int
	loads                      string
	runs, nice                 int
	postgresBin                string
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "node" {
		nodeMain()
		return
	}
	if len(os.Args) == 2 && os.Args[1] == "busy" {
		busyMain() // never returns
	}
	var o options
	flag.StringVar(&o.arrangements, "arrangements", "pair,raft", "arrangements to measure")
	flag.StringVar(&o.loads, "loads", "bytes,players", "loads: bytes of --bytes a tick in each of --areas, or --players in --player-areas")
	flag.StringVar(&o.faults, "faults", "none,kill,stop,all", "faults: none, kill -9 of a node, SIGSTOP of a node, kill -9 of all nodes (raft only)")
	flag.StringVar(&o.busy, "busy", "0", "numbers of busy processes beside the nodes, such as 0,10")
	flag.IntVar(&o.areas, "areas", 50, "areas of the load bytes")
	flag.IntVar(&o.bytes, "bytes", 10_240, "size of a batch of the load bytes, from 8")
	flag.IntVar(&o.playerAreas, "player-areas", 10, "areas of the load players")
	flag.IntVar(&o.players, "players", 1000, "mixed players in all areas of the load players")
	flag.IntVar(&o.runs, "runs", 3, "runs of each row")
	flag.DurationVar(&o.duration, "duration", 15*time.Second, "length of a run without a fault")
	flag.IntVar(&o.nice, "nice", 0, "niceness of the nodes; below 0 for root only")
	flag.DurationVar(&o.tuning.Clock, "clock", 25*time.Millisecond, "interval of the clock that detects failures")
	flag.DurationVar(&o.tuning.Silence, "silence", 600*time.Millisecond, "a node that is not heard for this long counts as lost")
	flag.DurationVar(&o.tuning.Stagger, "stagger", 150*time.Millisecond, "raft: time between the campaigns of two members")
	flag.DurationVar(&o.tuning.Quorum, "quorum", time.Second, "raft: a leader that hears no majority for this long gives up")
	flag.IntVar(&o.tuning.Shards, "shards", 1, "goroutines, and log files, among which the areas of a node are divided")
	flag.IntVar(&o.tuning.Phases, "phases", 4, "equally spaced times of a period at which the ticks of a node's areas are due; 1 for all at once")
	flag.BoolVar(&o.tuning.Witness, "witness", true, "raft: the third member of each group writes the log and does not step")
	flag.BoolVar(&o.tuning.PairLog, "pair-log", false, "pair: primary and backup write a log file as well")
	flag.StringVar(&o.postgresBin, "postgres-bin", postgresFolder(), "folder with initdb and postgres, for the arrangement pair")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, &o); err != nil {
		fmt.Fprintln(os.Stderr, "bench-cluster:", err)
		os.Exit(2)
	}
}

// postgresFolder returns the newest PostgreSQL of a Debian system, or the folder of initdb in PATH.
func postgresFolder() string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // an error is a malformed pattern
	if len(found) > 0 {
		return found[len(found)-1]
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return ""
	}
	return filepath.Dir(path)
}

// plan returns the rows to measure. Rows of which only the arrangement differs follow each other.
func (o *options) plan() (rows []*result, err error) {
	if flag.NArg() > 0 {
		return nil, fmt.Errorf("%q is no flag; --help lists them", flag.Arg(0))
	}
	t := &o.tuning
	if o.runs < 1 || o.areas < 1 || o.areas > 1000 || o.playerAreas < 1 || o.playerAreas > 1000 || o.players < o.playerAreas || o.bytes < 8 || o.bytes > 1<<20 ||
		t.Shards < 1 || t.Phases < 1 || t.Phases > 50 || t.Clock < time.Millisecond || t.Quorum <= t.Silence/4 || t.Silence < 4*t.Clock || o.duration <= 0 {
		return nil, errors.New("a flag is out of range: --runs and --shards from 1, --phases 1 to 50, --areas 1 to 1000, --bytes 8 to 1048576, --players at least one per area of --player-areas, " +
			"--clock from 1ms, --silence from four times --clock, --quorum above a quarter of --silence")
	}
	loads := map[string]load{
		"bytes":   {Name: "bytes", Areas: o.areas, Bytes: o.bytes},
		"players": {Name: "players", Areas: o.playerAreas, Players: o.players},
	}
	for _, busy := range strings.Split(o.busy, ",") {
		n, err := strconv.Atoi(busy)
		if err != nil || n < 0 || n > 1000 {
			return nil, fmt.Errorf("--busy %q: a number of processes, 0 to 1000, is needed", busy)
		}
		for _, f := range strings.Split(o.faults, ",") {
			if !slices.Contains([]fault{noFault, killOne, stopOne, killAll}, fault(f)) {
				return nil, fmt.Errorf("--faults %q: none, kill, stop or all is needed", f)
			}
			for _, name := range strings.Split(o.loads, ",") {
				l, ok := loads[name]
				if !ok {
					return nil, fmt.Errorf("--loads %q: bytes or players is needed", name)
				}
				for _, a := range strings.Split(o.arrangements, ",") {
					if a := arrangement(a); a != pairs && a != groups {
						return nil, fmt.Errorf("--arrangements %q: pair or raft is needed", a)
					}
					if fault(f) == killAll && arrangement(a) == pairs {
						continue // a pair keeps nothing that a new process could go on with
					}
					rows = append(rows, &result{m: measurement{arrangement(a), l, fault(f), n, o.nice}})
				}
			}
		}
	}
	return rows, nil
}

func run(ctx context.Context, o *options) (err error) {
	rows, err := o.plan()
	if err != nil {
		return err
	}
	if o.folder, err = os.MkdirTemp("", "bench-cluster-"); err != nil {
		return err
	}
	defer os.RemoveAll(o.folder)
	if slices.ContainsFunc(rows, func(r *result) bool { return r.m.Arrangement == pairs }) {
		if o.postgres, err = startPostgres(ctx, o.postgresBin); err != nil {
			return err
		}
		defer o.postgres.stop()
	}
	fmt.Printf("machine: %s; %s\n%+v, %d runs of %v\n", machine(), runtime.Version(), o.tuning, o.runs, o.duration)
	for len(rows) > 0 {
		m := rows[0].m
		n := len(rows)
		for i, r := range rows {
			if r.m.Load != m.Load || r.m.Fault != m.Fault || r.m.Busy != m.Busy {
				n = i
				break
			}
		}
		if err := o.measure(ctx, rows[:n]); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// measure makes the runs of rows that differ in the arrangement only, in turns, and prints the rows.
func (o *options) measure(ctx context.Context, rows []*result) error {
	stop, err := startBusy(ctx, rows[0].m.Busy)
	if err != nil {
		return err
	}
	defer stop()
	for range o.runs {
		for _, r := range rows {
			if err := o.runOnce(ctx, r.m, r); err != nil {
				return fmt.Errorf("%s, %v, fault %s: %w", r.m.Arrangement, r.m.Load, r.m.Fault, err)
			}
		}
	}
	fmt.Printf("\n%s\n", rows[0].header())
	for _, r := range rows {
		fmt.Println(r)
	}
	return nil
}

// machine describes the processor and the system.
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
