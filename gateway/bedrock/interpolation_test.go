package bedrock

import (
	"context"
	"math"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// joinOtherDoor adds a player of another protocol to the world, with the given movement authority.
func (srv *testServer) joinOtherDoor(name string, by move.Authority) *session.Session {
	srv.t.Helper()
	ctx := context.Background()
	peer := session.Peer{Addr: serverAddr.Addr(), Conn: 1 << 40, Door: "other", Authority: by}
	srv.must(srv.hub.CreateAccount(ctx, peer, name, "00112233445566778899aabbccddeeff", ""))
	l, err := srv.hub.Login(ctx, peer, name, "00112233445566778899aabbccddeeff")
	srv.must(err)
	srv.must(srv.hub.CreateCharacter(ctx, l, session.NewCharacter{Name: name, Template: human}))
	s, err := srv.hub.Enter(ctx, l, 0)
	srv.must(err)
	srv.advance(300 * time.Millisecond)
	return s
}

// interpolated simulates the position at which a client displays an actor. It assumes that clients interpolate to each received
// position over three client ticks, which no measurement of a client has confirmed.
type interpolated struct {
	pos, target geom.Vec
	ticksLeft   int // client ticks until the received position is reached
}

func (ip *interpolated) receive(p proto.MoveActorAbsolute) {
	ip.target, ip.ticksLeft = feetPosition(p.Position), 3
	if p.Flags&proto.MoveTeleported != 0 {
		ip.pos, ip.ticksLeft = ip.target, 0
	}
}

func (ip *interpolated) tick() {
	if ip.ticksLeft > 0 {
		k := 1 / float32(ip.ticksLeft)
		ip.pos = geom.Vec{X: ip.pos.X + (ip.target.X-ip.pos.X)*k, Y: ip.pos.Y + (ip.target.Y-ip.pos.Y)*k, Z: ip.pos.Z + (ip.target.Z-ip.pos.Z)*k}
		ip.ticksLeft--
	}
}

func distanceXZ(a, b geom.Vec) float64 { return math.Hypot(float64(a.X-b.X), float64(a.Z-b.Z)) }

// The displayed motion of a player of another protocol stays within the limits in the section "Delays" of docs/one-world.md.
func TestMotionOfPlayersOfOtherProtocolsIsInterpolatedEvenly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		who  string
		by   move.Authority
		act  func(s *session.Session, tick int)
		step float64 // largest allowed step per client tick of 50 ms, in blocks
		sent float64 // largest allowed distance between two sent positions, in blocks
	}{
		{"a walk on tiles", move.ByPath, func(s *session.Session, tick int) {
			if tick == 0 {
				s.Submit(sim.Intent{Kind: sim.IntentPath, Tile: move.Tile{X: 3212, Z: 3230}})
			}
		}, 0.20, 0.36},
		{"a run on tiles", move.ByPath, func(s *session.Session, tick int) {
			if tick == 0 {
				s.Submit(sim.Intent{Kind: sim.IntentGait, Amount: 1})
				s.Submit(sim.Intent{Kind: sim.IntentPath, Tile: move.Tile{X: 3212, Z: 3230}})
			}
		}, 0.40, 0.70},
		{"a walk by claims", move.ByClaim, func(s *session.Session, tick int) {
			if tick%4 == 0 {
				z := 2 + 45*float32(tick)/20
				s.Submit(sim.Intent{Kind: sim.IntentClaim, Claim: move.Claim{X: 50, Z: z, DestX: 50, DestZ: z + 100}})
			}
		}, 1.20, 2.30},
	} {
		w := twoFields()
		w.Rules.Path = move.DefaultPathPolicy()
		w.Areas[0].Tiles = terrain.TileGrid{UnitsPerTile: 4, BaseX: 3200, BaseZ: 3200}
		withServer(t, w, Options{}, func(srv *testServer) {
			bob := srv.join("bob")
			s := srv.joinOtherDoor("ann", c.by)
			srv.advance(500 * time.Millisecond)
			var ip interpolated
			at := func() (v geom.Vec) {
				srv.onWorker(func(w *worker) { v = w.scenes.Open[0].find(s.Entity).pos })
				return v
			}
			ip.pos = at()
			bob.takePackets()
			var shown, truth []geom.Vec
			last, sent, idle := ip.pos, 0.0, 0
			for tick := range 45 {
				c.act(s, tick)
				for range 5 {
					srv.step()
				}
				for _, p := range packetsOf[proto.MoveActorAbsolute](bob) {
					v := feetPosition(p.Position)
					sent, last = max(sent, distanceXZ(v, last)), v
					ip.receive(p)
				}
				bob.takePackets()
				ip.tick()
				shown, truth = append(shown, ip.pos), append(truth, at())
			}
			step := 0.0
			for i := 21; i < len(shown); i++ {
				n := distanceXZ(shown[i], shown[i-1])
				step = max(step, n)
				if n < 0.01 {
					idle++
				}
			}
			late, apart := 0, math.Inf(1)
			for lag := range 20 {
				sum := 0.0
				for i := 20; i < len(shown); i++ {
					sum += distanceXZ(shown[i], truth[i-lag])
				}
				if mean := sum / float64(len(shown)-20); mean < apart {
					late, apart = lag*50, mean
				}
			}
			t.Logf("%-20s largest step %.2f blocks in 50 ms, %.2f between updates, no movement in %d of %d ticks, delay %d ms, then %.2f blocks of error",
				c.who, step, sent, idle, len(shown)-21, late, apart)
			if step > c.step || sent > c.sent || late > 200 || apart > 0.6 || idle > 2 {
				t.Errorf("%s: movement is not even enough", c.who)
			}
			if gone := distanceXZ(shown[len(shown)-1], shown[0]); gone < 6 {
				t.Errorf("%s: moved only %.1f blocks", c.who, gone)
			}
		})
	}
}

// If an operator moves an actor, clients display it at the new position at once, without interpolation.
func TestTeleportedActorIsNotInterpolated(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		bob := srv.join("bob")
		s := srv.joinOtherDoor("ann", move.ByClaim)
		srv.advance(500 * time.Millisecond)
		bob.takePackets()
		srv.must(srv.hub.Teleport(s.Entity, 0, geom.Vec{X: 56, Z: 12}, 0))
		srv.advance(500 * time.Millisecond)
		moves := packetsOf[proto.MoveActorAbsolute](bob)
		if len(moves) == 0 || moves[0].Flags&proto.MoveTeleported == 0 || moves[0].Position[0] != 28 {
			t.Errorf("received %+v", moves)
		}
		for _, m := range moves[1:] {
			if m.Flags&proto.MoveTeleported != 0 {
				t.Errorf("repeated: %+v", m)
			}
		}
	})
}
