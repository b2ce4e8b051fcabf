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
	"time"

	"github.com/truestep-io/truestep/e2e/cluster/checker"
	"github.com/truestep-io/truestep/e2e/truth"
	"github.com/truestep-io/truestep/internal/pgtest"
)

const (
	joinLimit   = 30 * time.Second        // maximum time until a client is in the world
	joinSpread  = 1500 * time.Millisecond // duration over which the logins of the clients are spread
	homeLimit   = 25 * time.Second        // maximum time until players with a home (common.home) are in their home area
	framesLimit = 15 * time.Second        // maximum time until a node that has come back shows the world
	lineMargin  = 3 * time.Second         // parameter margin of checker.New; twice this in the short form
	settleTime  = time.Second             // usual time until all clients and nodes have received what was sent before
	countLimit  = 10 * time.Second        // maximum time after settleTime until all clients have received it, on a busy machine
	polls       = 50 * time.Millisecond   // interval of polling

	countAttempts = 3 // how often settle tries to count the items
)

// test is one run of the cluster test: its options, the nodes, the clients and what was measured.
type test struct {
	options
	*results
	ctx      context.Context
	postgres *pgtest.Server
	cluster  *cluster
	crowd    *crowd
	players  []player
	history  *checker.History
	margin   time.Duration // margin of history
	watcher  *watcher
	programs programs     // programs for the fault upgrade; built if that fault is to be injected
	moves    int          // number of calls of moveArea
	kills    int          // number of calls of killNext
	under    []underFault // in the order of the first faults of the kinds
	moved    int          // number of disconnected clients whose characters had changed areas after the last frame that they were shown
	movedWeb int          // number of web clients among them
	parties  int          // number of calls of formParties
	counted  bool         // the items were counted

	predictions int // how often the corrections of a client that predicts were compared with those before
	corrected   int // how often there were more
	first       checker.Census
}

// run plays all rounds of the test with their faults, adds the results to r, and prints the measured times.
func run(ctx context.Context, o options, r *results) {
	folder, err := o.makeFolder()
	if err != nil {
		r.Check("folder", err)
		return
	}
	if o.keep == "" {
		defer os.RemoveAll(folder)
	}
	t := newTest(ctx, o, r)
	defer t.close()
	if o.history != "" {
		end, err := t.recordHistory(o.history)
		if err != nil {
			r.Check("the file of --history", err)
			return
		}
		defer func() { r.Check("the file of --history is complete", end()) }()
	}
	if err := t.playAll(folder, t.injectAll); err != nil {
		r.Check("run", err)
	}
	r.printFigures()
}

func newTest(ctx context.Context, o options, r *results) *test {
	margin := lineMargin
	if !o.broken {
		margin = o.patient(margin)
	}
	return &test{options: o, results: r, ctx: ctx, margin: margin, history: checker.New(margin)}
}

// makeFolder creates a folder for the data and the world file.
func (o *options) makeFolder() (folder string, err error) {
	if folder = o.keep; folder == "" {
		folder, err = os.MkdirTemp("", "e2e-cluster-")
	} else {
		err = os.MkdirAll(folder, 0o700)
	}
	if err != nil {
		return "", err
	}
	text, err := worldText(o.areas)
	if err != nil {
		return "", err
	}
	return folder, os.WriteFile(filepath.Join(folder, "world.toml"), text, 0o600)
}

// close ends everything that the test has started.
func (t *test) close() {
	if t.cluster != nil {
		for _, n := range t.cluster.nodes {
			n.kill()
			n.live.Load().Close()
			for _, r := range n.links() {
				r.close()
			}
		}
	}
	if t.postgres != nil {
		t.postgres.Kill() // nothing to clean up: the folder of PostgreSQL is removed when this process ends
	}
}

// playAll starts the cluster, logs in the clients, and calls the function with the faults. It returns an error only if the test cannot
// continue.
func (t *test) playAll(folder string, faults func() error) (err error) {
	if t.postgres, err = pgtest.Start(); err != nil {
		return err
	}
	if t.cluster, err = newCluster(t.server, folder, t.postgres.URL("postgres"), t.areas); err != nil {
		return err
	}
	if slices.Contains(t.only, diskFault) {
		if err := mountSmallDisk(t.cluster.nodes[1]); err != nil {
			return err
		}
	}
	if slices.Contains(t.only, "upgrade") {
		if t.programs, err = buildPrograms(t.ctx, folder); err != nil {
			return err
		}
	}
	if err := t.startAll(); err != nil {
		return err
	}
	world, err := truth.ReadWorld(t.ctx, &t.cluster.nodes[0].Server, t.areas)
	if err != nil {
		return err
	}
	t.crowd = &crowd{world: world, seed: t.seed, history: t.history, tripPause: t.trips, talkPause: t.talks, keepsAll: t.keepsAll}
	t.makePlayers()
	t.watcher = newWatcher(t)
	watching, end := context.WithCancel(t.ctx)
	var tasks sync.WaitGroup
	tasks.Go(func() { t.watcher.run(watching) })
	defer tasks.Wait()
	defer end()
	t.crowd.holding.Store(true)
	t.Check("first login", t.joinFirst()...)
	t.formParties("at the beginning")
	t.settle("at the beginning")
	t.crowd.holding.Store(false)
	t.Check("the clients that stay in an area are there", t.awaitHome()...)
	return faults()
}

// injectAll injects the faults of all rounds, and checks the history.
func (t *test) injectAll() error {
	for i := range t.rounds {
		if i > 0 {
			t.formParties(fmt.Sprintf("round %d", i+1))
		}
		for _, name := range t.only {
			if name == beginFault {
				continue // it comes last
			}
			if err := faults[name].inject(t, fmt.Sprintf("round %d, %s", i+1, name)); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	t.finish()
	if slices.Contains(t.only, beginFault) {
		if err := t.beginAnew(beginFault); err != nil {
			return fmt.Errorf("%s: %w", beginFault, err)
		}
	}
	return nil
}

// startAll starts all nodes at the same time.
func (t *test) startAll() error {
	errs := make([]error, nodeCount)
	var all sync.WaitGroup
	for i, n := range t.cluster.nodes {
		all.Go(func() { errs[i] = t.startNode(n) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// startNode starts a node, with further arguments, and waits until its live map shows all areas advancing.
func (t *test) startNode(n *node, args ...string) error {
	if err := n.start(t.ctx, args...); err != nil {
		return err
	}
	n.watch(t.ctx)
	return n.awaitFrames(t.ctx, t.patient(framesLimit))
}

func (t *test) makePlayers() {
	base := func(prefix string, door, i int) common {
		n := t.cluster.nodes[i%nodeCount]
		return common{crowd: t.crowd, name: fmt.Sprintf("%s%04d", prefix, i), index: i, seed: t.seed<<32 + uint64(door)<<16 + uint64(i) + 1, first: n, node: n}
	}
	areas := t.crowd.world.Areas
	for i := range t.clients[0] {
		p := &rccePlayer{common: base("Rc", 0, i)}
		if i < t.areas { // one RealmCrafter client stays in each area, so that its items on the ground always have an observer
			p.home = &areas[i]
		}
		t.players = append(t.players, p)
	}
	for i := range t.clients[1] {
		t.players = append(t.players, &rsPlayer{common: base("Rs", 1, i)})
	}
	for i := range t.clients[2] {
		t.players = append(t.players, &bedrockPlayer{common: base("Be", 2, i)})
	}
	for i := range t.clients[3] {
		p := &webPlayer{common: base("We", 3, i), ws: i%2 == 0 || t.brief}
		if i < t.areas*t.webs {
			p.home = &areas[i/t.webs]
		}
		t.players = append(t.players, p)
	}
}

// joinAll logs in clients, each through its node. It returns an error for each client whose login fails.
func (t *test) joinAll(players []player, spread time.Duration) []error {
	ctx, cancel := context.WithTimeout(t.ctx, t.patient(joinLimit))
	defer cancel()
	errs := make([]error, len(players))
	var all sync.WaitGroup
	for i, p := range players {
		all.Go(func() {
			wait(ctx, spread*time.Duration(i)/time.Duration(len(players)))
			if err := p.join(ctx, p.base().node); err != nil {
				errs[i] = fmt.Errorf("login of %s through node %s: %w", p.base().name, p.base().node.name, err)
				return
			}
			p.base().setPresent(true)
		})
	}
	all.Wait()
	return errs
}

// awaitHome waits until all players that must stay in one area, their home, are there. It returns an error for each that is not.
func (t *test) awaitHome() (errs []error) {
	for end := time.Now().Add(t.patient(homeLimit)); ; wait(t.ctx, polls) {
		errs = errs[:0]
		for _, p := range t.players {
			if b, s := p.base(), p.shown(); b.home != nil && s.area != b.home {
				errs = append(errs, fmt.Errorf("player %s did not reach the area %s in time: the test needs this player to stay there", b.name, b.home.Name))
			}
		}
		if len(errs) == 0 || time.Now().After(end) || t.ctx.Err() != nil {
			return errs
		}
	}
}

// settle lets all players stand still, checks that every node shows each player once and in the same area, and counts the items.
// The parameter name is the prefix of the check's name.
func (t *test) settle(name string) {
	defer t.crowd.holding.Store(false)
	for range countAttempts {
		if t.counted { // before the first count no items are on the ground
			t.awaitObservers()
		}
		t.crowd.holding.Store(true)
		wait(t.ctx, settleTime)
		t.Check(name+": every node shows each player once, in the same area", t.agree()...)
		if t.count(name) {
			return
		}
		t.crowd.holding.Store(false)
	}
	t.Check(name+": items are counted", fmt.Errorf("in %d attempts there was no RealmCrafter client in each area, as is needed to see all items on the ground", countAttempts))
}

// count records the items in the history. On a busy machine clients may not have received the last changes yet. So count first waits, for
// at most countLimit, until there are as many items as in the first count and no stack is in two places. If no RealmCrafter client was in
// some area, its items on the ground are unknown: then count records nothing and returns false.
func (t *test) count(name string) bool {
	for end := time.Now().Add(t.patient(countLimit)); ; wait(t.ctx, polls) {
		c := t.census(name)
		switch {
		case t.counted && len(t.unobserved()) > 0:
			return false
		case !t.counted:
			t.counted, t.first = true, c
		case !time.Now().After(end) && t.ctx.Err() == nil && !agrees(t.first, c):
			continue
		}
		t.history.RecordCensus(c)
		return true
	}
}

// agrees reports whether two counts have the same items, without lost or duplicated ones.
func agrees(a, b checker.Census) bool {
	h := checker.New(0)
	h.RecordCensus(a)
	h.RecordCensus(b)
	return len(h.Check()) == 0
}

// unobserved returns the areas in which no RealmCrafter client is.
func (t *test) unobserved() (list []string) {
	there := map[*truth.Area]bool{}
	for _, p := range t.players {
		if _, ok := p.(*rccePlayer); ok && p.playing() == nil {
			there[p.shown().area] = true
		}
	}
	for i := range t.crowd.world.Areas {
		if a := &t.crowd.world.Areas[i]; !there[a] {
			list = append(list, a.Name)
		}
	}
	return list
}

// awaitObservers waits up to homeLimit until a RealmCrafter client is in each area. The players whose home is such an area may have
// died and be on the way back.
func (t *test) awaitObservers() {
	for end := time.Now().Add(t.patient(homeLimit)); len(t.unobserved()) > 0 && time.Now().Before(end) && t.ctx.Err() == nil; {
		wait(t.ctx, polls)
	}
}

// agree waits until all living nodes show each player once, as the same entity in the same area. It returns an error for each player
// about which the nodes still differ after five seconds.
func (t *test) agree() (errs []error) {
	for end := time.Now().Add(t.patient(5 * time.Second)); ; wait(t.ctx, polls) {
		errs = errs[:0]
		first := map[string]truth.Body{}
		for _, n := range t.cluster.nodes {
			if !n.alive.Load() {
				continue
			}
			for _, p := range t.players {
				name := p.base().name
				list := n.live.Load().Bodies(name)
				if len(list) != 1 {
					errs = append(errs, fmt.Errorf("the live map of node %s shows player %s %d times, want once", n.name, name, len(list)))
					continue
				}
				was, ok := first[name]
				if !ok {
					first[name] = list[0]
				} else if was.ID != list[0].ID || was.Area != list[0].Area {
					errs = append(errs, fmt.Errorf("node %s shows %s as entity %d in area %d, another node as entity %d in area %d", n.name, name, list[0].ID, list[0].Area, was.ID, was.Area))
				}
			}
		}
		if len(errs) == 0 || time.Now().After(end) || t.ctx.Err() != nil {
			return errs
		}
	}
}

// census lists all stacks of items that RealmCrafter clients are shown in their inventory and on the ground.
func (t *test) census(label string) checker.Census {
	c := checker.Census{Label: label, Animals: t.animals()}
	seen := map[uint32]bool{}
	for _, p := range t.players {
		if p, ok := p.(*rccePlayer); ok {
			g := p.goods()
			for _, amount := range g.slots {
				c.ItemStacks = append(c.ItemStacks, checker.ItemStack{Where: p.name, Item: "Token", Amount: amount, Common: amount == kitAmount})
			}
			for handle, amount := range g.ground {
				if !seen[handle] {
					seen[handle] = true
					c.ItemStacks = append(c.ItemStacks, checker.ItemStack{Where: fmt.Sprintf("the ground, handle %d, as %s is shown", handle, p.name), Item: "Token", Amount: amount})
				}
			}
		}
	}
	return c
}

// finish checks the history of the whole run, and that enough area changes, experience, trade and chat happened in it.
func (t *test) finish() {
	for _, p := range t.players {
		p.base().setPresent(false)
	}
	t.Check("the history is written", t.history.Stop()) // what follows is not part of it
	t.Check("no line is lost, doubled or out of order, no character is in two places, no experience, item, blow, party, mount or pet is lost or doubled", t.history.Check()...)
	for _, n := range t.cluster.nodes {
		steps, err := n.verifyTape()
		t.Check("the ticks on the tape of each node give the recorded states", err)
		fmt.Printf("in all: tape of node %s: %s\n", n.name, steps)
	}
	compared, errs := t.compareTapes()
	t.Check("the tapes of all nodes have the same states", errs...)
	fmt.Printf("in all: %d states on a tape compared with those of another node\n", compared)
	for _, what := range t.names {
		if strings.HasPrefix(what, longestGap) && len(t.figures[what]) == 0 && !t.brief {
			t.Check(what, errors.New("no web client was connected to a node that still ran, so no gap was measured"))
		}
	}
	t.checkMedians()
	points, trades := 0, 0
	for _, p := range t.players {
		if p, ok := p.(*rccePlayer); ok {
			g := p.goods()
			points, trades = points+g.points, trades+g.trades
		}
	}
	w := t.watcher
	w.mu.Lock()
	deaths := w.deaths
	w.mu.Unlock()
	var doors []string
	for _, door := range []string{"RealmCrafter", "RuneScape", "Bedrock", webDoor} {
		doors = append(doors, fmt.Sprintf("%s %d", door, w.crossingsOf(t.travellers(door))))
	}
	crossings, webs := w.crossingsOf(t.players), t.travellers(webDoor)
	if len(webs) > 0 {
		t.checkCrossed()
	}
	heard, own := t.history.Lines()
	fmt.Printf("in all: %d crossings (of clients that stay in no area: %s), %d deaths, %d experience points, %d items picked up or dropped, %d chat lines that a further client had to be shown, %d that the client of their speaker had to be shown\n", crossings, strings.Join(doors, ", "), deaths, points, trades, heard, own)
	t.finishCompany()
	fmt.Printf("in all: %d frames of web clients compared with earlier ones, and %d updates of other clients with those of their other connections; %d moves of stacks of items; %d places of players compared at two nodes; %d times a client that predicts was compared, of %d such clients, and %d of them corrected\n", t.history.Frames(), t.history.Updates(), t.history.StackMoves(), t.history.Places(), t.predictions, len(t.corrections(t.players)), t.corrected)
	blows, damage := t.history.Blows()
	fmt.Printf("in all: %d blows that a further client had to be shown, %d points of damage compared with the health of players\n", blows, damage)
	for _, c := range []struct {
		n, least int
		what     string
	}{{crossings, 10, "crossings"}, {w.crossingsOf(webs), len(webs), "crossings of travelling web clients"}, {points, t.points, "experience points"}, {trades, 5, "items picked up or dropped"}, {heard, t.lines, "chat lines that a further client had to be shown"}, {own, t.lines, "chat lines that the client of their speaker had to be shown"}, {blows, t.blows, "blows that a further client had to be shown"}, {t.history.Places(), len(t.players), "places of players compared at two nodes"}} {
		var err error
		if c.n < c.least {
			err = fmt.Errorf("the run has only %d %s, want at least %d", c.n, c.what, c.least)
		}
		t.Check("the run has "+c.what, err)
	}
}

// clientsOf returns the players whose clients are connected to one of the nodes.
func (t *test) clientsOf(nodes ...*node) (list []player) {
	for _, p := range t.players {
		if slices.Contains(nodes, p.base().node) {
			list = append(list, p)
		}
	}
	return list
}

// wait waits for a time or until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
