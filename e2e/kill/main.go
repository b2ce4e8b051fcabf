//go:build linux

// Command kill is the end-to-end test of a server that is killed: it starts `truestep serve` with the world of the test, lets
// clients of every door walk, fight, trade items, form parties and cross portals, kills the server with SIGKILL at random
// moments, starts it again on the same data folder, and compares the world with what the clients were last shown.
//
//	go run ./e2e/kill --server bin/truestep [--brief] [--kills N] [--clients RCCE,RS,BEDROCK] [--seed N] [--keep DIR]
//
// What a client was last shown comes from the packets that it received before the server was killed. What is true after the restart
// comes from the console's live map, and from what the clients are sent when they come back. SIGKILL leaves everything that the server
// has given to the kernel, so this test says nothing about a loss of power.
//
// README.md lists the checks.
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

	"github.com/truestep-io/truestep/e2e/report"
)

// options are the values of the command-line flags.
type options struct {
	server  string
	kills   int
	clients [3]int // number of clients of each door, in the order of doors
	seed    uint64
	keep    string        // data folder that is kept afterwards; "" for a temporary one
	play    time.Duration // minimum time for which clients play before the server is killed; the maximum is twice as long
}

func main() {
	o, err := parseFlags(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e-kill:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	r := &results{Report: report.Report{MaxErrors: 6}}
	run(ctx, o, r)
	stop()
	os.Exit(r.Finish("e2e-kill"))
}

func parseFlags(args []string) (o options, err error) {
	f := flag.NewFlagSet("kill", flag.ContinueOnError)
	f.StringVar(&o.server, "server", "bin/truestep", "the program under test")
	brief := f.Bool("brief", false, "3 kills with 10, 10 and 5 clients instead of 30 with 100, 100 and 50")
	f.IntVar(&o.kills, "kills", 0, "how often the server is killed; 0: 30, or 3 with --brief")
	clients := f.String("clients", "", "numbers of RealmCrafter, RuneScape and Bedrock clients; empty: 100,100,50, or 10,10,5 with --brief")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the random times of the kills and of the random actions of clients")
	f.StringVar(&o.keep, "keep", "", "data folder that is not removed afterwards")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	kills, numbers := 30, "100,100,50"
	o.play = 5 * time.Second
	if *brief {
		kills, numbers, o.play = 3, "10,10,5", 2500*time.Millisecond
	}
	if o.kills == 0 {
		o.kills = kills
	}
	if *clients == "" {
		*clients = numbers
	}
	parts := strings.Split(*clients, ",")
	if len(parts) != len(o.clients) {
		return o, fmt.Errorf("--clients %s: write the numbers of RealmCrafter, RuneScape and Bedrock clients, separated by commas, such as 10,10,5", *clients)
	}
	for i, s := range parts {
		if o.clients[i], err = strconv.Atoi(s); err != nil || o.clients[i] < 0 || o.clients[i] > 1000 {
			return o, fmt.Errorf("--clients %s: each of the three numbers of clients must be from 0 to 1000, such as 10,10,5", *clients)
		}
	}
	if o.clients[0] < areaCount {
		return o, fmt.Errorf("--clients %s: at least %d RealmCrafter clients are needed, one for each area, because only they are shown items", *clients, areaCount)
	}
	if o.kills < 0 {
		return o, fmt.Errorf("--kills %d: write the number of kills, 0 or more", o.kills)
	}
	if _, err := os.Stat(o.server); err != nil {
		return o, fmt.Errorf("--server %s: %w; run make build to create bin/truestep", o.server, errors.Unwrap(err))
	}
	return o, nil
}
