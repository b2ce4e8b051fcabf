package cluster

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/cluster/replica"
	"github.com/truestep-io/truestep/internal/simdisk"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// fields returns a world of some areas with cows.
func fields(areas int) *sim.World {
	beast := sim.Template{ID: 1, Race: "Cow", Radius: 1}
	beast.Attr[0], beast.Attr[1] = combat.Attribute{Value: 100, Max: 100}, combat.Attribute{Value: 100, Max: 100}
	human := beast
	human.ID, human.Race, human.Playable = 2, "Human", true
	w := &sim.World{
		Name: "fields", TicksPerSecond: 20,
		Roles: combat.AttributeRoles{Health: 0, Speed: 1, Strength: 1, Energy: -1, Breath: -1, Toughness: -1},
		Rules: sim.Rules{
			Combat: combat.DefaultRules(), Claim: move.OriginalClaimPolicy(), Step: move.Euclidean,
			RespawnArea: sim.NoArea, RespawnPortal: -1, RespawnDelayMS: 2000, RespawnHealth: 50,
			PortalLockMS: 35_000, SaveEveryMS: 30_000, MaxActors: 1000,
			Linger: sim.LingerRules{MS: 20_000, CombatMS: 60_000, RestartMS: 20_000},
		},
		Templates:     []sim.Template{beast, human},
		NewCharacters: sim.NewCharacterRules{Pet: sim.NoTemplate},
	}
	for i := range areas {
		w.Areas = append(w.Areas, sim.AreaDef{
			Name:      fmt.Sprint("Field ", i),
			Waypoints: []sim.Waypoint{{Used: true, NextA: -1, NextB: -1, Prev: -1}},
			Spawns:    []sim.Spawn{{Template: 1, Size: 50, Range: 40, Max: 3, PeriodMS: 100}},
		})
	}
	return w
}

// disk is the file of a replica, as it survives the end of its process.
type disk struct {
	mu       sync.Mutex
	state    replica.State
	snapshot replica.Snapshot
	entries  []replica.Entry
	lost     bool            // the content of the disk is lost
	stalled  <-chan struct{} // Write waits until it is closed; nil for no stall
	full     bool            // the disk is full: every write fails
}

func (d *disk) wait() {
	d.mu.Lock()
	stalled := d.stalled
	d.mu.Unlock()
	if stalled != nil {
		<-stalled
	}
}

func (d *disk) Write(state *replica.State, entries []replica.Entry) error {
	d.wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.full {
		return simdisk.ErrFull
	}
	if state != nil {
		d.state = *state
	}
	for _, e := range entries {
		first := d.snapshot.Index + 1
		d.entries = append(d.entries[:e.Index-first], e)
	}
	return nil
}

func (d *disk) MarkComplete() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lost = false
	return nil
}

func (d *disk) Rotate(s replica.Snapshot, state replica.State, rest []replica.Entry) error {
	d.wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.full {
		return simdisk.ErrFull
	}
	d.snapshot, d.state, d.entries = s, state, slices.Clone(rest)
	return nil
}

// cluster is a cluster in one process.
type cluster struct {
	t     *testing.T
	def   *sim.World
	nodes []*node // nodes[i] is the node with number i; nodes[0] is nil
	rand  *rand.Rand
	log   *slog.Logger
	set   func(*Host) // changes the configuration of each host before its start; nil for no change

	mu      sync.Mutex
	cut     map[[2]uint64]bool // pairs whose link is cut
	deaf    uint64             // number of a node that receives no messages although its links are up
	hashes  map[areaTick]uint64
	flipped uint64                    // number of the node whose state the test has changed, so its frames differ; 0 for none
	heard   map[string]map[string]int // by text of chat: how often each node has heard it, by node and run

	drops func(from, to uint64, kind byte, body []byte) bool // reports whether a message is lost; nil for none; set before the nodes start

	unsaved atomic.Bool  // no records are stored, because the database is away
	offset  atomic.Int64 // what each node measures as the clock of every other one minus its own, in ms
}

type areaTick struct {
	area sim.AreaID
	tick sim.Tick
}

// node is a node of the cluster.
type node struct {
	c     *cluster
	id    uint64
	disks []*disk

	mu        sync.Mutex
	run       int  // number of starts
	failed    bool // the host's world has ended with the error that the test expects
	host      *Host
	feed      *area.Feed
	read      chan struct{} // closed when the feed is read to its end
	where     map[sim.EntityID]sim.AreaID
	lingering map[sim.EntityID]bool // whether the player lingered in the newest frame that contained it
	fenced    int
	serial    uint64
	stepTime  time.Duration // duration of a step of an area; see slowTape
	seen      map[sim.AreaID]time.Time
	gap       map[sim.AreaID]time.Duration // longest time between two frames of an area
}

func newCluster(t *testing.T, def *sim.World, nodes int, seed uint64) *cluster {
	c := &cluster{t: t, def: def, rand: rand.New(rand.NewPCG(seed, 1)), cut: map[[2]uint64]bool{}, hashes: map[areaTick]uint64{}, heard: map[string]map[string]int{},
		nodes: make([]*node, nodes+1), log: slog.New(logHandler())}
	for i := 1; i <= nodes; i++ {
		n := &node{c: c, id: uint64(i)}
		for range def.Areas {
			n.disks = append(n.disks, &disk{})
		}
		c.nodes[i] = n
	}
	return c
}

func (c *cluster) list() (list []link.Node) {
	for i := range c.nodes[1:] {
		list = append(list, link.Node{ID: uint64(i + 1), Name: fmt.Sprint("n", i+1)})
	}
	return list
}

// links are the links of one run of a node.
type links struct {
	n    *node
	out  map[uint64]chan letter
	stop chan struct{}
}

type letter struct {
	kind byte
	body []byte
	at   time.Time
}

// Send implements Links. Messages between two nodes keep their order. One that is sent while the link is cut is lost.
func (l *links) Send(to uint64, kind byte, body []byte) bool {
	if !l.n.c.connected(l.n.id, to) {
		return false
	}
	if drops := l.n.c.drops; drops != nil && drops(l.n.id, to, kind, body) {
		return true
	}
	select {
	case l.out[to] <- letter{kind, body, time.Now().Add(200 * time.Microsecond)}:
		return true
	default:
		return false
	}
}

func (l *links) OffsetMS(uint64) int64 { return l.n.c.offset.Load() }

func (l *links) carry(to uint64) {
	for {
		select {
		case <-l.stop:
			return
		case m := <-l.out[to]:
			time.Sleep(time.Until(m.at))
			peer := l.n.c.nodes[to]
			peer.mu.Lock()
			host := peer.host
			peer.mu.Unlock()
			if host != nil && l.n.c.connected(l.n.id, to) {
				host.Receive(l.n.id, m.kind, m.body)
			}
		}
	}
}

// connected reports whether both nodes run and their link is not cut.
func (c *cluster) connected(a, b uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.cut[pair(a, b)] && c.deaf != b && c.nodes[a].alive() && c.nodes[b].alive()
}

func pair(a, b uint64) [2]uint64 { return [2]uint64{min(a, b), max(a, b)} }

func (n *node) alive() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.host != nil
}

// start runs a node, which continues from its disks.
func (n *node) start() {
	c := n.c
	l := &links{n: n, out: map[uint64]chan letter{}, stop: make(chan struct{})}
	n.mu.Lock()
	n.run++
	run := n.run
	n.lingering = map[sim.EntityID]bool{}
	n.where, n.seen, n.gap = map[sim.EntityID]sim.AreaID{}, map[sim.AreaID]time.Time{}, map[sim.AreaID]time.Duration{}
	n.serial++
	incarnation := n.serial
	n.mu.Unlock()
	h, err := New(Options{
		World: c.def, Seed: 1, Nodes: c.list(), Self: n.id, Links: l, Incarnation: incarnation,
		Fenced: func() uint64 {
			n.mu.Lock()
			defer n.mu.Unlock()
			n.fenced++
			n.serial++
			return n.serial
		},
		Open: func(a sim.AreaID) (Kept, error) {
			d := n.disks[a]
			d.mu.Lock()
			defer d.mu.Unlock()
			return Kept{d.state, d.snapshot, slices.Clone(d.entries), d, d.lost}, nil
		},
		Area: area.Options{Log: c.log, Tape: func(sim.AreaID) area.Tape { return slowTape{n: n} }},
	})
	if err != nil {
		c.t.Fatal(err)
	}
	if c.set != nil {
		c.set(h)
	}
	for i := range c.nodes[1:] {
		if to := uint64(i + 1); to != n.id {
			l.out[to] = make(chan letter, 1<<14)
		}
	}
	for to := range l.out {
		go l.carry(to)
	}
	feed := h.Subscribe("test", 256, area.All)
	read := make(chan struct{})
	go func() {
		defer close(read)
		for p := range feed.C() {
			n.readFrame(p, run)
			p.Release()
		}
		if n.current() == h { // it was not killed: a server closes its links after its areas have stopped, so what these sent last arrives
			time.Sleep(10 * time.Millisecond)
		}
		close(l.stop)
	}()
	n.mu.Lock()
	n.host, n.feed, n.read = h, feed, read
	n.mu.Unlock()
	h.Start(context.Background())
	go func() { // as the server does
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		for {
			select {
			case <-l.stop:
				return
			case <-ticker.C:
				h.Tell()
			}
		}
	}()
	for _, peer := range c.nodes[1:] {
		if peer != n && c.connected(n.id, peer.id) {
			c.introduce(n, peer)
		}
	}
}

func (c *cluster) introduce(a, b *node) {
	a.mu.Lock()
	x := a.host
	a.mu.Unlock()
	b.mu.Lock()
	y := b.host
	b.mu.Unlock()
	if x != nil && y != nil {
		x.Up(b.id, link.Hello{Node: b.id, Incarnation: y.Incarnation()})
		y.Up(a.id, link.Hello{Node: a.id, Incarnation: x.Incarnation()})
	}
}

// kill ends a node as kill -9 does. Its disks keep their content.
func (n *node) kill() {
	n.mu.Lock()
	h, read := n.host, n.read
	n.host = nil
	failed := n.failed
	n.failed = false
	n.mu.Unlock()
	for _, peer := range n.c.nodes[1:] {
		if peer != n {
			peer.mu.Lock()
			other := peer.host
			peer.mu.Unlock()
			if other != nil {
				other.Down(n.id, nil)
			}
		}
	}
	if err := h.Stop(context.Background()); err != nil && !failed {
		n.c.t.Errorf("node %d: %v", n.id, err)
	}
	<-read
}

// setCut cuts or restores the link of two nodes.
func (c *cluster) setCut(a, b uint64, cut bool) {
	c.mu.Lock()
	before := c.cut[pair(a, b)]
	c.cut[pair(a, b)] = cut
	c.mu.Unlock()
	x, y := c.nodes[a], c.nodes[b]
	switch {
	case cut && !before:
		for _, side := range [][2]*node{{x, y}, {y, x}} {
			side[0].mu.Lock()
			h := side[0].host
			side[0].mu.Unlock()
			if h != nil {
				h.Down(side[1].id, nil)
			}
		}
	case !cut && before:
		c.introduce(x, y)
	}
}

// setFull fills the disks of a node, or frees space on them.
func (n *node) setFull(full bool) {
	for _, k := range n.disks {
		k.mu.Lock()
		k.full = full
		k.mu.Unlock()
	}
}

// stall makes the disks of a node answer only after d, so that its areas stand still.
func (n *node) stall(d time.Duration) {
	ended := make(chan struct{})
	for _, k := range n.disks {
		k.mu.Lock()
		k.stalled = ended
		k.mu.Unlock()
	}
	time.Sleep(d)
	for _, k := range n.disks {
		k.mu.Lock()
		k.stalled = nil
		k.mu.Unlock()
	}
	close(ended)
}

// readFrame compares a frame with that of other nodes for the same tick, and records its chat lines and which players are where.
func (n *node) readFrame(p area.Published, run int) {
	c, f := n.c, p.Frame
	c.mu.Lock()
	at := areaTick{f.Area, f.Tick}
	if have, ok := c.hashes[at]; ok && have != f.Hash && n.id != c.flipped {
		c.t.Errorf("node %d has another state of area %d after tick %d", n.id, f.Area, f.Tick)
	}
	if n.id != c.flipped {
		c.hashes[at] = f.Hash
	}
	for _, e := range f.Events {
		if e.Kind == sim.EventChat {
			if c.heard[e.Text] == nil {
				c.heard[e.Text] = map[string]int{}
			}
			c.heard[e.Text][fmt.Sprint(n.id, "/", run)]++
		}
	}
	c.mu.Unlock()
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.host != nil && !c.unsaved.Load() {
		if _, own := n.host.Owner(f.Area); own {
			n.host.Saved(f.Area, f.Tick)
		}
	}
	now := time.Now()
	if last, ok := n.seen[f.Area]; ok {
		n.gap[f.Area] = max(n.gap[f.Area], now.Sub(last))
	}
	n.seen[f.Area] = now
	if os.Getenv("TRUESTEP_TEST_LOG") != "" {
		for _, e := range f.Events {
			if e.Who.Node() != 0 && e.Kind != sim.EventChat {
				fmt.Fprintln(os.Stderr, now.Format("05.000"), "node", n.id, "area", f.Area, "tick", f.Tick, e.Kind, e.Who, e.Reason, e.To)
			}
			if e.Kind == sim.EventChat {
				fmt.Fprintln(os.Stderr, now.Format("05.000"), "node", n.id, "area", f.Area, "tick", f.Tick, e.Kind, e.Who, e.Text)
			}
		}
	}
	for i := range f.Actors {
		if a := &f.Actors[i]; a.Is(sim.FlagPlayer) {
			n.lingering[a.ID] = a.Is(sim.FlagLingering)
		}
	}
	for _, e := range f.Events {
		switch e.Kind {
		case sim.EventJoined:
			n.where[e.Who] = f.Area
		case sim.EventDeparted, sim.EventLeft:
			if n.where[e.Who] == f.Area {
				delete(n.where, e.Who)
			}
		}
	}
}

// area returns the area in which a node sees a player.
func (n *node) area(who sim.EntityID) (sim.AreaID, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	a, ok := n.where[who]
	return a, ok
}

func (n *node) current() *Host {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.host
}

// player is a client of one incarnation of a node. It says numbered lines, and operators move it between areas.
type player struct {
	n           *node
	who         sim.EntityID
	incarnation uint64
	said        []string
	went        int
}

// enter brings a new player into the world.
func (n *node) enter(c sim.CharacterID, a sim.AreaID) *player {
	n.mu.Lock()
	n.serial++
	h, who := n.host, sim.PlayerID(uint16(n.id), n.serial)
	n.mu.Unlock()
	in := sim.Intent{Kind: sim.IntentJoin, Who: who, AtMS: h.NowMS(), Join: &sim.Join{
		Character: &sim.Character{ID: c, Name: fmt.Sprint("P", c), Template: 2, Level: 1, Attr: n.c.def.Template(2).Attr},
		Portal:    -1, Pos: geom.Vec{X: float32(c)}, Login: true,
	}}
	if err := h.Submit(a, in); err != nil {
		n.c.t.Error(err)
	}
	return &player{n: n, who: who, incarnation: h.Incarnation()}
}

// act says a line, or goes to another area. It does nothing while the player is between two areas or its node is down.
func (p *player) act() {
	h := p.n.current()
	in, ok := p.n.area(p.who)
	if h == nil || !ok || h.Incarnation() != p.incarnation {
		return
	}
	r := p.n.c.rand
	if len(p.n.c.def.Areas) > 1 && r.IntN(4) == 0 && p.heardLast() { // an order overtakes waiting chat lines
		to := sim.AreaID(r.IntN(len(p.n.c.def.Areas)))
		if to != in && h.Submit(in, sim.Intent{Kind: sim.IntentTeleport, Who: p.who, AtMS: h.NowMS(), To: to, Join: &sim.Join{Portal: -1}, Serial: uint32(p.went + 1)}) == nil {
			p.went++
			p.n.mu.Lock()
			delete(p.n.where, p.who) // the player sends no chat line before its arrival
			p.n.mu.Unlock()
		}
		return
	}
	text := fmt.Sprintf("%d-%d", p.who, len(p.said))
	if os.Getenv("TRUESTEP_TEST_LOG") != "" {
		fmt.Fprintln(os.Stderr, time.Now().Format("05.000"), "SAY", text, "in", in)
	}
	if h.Submit(in, sim.Intent{Kind: sim.IntentChat, Who: p.who, AtMS: h.NowMS(), Text: text}) == nil {
		p.said = append(p.said, text)
	}
}

// heardLast reports whether a node has heard the player's last line.
func (p *player) heardLast() bool {
	return len(p.said) == 0 || len(p.n.c.timesHeard(p.said[len(p.said)-1])) > 0
}

// timesHeard returns how often each run of a node has heard a line.
func (c *cluster) timesHeard(text string) map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.heard[text])
}

// hasReached reports whether any node has published the given tick of an area.
func (c *cluster) hasReached(at areaTick) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hashes[at] != 0
}

// characters returns, by running node and by character, the names of the areas that contain the character in the copies of that node.
func (c *cluster) characters() (where map[uint64]map[sim.CharacterID][]string) {
	where = map[uint64]map[sim.CharacterID][]string{}
	for _, n := range c.nodes[1:] {
		h := n.current()
		if h == nil {
			continue
		}
		found := map[sim.CharacterID][]string{}
		for _, g := range h.groups {
			g.request(nil, func() {
				g.state.Players(func(_ sim.EntityID, c sim.CharacterID) { found[c] = append(found[c], g.name) })
			})
		}
		where[n.id] = found
	}
	return where
}

// stopAll ends all nodes.
func (c *cluster) stopAll() {
	for _, n := range c.nodes[1:] {
		if n.alive() {
			n.kill()
		}
	}
	time.Sleep(time.Second) // the links end
}

// leaders returns the number of areas that each node leads.
func (c *cluster) leaders() map[uint64]int {
	leads := map[uint64]int{}
	for _, n := range c.nodes[1:] {
		if h := n.current(); h != nil {
			for _, g := range h.groups {
				if g.term.Load() != 0 {
					leads[n.id]++
				}
			}
		}
	}
	return leads
}

// logHandler handles what nodes log: it discards the lines, or prints them to standard error if TRUESTEP_TEST_LOG is set.
func logHandler() slog.Handler {
	if os.Getenv("TRUESTEP_TEST_LOG") != "" {
		return slog.NewTextHandler(os.Stderr, nil)
	}
	return slog.DiscardHandler
}
