//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/truestep-io/truestep/bench/mutations/overlay"
	"github.com/truestep-io/truestep/e2e/cluster/checker"
	"github.com/truestep-io/truestep/e2e/report"
)

// flaw is an error that is put into the program, so that the checker has something to find in a real cluster.
type flaw struct {
	name     string
	edits    []overlay.Edit
	found    []string            // the checker must report an error with each of these texts; none: it must report none
	play     func(t *test) error // plays a fault after which clients are shown what the flaw has caused
	keepsAll bool                // players drop no items: nodes keep the record of a character in memory while its items are on the ground
}

// flaws are errors that the design of the cluster excludes. The last entry is the program as it is, in the longest of the faults.
var flaws = []flaw{
	{
		name:  "no fencing",
		edits: overlay.Named("no fencing: neither do leaders refuse dead incarnations, nor do these end their sessions"),
		found: []string{"is in the world through two connections", "is in the world twice: "}, // web clients; the others
		play:  func(t *test) error { return t.inject("no fencing", freezeNode(1)) },
	},
	{
		name: "transfers without idempotence",
		edits: append([]overlay.Edit{ // an arrival is confirmed only when it is sent again, after 6 s; by then the player may have left
			{File: "cluster/group.go", Old: "resendEvery   = 300 * time.Millisecond", New: "resendEvery   = 6 * time.Second"},
			{File: "cluster/crossing.go", Old: "			told = in.Join.From\n			g.sendSettlement(told)\n", New: "			told = in.Join.From\n"},
		}, overlay.Named("arrivals are not idempotent")...),
		found: []string{"areas at once"},
		play: func(t *test) error {
			wait(t.ctx, crossTime)
			t.settle("transfers without idempotence")
			return nil
		},
	},
	{
		name: "lost intents and ticks",
		edits: []overlay.Edit{ // each tenth line of a client is lost, and at its start each node forgets the last three seconds of its logs
			{File: "cluster/chunk.go", Old: "	intents := g.host.World.Drain(g.area, nil, newRound)\n", New: "	var intents []sim.Intent\n	for _, in := range g.host.World.Drain(g.area, nil, newRound) {\n		if in.Kind != sim.IntentChat || in.Text[len(in.Text)-1] != '9' {\n			intents = append(intents, in)\n		}\n	}\n"},
			{File: "cluster/raftlog/log.go", Old: "	l.file, l.number, l.mark = f, number,", New: "	c.entries = c.entries[:max(0, len(c.entries)-60)]\n	l.file, l.number, l.mark = f, number,"},
		},
		found: []string{"which it had sent", "ticks were lost"},
		play:  func(t *test) error { return t.inject("lost intents and ticks", faults["kill-all"]) },
	},
	{
		name: "doubled stacks and late transfers",
		edits: []overlay.Edit{ // every other stack that is picked up stays on the ground, too, and each player is sent to the next area only after 5 s
			{File: "sim/items.go", Old: "	a.ground = slices.Delete(a.ground, i, i+1)\n}\n\n// expireGround", New: "	if who == 0 || a.ground[i].Stack.Amount%2 != 0 {\n		a.ground = slices.Delete(a.ground, i, i+1)\n	}\n}\n\n// expireGround"},
			{File: "cluster/crossing.go", Old: "		g.sendArrival(e.To, e.Who, e.Join)\n", New: ""},
			{File: "cluster/lead.go", Old: "l.resendAt = now.Add(resendEvery)", New: "l.resendAt = now.Add(5 * time.Second)"},
		},
		found: []string{"pieces was shown at two places", "in any area for"},
		play: func(t *test) error {
			wait(t.ctx, crossTime)
			return nil
		},
	},
	{
		name: "company left behind",
		edits: []overlay.Edit{ // a mount stays in the area that its rider leaves, and comes along, too; a party does not come along
			{File: "sim/travel.go", Old: "		a.stopRiding(x)\n		a.removeNPC(mount)\n", New: "		a.stopRiding(x)\n"},
			{File: "sim/travel.go", Old: "j.Frozen = record, x.party, a.health(x)", New: "j.Frozen = record, 0, a.health(x)"},
		},
		found: []string{"pets in tick", "animals of the kind " + horse, "was not shown its party"},
		play: func(t *test) error {
			wait(t.ctx, crossTime)
			t.settle("company left behind")
			return nil
		},
	},
	{
		name: "records without epoch",
		edits: []overlay.Edit{ // both: without the epoch alone the versions of records still protect them, and nothing is found
			{File: "cluster/host.go", Old: "	return term, term != 0 && (missed <= g.savedTick.Load() || missed <= g.givenUp.Load())\n", New: "	_, _ = term, missed\n	return 1, true\n"},
			{File: "store/postgres/save.go", Old: "notNewer = ` AND c.version <= u.version`", New: "notNewer = ``"},
		},
		found:    []string{"experience points"},
		keepsAll: true,
		play:     (*test).saveLate,
	},
	{name: "nothing in a sound program", keepsAll: true, play: (*test).saveLate},
}

const (
	crossTime = 15 * time.Second // time in which players cross portals
	lateTime  = 12 * time.Second // every player's state is emitted at least once in this time; see save_every in world.toml
	storeTime = 10 * time.Second // a node that failed to store records tries again within this time
)

// runBroken builds the program with each flaw in turn, and finally without a flaw. It runs a cluster with each of these programs, and
// checks that the checker finds the flaw.
func runBroken(ctx context.Context, o options, r *results) {
	for i := range flaws {
		f, each := &flaws[i], o
		if !slices.Contains(o.only, f.name) && !slices.Equal(o.only, briefFaults) {
			continue
		}
		if o.keep != "" {
			each.keep = filepath.Join(o.keep, strings.ReplaceAll(f.name, " ", "-"))
		}
		began := time.Now()
		r.Check("the checker finds "+f.name, f.playIn(ctx, each))
		fmt.Printf("%s: %v\n", f.name, time.Since(began).Round(time.Second))
	}
}

// checkFlawNames returns an error if no flaw has the name; "" stands for all.
func checkFlawNames(name string) error {
	var names []string
	for i := range flaws {
		names = append(names, flaws[i].name)
	}
	if name == "" || slices.Contains(names, name) {
		return nil
	}
	return fmt.Errorf("--only %s: --broken has no such error; there are %s", name, strings.Join(names, ", "))
}

// playIn plays a cluster with the flaw. It returns an error unless the checker finds the flaw.
func (f *flaw) playIn(ctx context.Context, o options) error {
	folder, err := o.makeFolder()
	if err != nil {
		return err
	}
	if o.keep == "" {
		defer os.RemoveAll(folder)
	}
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	file, err := overlay.Write(root, folder, f.edits)
	if err != nil {
		return err
	}
	o.server, o.keepsAll = filepath.Join(folder, "truestep-broken"), f.keepsAll
	if f.keepsAll {
		o.clients[0] = 3 * nodeCount // more players, so that more of them win fights
	}
	if err := build(ctx, "-o", o.server, "-overlay", file); err != nil {
		return err
	}
	fmt.Printf("--- %s: other checks of this cluster may fail\n", f.name)
	t := newTest(ctx, o, &results{Report: report.Report{MaxErrors: 2}})
	defer t.close()
	err = t.playAll(folder, func() error { return f.play(t) })
	errs := t.history.Check()
	fmt.Printf("--- the checker reports %d errors:\n", len(errs))
	for _, err := range errs[:min(len(errs), 5)] {
		fmt.Println("   ", err)
	}
	if len(f.found) == 0 {
		return errors.Join(append(errs, err)...)
	}
	var missed []error
	for _, text := range f.found {
		if !slices.ContainsFunc(errs, func(err error) bool { return strings.Contains(err.Error(), text) }) {
			missed = append(missed, fmt.Errorf("the checker did not report the error that was put into the program: want a report with the text %q", text))
		}
	}
	if len(missed) > 0 {
		return errors.Join(append(missed, err)...)
	}
	return nil
}

// saveLate makes a node that was stopped and cut off store records that the other nodes have replaced meanwhile. Then players log in
// and receive these records. While PostgreSQL is down, all nodes collect records that they have to store.
func (t *test) saveLate() error {
	late := t.cluster.nodes[1]
	victims := t.clientsOf(late)
	before := t.remember(victims)
	wait(t.ctx, t.play+t.after)
	t.postgres.Kill()
	wait(t.ctx, lateTime)
	began := time.Now()
	late.alive.Store(false)
	err := late.Signal(syscall.SIGSTOP)
	for _, r := range late.links() {
		r.cut()
	}
	for _, p := range victims {
		p.base().setPresent(false)
		p.cut()
	}
	if err = errors.Join(err, t.postgres.Launch()); err != nil {
		return err
	}
	t.comeBack(victims, before, began)
	for _, p := range victims {
		if list := p.base().node.live.Load().Bodies(p.base().name); len(list) == 1 {
			t.compareParty(p, before[p.base().name], list[0].ID)
		}
	}
	wait(t.ctx, lateTime) // in this time players gain experience
	var all sync.WaitGroup
	var left []player
	for _, p := range t.players {
		if leave := p.logout(); leave != nil && p.playing() == nil {
			left = append(left, p)
			all.Go(func() {
				p.base().setPresent(false)
				t.setParty(p, checker.PartyUnknown)
				leave()
			})
		}
	}
	all.Wait()
	wait(t.ctx, storeTime/2) // in this time the last records of the players who left are stored
	if err := late.Signal(syscall.SIGCONT); err != nil {
		return err
	}
	wait(t.ctx, storeTime) // in this time the resumed node stores its records
	for _, err := range t.joinAll(left, joinSpread) {
		if err != nil {
			fmt.Println("   ", err)
		}
	}
	for _, p := range left {
		t.setParty(p, "") // a logout ends the membership
	}
	t.settle("records without epoch")
	for _, r := range late.links() {
		r.mend()
	}
	return nil
}
