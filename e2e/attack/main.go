//go:build linux

// Command attack is the end-to-end test of a server under attack: it starts `truestep serve`, attacks it from many addresses at
// several strengths, and lets honest players of every door join during the attack, while operators and collectors of metrics send
// requests. Further checks kill servers, fill their disk and damage their data.
//
//	go run ./e2e/attack --server bin/truestep [--brief] [--only NAME,...] [--strength 1,4,16]
//
// It runs in a network namespace of its own, in which all addresses of 10.0.0.0/8 are local, so the server sees every client at
// an address of its own. No client has a loopback address: the server would exempt such a client from its limits. It needs
// Linux, and either root or unprivileged user namespaces. Without them clients have addresses of 127.0.0.0/8.
//
// Strength 1 is the one that SECURITY.md states. At this strength an attack passes if (1) every honest player that joins during
// the attack needs at most two seconds more than without it, (2) console and metrics answer within two seconds, and (3) no
// player that was in the world before loses its connection or is corrected. At greater strengths the server must only survive
// and let players in again afterwards; the report says at which strength honest players notice, and what.
//
// The short form (--brief) runs the attacks of a kind at the same time, at a quarter of strength 1 against a server with a quarter
// of the places, and allows five seconds, because it runs beside other tests. If honest players notice the attacks of a kind, it
// runs them one by one.
//
// README.md lists which attack each door is tested with.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// recoverLimit is the timeout of every join and request, also at strengths at which only the server's survival is checked.
const recoverLimit = 15 * time.Second

// options are the values of the command-line flags.
type options struct {
	server    string
	brief     bool
	only      []string
	strengths []float64
	lasting   time.Duration // time for which players join during each attack
	joinLimit time.Duration // maximum extra time of a join compared with one without an attack, and maximum time of an answer
	loopback  bool          // run on plain loopback instead of in a network namespace
	attackers []string      // names of the attacks that this child process carries out; nil in the parent process
}

func main() {
	o, err := parseFlags(os.Args[1:])
	if err == nil && o.attackers != nil {
		err = runAttackers(o.attackers, o.strengths[0])
		if err == nil {
			return
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e-attack:", err)
		os.Exit(2)
	}
	why := errors.New("the flag --loopback forbids a network namespace")
	if !o.loopback {
		why = enterNamespace()
	}
	if why != nil {
		firstOctet = 127
		fmt.Printf("no network namespace (%v): clients have addresses of 127.0.0.0/8, for which limits per address do not hold; full-disk and full-disk-stop are left out\n", why)
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
	f.BoolVar(&o.brief, "brief", false, "every attack at a quarter of strength 1, those of a kind at the same time")
	f.BoolVar(&o.loopback, "loopback", false, "use addresses of 127.0.0.0/8 instead of a network namespace")
	only := f.String("only", "", "names of attacks and checks, separated by commas; default all")
	strengths := f.String("strength", "1,4,16", "multiples of the strength in SECURITY.md, separated by commas")
	attackers := f.String("attackers", "", "attacks to carry out; for this program only")
	f.IntVar(&firstOctet, "first-octet", firstOctet, "first octet of addresses; for this program only")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.lasting, o.joinLimit = 4*time.Second, 2*time.Second
	if o.brief {
		*strengths, o.lasting, o.joinLimit = "0.25", 2*time.Second, 5*time.Second
	}
	for s := range strings.SplitSeq(*strengths, ",") {
		n, err := strconv.ParseFloat(s, 64)
		if err != nil || n <= 0 || n > 100 {
			return o, fmt.Errorf("--strength %s: write numbers above 0, at most 100, separated by commas", s)
		}
		o.strengths = append(o.strengths, n)
	}
	if *attackers != "" {
		o.attackers = strings.Split(*attackers, ",")
		return o, nil
	}
	if *only != "" {
		o.only = strings.Split(*only, ",")
	}
	for _, name := range o.only {
		if !isAttackName(name) {
			return o, fmt.Errorf("--only %s: no such attack; there are %s", name, strings.Join(attackNames(), ", "))
		}
	}
	if _, err := os.Stat(o.server); err != nil {
		return o, fmt.Errorf("--server %s: %w; run make build to create bin/truestep", o.server, errors.Unwrap(err))
	}
	return o, nil
}
