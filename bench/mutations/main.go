// Command mutations shows that the simulation of a cluster (cluster/simulation_test.go) finds errors. It puts one error after the
// other into the code of the cluster, with an overlay of the go command, so that no file changes, and plays seeds until the
// simulation reports a broken promise:
//
//	go run ./bench/mutations [--seeds N] [--only TEXT]
//
// It plays 200 seeds for a mutation that names no other limit. In place of the simulation it runs a test for a mutation that names one. It
// prints a row for each mutation: what the mutation stands for, how many seeds were played until the error was found, and what was
// reported. As many mutations as the machine has processors are played at once. The exit status is 1 if an error was not found, and 2 if a
// mutation no longer fits the code.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/truestep-io/truestep/bench/mutations/overlay"
)

const usualSeeds = 200 // maximum number of seeds for a mutation that names no other

func main() {
	seeds := flag.Int("seeds", 0, "maximum number of seeds for each mutation; 0: 200, or what the mutation names")
	only := flag.String("only", "", "play only the mutations whose names contain this text")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: go run ./bench/mutations [--seeds N] [--only TEXT], in the root of the repository")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	os.Exit(run(*seeds, *only))
}

// run plays the mutations whose names contain a text, prints their rows in the order of the list, and returns the exit status.
func run(seeds int, only string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	folder, err := os.MkdirTemp("", "mutations")
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutations:", err)
		return 2
	}
	defer os.RemoveAll(folder)
	var list []*overlay.Mutation
	for i := range overlay.Mutations {
		if m := &overlay.Mutations[i]; strings.Contains(m.Name, only) {
			list = append(list, m)
		}
	}
	results, free := make([]chan result, len(list)), make(chan struct{}, runtime.NumCPU())
	for i := range list {
		results[i] = make(chan result, 1)
	}
	go func() {
		for i, m := range list {
			free <- struct{}{}
			go func() {
				defer func() { <-free }()
				p := player{folder: filepath.Join(folder, strconv.Itoa(i)), processors: max(1, runtime.NumCPU()/len(list)), seeds: cmp.Or(seeds, m.Seeds, usualSeeds)}
				results[i] <- p.play(ctx, m)
			}()
		}
	}()
	missed := 0
	fmt.Println("| mutation | stands for | seeds until found | found as |\n|---|---|---|---|")
	for i, m := range list {
		r := <-results[i]
		if r.err != nil {
			stop()
			fmt.Fprintf(os.Stderr, "mutations: mutation %q: %v\n", m.Name, r.err)
			return 2
		}
		if r.found == "" {
			missed++
		}
		fmt.Printf("| %s | %s | %s | %s |\n", m.Name, m.Stands, r.after, cmp.Or(r.found, m.Wrong))
	}
	if missed > 0 {
		return 1
	}
	return 0
}

// player plays one mutation.
type player struct {
	folder     string // for the mutated code and its program
	processors int
	seeds      int // maximum number of seeds
}

// result says whether the error of a mutation was found.
type result struct {
	after string // the seeds or the test after which it was found or not found
	found string // what was reported; "" if the error was not found
	err   error
}

var (
	violation = regexp.MustCompile(`seed (\d+), after \S+: (.*)`)
	failure   = regexp.MustCompile(`\w+_test\.go:\d+: (.*)`)
)

// play builds the tests of the cluster with a mutation, and runs the simulation with the seeds 1, 2, 3... until a run fails, or the test
// that the mutation names.
func (p *player) play(ctx context.Context, m *overlay.Mutation) result {
	if err := os.Mkdir(p.folder, 0o700); err != nil {
		return result{err: err}
	}
	defer os.RemoveAll(p.folder)
	file, err := overlay.Write(".", p.folder, m.Edits)
	if err != nil {
		return result{err: err}
	}
	program := filepath.Join(p.folder, "cluster.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", file, "-o", program, "./cluster")
	if out, err := build.CombinedOutput(); err != nil {
		return result{err: fmt.Errorf("build the mutated tests: %w\n%s", err, out)}
	}
	name, args, report := "TestSimulatedFaultsBreakNoGuarantee", []string{"-seeds", strconv.Itoa(p.seeds), "-stop"}, violation
	switch {
	case m.Test != "":
		name, args, report = m.Test, nil, failure
	case m.Forged:
		name, args[0] = "TestSimulatedForgeriesBreakNoGuarantee", "-forged-seeds"
	}
	run := exec.CommandContext(ctx, program, slices.Concat([]string{"-test.run", "^" + name + "$", "-test.timeout", "0"}, args)...)
	run.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(p.processors))
	run.WaitDelay = time.Second
	out, err := run.CombinedOutput()
	hit := report.FindStringSubmatch(string(out))
	switch {
	case ctx.Err() != nil:
		return result{err: ctx.Err()}
	case err == nil && m.Test != "":
		return result{after: "**not found** by " + m.Test}
	case err == nil:
		return result{after: fmt.Sprint("**not found** in ", p.seeds)}
	case hit == nil:
		return result{err: fmt.Errorf("the simulation ended without a report: %w\n%s", err, out)}
	}
	r := result{after: hit[1], found: strings.ReplaceAll(hit[len(hit)-1], "|", "/")}
	if m.Test != "" {
		r.after = m.Test
	}
	return r
}
