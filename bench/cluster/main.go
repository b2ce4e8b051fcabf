//go:build linux

// Command cluster measures how the nodes of a cluster can agree on the input of each tick, with three processes on this
// machine:
//
//	pair  each area has a primary and one backup; a row in PostgreSQL names both and is changed by compare-and-set
//	raft  each area is a Raft group of three (package cluster/replica), with a log file on each node
//
//	go run ./bench/cluster [--runs 3] [--faults none,kill,stop,all] [--busy 0,10] [--postgres-bin DIR]
//
// It prints one row for each arrangement, load and fault. Runs of the two arrangements alternate, so that other work on the
// machine affects both alike. --help lists the flags. The nodes are child processes of the same program. If pairs are measured,
// it also starts a PostgreSQL server in a temporary folder.
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
	postgres *postgres // PostgreSQL server; nil if no run needs one
}

// options holds the values of the command line flags. The help texts in main describe the flags.
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
	flag.StringVar(&o.faults, "faults", "none,kill,stop,all", "faults: none; kill: kill -9 of a node; stop: SIGSTOP of a node; all: kill -9 of all nodes (raft only)")
	flag.StringVar(&o.busy, "busy", "0", "numbers of busy processes beside the nodes, such as 0,10")
	flag.IntVar(&o.areas, "areas", 50, "areas of the load bytes")
	flag.IntVar(&o.bytes, "bytes", 10_240, "bytes of each batch of the load bytes, from 8")
	flag.IntVar(&o.playerAreas, "player-areas", 10, "areas of the load players")
	flag.IntVar(&o.players, "players", 1000, "mixed players in all areas of the load players")
	flag.IntVar(&o.runs, "runs", 3, "runs of each row")
	flag.DurationVar(&o.duration, "duration", 15*time.Second, "length of a run without a fault")
	flag.IntVar(&o.nice, "nice", 0, "niceness of the nodes; below 0 for root only")
	flag.DurationVar(&o.tuning.Clock, "clock", 25*time.Millisecond, "interval of the clock that detects failures")
	flag.DurationVar(&o.tuning.Silence, "silence", 600*time.Millisecond, "a node from which no message arrives for this long counts as lost")
	flag.DurationVar(&o.tuning.Stagger, "stagger", 150*time.Millisecond, "raft: time between the election campaigns of two members")
	flag.DurationVar(&o.tuning.Quorum, "quorum", time.Second, "raft: a leader that receives nothing from a majority for this long steps down")
	flag.IntVar(&o.tuning.Shards, "shards", 1, "goroutines, each with a log file, among which the areas of a node are divided")
	flag.IntVar(&o.tuning.Phases, "phases", 4, "number of equally spaced times in a tick period at which areas of a node tick; 1: all areas at once")
	flag.BoolVar(&o.tuning.Witness, "witness", true, "raft: the third member of each group writes the log but does not step the area")
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

// postgresFolder returns the folder of the newest PostgreSQL that Debian's packages have installed, else the folder of initdb in
// PATH, or "" if there is none.
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

// plan checks the flags and returns a result, still empty, for each measurement. Each result becomes a row of the printed table.
// Results that differ only in the arrangement are adjacent.
func (o *options) plan() (rows []*result, err error) {
	if flag.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q; --help lists the flags", flag.Arg(0))
	}
	t := &o.tuning
	if o.runs < 1 || o.areas < 1 || o.areas > 1000 || o.playerAreas < 1 || o.playerAreas > 1000 || o.players < o.playerAreas || o.bytes < 8 || o.bytes > 1<<20 ||
		t.Shards < 1 || t.Phases < 1 || t.Phases > 50 || t.Clock < time.Millisecond || t.Quorum <= t.Silence/4 || t.Silence < 4*t.Clock || o.duration <= 0 {
		return nil, errors.New("a flag is out of its range: --runs and --shards from 1, --phases 1 to 50, --areas 1 to 1000, --bytes 8 to 1048576, --players at least one per area of --player-areas, " +
			"--clock from 1ms, --silence from four times --clock, --quorum above a quarter of --silence")
	}
	loads := map[string]load{
		"bytes":   {Name: "bytes", Areas: o.areas, Bytes: o.bytes},
		"players": {Name: "players", Areas: o.playerAreas, Players: o.players},
	}
	for _, busy := range strings.Split(o.busy, ",") {
		n, err := strconv.Atoi(busy)
		if err != nil || n < 0 || n > 1000 {
			return nil, fmt.Errorf("--busy %q: write one or more numbers of busy processes, each from 0 to 1000, separated by commas", busy)
		}
		for _, f := range strings.Split(o.faults, ",") {
			if !slices.Contains([]fault{noFault, killOne, stopOne, killAll}, fault(f)) {
				return nil, fmt.Errorf("--faults %q: write none, kill, stop or all, separated by commas", f)
			}
			for _, name := range strings.Split(o.loads, ",") {
				l, ok := loads[name]
				if !ok {
					return nil, fmt.Errorf("--loads %q: write bytes or players, separated by commas", name)
				}
				for _, a := range strings.Split(o.arrangements, ",") {
					if a := arrangement(a); a != pairs && a != groups {
						return nil, fmt.Errorf("--arrangements %q: write pair or raft, separated by commas", a)
					}
					if fault(f) == killAll && arrangement(a) == pairs {
						continue // skip: a pair stores no state from which new processes could resume
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

// measure measures rows of the printed table that differ only in the arrangement, and prints them. It makes one run of each row
// in turn, so that other work on the machine affects all of them alike.
func (o *options) measure(ctx context.Context, rows []*result) error {
	stop, err := startBusy(ctx, rows[0].m.Busy)
	if err != nil {
		return err
	}
	defer stop()
	for range o.runs {
		for _, r := range rows {
			if err := o.runOnce(ctx, r.m, r); err != nil {
				return fmt.Errorf("measure the arrangement %s under the load of %v with the fault %s: %w", r.m.Arrangement, r.m.Load, r.m.Fault, err)
			}
		}
	}
	fmt.Printf("\n%s\n", rows[0].header())
	for _, r := range rows {
		fmt.Println(r)
	}
	return nil
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
