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
	"encoding/json"
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
)

// mutation is an error that is put into the code.
type mutation struct {
	name  string // what the code does not do any more, or does wrongly
	wrong string // what can go wrong then
	edits []edit
}

// edit replaces a text, which must be exactly once in the file.
type edit struct {
	file     string // relative to the root of the module
	old, new string
}

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
	for i := range mutations {
		m := &mutations[i]
		if !strings.Contains(m.name, *only) {
			continue
		}
		r, err := m.play(ctx, folder, *seeds)
		if err != nil {
			os.RemoveAll(folder)
			fail(fmt.Errorf("mutation %q: %w", m.name, err))
		}
		if r.seeds == 0 {
			missed++
			fmt.Printf("| %s | **not found** in %d | %s |\n", m.name, *seeds, m.wrong)
			continue
		}
		fmt.Printf("| %s | %d | %s |\n", m.name, r.seeds, r.found)
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

// result is what the simulation says of a mutation.
type result struct {
	seeds int    // number of seeds that were played until the error was found; 0 if it was not found
	found string // the broken promise
}

var violation = regexp.MustCompile(`seed (\d+), after \S+: (.*)`)

// play builds the tests of the cluster with a mutation, and plays seeds from 1 on until one fails.
func (m *mutation) play(ctx context.Context, folder string, seeds int) (result, error) {
	overlay, err := m.overlay(folder)
	if err != nil {
		return result{}, err
	}
	program := filepath.Join(folder, "cluster.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", program, "./cluster")
	if out, err := build.CombinedOutput(); err != nil {
		return result{}, fmt.Errorf("build the mutated tests: %w\n%s", err, out)
	}
	run := exec.CommandContext(ctx, program, "-test.run", "TestSimulatedFaultsBreakNoPromise", "-test.timeout", "0", "-seeds", strconv.Itoa(seeds), "-stop")
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

// overlay writes the mutated files, and the file that makes the go command use them.
func (m *mutation) overlay(folder string) (path string, err error) {
	root, err := os.Getwd()
	if err != nil {
		return "", err
	}
	texts := map[string]string{}
	for _, e := range m.edits {
		text, ok := texts[e.file]
		if !ok {
			b, err := os.ReadFile(e.file)
			if err != nil {
				return "", err
			}
			text = string(b)
		}
		if n := strings.Count(text, e.old); n != 1 {
			return "", fmt.Errorf("%s has the text %d times, want once:\n%s", e.file, n, e.old)
		}
		texts[e.file] = strings.Replace(text, e.old, e.new, 1)
	}
	replace := map[string]string{}
	for file, text := range texts {
		changed := filepath.Join(folder, flat(file))
		if err := os.WriteFile(changed, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(root, file)] = changed
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, "overlay.json")
	return path, os.WriteFile(path, b, 0o600)
}

// flat returns a file name for a path.
func flat(path string) string { return strings.ReplaceAll(path, "/", "_") }
