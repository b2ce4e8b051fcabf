//go:build linux

// Command cluster is the end-to-end test of a world on several nodes: it starts three processes of `truestep serve --cluster` and
// a PostgreSQL server, lets clients of every door walk, fight, chat and cross portals through all three nodes, breaks one part of
// the cluster after the other, and compares what clients are shown with what one world could have shown them.
//
//	go run ./e2e/cluster --server bin/truestep [--brief] [--rounds N] [--clients RCCE,RS,BEDROCK,WEB] [--areas N]
//	                 [--only NAME,...] [--seed N] [--keep DIR] [--history FILE]
//	go run ./e2e/cluster --broken
//
// README.md lists the faults and the checks.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/truestep-io/truestep/e2e/report"
)

// maxLines is the maximum number of chat lines per second of all players together. All begin in one area, in which each of the three nodes
// lets its own players say 20 a second (--area-chat); further lines would be withheld.
const maxLines = 54

// options are the values of the command-line flags.
type options struct {
	server   string
	rounds   int
	clients  [4]int        // number of RealmCrafter, RuneScape, Bedrock and web clients
	only     []string      // names of the faults to inject, in this order
	areas    int           // number of areas of the world
	seed     uint64        // seed of the random actions of clients
	keep     string        // folder that is kept afterwards; "" for a temporary one
	history  string        // file to which the history of the run is written; "" for none
	play     time.Duration // how long clients play before each fault
	after    time.Duration // how long they play from the beginning of its repair, at least
	frozen   time.Duration // how long a node is stopped by SIGSTOP, and how long a link or PostgreSQL is down
	trips    time.Duration // average time between two walks of a player to other areas
	talks    time.Duration // average time between two lines of a player
	webs     int           // number of web clients that stay in each area; the other web clients travel
	lines    int           // minimum number of chat lines that the checker must have expected at further clients
	points   int           // minimum number of experience points of all players
	blows    int           // minimum number of blows that the checker must have expected at further clients
	petEvery int           // every so many players of a door, one has a pet
	company  int           // minimum numbers of parties, of changes of area on a mount, and of pets that the checker must have compared
	members  int           // minimum number of party members that the checker must have expected at further clients
	keepsAll bool          // RealmCrafter players drop nothing
	broken   bool          // play clusters of programs with errors
	brief    bool          // the short form, for machines with other load: times are printed, and fail no check
}

// patient returns a time limit: the given one, or twice that in the short form of the test (--brief).
func (o *options) patient(limit time.Duration) time.Duration {
	if o.brief {
		return 2 * limit
	}
	return limit
}

// anywhere returns a distance in units that is added to those from a player's expected position: in the short form of the test (--brief)
// one between any two points of an area, otherwise 0.
func (o *options) anywhere() float32 {
	if o.brief {
		return 2 * areaRadius
	}
	return 0
}

func main() {
	o, err := parseFlags(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e-cluster:", err)
		os.Exit(2)
	}
	if slices.Contains(o.only, diskFault) {
		if err := enterNamespace(); err != nil {
			fmt.Printf("e2e-cluster: the fault %s is left out, because this machine lets the test mount no file system: %v\n", diskFault, err)
			o.only = slices.DeleteFunc(o.only, func(name string) bool { return name == diskFault })
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	r := &results{Report: report.Report{MaxErrors: 8}}
	if o.broken {
		runBroken(ctx, o, r)
	} else {
		run(ctx, o, r)
	}
	stop()
	os.Exit(r.Finish("e2e-cluster"))
}

func parseFlags(args []string) (o options, err error) {
	f := flag.NewFlagSet("cluster", flag.ContinueOnError)
	f.StringVar(&o.server, "server", "bin/truestep", "the program under test")
	f.BoolVar(&o.brief, "brief", false, "kill -9 and SIGSTOP once each, in about a minute, beside few clients, on a machine that may be busy: no duration fails a check")
	f.BoolVar(&o.broken, "broken", false, "play clusters of programs with errors that the checker must find, with the clients and times of --brief, in place of faults")
	f.IntVar(&o.rounds, "rounds", 0, "how often every fault happens; 0: 5, or 1 with --brief")
	clients := f.String("clients", "", "numbers of RealmCrafter, RuneScape, Bedrock and web clients; empty: 40,40,40,40, or 4,3,3,6 with --brief")
	f.IntVar(&o.areas, "areas", minAreas, fmt.Sprintf("number of areas of the world, from %d to %d", minAreas, maxAreas))
	only := f.String("only", "", "names of the faults to inject, separated by commas, or with --broken the name of one error; empty: all, or with --brief "+strings.Join(briefFaults, ","))
	f.Uint64Var(&o.seed, "seed", 1, "seed of the random actions of clients")
	f.StringVar(&o.keep, "keep", "", "folder of data and logs that is not removed afterwards")
	f.StringVar(&o.history, "history", "", "file to which what clients were shown is written, for e2e/cluster/check; compressed if it ends with .gz. Not with --broken")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if o.broken && o.history != "" {
		return o, errors.New("--history: --broken plays several clusters, each with a history of its own; leave out one of the two")
	}
	o.brief = o.brief || o.broken
	rounds, numbers, names := 5, "40,40,40,40", slices.Clone(roundFaults)
	o.play, o.after, o.frozen, o.trips, o.talks, o.webs, o.lines, o.points, o.blows, o.petEvery, o.company, o.members = 4*time.Second, 8*time.Second, 10*time.Second, 10*time.Second, 3*time.Second, nodeCount, 100, 1, 100, 4, 10, 1 // the players of a party meet rarely
	if o.brief {
		rounds, numbers, names = 1, "4,3,3,6", briefFaults
		o.play, o.after, o.frozen, o.trips, o.talks, o.webs, o.lines, o.points, o.blows, o.petEvery, o.company, o.members = 4*time.Second, 4*time.Second, 5*time.Second, 4*time.Second, 1500*time.Millisecond, 1, 20, 0, 0, 1, 1, 0 // one web client in each area: none to compare blows with; few stays that are longer than the margin
	}
	if o.rounds == 0 {
		o.rounds = rounds
	}
	if *clients == "" {
		*clients = numbers
	}
	parts := strings.Split(*clients, ",")
	if len(parts) != len(o.clients) {
		return o, fmt.Errorf("--clients %s: write the numbers of RealmCrafter, RuneScape, Bedrock and web clients, separated by commas, such as 10,10,5,12", *clients)
	}
	for i, s := range parts {
		if o.clients[i], err = strconv.Atoi(s); err != nil || o.clients[i] < nodeCount || o.clients[i] > 1000 {
			return o, fmt.Errorf("--clients %s: each of the four numbers of clients must be from %d to 1000, such as 10,10,5,12", *clients, nodeCount)
		}
	}
	players := o.clients[0] + o.clients[1] + o.clients[2] + o.clients[3]
	o.talks = max(o.talks, time.Duration(players)*time.Second/maxLines)
	if o.areas < minAreas || o.areas > maxAreas {
		return o, fmt.Errorf("--areas %d: write a number of areas from %d to %d", o.areas, minAreas, maxAreas)
	}
	if o.clients[0] < o.areas {
		return o, fmt.Errorf("--clients %s: there must be a RealmCrafter client for each of the %d areas", *clients, o.areas)
	}
	if o.clients[3] < o.areas*o.webs {
		return o, fmt.Errorf("--clients %s: there must be %d web clients for each of the %d areas", *clients, o.webs, o.areas)
	}
	if o.rounds < 0 {
		return o, fmt.Errorf("--rounds %d: write the number of rounds, 0 or more", o.rounds)
	}
	if o.only = names; *only != "" {
		o.only = strings.Split(*only, ",")
	}
	if o.broken {
		return o, checkFlawNames(*only)
	}
	for _, name := range o.only {
		if faults[name] == nil {
			return o, fmt.Errorf("--only %s: no such fault; there are %s", name, strings.Join(slices.Sorted(maps.Keys(faults)), ", "))
		}
	}
	if _, err := os.Stat(o.server); err != nil {
		return o, fmt.Errorf("--server %s: %w; run make build to create bin/truestep", o.server, errors.Unwrap(err))
	}
	return o, nil
}
