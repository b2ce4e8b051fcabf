//go:build linux

// Command attack is the end-to-end test of the doors under attack: it starts `truestep serve`, attacks it from many
// addresses at several strengths, and lets honest players of every door join and play beside the attack.
//
//	go run ./e2e/attack --server bin/truestep [--brief] [--only NAME,...] [--strength 1,4,16]
//
// It runs in a network namespace of its own, in which all addresses of 10.0.0.0/8 are local, so the server sees every
// client at an address of its own and none at loopback, for which its limits do not hold. It needs Linux, and either root
// or unprivileged user namespaces.
//
// An attack passes at strength 1, that of SECURITY.md, if every honest player that joins during the attack is in the world
// within joinLimit, the console answers an operator within answerLimit, and no player who was in the world is lost or
// corrected. At greater strengths the server must only survive and let players in again afterwards; the report says at which
// strength honest players notice.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Limits of the checks.
const (
	joinLimit    = 2 * time.Second // maximum extra time of a join compared with a join without an attack
	answerLimit  = 2 * time.Second // maximum time until the console answers
	recoverLimit = 15 * time.Second
)

// options are the flags.
type options struct {
	server    string
	only      []string
	strengths []int
	lasting   time.Duration // time for which players join during each attack
}

func main() {
	o, err := parseFlags(os.Args[1:])
	if err == nil {
		err = enterNamespace()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e-attack:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	passed, failed := run(ctx, o)
	stop()
	fmt.Printf("e2e-attack: %d passed, %d failed\n", passed, failed)
	if failed > 0 || passed == 0 {
		os.Exit(1)
	}
}

func parseFlags(args []string) (o options, err error) {
	f := flag.NewFlagSet("attack", flag.ContinueOnError)
	f.StringVar(&o.server, "server", "bin/truestep", "the program under test")
	brief := f.Bool("brief", false, "every attack at strength 1 only, for 4 s instead of 10 s")
	only := f.String("only", "", "names of attacks, separated by commas; default all")
	strengths := f.String("strength", "1,4,16", "multiples of the strength in SECURITY.md, separated by commas")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.lasting = 10 * time.Second
	if *brief {
		*strengths, o.lasting = "1", 4*time.Second
	}
	for s := range strings.SplitSeq(*strengths, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > 100 {
			return o, fmt.Errorf("--strength %s: write numbers of 1..100, separated by commas", s)
		}
		o.strengths = append(o.strengths, n)
	}
	if *only != "" {
		o.only = strings.Split(*only, ",")
	}
	for _, name := range o.only {
		if !slices.ContainsFunc(attacks, func(a attack) bool { return a.name == name }) {
			return o, fmt.Errorf("--only %s: no such attack; there are %s", name, strings.Join(attackNames(), ", "))
		}
	}
	if _, err := os.Stat(o.server); err != nil {
		return o, fmt.Errorf("--server %s: %w; make build makes bin/truestep", o.server, errors.Unwrap(err))
	}
	return o, nil
}

func attackNames() (names []string) {
	for _, a := range attacks {
		names = append(names, a.name)
	}
	return names
}
