package rs

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/store"
)

// manualWorker is a worker that the test calls step by step with frames that the test made. Its clients decode received bytes
// or only count them.
type manualWorker struct {
	w         *worker
	scene     *areaScene
	frame     *sim.Frame
	rng       *rand.Rand
	base      uint16
	edgeTiles int // edge length in tiles of the square in which all actors walk
	bytes     int

	clients map[*player]*client // clients that decode their packets; nil if bytes are only counted
}

// discardConn is a socket that is never used, because no clientStream runs.
type discardConn struct{ net.Conn }

func (discardConn) Close() error { return nil }

// newManualWorker returns a worker with n players. The parameter extras is the number of further actors, which have no clients.
// All stand in a square that is edge tiles wide, and the players have already been shown all of them. If decode is set, the
// players' clients decode their packets; otherwise bytes are only counted.
func newManualWorker(tb testing.TB, n, extras, edge int, decode bool) *manualWorker {
	tb.Helper()
	def := valeWithoutNPCs()
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	world := area.NewWorld(def, area.Options{Log: quiet})
	g, err := Listen(nil, world, Options{Listener: netsim.ListenPipe("127.0.0.1:43594"), Key: testKey(), Log: quiet, Workers: 1})
	if err != nil {
		tb.Fatal(err)
	}
	s := &manualWorker{w: g.workers[0], frame: &sim.Frame{}, rng: rand.New(rand.NewPCG(1, 1)), base: def.Areas[0].Tiles.BaseX, edgeTiles: edge}
	for k := range n + extras {
		id := sim.EntityID(k + 1)
		a := sim.ActorState{
			ID: id, Body: &sim.Body{Name: fmt.Sprintf("Player %d", k), Level: 3}, Health: 100, HealthMax: 100,
			Tile: move.Tile{X: s.base + uint16(s.rng.IntN(edge)), Z: s.base + uint16(s.rng.IntN(edge))}, Flags: sim.FlagPlayer | sim.FlagOnTiles,
			Motion: sim.Motion{FacesYaw: true},
		}
		s.frame.Actors = append(s.frame.Actors, a)
	}
	if decode {
		s.clients = map[*player]*client{}
	}
	for k := range n {
		s.join(sim.EntityID(k+1), uint64(k+1))
	}
	s.scene = s.w.scenes[0]
	for range 3 {
		s.sendCycle()
	}
	return s
}

func (s *manualWorker) join(id sim.EntityID, serial uint64) *player {
	p := newPlayer(s.w, &session.Session{Entity: id, Character: &sim.Character{}, Login: &session.Login{Name: "x", Account: store.AccountID(id)}}, proto.Index(1+serial%proto.MaxIndex))
	keys := proto.Keys{1, 2, 3, uint32(serial)}
	l := &link{player: p, serial: serial, newLogin: true, windowMode: proto.WindowResizable, out: newClientStream(discardConn{}, p.session.Link(), func(int) {})}
	l.out.frames = proto.NewFrameWriter(proto.S2C, keys.ServerCipher())
	s.w.players[p] = struct{}{}
	p.link, p.loginPending = l, true
	p.expectIn(0)
	if s.clients != nil {
		s.clients[p] = &client{name: fmt.Sprint(id), packets: map[proto.Opcode]int{}, in: proto.NewFrameReader(proto.S2C, keys.ServerCipher()), step: stepAnswer}
	}
	return p
}

// moveActors makes a quarter of the actors walk one step, and a twentieth of the actors say a chat line.
func (s *manualWorker) moveActors() {
	f := s.frame
	f.Tick += s.w.cycleTicks
	f.Events = f.Events[:0]
	for i := range f.Actors {
		a := &f.Actors[i]
		a.Gait = move.GaitStand
		switch s.rng.IntN(20) {
		case 0, 1, 2, 3, 4:
			step := func(v uint16) uint16 {
				return min(max(v+uint16(s.rng.IntN(3)), s.base+1), s.base+uint16(s.edgeTiles)) - 1
			}
			a.Tile, a.Gait = move.Tile{X: step(a.Tile.X), Z: step(a.Tile.Z)}, move.GaitWalk
		case 5:
			f.Events = append(f.Events, sim.Event{Kind: sim.EventChat, Who: a.ID, Text: "selling lobsters"})
		}
	}
}

func (s *manualWorker) sendCycle() {
	as := s.w.scenes[0]
	as.handleEvents(s.frame)
	as.frame = s.frame
	s.w.sendCycle()
	for p := range s.w.players {
		o := p.link.out
		s.bytes += len(o.buf)
		if c := s.clients[p]; c != nil {
			c.readBytes(o.buf)
		}
		o.buf = o.buf[:0]
	}
}

func BenchmarkCycle(b *testing.B) {
	for _, c := range []struct{ viewers, edge int }{{500, 100}, {2000, 100}, {2000, 200}} {
		b.Run(fmt.Sprintf("viewers=%d/edge=%d", c.viewers, c.edge), func(b *testing.B) {
			s := newManualWorker(b, c.viewers, 0, c.edge, false)
			s.bytes = 0
			b.ReportAllocs()
			cycles := 0
			var took time.Duration
			for b.Loop() {
				s.moveActors()
				began := time.Now()
				s.sendCycle()
				took += time.Since(began)
				cycles++
			}
			locals := 0
			for p := range s.w.players {
				locals += p.viewer.LocalCount()
			}
			b.ReportMetric(float64(took.Microseconds())/1000/float64(cycles), "ms/cycle")
			b.ReportMetric(float64(s.bytes)/float64(c.viewers)/float64(cycles), "bytes/viewer/cycle")
			b.ReportMetric(float64(locals)/float64(c.viewers), "locals/viewer")
		})
	}
}
