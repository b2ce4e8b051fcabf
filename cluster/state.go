package cluster

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/truestep-io/truestep/cluster/replica"
	"github.com/truestep-io/truestep/proto/wire"
	"github.com/truestep-io/truestep/sim"
)

// history holds the batches since the last snapshot of the area. Restore steps them again to compute the state before the newest
// batch. The next snapshot replaces them.
type history struct {
	base    []byte          // encoded last snapshot; nil if the area began new and has none
	since   []replica.Entry // batches that were stepped since the last snapshot
	busy    bool            // a snapshot is being encoded, or waits until all records of its ticks are stored
	waiting encoded         // finished snapshot that waits to be written; data is nil for none
	copied  *sim.Area       // copy of the state for encoding; its memory is reused
}

func (h *history) add(e replica.Entry) { h.since = append(h.since, e) }

const snapshotVersion = 1 // first byte of a snapshot

// stepped starts a snapshot if Host.snapshotEvery batches have been stepped since the last one, and no other snapshot is in progress.
// It copies the state of the area, and another goroutine encodes the copy.
func (h *history) stepped(g *group) {
	if h.busy || len(h.since) < g.host.snapshotEvery {
		return
	}
	h.busy = true
	if h.copied == nil {
		h.copied = new(sim.Area)
	}
	state, index := h.copied, h.since[len(h.since)-1].Index
	g.state.CloneInto(state)
	head, tick := g.appendHead(nil), g.state.Now()
	go func() { g.encoded <- encoded{index, tick, state.Snapshot(head)} }()
}

// appendHead appends the part of a snapshot that precedes the state of the area: (1) the version, 1 byte; (2) the tick up to
// which the records are stored; (3) the number of nodes, and the progress (type origin) of each; (4) the nodes through which
// players are connected (type homes). All but the version are uvarint.
func (g *group) appendHead(b []byte) []byte {
	b = append(b, snapshotVersion)
	b = binary.AppendUvarint(b, uint64(g.saved))
	b = binary.AppendUvarint(b, uint64(len(g.origins)-1))
	for _, o := range g.origins[1:] {
		b = binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(b, o.incarnation), o.seq), o.gone)
	}
	g.homes.prune(g.state)
	list := make([]home, 0, len(g.homes))
	for _, who := range slices.Sorted(maps.Keys(g.homes)) {
		list = append(list, home{who, g.homes[who]})
	}
	return appendHomes(b, list)
}

// encoded is an encoded snapshot of an area that waits to be written to the file.
type encoded struct {
	index uint64   // index of the last entry that is in the state
	tick  sim.Tick // tick of the state
	data  []byte   // content of the replica.Snapshot
}

// maxWithoutSnapshot is the number of batches since the last snapshot at which a waiting snapshot is written even if the records
// of its players are not stored yet: 15 minutes at 20 ticks per second.
const maxWithoutSnapshot = 18_000

// writeWaiting writes the waiting snapshot to the file once the records of all its ticks are stored. Before that, a node that started
// from the snapshot could not store these records, because it would not have their frames. After maxWithoutSnapshot batches without a
// snapshot, writeWaiting writes it in any case; see Host.maxWithoutSnapshot.
func (g *group) writeWaiting() error {
	h := &g.history
	if h.waiting.data == nil || h.waiting.tick > g.saved && len(h.since) < g.host.maxWithoutSnapshot {
		return nil
	}
	s := h.waiting
	h.waiting = encoded{}
	return g.writeSnapshot(s)
}

// writeSnapshot writes an encoded snapshot to the file, and drops the log entries that the snapshot replaces. The newest of these
// entries stay in memory, as many as Host.retained allows.
func (g *group) writeSnapshot(s encoded) error {
	h := &g.history
	h.busy = false
	if len(h.since) == 0 || s.index < h.since[0].Index { // meanwhile a snapshot from the leader has replaced the state
		return nil
	}
	if err := g.rep.OfferSnapshot(s.index, s.data); err != nil {
		return err
	}
	snapshot, rest := g.rep.Kept()
	if err := g.file.Rotate(snapshot, g.rep.State(), rest); err != nil {
		return err
	}
	g.rep.Compact(s.index, g.host.retained)
	n := 0
	for n < len(h.since) && h.since[n].Index <= s.index {
		n++
	}
	h.base, h.since = snapshot.Data, append([]replica.Entry(nil), h.since[n:]...)
	return nil
}

// restore replaces this node's copy of the area, and the replicated state beside it, by the content of a snapshot.
func (g *group) restore(s *replica.Snapshot) error {
	p, err := parseSnapshot(s.Data, g.host.opt.World, len(g.origins)-1)
	if err != nil {
		return err
	}
	g.origins, g.homes, g.saved = p.origins, p.homes, p.saved
	g.publishOrigins()
	g.history = history{base: s.Data, busy: g.history.busy && g.history.waiting.data == nil}
	g.setState(p.area)
	g.noteMissed(p.area.Now()) // a snapshot has no frames, so the hub misses them up to this tick; it reports the same with the next frame
	return nil
}

// snapshot is the decoded content of a replica.Snapshot.
type snapshot struct {
	saved   sim.Tick // newest tick of the area whose player records, and those of all earlier ticks, are in the database
	origins origins
	homes   homes
	area    *sim.Area // state of the area
}

// parseSnapshot decodes a snapshot. The parameter nodes is the number of nodes of this cluster.
func parseSnapshot(b []byte, w *sim.World, nodes int) (s snapshot, err error) {
	r := wire.NewReader(b)
	if v := r.U8(); v != snapshotVersion {
		return s, fmt.Errorf("the snapshot has format version %d, but this program reads only version %d", v, snapshotVersion)
	}
	s.saved = sim.Tick(r.VarU64())
	if n := r.VarCount(markSize, math.MaxInt32); n != nodes {
		return s, fmt.Errorf("the snapshot is of a cluster with %d nodes, and this cluster has %d", n, nodes)
	}
	s.origins = make(origins, nodes+1)
	for i := range s.origins[1:] {
		s.origins[i+1] = origin{r.VarU64(), r.VarU64(), r.VarU64()}
	}
	s.homes = homes{}
	for _, h := range readHomes(&r) {
		s.homes[h.who] = h.mark
	}
	if err := r.Err(); err != nil {
		return s, fmt.Errorf("decode the snapshot: %w", err)
	}
	s.area, err = sim.Restore(w, r.Rest())
	return s, err
}

// Restore implements area.Source. The area calls it after a panic in the step of the newest batch. Restore returns the state before
// that batch, computed from the last snapshot and the batches since. It removes the newest batch from the history, because its step
// would panic again.
func (g *group) Restore() (a *sim.Area, err error) {
	h := &g.history
	h.since = h.since[:len(h.since)-1]
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("restore an area: panic while the batches after its snapshot are replayed: %v", v)
		}
	}()
	if h.base == nil {
		a = sim.NewArea(g.host.opt.World, g.area, g.host.opt.Seed)
	} else {
		p, err := parseSnapshot(h.base, g.host.opt.World, len(g.origins)-1)
		if err != nil {
			return nil, err
		}
		a = p.area
	}
	for _, e := range h.since {
		t, err := parseBatch(e.Data, nil)
		if err != nil {
			return nil, err
		}
		a.Recycle(a.Step(t.intents))
	}
	g.setState(a)
	g.out.applied(g)
	g.noteSkipped(time.Now())
	return a, nil
}
