// Command compare tells how much faster or slower the Go benchmarks are than at an earlier commit:
//
//	go run ./bench/compare [--rounds 8] [--benchtime 60ms] [--bench REGEXP] COMMIT [PACKAGE...]
//
// It builds the test programs of both commits, the earlier one in a git worktree of its own, and runs each benchmark that both have
// by turns: one round of one program, one round of the other, and the other way round in the next round. Of all rounds the shortest
// time counts, because other work of the machine only makes a benchmark slower. It prints a row for each benchmark, and then how
// many are within 5 %. Changes that are not committed are part of the later side.
package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

func main() {
	rounds := flag.Int("rounds", 8, "how often each benchmark runs on each side")
	benchtime := flag.String("benchtime", "60ms", "how long a benchmark runs in each round, as for go test")
	bench := flag.String("bench", ".", "regular expression of the benchmarks to run")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: go run ./bench/compare [--rounds N] [--benchtime TIME] [--bench REGEXP] COMMIT [PACKAGE...], in the root of the repository")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() < 1 || *rounds < 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := compare(ctx, flag.Arg(0), flag.Args()[1:], *bench, *benchtime, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

// compare runs the benchmarks of the packages (all if the list is empty) twice: as built at commit, and from the working directory.
func compare(ctx context.Context, commit string, packages []string, bench, benchtime string, rounds int) error {
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	folder, err := os.MkdirTemp("", "compare")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	tree := filepath.Join(folder, "earlier")
	if _, err := output(ctx, ".", "git", "worktree", "add", "--detach", tree, commit); err != nil {
		return err
	}
	defer output(context.WithoutCancel(ctx), ".", "git", "worktree", "remove", "--force", tree)
	listed, err := output(ctx, ".", "go", append([]string{"list", "-f", "{{with or .TestGoFiles .XTestGoFiles}}{{$.Dir}}{{end}}"}, packages...)...)
	if err != nil {
		return err
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "benchmark\t%s\tnow\tratio\n", commit)
	var ratios []float64
	for i, dir := range strings.Fields(listed) {
		relative, err := filepath.Rel(here, dir)
		if err != nil {
			return err
		}
		earlier := filepath.Join(tree, relative)
		if _, err := os.Stat(earlier); err != nil {
			continue // the package is new
		}
		before := side{dir: earlier, program: filepath.Join(folder, fmt.Sprintf("%d.earlier", i))}
		now := side{dir: dir, program: filepath.Join(folder, fmt.Sprintf("%d.now", i))}
		shared, err := buildBoth(ctx, &before, &now, bench)
		if err != nil {
			return err
		}
		if shared == "" {
			continue
		}
		for round := range rounds {
			fmt.Fprintf(os.Stderr, "%s: round %d of %d\n", relative, round+1, rounds)
			turn := []*side{&before, &now}
			if round%2 == 1 {
				slices.Reverse(turn)
			}
			for _, s := range turn {
				if err := s.run(ctx, shared, benchtime); err != nil {
					return err
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(now.best)) {
			if old, ok := before.best[name]; ok {
				ratios = append(ratios, now.best[name]/old)
				fmt.Fprintf(table, "%s %s\t%s\t%s\t%.3f\n", relative, name, nanoseconds(old), nanoseconds(now.best[name]), now.best[name]/old)
			}
		}
		table.Flush()
		os.Remove(before.program)
		os.Remove(now.program)
	}
	fmt.Println(summary(ratios))
	return nil
}

// A side is one of the two programs that are compared.
type side struct {
	dir     string             // folder of the package, in which the program runs because it may read testdata
	program string             // path of the test program
	best    map[string]float64 // shortest nanoseconds per operation of each benchmark
}

// buildBoth builds the test programs of both sides. It returns a regular expression for the benchmarks that match bench and that
// both have, or "" if there are none.
func buildBoth(ctx context.Context, before, now *side, bench string) (string, error) {
	var lists [2][]string
	for i, s := range []*side{before, now} {
		s.best = map[string]float64{}
		if _, err := output(ctx, s.dir, "go", "test", "-c", "-vet=off", "-o", s.program, "."); err != nil {
			return "", err
		}
		if _, err := os.Stat(s.program); err != nil {
			return "", nil // the package has no tests at this commit
		}
		out, err := output(ctx, s.dir, s.program, "-test.list", bench)
		if err != nil {
			return "", err
		}
		lists[i] = slices.DeleteFunc(strings.Fields(out), func(name string) bool { return !strings.HasPrefix(name, "Benchmark") })
		if len(lists[i]) == 0 {
			return "", nil
		}
	}
	shared := slices.DeleteFunc(lists[0], func(name string) bool { return !slices.Contains(lists[1], name) })
	if len(shared) == 0 {
		return "", nil
	}
	return "^(" + strings.Join(shared, "|") + ")$", nil
}

// run runs the benchmarks once and keeps the shortest time of each.
func (s *side) run(ctx context.Context, bench, benchtime string) error {
	out, err := output(ctx, s.dir, s.program, "-test.run=^$", "-test.bench="+bench, "-test.benchtime="+benchtime)
	if err != nil {
		return err
	}
	for name, ns := range times(out) {
		if best, ok := s.best[name]; !ok || ns < best {
			s.best[name] = ns
		}
	}
	return nil
}

// times returns the nanoseconds per operation of each benchmark in the output of a test program.
func times(out string) map[string]float64 {
	list := map[string]float64{}
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) < 4 || fields[3] != "ns/op" || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name := fields[0]
		if i := strings.LastIndexByte(name, '-'); i > 0 && strings.Trim(name[i+1:], "0123456789") == "" {
			name = name[:i] // without the number of processors
		}
		var ns float64
		if _, err := fmt.Sscan(fields[2], &ns); err == nil {
			list[name] = ns
		}
	}
	return list
}

// nanoseconds formats a time per operation in ns, µs or ms, depending on its size.
func nanoseconds(ns float64) string {
	switch {
	case ns >= 1e6:
		return fmt.Sprintf("%.2f ms", ns/1e6)
	case ns >= 1e3:
		return fmt.Sprintf("%.2f µs", ns/1e3)
	}
	return fmt.Sprintf("%.1f ns", ns)
}

// summary returns a text with the median of the ratios (time now / time before), and how many of them differ from 1 by at most 5 %.
func summary(ratios []float64) string {
	if len(ratios) == 0 {
		return "no benchmark is on both sides"
	}
	slices.SortFunc(ratios, cmp.Compare)
	faster, slower := 0, 0
	for _, r := range ratios {
		if r < 0.95 {
			faster++
		} else if r > 1.05 {
			slower++
		}
	}
	return fmt.Sprintf("%d benchmarks: %d within 5 %%, %d faster, %d slower; median ratio %.3f", len(ratios), len(ratios)-faster-slower, faster, slower, ratios[len(ratios)/2])
}

// output runs a command in a folder and returns what it prints. The error contains what the command wrote to its standard error.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s in %s: %w\n%s%s", strings.Join(append([]string{name}, args...), " "), dir, err, out.String(), errs.String())
	}
	return out.String(), nil
}
