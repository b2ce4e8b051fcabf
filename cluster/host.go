package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/cluster/replica"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Kept is what the file of a replica has, and the file to continue.
type Kept struct {
	State    replica.State
	Snapshot replica.Snapshot
	Entries  []replica.Entry
	File     File

	Incomplete bool // see replica.Config
}

// File stores what a replica must not forget. raftlog.Log implements it.
type File interface {
	// Write appends to the file. It returns when the operating system has the bytes, and, if there is a state, when that survives a
	// loss of power.
	Write(state *replica.State, entries []replica.Entry) error
	// Rotate replaces the file by a new one with a snapshot, the state and the entries after the snapshot.
	Rotate(s replica.Snapshot, state replica.State, rest []replica.Entry) error
	// MarkComplete writes to the file that the replica is no longer Incomplete: a leader has sent it everything that it may have
	// acknowledged before an earlier file, or unsynced parts of it, were lost.
	MarkComplete() error
}

// Links carry messages to other nodes. link.Mesh implements it.
type Links interface {
	// Send passes a message to a node. It never blocks. It returns false if the node cannot be reached.
	Send(to uint64, kind byte, body []byte) bool
	// OffsetMS returns the clock of a node minus the clock of this one.
	OffsetMS(node uint64) int64
}

// Options configures a Host.
type Options struct {
	World *sim.World
	Seed  uint64 // the same on all nodes
	Nodes []link.Node
	Self  uint64 // number of this node

	Links Links
	Open  func(sim.AreaID) (Kept, error) // opens the file of an area

	Incarnation  uint64        // of this node: greater than the serials of all its players before; those of its players from now on follow it
	SuspectAfter time.Duration // a node that cannot be reached for as long is marked as gone; default 3 s

	// Fenced is called when this node was marked as gone. It ends all sessions of the node and returns the next incarnation, which is greater
	// than the serials of all its players.
	Fenced func() uint64

	Area area.Options // Source and Clock are set by New
}

// Host is this node's part of a world on several nodes. It implements area.Host. Its methods are safe for concurrent use.
type Host struct {
	*area.World
	opt    Options
	log    *slog.Logger
	period time.Duration
	groups []*group
	began  time.Time
	baseMS int64 // NowMS at began

	incarnation atomic.Uint64
	fencing     atomic.Bool // the sessions of the last incarnation are being ended
	draining    atomic.Bool
	leaving     atomic.Bool
	metrics     metrics

	mu    sync.Mutex
	peers []peer // by number of the node
	noted map[string]time.Time
	seen  []leadSeen   // who leads each area
	moved []placement  // to which node an operator has moved each area
	told  []LeadChange // newest last
}

// peer is what this node knows of another one.
type peer struct {
	up          bool
	since       time.Time // of up
	incarnation uint64    // of its last hello
	draining    bool
	left        bool    // it stops
	links       uint64  // nodes that it is connected with, by its last news
	behind      []int64 // for each area, ticks by which its copy was behind this node's when it told of it; nil if it has not since up
}

var _ area.Host = (*Host)(nil)

// New returns the host of a node. It steps nothing before Start.
func New(o Options) (*Host, error) {
	if o.SuspectAfter == 0 {
		o.SuspectAfter = 3 * time.Second
	}
	if o.Self == 0 || o.Self > uint64(len(o.Nodes)) || len(o.Nodes) >= sim.MaxNodes {
		return nil, fmt.Errorf("node %d of %d", o.Self, len(o.Nodes))
	}
	now := time.Now()
	h := &Host{
		opt: o, log: o.Area.Log, period: time.Second / time.Duration(o.World.TicksPerSecond),
		began: now, baseMS: now.UnixMilli(), peers: make([]peer, len(o.Nodes)+1), noted: map[string]time.Time{},
		seen: make([]leadSeen, len(o.World.Areas)), moved: make([]placement, len(o.World.Areas)),
	}
	for i := range h.seen {
		h.seen[i].since = now
	}
	if h.log == nil {
		h.log = slog.Default()
	}
	h.incarnation.Store(o.Incarnation)
	for i := range h.peers {
		h.peers[i].since = now
	}
	for i := range o.World.Areas {
		kept, err := o.Open(sim.AreaID(i))
		if err != nil {
			return nil, err
		}
		g, err := newGroup(h, sim.AreaID(i), kept)
		if err != nil {
			return nil, err
		}
		h.groups = append(h.groups, g)
		h.incarnation.Store(max(h.incarnation.Load(), g.origins[o.Self].gone+1, g.origins[o.Self].incarnation+1))
	}
	areas := o.Area
	areas.Source = func(a sim.AreaID) area.Source { return h.groups[a] }
	areas.Clock = h.NowMS
	h.World = area.NewWorld(o.World, areas)
	return h, nil
}

// membersOf returns the nodes in the order in which they are preferred as lead of an area.
func (h *Host) membersOf(a sim.AreaID) []uint64 {
	n := len(h.opt.Nodes)
	list := make([]uint64, n)
	for i := range list {
		list[i] = uint64((int(a)+i)%n) + 1
	}
	return list
}

// NowMS implements area.Host. It is the wall clock of this node at its start, in ms since 1970 UTC, and the time that has passed since then.
func (h *Host) NowMS() int64 { return h.baseMS + time.Since(h.began).Milliseconds() }

// Incarnation returns the number of this node's current incarnation.
func (h *Host) Incarnation() uint64 { return h.incarnation.Load() }

// Serving returns the number of this node's current incarnation, 0 while the sessions of the last one are being ended.
func (h *Host) Serving() uint64 {
	if h.fencing.Load() {
		return 0
	}
	return h.incarnation.Load()
}

// adjustClock changes the times of intents from the clock of their node to that of this one.
func (h *Host) adjustClock(c *chunk) {
	offset, now := h.opt.Links.OffsetMS(c.node), h.NowMS()
	for i := range c.intents {
		if at := &c.intents[i].AtMS; *at != 0 {
			*at = min(*at-offset, now)
		}
	}
}

// fail stops this node, because it can no longer keep an area like the others.
func (h *Host) fail(err error) {
	h.log.Error("this node cannot go on; the other nodes do", telemetry.FieldErr, err)
	h.World.Fail(err)
}

// fence ends the sessions of this node if it is marked as gone, and continues with the next incarnation.
func (h *Host) fence(gone uint64) {
	if gone == 0 || gone < h.incarnation.Load() || h.leaving.Load() || !h.fencing.CompareAndSwap(false, true) {
		return
	}
	if gone < h.incarnation.Load() { // another area has read its mark meanwhile
		h.fencing.Store(false)
		return
	}
	h.log.Error("the other nodes did not hear from this one and have taken over its players, whose sessions here end")
	h.metrics.Fenced.Add(1)
	go func() {
		next := uint64(0)
		if h.opt.Fenced != nil {
			next = h.opt.Fenced()
		}
		h.emptyInboxes()
		h.incarnation.Store(max(next, gone+1))
		h.fencing.Store(false)
	}()
}

// emptyInboxes drops what the sessions of the last incarnation have left in the inboxes: it must not go out in the chunks of the next one.
func (h *Host) emptyInboxes() {
	for a := range h.groups {
		for len(h.World.Drain(sim.AreaID(a), nil, true)) > 0 { // a round takes only as many of a player as a tick executes
			continue
		}
	}
}

// Up implements link.Handler.
func (h *Host) Up(node uint64, hello link.Hello) {
	h.mu.Lock()
	h.peers[node] = peer{up: true, since: time.Now(), incarnation: hello.Incarnation}
	h.mu.Unlock()
	for _, g := range h.groups {
		g.linkChanged(node, true)
	}
	h.Tell()
}

// Down implements link.Handler.
func (h *Host) Down(node uint64, _ error) {
	h.mu.Lock()
	p := &h.peers[node]
	p.up, p.since = false, time.Now()
	h.mu.Unlock()
	for _, g := range h.groups {
		g.linkChanged(node, false)
	}
	h.Tell()
}

// Receive implements link.Handler.
func (h *Host) Receive(node uint64, kind byte, body []byte) {
	if kind == kindNode {
		if err := h.receiveNews(node, body); err != nil {
			h.refused(node, "", err)
		}
		return
	}
	a, rest, err := splitArea(body, len(h.groups))
	if err != nil {
		h.refused(node, "", err)
		return
	}
	h.groups[a].deliver(inbound{node, kind, rest})
}

// sendToLead sends a message to the node that leads an area. Without a lead it is lost, and sent again by whoever wants an answer.
func (h *Host) sendToLead(a sim.AreaID, kind byte, body []byte) {
	if a < 0 || int(a) >= len(h.groups) {
		return
	}
	switch lead := h.groups[a].leader.Load(); lead {
	case 0:
	case h.opt.Self:
		if _, rest, err := splitArea(body, len(h.groups)); err == nil {
			h.groups[a].deliver(inbound{lead, kind, rest})
		}
	default:
		h.opt.Links.Send(lead, kind, body)
	}
}

// isGone reports whether an incarnation of a node has no sessions any more: the node has another one, or cannot be reached for long.
func (h *Host) isGone(node, incarnation uint64, now time.Time) bool {
	if node == h.opt.Self {
		return incarnation < h.Incarnation()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	p := &h.peers[node]
	if p.up {
		return p.left || p.incarnation > incarnation
	}
	return p.left || now.Sub(p.since) >= h.opt.SuspectAfter && !h.isSeenElsewhere(node)
}

// isSeenElsewhere reports whether a node to which this one is connected is connected with another node. The caller holds mu.
func (h *Host) isSeenElsewhere(node uint64) bool {
	for other := range h.peers {
		if p := &h.peers[other]; p.up && uint64(other) != node && p.links>>node&1 != 0 {
			return true
		}
	}
	return false
}

// lacksLink reports whether a node is not connected with one that others see: a single link is broken, and an area is better led by a node that
// has all its links. The caller holds mu.
func (h *Host) lacksLink(node uint64, now time.Time) bool {
	for i := range h.opt.Nodes {
		other := uint64(i + 1)
		p := &h.peers[other]
		switch {
		case other == node || other == h.opt.Self:
		case node == h.opt.Self:
			if !p.up && now.Sub(p.since) >= h.opt.SuspectAfter/2 && h.isSeenElsewhere(other) {
				return true
			}
		case (p.up || h.isSeenElsewhere(other)) && h.peers[node].links>>other&1 == 0:
			return true
		}
	}
	return false
}

// preferred returns the node that should lead an area now, 0 to leave it as it is: the one to which an operator has moved the area, or else the first
// one in the order of the area, that can lead.
func (h *Host) preferred(a sim.AreaID, now time.Time) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	if node := h.moved[a].node; node != 0 && h.canLead(node, now) {
		return node
	}
	for _, node := range h.membersOf(a) {
		if h.canLead(node, now) {
			return node
		}
	}
	return 0
}

// canLead reports whether a node can be given areas: it is up, has been for some time, has all its links, and does not hand over its areas. The
// caller holds mu.
func (h *Host) canLead(node uint64, now time.Time) bool {
	switch p := &h.peers[node]; {
	case node == h.opt.Self:
		return !h.draining.Load() && !h.lacksLink(node, now)
	case !p.up || p.draining:
		return false
	case h.draining.Load():
		return true
	default:
		return now.Sub(p.since) >= settleTime && !h.lacksLink(node, now)
	}
}

// another returns a node that is up, other than this one and the given one; 0 if there is none.
func (h *Host) another(than uint64) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	for node := range h.peers {
		if id := uint64(node); id != 0 && id != h.opt.Self && id != than && h.peers[node].up {
			return id
		}
	}
	return 0
}

const settleTime = 5 * time.Second // a node that has come back leads its areas again after as long

// Drain hands over all areas that this node leads, and returns when others lead them. Until Undrain the node leads none, as long as another can.
// Areas that an operator has moved to it lose that preference.
func (h *Host) Drain(ctx context.Context) error {
	h.draining.Store(true)
	h.forgetMoves()
	h.Tell()
	for {
		leads := 0
		for _, g := range h.groups {
			if g.term.Load() != 0 {
				leads++
			}
		}
		if leads == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d areas have found no other node to lead them", leads)
		case <-time.After(tickEvery):
		}
	}
}

// Undrain makes this node lead areas again after Drain.
func (h *Host) Undrain() {
	h.draining.Store(false)
	h.Tell()
}

// Self returns the number of this node.
func (h *Host) Self() uint64 { return h.opt.Self }

// Leave tells the other nodes that this one stops, so that its players lose their connection at once. Its sessions go on until the
// server ends them.
func (h *Host) Leave() {
	h.leaving.Store(true)
	h.Tell()
}

// States of a node in a message of kindNode.
const (
	nodeRuns   = 0
	nodeDrains = 1
	nodeLeaves = 2
)

// Tell tells the other nodes about this one. The server calls it once a second.
func (h *Host) Tell() {
	state := h.news()
	for i := range h.opt.Nodes {
		if node := uint64(i + 1); node != h.opt.Self {
			h.opt.Links.Send(node, kindNode, state)
		}
	}
}

// Durable implements area.Host: a frame is published when most nodes have its batch.
func (h *Host) Durable(a sim.AreaID) sim.Tick { return area.NoLimit }

// Storable implements area.Host.
func (h *Host) Storable(a sim.AreaID) sim.Tick { return area.NoLimit }

// Saved implements area.Host.
func (h *Host) Saved(a sim.AreaID, tick sim.Tick) {
	if a >= 0 && int(a) < len(h.groups) {
		h.groups[a].ownSaved.Store(uint64(tick))
	}
}

// SavedTick implements area.Host.
func (h *Host) SavedTick(a sim.AreaID) sim.Tick {
	if a < 0 || int(a) >= len(h.groups) {
		return 0
	}
	return sim.Tick(h.groups[a].savedTick.Load())
}

// Owner implements area.Host: the lead of an area stores its records.
func (h *Host) Owner(a sim.AreaID) (epoch uint64, own bool) {
	if a < 0 || int(a) >= len(h.groups) {
		return 0, false
	}
	term := h.groups[a].term.Load()
	return term, term != 0
}

// ErrNoLead says that an area has no lead at present, because most nodes cannot be reached.
var ErrNoLead = errors.New("the area has no lead, because most nodes of the cluster cannot be reached")

// Barrier implements area.Host.
func (h *Host) Barrier(ctx context.Context) ([]sim.Tick, error) {
	ticks, replies := make([]sim.Tick, len(h.groups)), make([]chan sim.Tick, len(h.groups))
	for i, g := range h.groups {
		replies[i] = make(chan sim.Tick, 1)
		if !g.request(ctx.Done(), func() { g.out.barrier(g, replies[i]) }) {
			return nil, ErrNoLead
		}
	}
	for i := range replies {
		select {
		case tick, ok := <-replies[i]:
			if !ok {
				return nil, ErrNoLead
			}
			ticks[i] = tick
		case <-ctx.Done():
			return nil, ErrNoLead
		}
	}
	return ticks, nil
}

// Find implements area.Host.
func (h *Host) Find(ctx context.Context, c sim.CharacterID) (found area.RestoredPlayer, ok bool, err error) {
	for _, g := range h.groups {
		if !g.request(ctx.Done(), func() {
			g.state.Players(func(who sim.EntityID, have sim.CharacterID) {
				if have == c {
					found, ok = area.RestoredPlayer{Entity: who, Character: c, Area: g.area, Arrived: true}, true
				}
			})
			g.state.Outbox(func(to sim.AreaID, who sim.EntityID, j *sim.Join) {
				if j.Character.ID == c && !(ok && found.Arrived) {
					found, ok = area.RestoredPlayer{Entity: who, Character: c, Area: to}, true
				}
			})
		}) {
			return found, false, ErrNoLead
		}
	}
	return found, ok, nil
}

// IsGone reports whether an incarnation of a node, by its name, is marked as gone in all areas, so that its sessions have ended. It does not block.
func (h *Host) IsGone(node string, incarnation uint64) bool {
	id := h.nodeNumber(node)
	if id == 0 {
		return true // the list of nodes has changed
	}
	for _, g := range h.groups {
		if g.gone[id].Load() < incarnation {
			return false
		}
	}
	return true
}

func (h *Host) nodeNumber(name string) uint64 {
	for _, n := range h.opt.Nodes {
		if n.Name == name {
			return n.ID
		}
	}
	return 0
}

func (h *Host) nodeName(id uint64) string {
	if id == 0 || id > uint64(len(h.opt.Nodes)) {
		return ""
	}
	return h.opt.Nodes[id-1].Name
}

// refused counts a message that cannot be used, and logs it at most once a minute for each node.
func (h *Host) refused(node uint64, areaName string, err error) {
	h.metrics.Refused.Add(1)
	name, now := h.nodeName(node), time.Now()
	h.mu.Lock()
	due := now.Sub(h.noted[name]) >= time.Minute
	if due {
		h.noted[name] = now
	}
	h.mu.Unlock()
	if due {
		h.log.Warn("a message of another node cannot be used", "node", name, telemetry.FieldArea, areaName, telemetry.FieldErr, err)
	}
}

// metrics counts what happens in the cluster.
type metrics struct {
	Dropped atomic.Uint64 // messages that found no place
	Refused atomic.Uint64 // messages that could not be used
	Fenced  atomic.Uint64 // times that this node was marked as gone
	Crossed atomic.Uint64 // players that have come from other areas into areas that this node led
}

func (m *metrics) dropped() { m.Dropped.Add(1) }
