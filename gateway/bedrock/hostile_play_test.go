package bedrock

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	bot "github.com/truestep-io/truestep/client/bedrock"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Whatever a player does to his own movement, the one who walks beside him is not corrected, sees only numbers and no
// speed that nobody has.
func TestCheatsHarmNobodyElse(t *testing.T) {
	t.Parallel()
	for _, name := range bot.Cheats() {
		t.Run(name, func(t *testing.T) {
			beside(t, Options{}, func(r *rig) {
				watcher := r.enters("watcher")
				cheat, ok := bot.Cheat(name, rand.New(rand.NewPCG(1, 9)))
				if !ok {
					t.Fatal("unknown")
				}
				m := r.newcomer(bot.Options{Name: "mallory", Tamper: cheat})
				every := bot.TickInterval
				if cheat.Rate > 0 {
					every = time.Duration(float64(every) / cheat.Rate)
				}
				m.every = every
				r.until("mallory to enter", func() bool { return m.Playing() })
				r.run(300 * time.Millisecond)
				mallory := numberOf(t, watcher, "mallory")
				watcher.take()
				m.walk(4*time.Second, bot.Keys{Yaw: south, Forward: 1, Sprint: true, Jump: true})
				first, last, n := proto.Vec3{}, proto.Vec3{}, 0
				for _, p := range each[proto.MoveActorAbsolute](watcher) {
					if p.Runtime != mallory {
						continue
					}
					for _, v := range p.Position {
						if !geom.Finite(v) || v < -1000 || v > 1000 {
							t.Fatalf("others were told %+v", p)
						}
					}
					if n++; n == 1 {
						first = p.Position
					}
					last = p.Position
				}
				if d := last[2] - first[2]; n == 0 || d > 4.5*7.2 { // sprinting and jumping make 7.13 blocks a second
					t.Errorf("in 4 s others saw it go %v blocks, in %d steps", d, n)
				}
			})
		})
	}
}

// inputs that make no sense are neither a crash nor a place.
func TestA12ImpossibleInputs(t *testing.T) {
	t.Parallel()
	beside(t, Options{}, func(r *rig) {
		watcher := r.enters("watcher")
		nan, inf := float32(math.NaN()), float32(math.Inf(1))
		for _, spoil := range []func(p *proto.PlayerAuthInput){
			func(p *proto.PlayerAuthInput) { p.Position = proto.Vec3{nan, nan, nan} },
			func(p *proto.PlayerAuthInput) { p.Position = proto.Vec3{inf, -inf, math.MaxFloat32} },
			func(p *proto.PlayerAuthInput) { p.Delta = proto.Vec3{nan, inf, 0} },
			func(p *proto.PlayerAuthInput) { p.Yaw, p.Pitch, p.HeadYaw = nan, inf, -inf },
			func(p *proto.PlayerAuthInput) { p.MoveVector = proto.Vec2{1e30, nan} },
			func(p *proto.PlayerAuthInput) { p.Tick = 0 },
			func(p *proto.PlayerAuthInput) { p.Tick = math.MaxUint64 },
			func(p *proto.PlayerAuthInput) { p.Tick += 100_000 },
			func(p *proto.PlayerAuthInput) { p.Input.Set(proto.InputHandledTeleport) },
			func(p *proto.PlayerAuthInput) { p.Input.Set(proto.InputClientVehicle); p.PredictedVehicle = 1 },
			func(p *proto.PlayerAuthInput) { p.Input = proto.InputData{math.MaxUint64 &^ (7 << 34), 1} },
		} {
			w := r.walker("mallory")
			w.walk(3, northward)
			for range 5 {
				p := w.next(northward)
				spoil(&p)
				w.send(p)
				r.run(50 * time.Millisecond)
			}
			w.hangUp()
			r.run(200 * time.Millisecond)
		}
		for _, p := range each[proto.MoveActorAbsolute](watcher) {
			if !geom.Finite(p.Position[0]) || !geom.Finite(p.Position[1]) || !geom.Finite(p.Position[2]) {
				t.Fatalf("others were told %+v", p)
			}
		}
		watcher.hangUp()
	})
}

// SV-18, SV-19: inputs beyond time are lost, cost nobody else anything and make nobody faster; who goes on is sent away.
func TestAFloodOfInputs(t *testing.T) {
	t.Parallel()
	beside(t, Options{}, func(r *rig) {
		w := r.walker("mallory")
		start := w.body.Pos
		for range 300 {
			if w.gone {
				break
			}
			var batch []proto.Packet
			for range 20 {
				batch = append(batch, w.next(northward))
			}
			w.together(batch...)
			r.run(50 * time.Millisecond)
		}
		if !w.gone || r.logged.count("fault=expelled_suspected") != 1 {
			t.Errorf("gone: %v; logged:\n%s", w.gone, r.logged)
		}
		if r.logged.count("fault=budget") > 1 || r.hub.Stats().Inputs == 0 {
			t.Errorf("%d inputs were turned away; logged:\n%s", r.hub.Stats().Inputs, r.logged)
		}
		if geom.DistXZ(start, w.body.Pos) < 20 {
			t.Error("it did not try")
		}
	})
}

// SV-22: blows without inputs wait for one, and a bounded number of them.
func TestAFloodOfBlows(t *testing.T) {
	t.Parallel()
	beside(t, Options{}, func(r *rig) {
		w := r.walker("mallory")
		for i := range 300 {
			w.send(strike(uint64(i)), proto.InventoryTransaction{Type: proto.TransactionUseItem, UseItem: proto.UseItem{Action: proto.UseItemClickAir}})
			if i%50 == 49 {
				w.walk(1, northward)
			}
		}
		r.run(time.Second)
		if w.gone {
			t.Errorf("it was sent away: %q", w.farewell())
		}
		if s := r.hub.Stats(); s.Attacks == 0 || s.Other == 0 {
			t.Errorf("turned away: %+v", s)
		}
	})
}

// Talk is cut to a line that clients can show, and bounded; commands too.
func TestAFloodOfTalk(t *testing.T) {
	t.Parallel()
	beside(t, Options{}, func(r *rig) {
		hears := r.enters("bob")
		m := r.enters("mallory")
		hears.take()
		for _, line := range []string{"hi", " \t ", "a\u00a7cb\x00c\nd\x7f", strings.Repeat("\u00e9", 300), "\xff\xfe bad"} {
			m.send(proto.Text{Type: proto.TextChat, Author: "admin", Message: line})
		}
		r.run(500 * time.Millisecond)
		var got []string
		for _, p := range each[proto.Text](hears) {
			if p.Author != "mallory" || p.Type != proto.TextChat {
				t.Errorf("bob was told %+v", p)
			}
			got = append(got, p.Message)
		}
		want := []string{"hi", "acbcd", strings.Repeat("\u00e9", 125), "bad"}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("bob heard %q, want %q", got, want)
		}
		hears.take()
		m.take()
		for range 100 {
			m.send(proto.Text{Type: proto.TextChat, Message: "spam"}, proto.CommandRequest{Line: "/who", Version: "latest"})
		}
		r.run(2 * time.Second)
		if n := count[proto.Text](hears); n < 4 || n > 20 {
			t.Errorf("bob heard %d of 100 lines", n)
		}
		answers := 0
		for _, p := range each[proto.Text](m) {
			if p.Type == proto.TextSystem {
				answers++
				if p.Message != "In West: bob, honest, mallory" {
					t.Errorf("/who: %q", p.Message)
				}
			}
		}
		if answers < 1 || answers > 10 {
			t.Errorf("%d of 100 commands were answered", answers)
		}
		m.take()
		m.send(proto.CommandRequest{Line: "/kill everybody", Version: "latest"})
		r.run(300 * time.Millisecond)
		if p := each[proto.Text](m); len(p) != 1 || p[0].Message != "Commands: /who" {
			t.Errorf("an unknown command: %v", p)
		}
	})
}

// What comes through other doors, in Windows-1252, is cleaned before clients of this one read it.
func TestTalkOfOtherDoorsIsClean(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		c := r.enters("ann")
		c.take()
		r.on(func(w *worker) {
			x := connOf(w, c)
			a, p := predicted(x.session.Entity, "ann", geom.Vec{X: 25, Y: groundY, Z: -1})
			b, _ := predicted(x.session.Entity+1, "\xa7kb\xf6b\x81", geom.Vec{X: 25, Y: groundY, Z: -1})
			b.Flags = sim.FlagPlayer
			w.Show(&sim.Frame{
				Tick: 1 << 30, Actors: []sim.ActorState{a, b}, Predicted: []sim.PredictedState{p},
				Events: []sim.Event{{Kind: sim.EventChat, Who: b.ID, Text: "\xa7c\x81" + strings.Repeat("x", 1000)}},
			})
		})
		r.run(20 * time.Millisecond)
		got := each[proto.Text](c)
		if len(got) != 1 || got[0].Author != "kb\u00f6b" || got[0].Message != "c"+strings.Repeat("x", maxChat-1) {
			t.Errorf("ann was told %+v", got)
		}
	})
}

// Who reads nothing keeps a bounded share of memory until RakNet gives him up, and the worker waits for nobody.
func TestWhoDoesNotReadIsDropped(t *testing.T) {
	t.Parallel()
	beside(t, Options{}, func(r *rig) {
		x := r.enters("mallory")
		x.deaf = true
		r.run(12 * time.Second)
		r.on(func(w *worker) {
			if len(w.conns) != 1 || w.server.Peers() != 1 {
				t.Errorf("%d connections, %d sessions of RakNet", len(w.conns), w.server.Peers())
			}
		})
		x.peer.Reset()
	})
}

// CH-1: nobody stays without ground under his feet by not acknowledging what he is sent.
func TestNobodyChoosesToHaveNoGround(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		w := r.walker("mallory")
		r.on(func(k *worker) {
			c := connOf(k, w.client)
			c.out.AddBytes(make([]byte, groundQueue)) // as if so much waited
			far := geom.Vec{X: 1000, Y: 64, Z: 1000}
			c.walkGround(c.scene.def, c.scene.id, far, columnsPerFrame)
			if !c.ground.under(far) {
				t.Error("its own column waits")
			}
			if c.ground.under(geom.Vec{X: 1017, Y: 64, Z: 1000}) {
				t.Error("other columns do not wait")
			}
			c.out.Reset()
		})
	})
}

// A client that warns of our packets is logged once, whatever it says.
func TestWarningsAreLoggedOnce(t *testing.T) {
	t.Parallel()
	beside(t, Options{}, func(r *rig) {
		x := r.enters("mallory")
		for range 50 {
			x.send(proto.PacketViolationWarning{Packet: 11, Context: strings.Repeat("x", 1000)})
		}
		r.run(300 * time.Millisecond)
		if r.bad("violation_warning") != 50 || r.logged.count("violation_warning") != 1 || len(r.logged.String()) > 2000 {
			t.Errorf("%d counted; logged:\n%s", r.bad("violation_warning"), r.logged)
		}
	})
}
