// Command mutations shows that the simulation of a cluster (cluster/simulation_test.go) finds errors. It puts one error after the
// other into the code of the cluster, with an overlay of the go command, so that no file changes, and plays seeds until the
// simulation reports a broken promise:
//
//	go run ./bench/mutations [--seeds 200] [--only TEXT]
//
// It prints a row for each mutation: how many seeds were played until the error was found, and what was reported. The exit status
// is 1 if an error was not found, and 2 if a mutation no longer fits the code.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/truestep-io/truestep/bench/mutations/overlay"
)

func main() {
	seeds := flag.Int("seeds", 200, "maximum number of seeds for each mutation")
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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	folder, err := os.MkdirTemp("", "mutations")
	if err != nil {
		fail(err)
	}
	defer os.RemoveAll(folder)
	missed := 0
	fmt.Println("| mutation | seeds until found | found as |\n|---|---|---|")
	for i := range overlay.Mutations {
		m := &overlay.Mutations[i]
		if !strings.Contains(m.Name, *only) {
			continue
		}
		r, err := play(ctx, m, folder, *seeds)
		if err != nil {
			os.RemoveAll(folder)
			fail(fmt.Errorf("mutation %q: %w", m.Name, err))
		}
		if r.seeds == 0 {
			missed++
			fmt.Printf("| %s | **not found** in %d | %s |\n", m.Name, *seeds, m.Wrong)
			continue
		}
		fmt.Printf("| %s | %d | %s |\n", m.Name, r.seeds, r.found)
	}
	if missed > 0 {
		os.RemoveAll(folder)
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "mutations:", err)
	os.Exit(2)
}

// result says whether the simulation has found the error of a mutation, and after how many seeds.
type result struct {
	seeds int    // number of seeds that were played until the error was found; 0 if it was not found
	found string // the broken promise
}

var violation = regexp.MustCompile(`seed (\d+), after \S+: (.*)`)

// play builds the tests of the cluster with a mutation, and runs the simulation with the seeds 1, 2, 3... until a run fails.
func play(ctx context.Context, m *overlay.Mutation, folder string, seeds int) (result, error) {
	file, err := overlay.Write(".", folder, m.Edits)
	if err != nil {
		return result{}, err
	}
	program := filepath.Join(folder, "cluster.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", file, "-o", program, "./cluster")
	if out, err := build.CombinedOutput(); err != nil {
		return result{}, fmt.Errorf("build the mutated tests: %w\n%s", err, out)
	}
	test, count := "TestSimulatedFaultsBreakNoGuarantee", "-seeds"
	if m.Forged {
		test, count = "TestSimulatedForgeriesBreakNoGuarantee", "-forged-seeds"
	}
	run := exec.CommandContext(ctx, program, "-test.run", test, "-test.timeout", "0", count, strconv.Itoa(seeds), "-stop")
	run.WaitDelay = time.Second
	out, err := run.CombinedOutput()
	switch hit := violation.FindSubmatch(out); {
	case ctx.Err() != nil:
		return result{}, ctx.Err()
	case err == nil:
		return result{}, nil
	case hit != nil:
		n, _ := strconv.Atoi(string(hit[1]))
		return result{n, strings.ReplaceAll(string(hit[2]), "|", "/")}, nil
	}
	return result{}, fmt.Errorf("the simulation ended without a report: %w\n%s", err, out)
}
