package cluster

import (
	"context"
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

// Kept is what the file of a replica contains when it is opened, and the open file.
type Kept struct {
	State    replica.State    // Raft term and vote
	Snapshot replica.Snapshot // last snapshot; Index is 0 if there is none
	Entries  []replica.Entry  // entries after the snapshot
	File     File             // file in which the replica writes further entries

	Incomplete bool // votes or acknowledged entries may be lost; see replica.Config
}

// File stores the state of a replica that must survive a restart. *raftlog.Log implements it.
type File interface {
	// Write appends to the file. When it returns, the operating system has the bytes, so they survive the end of the process. If
	// state is not nil, they also survive a loss of power.
	Write(state *replica.State, entries []replica.Entry) error
	// Rotate replaces the file by a new one that has the snapshot s, the state, and the entries after the snapshot.
	Rotate(s replica.Snapshot, state replica.State, rest []replica.Entry) error
	// MarkComplete records in the file that the replica is no longer Incomplete. An incomplete replica may lack entries that it had
	// acknowledged, because its file or the power was lost; since then a leader has sent it all of them.
	MarkComplete() error
}

// Links sends messages to other nodes. *link.Mesh implements it.
type Links interface {
	// Send passes a message to a node. It never blocks. It returns false if the node cannot be reached.
	Send(to uint64, kind byte, body []byte) bool
	// OffsetMS returns the clock of a node minus the clock of this node, in ms.
	OffsetMS(node uint64) int64
}

// Options configures a Host.
type Options struct {
	World *sim.World  // the world to run; equal on all nodes
	Seed  uint64      // seed of random decisions in the areas; equal on all nodes
	Nodes []link.Node // all nodes, this one included; equal on all nodes
	Self  uint64      // number of this node

	Links Links                          // connections to the other nodes
	Open  func(sim.AreaID) (Kept, error) // opens the file of an area

	// Incarnation is the number of this run of the node. It must be greater than the serial numbers of all players that the
	// node created in earlier runs, and players of this run get greater serial numbers still. So the id of a player tells
	// whether this run or an earlier one created it. New returns ErrDatabaseOlder if the logs show that it is not.
	Incarnation uint64

	Version string // version of this node's program, for Status

	// FixedLeads turns off the placement of areas by load: the default order and moves of operators decide which node leads an area.
	// Only the value of node 1 counts, because node 1 decides for all nodes.
	FixedLeads bool

	// NeverLeads makes this node drain from its start, so that it leads no areas: it serves players only. It leads an area only until
	// another node can, for example after it was elected because the leader died. Undrain has no effect.
	NeverLeads bool

	SuspectAfter time.Duration // time after which a node that cannot be reached is marked as gone; 0 selects 3 s

	// Committed is called for each batch that this node proposes, with the time from its proposal to its commit. It must not block,
	// and may be nil.
	Committed func(sim.AreaID, time.Duration)

	// Crossed is called for each player that leaves an area led by this node, with the time from its departure to the confirmation of
	// its arrival in another area. It must not block, and may be nil.
	Crossed func(time.Duration)

	// Fenced is called when the other nodes have marked this node as gone. It ends all sessions of the node and returns the
	// number of the next incarnation. As explained at Incarnation, that number must be greater than the serial numbers of all
	// players that the node has created. Fenced may be nil.
	Fenced func() uint64

	Area area.Options // options of the areas; New sets Source and Clock
}

// Host is this node's part of a world that runs on several nodes. It implements area.Host. Its methods are safe for
// concurrent use.
type Host struct {
	*area.World
	opt    Options
	log    *slog.Logger
	period time.Duration // time between two ticks of the world
	groups []*group      // by area id
	began  time.Time     // time of New
	baseMS int64         // wall clock at began, in ms since 1970

	snapshotEvery      int               // batches between two snapshots of an area; tests reduce it
	maxWithoutSnapshot int               // see the constant maxWithoutSnapshot; tests reduce it
	retained           replica.Retention // batches before the last snapshot that stay in memory; tests reduce it
	balance            balanceRules      // tests reduce them

	incarnation atomic.Uint64 // see Incarnation
	fencing     atomic.Bool   // the sessions of the previous incarnation are being ended
	draining    atomic.Bool   // this node hands over its areas and leads none
	stopping    atomic.Bool   // this node is about to stop, see Retire
	leaving     atomic.Bool   // this node is stopping
	metrics     metrics
	waiting     []atomic.Int64 // by number of a node: size in bytes of its messages that wait in all areas
	asking      asking

	telling sync.Mutex // held by Tell
	pause   pause      // guarded by telling

	mu     sync.Mutex
	peers  []peer               // connection and news of each other node, by number of the node
	noted  map[string]time.Time // by name of a node: time at which the method refused last logged a message of that node
	seen   []leadSeen           // leader of each area as this node sees it, by area id
	moved  []placement          // by area id: node to which an operator has moved the area
	placed []placement          // by area id: node at which the area is placed by load
	told   []LeadChange         // changes of leaders, newest last
	causes map[LeadCause]uint64 // number of changes of leaders
}

var _ area.Host = (*Host)(nil)

// New returns the host of a node. It opens the files of all areas, but steps nothing before Start.
func New(o Options) (*Host, error) {
	if o.SuspectAfter == 0 {
		o.SuspectAfter = 3 * time.Second
	}
	if o.Self == 0 || o.Self > uint64(len(o.Nodes)) || len(o.Nodes) >= sim.MaxNodes {
		return nil, fmt.Errorf("cluster: this node has the number %d, which must be 1 or more and at most the number of nodes in the list, %d", o.Self, len(o.Nodes))
	}
	now := time.Now()
	h := &Host{
		opt: o, log: o.Area.Log, period: time.Second / time.Duration(o.World.TicksPerSecond),
		began: now, baseMS: now.UnixMilli(), snapshotEvery: snapshotEvery, maxWithoutSnapshot: maxWithoutSnapshot, retained: retained, balance: defaultBalance, peers: make([]peer, len(o.Nodes)+1), waiting: make([]atomic.Int64, len(o.Nodes)+1), noted: map[string]time.Time{},
		seen: make([]leadSeen, len(o.World.Areas)), moved: make([]placement, len(o.World.Areas)), placed: make([]placement, len(o.World.Areas)), asking: newAsking(now), causes: map[LeadCause]uint64{},
	}
	for i := range h.seen {
		h.seen[i].since = now
	}
	if h.log == nil {
		h.log = slog.Default()
	}
	h.incarnation.Store(o.Incarnation)
	h.draining.Store(o.NeverLeads)
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
		if used := g.newestSerial(kept.Entries); used >= o.Incarnation {
			return nil, fmt.Errorf("%w: node %s has the number %d of the database, and the area %s has the number %d of this node", ErrDatabaseOlder, h.nodeName(o.Self), o.Incarnation, g.name, used)
		}
	}
	areas := o.Area
	areas.Source = func(a sim.AreaID) area.Source { return h.groups[a] }
	areas.Clock = h.NowMS
	h.World = area.NewWorld(o.World, areas)
	return h, nil
}

// NowMS implements area.Host. It returns the present time in ms since 1970 UTC: the wall clock at the start of this node plus the
// time that has passed since. So a change of the wall clock does not make NowMS jump.
func (h *Host) NowMS() int64 { return h.baseMS + time.Since(h.began).Milliseconds() }

// adjustClock converts the times of the intents in a chunk from the clock of the node that sent the chunk to the clock of this
// node. A time that would then be in the future becomes the present time.
func (h *Host) adjustClock(c *chunk) {
	offset, now := h.opt.Links.OffsetMS(c.node), h.NowMS()
	for i := range c.intents {
		if at := &c.intents[i].AtMS; *at != 0 {
			*at = min(*at-offset, now)
		}
	}
}

// fail stops this node, because its copy of an area can no longer follow those of the other nodes.
func (h *Host) fail(err error) {
	h.log.Error("this node stops because of an error; the other nodes continue", telemetry.FieldErr, err)
	h.World.Fail(err)
}

// Receive implements link.Handler. It queues a message about an area for this node's copy of that area, and handles other messages at
// once. It does not block.
func (h *Host) Receive(node uint64, kind byte, body []byte) {
	if concernsArea, err := h.receiveOfNode(node, kind, body); !concernsArea {
		if err != nil {
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

// receiveOfNode handles a message that concerns no area. For any other message it does nothing, and concernsArea is true.
func (h *Host) receiveOfNode(node uint64, kind byte, body []byte) (concernsArea bool, err error) {
	switch kind {
	case kindNode:
		return false, h.receiveNews(node, body)
	case kindQuestion:
		return false, h.receiveQuestion(node, body)
	case kindAnswer:
		return false, h.receiveAnswer(node, body)
	}
	return true, nil
}

// sendToLead sends a message about players that change areas to the node that leads area a. If no leader is known, the message is
// lost. That does no harm, because the two areas repeat their messages until the change is confirmed.
func (h *Host) sendToLead(a sim.AreaID, kind byte, body []byte) {
	if a < 0 || int(a) >= len(h.groups) {
		return
	}
	switch lead := h.leadOf(a); lead {
	case 0:
	case h.opt.Self:
		if _, rest, err := splitArea(body, len(h.groups)); err == nil {
			h.groups[a].deliver(inbound{lead, kind, rest})
		}
	default:
		h.opt.Links.Send(lead, kind, body)
	}
}

// leadOf returns the number of the node that leads an area, 0 if none is known or there is no such area.
func (h *Host) leadOf(a sim.AreaID) uint64 {
	if a < 0 || int(a) >= len(h.groups) {
		return 0
	}
	return h.groups[a].leader.Load()
}

// Self returns the number of this node.
func (h *Host) Self() uint64 { return h.opt.Self }

// Durable implements area.Host. It returns area.NoLimit: every tick counts as durable, because a majority of nodes has stored the
// batch of a tick before the tick is stepped.
func (h *Host) Durable(a sim.AreaID) sim.Tick { return area.NoLimit }

// Storable implements area.Host. It returns area.NoLimit: the records of every tick may be stored at once, because a loss of
// power on one node undoes no tick.
func (h *Host) Storable(a sim.AreaID) sim.Tick { return area.NoLimit }

// Saved implements area.Host. It notes that the records of an area are stored up to a tick. If this node leads the area, its
// next batch tells the other nodes.
func (h *Host) Saved(a sim.AreaID, tick sim.Tick) {
	if a >= 0 && int(a) < len(h.groups) {
		h.groups[a].ownSaved.Store(uint64(tick))
	}
}

// SavedTick implements area.Host. It returns the tick up to which the records of an area are stored. Any node may have stored
// them.
func (h *Host) SavedTick(a sim.AreaID) sim.Tick {
	if a < 0 || int(a) >= len(h.groups) {
		return 0
	}
	return sim.Tick(h.groups[a].savedTick.Load())
}

// Owner implements area.Host. This node owns the records of an area while it leads the area and has all records that are not stored
// yet; see lacksRecords. The result epoch is the Raft term in which it leads, or 0 if it does not.
func (h *Host) Owner(a sim.AreaID) (epoch uint64, own bool) {
	if a < 0 || int(a) >= len(h.groups) {
		return 0, false
	}
	g := h.groups[a]
	term, missed := g.term.Load(), g.missed.Load()
	return term, term != 0 && (missed <= g.savedTick.Load() || missed <= g.givenUp.Load())
}

// ErrNoLead is the error if an area has no known leader, or has not answered in time.
var ErrNoLead = area.ErrNoLead

// Barrier implements area.Host. It returns a tick for each area: by that tick the area has applied all intents that this node
// submitted before the call.
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

// Find implements area.Host. It returns the player that plays character c, even if the player is on its way between two areas. If the
// player may be in an area whose copy on this node is behind, Find waits until the copies have applied all intents that this node has
// submitted, and looks once more. A second look is enough: a player without a connection does not change areas again in the meantime.
func (h *Host) Find(ctx context.Context, c sim.CharacterID) (found area.RestoredPlayer, ok bool, err error) {
	request := func(g *group, f func()) bool { return g.request(ctx.Done(), f) }
	s := search{character: c}
	if !s.run(h.groups, request) {
		return found, false, ErrNoLead
	}
	if s.found.Entity == 0 && s.behind {
		if _, err := h.Barrier(ctx); err != nil {
			return found, false, err
		}
		if s = (search{character: c}); !s.run(h.groups, request) {
			return found, false, ErrNoLead
		}
	}
	return s.found, s.found.Entity != 0, nil
}

// refused counts a message that cannot be used, and logs at most one such message per node and minute.
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
		h.log.Warn("a message from another node is invalid and was dropped", "node", name, telemetry.FieldArea, areaName, telemetry.FieldErr, err)
	}
}

// metrics counts what has happened in the cluster since the start of this node.
type metrics struct {
	Dropped atomic.Uint64 // number of messages that were dropped because a queue was full
	Refused atomic.Uint64 // number of invalid messages that were ignored
	Fenced  atomic.Uint64 // number of times that the other nodes declared this node dead
	Crossed atomic.Uint64 // number of players that came from other areas into areas that this node led

	LostTicks atomic.Uint64 // number of ticks that this node counted as stored although no node had their records
}
