// Command check checks a history that e2e/cluster has written with --history once more:
//
//	go run ./e2e/cluster/check FILE
//
// It prints each contradiction in what the clients of the cluster were shown, and in the last line how much it has examined. The exit
// status is 1 if there is a contradiction, and 2 if the file cannot be read.
package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/truestep-io/truestep/e2e/cluster/checker"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, out, errs io.Writer) int {
	if len(args) != 1 || strings.HasPrefix(args[0], "-") {
		fmt.Fprintln(errs, "usage: go run ./e2e/cluster/check FILE")
		return 2
	}
	h, events, err := read(args[0])
	if err != nil {
		fmt.Fprintf(errs, "check: %s: %v\n", args[0], err)
		return 2
	}
	found := h.Check()
	for _, err := range found {
		fmt.Fprintln(out, err)
	}
	blows, damage := h.Blows()
	c := h.Company()
	lines, own := h.Lines()
	fmt.Fprintf(out, "%d events, %d frames, %d moves of stacks, %d chat lines and %d blows that a further client had to be shown, %d chat lines that their speaker had to be shown, %d points of damage compared with health, %d parties with %d members, %d changes of area on a mount, %d pets, %d places of characters compared at two observers: %d contradictions\n", events, h.Frames(), h.StackMoves(), lines, blows, own, damage, c.Entries, c.Members, c.Rides, c.Pets, h.Places(), len(found))
	if len(found) > 0 {
		return 1
	}
	return 0
}

// read reads a history from a file, which is compressed if its name ends with .gz.
func read(path string) (*checker.History, int, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, 0, err
		}
	}
	return checker.Read(r)
}
