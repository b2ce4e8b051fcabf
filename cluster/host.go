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

// NowMS implements area.Host. It is the wall clock of this node at its start, in ms since 1970 UTC, and the time that has passed since then.
func (h *Host) NowMS() int64 { return h.baseMS + time.Since(h.began).Milliseconds() }

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

// sendToLead sends a message to the node that leads an area. Without a lead the message is lost; the area that waits for an answer sends it again.
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

// Self returns the number of this node.
func (h *Host) Self() uint64 { return h.opt.Self }

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
