package rs

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// world is a random scene with the truth about it kept apart from the encoder, and some viewers with real decoders.
type world struct {
	t       *testing.T
	rnd     *rand.Rand
	p       *Profile
	s       *Scene
	samples map[Kind][]*Info
	truth   []fact
	free    []int // rows that avatars may use
	lookers []*looker
	enc     Encoder
	buf     []byte
	mirror  Viewer // as it was before an encode
	nextID  uint64
	packets int // that clients got
	seen    int // locals after each of them, in all
}

// fact is the truth about a row.
type fact struct {
	id      uint64
	at      Tile
	jumped  bool
	body    map[Kind][]byte // persistent kinds for as long as the avatar is there, transient ones of this cycle
	faces   int             // -1 nobody
	passing Kinds
}

// looker is a viewer, its client, and what the client was told of each index, kept apart from both.
type looker struct {
	v      *Viewer
	c      *Client
	want   RowSet
	told   [indexSlots]map[Kind][]byte
	who    [indexSlots]uint64 // identity of locals
	strict bool               // nothing was held back in the last packet
	slack  int                // adds that had to wait
	reuse  int                // adds that wait because the index had to be freed first
	lost   int                // own count of transient info held back
}

// sampleInfos makes values of every kind of a profile.
func sampleInfos(p *Profile) map[Kind][]*Info {
	samples := map[Kind][]*Info{}
	for _, k := range p.Order() {
		gen := rapid.Custom(func(t *rapid.T) *Info {
			in := &Info{}
			drawKind(t, p, k, in)
			in.Has = KindsOf(k)
			return in
		})
		for n := range 8 {
			samples[k] = append(samples[k], gen.Example(n+1))
		}
	}
	return samples
}

func newWorld(t *testing.T, p *Profile, crowd bool, seed uint64) *world {
	w := &world{t: t, rnd: rand.New(rand.NewPCG(seed, 1)), p: p, samples: sampleInfos(p)}
	if crowd {
		w.s = NewLargeScene(p, 3000)
	} else {
		w.s = NewScene(p)
	}
	w.truth = make([]fact, w.s.RowCount())
	for i := range w.truth {
		w.truth[i].faces = -1
	}
	for len(w.free) < 70 {
		if row := 1 + w.rnd.IntN(w.s.RowCount()-1); !contains(w.free, row) {
			w.free = append(w.free, row)
		}
	}
	for row := 1; row < 6; row++ { // neighbours, for runs of length nothing
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

func (w *world) join(row int) {
	w.nextID++
	w.truth[row] = fact{id: w.nextID, at: w.somewhere(), body: map[Kind][]byte{}, faces: -1}
	w.s.Add(row, w.nextID, w.truth[row].at)
	w.say(row, KindAppearance)
	w.say(row, KindSpeed)
}

func (w *world) leave(row int) {
	w.s.Remove(row)
	w.truth[row] = fact{faces: -1}
}

// somewhere is near the corner of four squares, rarely at an edge of the world.
func (w *world) somewhere() Tile {
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

// say lets an avatar have a kind of info.
func (w *world) say(row int, k Kind) {
	if !w.p.Has(k) {
		return
	}
	in := w.samples[k][w.rnd.IntN(len(w.samples[k]))]
	w.s.SetInfo(row, in)
	f := &w.truth[row]
	f.body[k] = w.p.AppendBlock(nil, k, in)
	if !kindTable[k].persistent {
		f.passing = f.passing.With(k)
	}
	if k == KindTarget || k == KindFace {
		f.faces = -1
	}
}

// act is the events of one cycle.
func (w *world) act() {
	for _, row := range w.free {
		f := &w.truth[row]
		f.jumped = false
		if f.id == 0 {
			if w.rnd.IntN(25) == 0 {
				w.join(row)
			}
			continue
		}
		switch n := w.rnd.IntN(100); {
		case n < 30:
			w.step(row, 1+w.rnd.IntN(2))
		case n < 34:
			w.s.Move(row, w.somewhere(), MoveTeleport)
		case n < 36:
			at := f.at
			at.Plane = (at.Plane + 1) & 3
			w.s.Move(row, at, MoveWalk)
		case n < 37:
			w.s.Move(row, Tile{X: f.at.X ^ 1, Z: f.at.Z, Plane: f.at.Plane}, MoveTeleport)
		case n < 39 && !w.watched(row):
			w.leave(row)
			if w.rnd.IntN(2) == 0 {
				w.join(row) // the same row in the same cycle
			}
			continue
		}
		f.at = w.s.Tile(row)
		order := w.p.Order()
		for w.rnd.IntN(3) == 0 {
			w.say(row, order[w.rnd.IntN(len(order))])
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

func (w *world) step(row, tiles int) {
	at := w.truth[row].at
	dx, dz := w.rnd.IntN(2*tiles+1)-tiles, w.rnd.IntN(2*tiles+1)-tiles
	to := Tile{X: uint16(int(at.X)+dx) & MaxCoord, Z: uint16(int(at.Z)+dz) & MaxCoord, Plane: at.Plane}
	w.s.Move(row, to, MoveWalk)
}

func (w *world) watched(row int) bool {
	for _, l := range w.lookers {
		if l.v.Row() == row {
			return true
		}
	}
	return false
}

// login lets a new viewer in, whose own avatar has just come or is there.
func (w *world) login(own Index) {
	for _, row := range w.free {
		if w.watched(row) || !w.s.large && w.truth[row].id != 0 && w.rnd.IntN(2) == 0 {
			continue
		}
		if w.truth[row].id == 0 {
			w.join(row)
		}
		l := &looker{want: NewRowSet(w.s.RowCount())}
		if w.s.large {
			l.v = NewLargeSceneViewer(w.s, own, row)
			l.v.bind.maxIndex = 30 // fewer than there are avatars, so that indices change hands
		} else {
			l.v = NewViewer(w.s, Index(row))
		}
		c, err := NewClient(w.p, l.v.OwnIndex(), l.v.AppendPlacement(nil, w.s))
		if err != nil {
			w.t.Fatal(err)
		}
		l.c = c
		l.who[l.v.OwnIndex()] = w.truth[row].id
		w.lookers = append(w.lookers, l)
		return
	}
}

// reconnect brings a client the placement block again.
func (w *world) reconnect(l *looker) {
	l.v.Reset(w.s)
	if err := l.c.Reconnect(l.v.AppendPlacement(nil, w.s)); err != nil {
		w.t.Fatal(err)
	}
	l.who = [indexSlots]uint64{}
	l.who[l.v.OwnIndex()] = w.truth[l.v.Row()].id
	for _, told := range l.told {
		for k := range told {
			if k != KindAppearance && k != KindSpeed {
				delete(told, k)
			}
		}
	}
}

// serve makes a viewer's packet and, unless it is lost on the way, holds the client against the truth.
func (w *world) serve(l *looker, lim Limits, lose bool) {
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
		return // a cycle that the viewer misses
	} else if err != nil {
		w.t.Fatal(err)
	}
	w.buf = b
	if mirror.local != l.v.local || mirror.skipped != l.v.skipped || mirror.known != l.v.known || mirror.sentStates != l.v.sentStates ||
		mirror.starved != l.v.starved || mirror.cycle != l.v.cycle || mirror.tile != l.v.tile {
		w.t.Fatal("an encode changed the mirror")
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
	w.seen += l.v.LocalCount()
	after := l.v.Stats()
	l.slack = after.PendingAdds
	l.strict = after.PendingAdds == 0 && lim.Bytes == 0
	l.lost += w.compare(l)
	if got := after.DroppedInfo - before.DroppedInfo; got != l.lost {
		w.t.Fatalf("cycle %d: %d dropped, counted as %d", w.s.Cycle(), l.lost, got)
	}
	l.lost = 0
}

// countReuse counts rows whose index the client still has for somebody who is gone, or for somebody else.
func (w *world) countReuse(l *looker) {
	l.reuse = 0
	for row := range w.truth {
		if i := l.v.Index(row); i != 0 && l.v.IsLocal(i) && l.who[i] != w.truth[row].id {
			l.reuse++
		}
	}
}

func (w *world) run(cycles int) {
	for n := range cycles {
		w.act()
		if len(w.lookers) < 4 && n%7 == 0 {
			w.login(Index(1 + w.rnd.IntN(MaxIndex)))
		}
		w.s.Prepare()
		quiet := n > cycles-8 // the last cycles reach everybody
		for _, l := range w.lookers {
			w.countReuse(l)
			lim := Limits{}
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
				if f.passing.Has(k) {
					delete(f.body, k)
				}
			}
			f.passing = 0
		}
		if !quiet && n%97 == 50 {
			w.reconnect(w.lookers[w.rnd.IntN(len(w.lookers))])
		}
		if !quiet && n%83 == 60 {
			w.lookers = w.lookers[1:] // somebody else will log in
		}
	}
}

// checkVariety fails if the world was too tame to prove anything. Whom viewers saw is a mean of the whole run: at its end all
// of them may have gone where nobody is.
func (w *world) checkVariety() {
	var sum Stats
	for _, l := range w.lookers {
		s := l.v.Stats()
		sum.Packets += s.Packets
		sum.Bytes += s.Bytes
		sum.CatchUps += s.CatchUps
		sum.DroppedInfo += s.DroppedInfo
		sum.MissedInfo += s.MissedInfo
		sum.PendingAdds += s.PendingAdds
	}
	w.t.Logf("%d viewers, %d locals in %d packets, %+v", len(w.lookers), w.seen, w.packets, sum)
	if w.seen < 2*w.packets || sum.CatchUps == 0 || sum.MissedInfo == 0 || sum.DroppedInfo == 0 {
		w.t.Error("nothing happened")
	}
}

// Whatever happens, and whatever a viewer misses, what its client knows after a packet is the truth.
func TestClientsKnowTheTruthAfterEveryPacket(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	cycles := 300
	if testing.Short() {
		cycles = 150
	}
	for _, p := range Profiles() {
		for _, crowd := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/crowd=%v", p.Name, crowd), func(t *testing.T) {
				w := newWorld(t, p, crowd, seed)
				w.run(cycles)
				w.checkVariety()
			})
		}
	}
}
