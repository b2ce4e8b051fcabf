package rs

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// rangeIndex finds the rows within a square range of a viewer. For each range it holds two lists of row sets over a box
// of tiles: one set per column, with the rows whose x is in range of that column, and one set per line, with the rows
// whose z is in range. A row is in view if it is in the viewer's column set and in its line set.
type rangeIndex struct {
	x0, z0, size int
	cols, lines  [16][]RowSet // rows in range, by range and column or line; built when a viewer first uses the range
	made         [16]bool
}

func newRangeIndex(x0, z0, size int) *rangeIndex {
	l := &rangeIndex{x0: x0, z0: z0, size: size}
	for r := range l.cols {
		for range size {
			l.cols[r] = append(l.cols[r], NewRowSet(indexSlots))
			l.lines[r] = append(l.lines[r], NewRowSet(indexSlots))
		}
	}
	return l
}

func (l *rangeIndex) update(s *Scene) {
	l.made = [16]bool{0: true}
	for i := range l.size {
		l.cols[0][i].Clear()
		l.lines[0][i].Clear()
	}
	for row := 1; row < s.RowCount(); row++ {
		if s.ID(row) != 0 {
			at := s.Tile(row)
			l.cols[0][int(at.X)-l.x0].Add(row)
			l.lines[0][int(at.Z)-l.z0].Add(row)
		}
	}
}

func (l *rangeIndex) widen(r int) {
	if l.made[r] {
		return
	}
	l.widen(r - 1)
	l.made[r] = true
	for _, windows := range [][16][]RowSet{l.cols, l.lines} {
		for i := range l.size {
			into, mid := windows[r][i], windows[r-1][i]
			a, b := windows[r-1][max(i-1, 0)], windows[r-1][min(i+1, l.size-1)]
			for w := range into {
				into[w] = a[w] | mid[w] | b[w]
			}
		}
	}
}

func (l *rangeIndex) rowsInRange(at Tile, r int, into RowSet) {
	col, line := l.cols[r][int(at.X)-l.x0], l.lines[r][int(at.Z)-l.z0]
	into, col, line = into[:indexSlots/64], col[:indexSlots/64], line[:indexSlots/64]
	for w := range into {
		into[w] = col[w] & line[w]
	}
}

// viewRange implements the published rule by which a viewer's range shrinks at more than 250 local players (wire section
// 7.3). r is the range in tiles.
type viewRange struct{ r, quiet int }

func (v *viewRange) step(locals int) {
	if locals >= 250 {
		v.r, v.quiet = max(0, v.r-1), 0
		return
	}
	if v.quiet++; v.quiet >= 10 {
		if v.r < 15 {
			v.r++
		} else {
			v.quiet = 0
		}
	}
}

// benchWorld is a scene in which every player is also a viewer.
type benchWorld struct {
	scene   *Scene
	views   []*Viewer
	ranges  []viewRange
	byRange *rangeIndex
	rnd     *rand.Rand
	box     int
	towns   []Tile // south-west corners of towns; empty if players are spread evenly
	workers []benchWorker
}

type benchWorker struct {
	enc   PlayerInfoEncoder
	want  RowSet
	buf   []byte
	bytes int
}

// newBenchWorld returns a scene whose players are spread evenly over a square of box x box tiles.
func newBenchWorld(s *Scene, players, box, workers int) *benchWorld {
	w := &benchWorld{scene: s, rnd: rand.New(rand.NewPCG(1, 1)), box: box, byRange: newRangeIndex(3200, 3200, box)}
	w.populate(players, workers)
	return w
}

// newTowns places 70 % of the players in 16 towns of 24x24 tiles, and 30 % anywhere in 256x256 tiles. The towns do not overlap;
// they cross the borders of map squares.
func newTowns(s *Scene, players, workers int) *benchWorld {
	w := &benchWorld{scene: s, rnd: rand.New(rand.NewPCG(1, 1)), box: 256, byRange: newRangeIndex(3200, 3200, 256)}
	for k := range 16 {
		x, z := 3200+60*(k%4)+w.rnd.IntN(60-townSize), 3200+60*(k/4)+w.rnd.IntN(60-townSize)
		w.towns = append(w.towns, Tile{X: uint16(x), Z: uint16(z)})
	}
	w.populate(players, workers)
	return w
}

const townSize = 24

func (w *benchWorld) populate(players, workers int) {
	s := w.scene
	w.workers = make([]benchWorker, workers)
	for i := range w.workers {
		w.workers[i] = benchWorker{want: NewRowSet(indexSlots), buf: make([]byte, 0, 80000)}
	}
	look := make([]byte, 50)
	for i := 1; i <= players; i++ {
		w.scene.Add(i, uint64(i), w.randomTile())
		look[0] = byte(i)
		w.scene.SetInfo(i, &Info{Has: InfoKindsOf(KindAppearance, KindSpeed), Appearance: look, Speed: 1})
	}
	for i := 1; i <= players; i++ {
		if s.large {
			w.views = append(w.views, NewLargeSceneViewer(s, Index(i), i))
		} else {
			w.views = append(w.views, NewViewer(s, Index(i)))
		}
		w.ranges = append(w.ranges, viewRange{15, 10})
	}
}

// randomTile returns a random start tile.
func (w *benchWorld) randomTile() Tile {
	if len(w.towns) > 0 && w.rnd.IntN(100) < 70 {
		town := w.towns[w.rnd.IntN(len(w.towns))]
		return Tile{X: town.X + uint16(w.rnd.IntN(townSize)), Z: town.Z + uint16(w.rnd.IntN(townSize))}
	}
	return Tile{X: uint16(3200 + w.rnd.IntN(w.box)), Z: uint16(3200 + w.rnd.IntN(w.box))}
}

// cycle sends every viewer a packet.
func (w *benchWorld) cycle(tb testing.TB) {
	s := w.scene
	s.Prepare()
	w.byRange.update(s)
	for i, v := range w.views {
		w.ranges[i].step(v.LocalCount())
		w.byRange.widen(w.ranges[i].r)
	}
	if len(w.workers) == 1 {
		w.serve(tb, 0)
	} else {
		w.serveAll(tb)
	}
	s.Advance()
}

func (w *benchWorld) serveAll(tb testing.TB) {
	var wg sync.WaitGroup
	for k := range w.workers {
		wg.Go(func() { w.serve(tb, k) })
	}
	wg.Wait()
}

// serve encodes the packets for the viewers that worker k serves.
func (w *benchWorld) serve(tb testing.TB, k int) {
	me, n := &w.workers[k], len(w.views)
	from, to := k*n/len(w.workers), (k+1)*n/len(w.workers)
	for i := from; i < to; i++ {
		v := w.views[i]
		w.byRange.rowsInRange(w.scene.Tile(v.Row()), w.ranges[i].r, me.want)
		b, err := me.enc.Encode(me.buf[:0], w.scene, v, me.want, PacketLimits{})
		if err != nil {
			tb.Error(err)
			return
		}
		v.Commit()
		me.bytes += len(b)
	}
}

// measure runs and measures cycles. It calls events before each cycle to change the scene.
func (w *benchWorld) measure(b *testing.B, events func()) {
	warm := 200
	if testing.Short() { // in short mode the benchmark only checks that it runs
		warm = 2
	}
	for range warm { // warms up until the view range is stable, most players have met and buffers have grown
		events()
		w.cycle(b)
	}
	for i := range w.workers {
		w.workers[i].bytes = 0
	}
	b.ReportAllocs()
	locals := 0
	for b.Loop() {
		events()
		w.cycle(b)
	}
	total := 0
	for i := range w.workers {
		total += w.workers[i].bytes
	}
	for _, v := range w.views {
		locals += v.LocalCount()
	}
	lost := 0
	for _, v := range w.views {
		lost += v.Stats().DroppedInfo
	}
	n := float64(b.N)
	b.ReportMetric(b.Elapsed().Seconds()*1000/n, "ms/cycle")
	b.ReportMetric(float64(total)/n/float64(len(w.views)), "bytes/viewer/cycle")
	b.ReportMetric(float64(locals)/float64(len(w.views)), "locals/viewer")
	b.ReportMetric(float64(lost)/(n+float64(warm))/float64(len(w.views)), "lost/viewer/cycle")
}

// BenchmarkPlayerInfo/rsprot is the published load of the fastest known encoder: 2046 players in a box of 13x13 tiles; in
// each cycle every player teleports to a random tile of the box and says 50 characters; appearances are cached; the view
// range shrinks and grows by the rule, so that most local players change in each cycle. One operation moves all players,
// sets their chat, and encodes and commits 2046 packets. Published: 170 ms on one thread (wire section 10).
//
// BenchmarkPlayerInfo/town is a busy world: 2000 players, 70 % of them in 16 towns of 24x24 tiles and the rest anywhere
// in 256x256. In each cycle 70 % stand, 25 % walk and 5 % teleport or talk. crowd=true uses a large scene, whose
// viewers assign their own indices.
func BenchmarkPlayerInfo(b *testing.B) {
	line := Info{
		Say: []byte("The quick brown fox jumps over the lazy dog, twice"),
	}
	for _, p := range []*Profile{ProfileOSRS239, Profile667} {
		if line.Has = InfoKindsOf(KindChat); !p.Has(KindChat) {
			line.Has = InfoKindsOf(KindSay)
		}
		line.Chat.Packed = ChatHuffman().Append(nil, line.Say)
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("rsprot/players=2046/profile=%s/workers=%d", p.Name, workers), func(b *testing.B) {
				w := newBenchWorld(NewScene(p), 2046, 13, workers)
				w.measure(b, func() {
					for i := 1; i <= len(w.views); i++ {
						w.scene.Move(i, w.randomTile(), MoveTeleport)
						line.Chat.Packed = ChatHuffman().Append(line.Chat.Packed[:0], line.Say)
						w.scene.SetInfo(i, &line)
					}
				})
			})
			for _, large := range []bool{false, true} {
				b.Run(fmt.Sprintf("town/players=2000/profile=%s/workers=%d/crowd=%v", p.Name, workers, large), func(b *testing.B) {
					s := NewScene(p)
					if large {
						s = NewLargeScene(p, indexSlots)
					}
					w := newTowns(s, 2000, workers)
					w.measure(b, func() { w.townCycle(&line) })
				})
			}
		}
	}
}

// townCycle moves a quarter of the players and lets a few teleport or talk.
func (w *benchWorld) townCycle(line *Info) {
	for i := 1; i <= len(w.views); i++ {
		switch n := w.rnd.IntN(1000); {
		case n < 250:
			at := w.scene.Tile(i)
			step := walkSteps[w.rnd.IntN(8)]
			to := Tile{X: uint16(int(at.X) + int(step[0])), Z: uint16(int(at.Z) + int(step[1]))}
			if to.X >= 3200 && to.Z >= 3200 && int(to.X) < 3200+w.box && int(to.Z) < 3200+w.box {
				w.scene.Move(i, to, MoveWalk)
			}
		case n < 275:
			w.scene.Move(i, w.randomTile(), MoveTeleport)
		case n < 300:
			w.scene.SetInfo(i, line)
		}
	}
}
