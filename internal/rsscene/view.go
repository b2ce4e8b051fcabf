package rsscene

import "github.com/truestep-io/truestep/proto/rs"

// The rule by which viewers see, that of the servers that people run (docs/wire/rs.md, more than 250 in view).
const (
	fullReach    = 15  // tiles in both axes, on the same plane
	manyLocals   = 250 // from so many on the reach shrinks by a tile a cycle, and nobody is added
	calmCycles   = 10  // without so many, until the reach grows by a tile a cycle
	addsPerCycle = 40  // so that adds with their appearances always fit into a packet
)

// Viewer is one player's client as the world knows it ought to be.
type Viewer struct {
	Self rs.Index

	// Of the last Step:
	Placement []byte // a placement block to be read before the packet; nil if there is none
	Packet    []byte // the player-info payload; nil in a cycle in which the viewer was sent nothing

	mirror *rs.Viewer
	world  *World
	local  [rs.MaxIndex + 1]uint64 // ID of whom the client sees, 0 for nobody
	count  int
	reach  int
	calm   int
	missed int
	want   rs.RowSet
	truth  Truth
}

// Truth is what a client knows after a cycle if all is well, by index.
type Truth struct {
	Sees   [rs.MaxIndex + 1]bool      // whom it sees, itself included
	Tile   [rs.MaxIndex + 1]rs.Tile   // of those
	Square [rs.MaxIndex + 1]rs.Square // of all others; 0 for those who are not there
}

func newViewer(w *World, self rs.Index) *Viewer {
	v := &Viewer{Self: self, world: w, mirror: rs.NewViewer(w.scene, self), want: rs.NewRowSet(rs.MaxIndex + 1)}
	v.place(w)
	return v
}

// place makes the client start again, from a placement block.
func (v *Viewer) place(w *World) {
	v.mirror.Reset(w.scene)
	v.Placement = v.mirror.AppendPlacement(nil, w.scene)
	v.local = [rs.MaxIndex + 1]uint64{}
	v.local[v.Self] = w.Players[v.Self].ID
	v.count, v.reach, v.calm = 1, fullReach, calmCycles
}

// update makes the packet of a cycle. If it is not sent, nothing has happened for the client.
func (v *Viewer) update(w *World, enc *rs.Encoder, sent bool) error {
	local, count, reach, calm := v.local, v.count, v.reach, v.calm
	v.look(w)
	packet, err := enc.Encode(nil, w.scene, v.mirror, v.want, rs.Limits{})
	if err != nil {
		return err
	}
	if !sent {
		v.mirror.Discard()
		v.local, v.count, v.reach, v.calm = local, count, reach, calm
		v.missed++
		return nil
	}
	v.mirror.Commit()
	v.Packet, v.missed = packet, 0
	return nil
}

// adjust is the rule for the reach, before a packet is made.
func (v *Viewer) adjust() {
	if v.count >= manyLocals {
		v.reach, v.calm = max(0, v.reach-1), 0
		return
	}
	if v.calm++; v.calm >= calmCycles {
		if v.reach < fullReach {
			v.reach++
		} else {
			v.calm = 0
		}
	}
}

// look decides whom the viewer is to see, and what its client sees then: who was seen and is another one now is removed
// first, and can be added with the next packet.
func (v *Viewer) look(w *World) {
	v.adjust()
	v.want.Clear()
	at := w.Players[v.Self].At
	stay := 0
	for i := range w.Players {
		p := &w.Players[i]
		if v.local[i] == 0 {
			continue
		}
		if rs.Index(i) == v.Self || p.There && !p.Hidden && p.At.Within(at, v.reach) {
			v.want.Add(i)
			if v.local[i] == p.ID {
				stay++
				continue
			}
		}
		v.local[i] = removed
	}
	v.count = stay
	for i, adds := 1, 0; i < len(w.Players) && adds < addsPerCycle && v.count < manyLocals; i++ {
		p := &w.Players[i]
		if v.local[i] == 0 && p.There && !p.Hidden && p.At.Within(at, v.reach) {
			v.want.Add(i)
			v.local[i] = p.ID
			v.count++
			adds++
		}
	}
	for i := range v.local {
		if v.local[i] == removed {
			v.local[i] = 0
		}
	}
}

// removed stands for the ID of somebody whom this cycle's packet removes.
const removed = 1<<64 - 1

// Stats are the encoder's counts for the viewer.
func (v *Viewer) Stats() rs.Stats { return v.mirror.Stats() }

// Truth is what the client is to know after the last Step, if that brought a Packet. It is valid until the next Step.
func (v *Viewer) Truth() *Truth {
	t := &v.truth
	*t = Truth{}
	for i := range v.world.Players {
		if p := &v.world.Players[i]; v.local[i] != 0 {
			t.Sees[i], t.Tile[i] = true, p.At
		} else if p.There {
			t.Square[i] = rs.SquareOf(p.At, v.world.profile.SquareShift)
		}
	}
	return t
}
