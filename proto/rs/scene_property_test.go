package rs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// randomWorld is a random scene with viewers and decoders; its true state is kept independently of the encoder.
type randomWorld struct {
	t         *testing.T
	rnd       *rand.Rand
	p         *Profile
	s         *Scene
	samples   map[InfoKind][]*Info
	truth     []rowTruth
	free      []int // rows that new avatars may use
	viewers   []*trackedViewer
	enc       PlayerInfoEncoder
	buf       []byte
	mirror    Viewer // copy of a viewer before an encode
	nextID    uint64
	packets   int // number of packets that clients received
	localsSum int // sum of the local players after each packet
}

// rowTruth is the true state of a row.
type rowTruth struct {
	id         uint64
	at         Tile
	teleported bool
	body       map[InfoKind][]byte // bodies of persistent kinds, and of transient kinds of this cycle
	faces      int                 // row that the avatar faces; -1 for none
	transient  InfoKindSet
}

// trackedViewer is a viewer, its client, and an independent record of what the client received for each index.
type trackedViewer struct {
	v          *Viewer
	c          *PlayerInfoDecoder
	want       RowSet
	received   [indexSlots]map[InfoKind][]byte
	identities [indexSlots]uint64 // avatar ids of the local players, by index
	complete   bool               // the last packet contained everything that the viewer lacked
	slack      int                // number of pending adds
	reused     int                // number of adds that wait until the previous owner of the index is removed
	lost       int                // number of dropped transient infos that the test has counted
}

// sampleInfos returns random values of every kind of a profile.
func sampleInfos(p *Profile) map[InfoKind][]*Info {
	samples := map[InfoKind][]*Info{}
	for _, k := range p.BlockOrder() {
		gen := rapid.Custom(func(t *rapid.T) *Info {
			in := &Info{}
			drawKind(t, p, k, in)
			in.Has = InfoKindsOf(k)
			return in
		})
		for n := range 8 {
			samples[k] = append(samples[k], gen.Example(n+1))
		}
	}
	return samples
}

func newRandomWorld(t *testing.T, p *Profile, large bool, seed uint64) *randomWorld {
	w := &randomWorld{t: t, rnd: rand.New(rand.NewPCG(seed, 1)), p: p, samples: sampleInfos(p)}
	if large {
		w.s = NewLargeScene(p, 3000)
	} else {
		w.s = NewScene(p)
	}
	w.truth = make([]rowTruth, w.s.RowCount())
	for i := range w.truth {
		w.truth[i].faces = -1
	}
	for len(w.free) < 70 {
		if row := 1 + w.rnd.IntN(w.s.RowCount()-1); !contains(w.free, row) {
			w.free = append(w.free, row)
		}
	}
	for row := 1; row < 6; row++ { // neighbours without a gap, for runs of length 0
		if !contains(w.free, row) {
			w.free = append(w.free, row)
		}
	}
	return w
}

func contains(rows []int, row int) bool {
	for _, r := range rows {
		if r == row {
			return true
		}
	}
	return false
}

func (w *randomWorld) join(row int) {
	w.nextID++
	w.truth[row] = rowTruth{id: w.nextID, at: w.randomTile(), body: map[InfoKind][]byte{}, faces: -1}
	w.s.Add(row, w.nextID, w.truth[row].at)
	w.setRandomInfo(row, KindAppearance)
	w.setRandomInfo(row, KindSpeed)
}

func (w *randomWorld) leave(row int) {
	w.s.Remove(row)
	w.truth[row] = rowTruth{faces: -1}
}

// randomTile usually returns a tile near the point where four map squares meet, and rarely one elsewhere in the world.
func (w *randomWorld) randomTile() Tile {
	t := Tile{X: uint16(3257 + w.rnd.IntN(14)), Z: uint16(3257 + w.rnd.IntN(14))}
	switch w.rnd.IntN(40) {
	case 0:
		t = Tile{X: uint16(w.rnd.IntN(3)), Z: uint16(MaxCoord - w.rnd.IntN(3)), Plane: 3}
	case 1:
		t = Tile{X: uint16(w.rnd.IntN(MaxCoord + 1)), Z: uint16(w.rnd.IntN(MaxCoord + 1)), Plane: 2}
	case 2, 3:
		t.Plane = 1
	}
	return t
}

// setRandomInfo sets a random value of a kind.
func (w *randomWorld) setRandomInfo(row int, k InfoKind) {
	if !w.p.Has(k) {
		return
	}
	in := w.samples[k][w.rnd.IntN(len(w.samples[k]))]
	w.s.SetInfo(row, in)
	f := &w.truth[row]
	f.body[k] = w.p.AppendBlock(nil, k, in)
	if !kindTable[k].persistent {
		f.transient = f.transient.With(k)
	}
	if k == KindTarget || k == KindFace {
		f.faces = -1
	}
}

// randomEvents changes the scene at random for one cycle.
func (w *randomWorld) randomEvents() {
	for _, row := range w.free {
		f := &w.truth[row]
		f.teleported = false
		if f.id == 0 {
			if w.rnd.IntN(25) == 0 {
				w.join(row)
			}
			continue
		}
		switch n := w.rnd.IntN(100); {
		case n < 30:
			w.moveRandomly(row, 1+w.rnd.IntN(2))
		case n < 34:
			w.s.Move(row, w.randomTile(), MoveTeleport)
		case n < 36:
			at := f.at
			at.Plane = (at.Plane + 1) & 3
			w.s.Move(row, at, MoveWalk)
		case n < 37:
			w.s.Move(row, Tile{X: f.at.X ^ 1, Z: f.at.Z, Plane: f.at.Plane}, MoveTeleport)
		case n < 39 && !w.hasViewer(row):
			w.leave(row)
			if w.rnd.IntN(2) == 0 {
				w.join(row) // uses the same row again in the same cycle
			}
			continue
		}
		f.at = w.s.Tile(row)
		order := w.p.BlockOrder()
		for w.rnd.IntN(3) == 0 {
			w.setRandomInfo(row, order[w.rnd.IntN(len(order))])
		}
		if w.s.target >= 0 && w.rnd.IntN(20) == 0 {
			other := w.free[w.rnd.IntN(len(w.free))]
			if w.truth[other].id == 0 {
				other = -1
			}
			w.s.SetFacing(row, other)
			f.faces = other
			in := faceInfo(other)
			f.body[w.s.kinds[w.s.target]] = w.p.AppendBlock(nil, w.s.kinds[w.s.target], &in)
		}
	}
}

func (w *randomWorld) moveRandomly(row, tiles int) {
	at := w.truth[row].at
	dx, dz := w.rnd.IntN(2*tiles+1)-tiles, w.rnd.IntN(2*tiles+1)-tiles
	to := Tile{X: uint16(int(at.X)+dx) & MaxCoord, Z: uint16(int(at.Z)+dz) & MaxCoord, Plane: at.Plane}
	w.s.Move(row, to, MoveWalk)
}

func (w *randomWorld) hasViewer(row int) bool {
	for _, l := range w.viewers {
		if l.v.Row() == row {
			return true
		}
	}
	return false
}

// addViewer adds a viewer, whose avatar is added in this cycle or exists already.
func (w *randomWorld) addViewer(own Index) {
	for _, row := range w.free {
		if w.hasViewer(row) || !w.s.large && w.truth[row].id != 0 && w.rnd.IntN(2) == 0 {
			continue
		}
		if w.truth[row].id == 0 {
			w.join(row)
		}
		l := &trackedViewer{want: NewRowSet(w.s.RowCount())}
		if w.s.large {
			l.v = NewLargeSceneViewer(w.s, own, row)
			l.v.bind.maxIndex = 30 // fewer indices than avatars, so that indices are reused
		} else {
			l.v = NewViewer(w.s, Index(row))
		}
		c, err := NewPlayerInfoDecoder(w.p, l.v.OwnIndex(), l.v.AppendPlacement(nil, w.s))
		if err != nil {
			w.t.Fatal(err)
		}
		l.c = c
		l.identities[l.v.OwnIndex()] = w.truth[row].id
		w.viewers = append(w.viewers, l)
		return
	}
}

// reconnect sends a client the placement block again.
func (w *randomWorld) reconnect(l *trackedViewer) {
	l.v.Reset(w.s)
	if err := l.c.Reconnect(l.v.AppendPlacement(nil, w.s)); err != nil {
		w.t.Fatal(err)
	}
	l.identities = [indexSlots]uint64{}
	l.identities[l.v.OwnIndex()] = w.truth[l.v.Row()].id
	for _, told := range l.received {
		for k := range told {
			if k != KindAppearance && k != KindSpeed {
				delete(told, k)
			}
		}
	}
}

// serve encodes a viewer's packet. If lose is true, the packet is discarded; otherwise the client applies it and is
// compared with the true state.
func (w *randomWorld) serve(l *trackedViewer, lim PacketLimits, lose bool) {
	own := w.truth[l.v.Row()].at
	l.want.Clear()
	for _, row := range w.free {
		if w.truth[row].id != 0 && own.Within(w.truth[row].at, 7) {
			l.want.Add(row)
		}
	}
	before := l.v.Stats()
	w.mirror = *l.v
	mirror := &w.mirror
	b, err := w.enc.Encode(w.buf[:0], w.s, l.v, l.want, lim)
	if errors.Is(err, ErrLimit) && lim.Bytes > 0 {
		return // the viewer misses this cycle
	} else if err != nil {
		w.t.Fatal(err)
	}
	w.buf = b
	if mirror.local != l.v.local || mirror.skipped != l.v.skipped || mirror.known != l.v.known || mirror.sentStates != l.v.sentStates ||
		mirror.starved != l.v.starved || mirror.cycle != l.v.cycle || mirror.tile != l.v.tile {
		w.t.Fatal("Encode changed the viewer before Commit")
	}
	if lose {
		l.v.Discard()
		return
	}
	if lim.Bytes > 0 && len(b) > lim.Bytes {
		w.t.Fatalf("%d bytes with a limit of %d", len(b), lim.Bytes)
	}
	if !l.v.Commit() {
		w.t.Fatal("nothing to commit")
	}
	if err := l.c.Apply(b); err != nil {
		w.t.Fatalf("cycle %d: %v", w.s.Cycle(), err)
	}
	w.packets++
	w.localsSum += l.v.LocalCount()
	after := l.v.Stats()
	l.slack = after.PendingAdds
	l.complete = after.PendingAdds == 0 && lim.Bytes == 0
	l.lost += w.checkViewer(l)
	if got := after.DroppedInfo - before.DroppedInfo; got != l.lost {
		w.t.Fatalf("cycle %d: %d players with dropped info, Stats has %d", w.s.Cycle(), l.lost, got)
	}
	l.lost = 0
}

// countReuse counts the rows whose index the client still associates with another avatar.
func (w *randomWorld) countReuse(l *trackedViewer) {
	l.reused = 0
	for row := range w.truth {
		if i := l.v.Index(row); i != 0 && l.v.IsLocal(i) && l.identities[i] != w.truth[row].id {
			l.reused++
		}
	}
}

func (w *randomWorld) run(cycles int) {
	for n := range cycles {
		w.randomEvents()
		if len(w.viewers) < 4 && n%7 == 0 {
			w.addViewer(Index(1 + w.rnd.IntN(MaxIndex)))
		}
		w.s.Prepare()
		quiet := n > cycles-8 // in the last cycles every viewer gets its packets, so that all of them catch up
		for _, l := range w.viewers {
			w.countReuse(l)
			lim := PacketLimits{}
			switch {
			case quiet:
			case w.rnd.IntN(6) == 0:
				continue
			case w.rnd.IntN(6) == 0:
				w.serve(l, lim, true)
				if w.rnd.IntN(2) == 0 {
					continue
				}
			case w.rnd.IntN(3) == 0:
				lim.Bytes = 50 + w.rnd.IntN(250)
				if w.rnd.IntN(2) == 0 {
					lim.Priority = l.want
				}
			}
			w.serve(l, lim, false)
		}
		w.s.Advance()
		for row := range w.truth {
			f := &w.truth[row]
			for k := range f.body {
				if f.transient.Has(k) {
					delete(f.body, k)
				}
			}
			f.transient = 0
		}
		if !quiet && n%97 == 50 {
			w.reconnect(w.viewers[w.rnd.IntN(len(w.viewers))])
		}
		if !quiet && n%83 == 60 {
			w.viewers = w.viewers[1:] // a later cycle adds a new viewer
		}
	}
}

// checkVariety fails the test if the run did not include catch-ups, missed info and dropped info. The number of local
// players is averaged over the whole run, because the viewers may be alone at the end.
func (w *randomWorld) checkVariety() {
	var sum ViewerStats
	for _, l := range w.viewers {
		s := l.v.Stats()
		sum.Packets += s.Packets
		sum.Bytes += s.Bytes
		sum.CatchUps += s.CatchUps
		sum.DroppedInfo += s.DroppedInfo
		sum.MissedInfo += s.MissedInfo
		sum.PendingAdds += s.PendingAdds
	}
	w.t.Logf("%d viewers, %d locals in %d packets, %+v", len(w.viewers), w.localsSum, w.packets, sum)
	if w.localsSum < 2*w.packets || sum.CatchUps == 0 || sum.MissedInfo == 0 || sum.DroppedInfo == 0 {
		w.t.Error("the run covered too little")
	}
}

// After every packet the client's state equals the scene, regardless of events and missed cycles.
func TestClientStateMatchesSceneAfterEveryPacket(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	cycles := 300
	if testing.Short() {
		cycles = 150
	}
	for _, p := range Profiles() {
		for _, large := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/large=%v", p.Name, large), func(t *testing.T) {
				w := newRandomWorld(t, p, large, seed)
				w.run(cycles)
				w.checkVariety()
			})
		}
	}
}
