package bedrock

import (
	"context"
	"slices"
	"testing"
	"time"

	bot "github.com/truestep-io/truestep/client/bedrock"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

var walkNorth = bot.Keys{Yaw: north, Forward: 1}

// walker is a scripted client that predicts its player's movement. A test can make it send false inputs.
type walker struct {
	*client
	body    move.Avatar
	tick    uint64
	scratch move.Scratch
}

func (srv *testServer) walker(name string) *walker { return srv.join(name).walker() }

func (c *client) walker() *walker {
	w := &walker{client: c, tick: 1000, body: move.NewAvatar(feetPosition(c.start.Position))}
	w.body.Vel, w.body.OnGround = geom.Vec{Y: -0.0784}, true
	return w
}

// next simulates one tick and returns the input packet of the tick.
func (w *walker) next(in move.Input) proto.PlayerAuthInput {
	w.tick++
	in.Tick = w.tick
	w.body.Step(&in, nil, &w.scratch)
	in.Pos, in.Delta = w.body.Pos, w.body.Vel
	return bot.AuthInput(&in, 0)
}

// walk sends inputs for a number of ticks, 20 a second.
func (w *walker) walk(ticks int, in move.Input) {
	for range ticks {
		w.send(w.next(in))
		w.srv.advance(50 * time.Millisecond)
	}
}

var northward = move.Input{Yaw: north, HeadYaw: north, Move: [2]float32{0, 1}}

// Rule SV-6 of docs/wire/bedrock.md: while client and server agree, no correction is sent, at any delay and in both protocol
// versions.
func TestHonestPlayersAreNotCorrected(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		late time.Duration
		v    proto.Version
		keys []bot.Keys
	}{
		{"walk", 0, proto.V2169, []bot.Keys{walkNorth}},
		{"walk, 100 ms, 2193", 100 * time.Millisecond, proto.V2193, []bot.Keys{walkNorth, {Yaw: 150, Forward: 1, Strafe: 1}}},
		{"sprint and jump, 300 ms", 300 * time.Millisecond, proto.V2169, []bot.Keys{{Yaw: north, Forward: 1, Sprint: true, Jump: true}, {Yaw: west, Forward: 1, Sneak: true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			withServer(t, twoFields(), Options{}, func(srv *testServer) {
				p := srv.joinPlayerWith(bot.Options{Name: "ann", Version: c.v})
				p.delay = c.late
				start := p.position()
				for range 3 {
					for _, k := range c.keys {
						p.walk(time.Second, k)
					}
				}
				srv.advance(time.Second)
				if geom.DistXZ(start, p.position()) < 2 {
					t.Errorf("moved only from %v to %v", start, p.position())
				}
				n := p.Counts()
				if n.Move.Corrections != 0 || n.ParseErrors != 0 || p.err != nil {
					t.Errorf("%+v, %v, %v", n.Move, p.FirstParseError(), p.err)
				}
				for kind, at := range map[string]uint64{"malformed": srv.faults("malformed"), "early_input": srv.faults("early_input"), "trailing": srv.faults("trailing")} {
					if at != 0 {
						t.Errorf("%d faults of kind %s", at, kind)
					}
				}
			})
		})
	}
}

// Rules SV-5, SV-8 and SV-14 of docs/wire/bedrock.md: a false position is corrected immediately with the tick of its input, the
// state after it, and a barrier. Inputs in flight are not corrected again. Other clients are sent the server's position and
// never the false position.
func TestCorrectionHasTickOfInputAndIsFollowedByBarrier(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		other := srv.join("bob")
		w := srv.walker("ann")
		w.manual = true // the test answers barriers itself
		w.walk(5, northward)
		w.takePackets()
		other.takePackets()
		falseInput := w.next(northward)
		truth := w.body
		falseInput.Position[0] += 0.6
		w.send(falseInput)
		for range 6 {
			p := w.next(northward)
			p.Position[0] += 0.6
			w.send(p)
		}
		srv.advance(time.Second)
		got := w.takePackets()
		i := slices.IndexFunc(got, func(p proto.Packet) bool { return packetName(p) == "CorrectPlayerMovePrediction" })
		if i < 0 || i+1 >= len(got) {
			t.Fatalf("no correction and barrier in %v", got)
		}
		c := got[i].(proto.CorrectPlayerMovePrediction)
		want := proto.CorrectPlayerMovePrediction{
			Position: eyePosition(truth.Pos), Delta: toVec3(truth.Vel), Rotation: proto.Vec2{0, -180}, OnGround: true, Tick: falseInput.Tick,
		}
		if c.Rotation[1] == 180 {
			want.Rotation[1] = 180
		}
		if c != want {
			t.Errorf("corrected to %+v, want %+v", c, want)
		}
		b, ok := got[i+1].(proto.NetworkStackLatency)
		if !ok || !b.NeedsResponse || b.Timestamp == 0 {
			t.Errorf("the next packet is %s", describe(got[i+1]))
		}
		for _, p := range got[i+2:] {
			if packetName(p) == "CorrectPlayerMovePrediction" {
				t.Errorf("corrected again: %s", describe(p))
			}
		}
		moves := packetsOf[proto.MoveActorAbsolute](other)
		if len(moves) == 0 {
			t.Fatal("the other player received nothing")
		}
		for _, m := range moves {
			if m.Position[0] != truth.Pos.X || m.Runtime == other.start.Runtime {
				t.Errorf("the other player received %+v", m)
			}
		}
		if last := moves[len(moves)-1].Position; last != eyePosition(w.body.Pos) {
			t.Errorf("last position %v, want exactly %v", last, eyePosition(w.body.Pos))
		}
	})
}

// Rule BA-4 of docs/wire/bedrock.md: a correction is sent with the frame that contains it, not with the next broadcast.
func TestCorrectionIsSentAtOnceAndNotWithNextBroadcast(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		w := srv.walker("ann")
		w.walk(5, northward)
		w.takePackets()
		falseInput := w.next(northward)
		falseInput.Position[0] += 2
		w.send(falseInput)
		for ms := 0; countOf[proto.CorrectPlayerMovePrediction](w.client) == 0; ms += 10 {
			if ms > 80 {
				t.Fatal("no correction within 80 ms")
			}
			srv.step()
		}
	})
}

// Rule SV-4 of docs/wire/bedrock.md: packets about the own player have the tick of the last processed input; packets
// about others have tick 0.
func TestPacketsAboutOwnPlayerHaveTickOfLastInput(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		w := srv.walker("ann")
		other := srv.join("bob")
		w.walk(5, northward)
		w.takePackets()
		other.takePackets()
		sprint := northward
		sprint.Flags = move.InputStartSprint | move.InputSprinting | move.InputSprintDown
		w.send(w.next(sprint))
		asked := w.tick
		srv.advance(100 * time.Millisecond)
		data, attributes := packetsOf[proto.SetActorData](w.client), packetsOf[proto.UpdateAttributes](w.client)
		if len(data) != 1 || data[0].Tick != asked || data[0].Runtime != w.start.Runtime || !data[0].Metadata.Flags().Has(proto.FlagSprinting) {
			t.Errorf("SV-21: SetActorData %+v, want tick %d", data, asked)
		}
		if len(attributes) != 1 || attributes[0].Tick != asked || attributes[0].Attributes[0].Current != float32(0.13) {
			t.Fatalf("SV-21: UpdateAttributes %+v, want tick %d", attributes, asked)
		}
		l := move.DefaultLiquids()
		for _, want := range []proto.Attribute{{Name: proto.AttributeUnderwaterMovement, Current: l.Water.Accelerate}, {Name: proto.AttributeLavaMovement, Current: l.Lava.Accelerate}} {
			if !slices.ContainsFunc(attributes[0].Attributes, func(a proto.Attribute) bool { return a.Name == want.Name && a.Current == want.Current }) {
				t.Errorf("no %s of %v in %+v", want.Name, want.Current, attributes)
			}
		}
		srv.advance(300 * time.Millisecond)
		seen := packetsOf[proto.SetActorData](other)
		if len(seen) < 1 || len(seen) > 2 { // a broadcast to actors at medium distance may repeat the position
			t.Errorf("the other player received %d changes", len(seen))
		}
		for _, p := range seen {
			if p.Tick != 0 || p.Runtime == other.start.Runtime || !p.Metadata.Flags().Has(proto.FlagSprinting) {
				t.Errorf("the other player received %+v", p)
			}
		}
	})
}

// attributeNames returns the names of a packet's attributes, in order.
func attributeNames(p proto.UpdateAttributes) (names []string) {
	for i := range p.Attributes {
		names = append(names, p.Attributes[i].Name)
	}
	return names
}

// Rule SV-21 of docs/wire/bedrock.md: a refused request to change the stance, here to glide or to fly, is answered with the
// player's state.
func TestRefusedRequestToGlideOrFlyIsAnsweredWithCurrentState(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		w := srv.walker("ann")
		w.walk(5, northward)
		for _, f := range []move.InputFlags{move.InputStartGlide, move.InputStartFly} {
			w.takePackets()
			asks := northward
			asks.Flags = f
			p := w.next(asks)
			w.send(p)
			srv.advance(100 * time.Millisecond)
			data := packetsOf[proto.SetActorData](w.client)
			if len(data) != 1 || data[0].Tick != p.Tick || data[0].Metadata.Flags().Has(proto.FlagGliding) {
				t.Errorf("%b: %+v", f, data)
			}
		}
	})
}

// Rules SV-3 and SV-22 of docs/wire/bedrock.md: a transaction takes effect with the input that follows it.
func TestInventoryTransactionTakesEffectWithNextInput(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		w := srv.walker("ann")
		other := srv.walker("bob")
		srv.advance(300 * time.Millisecond)
		w.walk(2, move.Input{})
		other.walk(2, move.Input{})
		w.takePackets()
		other.takePackets()
		target := uint64(0)
		srv.onWorker(func(k *worker) {
			for e, wire := range connOf(k, w.client).view.runtimeIDs {
				if e == connOf(k, other.client).session.Entity {
					target = wire
				}
			}
		})
		w.send(attackPacket(target))
		srv.advance(500 * time.Millisecond)
		if len(w.takePackets())+len(other.takePackets()) != 0 {
			t.Error("an attack took effect without an input")
		}
		w.walk(1, move.Input{})
		srv.advance(200 * time.Millisecond)
		if n := countOf[proto.SetActorMotion](other.client); n != 1 {
			t.Errorf("bob was knocked back %d times, want once", n)
		}
		if n := countOf[proto.Animate](other.client); n != 1 {
			t.Errorf("bob received %d arm swings, want one", n)
		}
	})
}

// Rule SV-22 of docs/wire/bedrock.md: a transaction inside an input takes effect with that input.
func TestInventoryTransactionInsideInputPacketTakesEffectWithThatInput(t *testing.T) {
	t.Parallel()
	world := twoFields()
	arrow := combat.Projectile{ID: 1, Name: "Arrow", HitChance: 100, Damage: 1, Speed: 60}
	world.Projectiles = []combat.Projectile{arrow}
	world.Items = []sim.Item{{ID: 1, Name: "Bow", Kind: sim.ItemWeapon, SlotKind: 1, Weapon: &combat.Weapon{Kind: combat.Ranged, Range: 9, Projectile: &world.Projectiles[0]}}}
	world.NewCharacters.Kit = []sim.KitItem{{Slot: 0, Stack: sim.ItemStack{Item: 1, Amount: 1, Health: 100}}}
	withServer(t, world, Options{}, func(srv *testServer) {
		w := srv.walker("ann")
		w.walk(3, northward)
		drawing := w.next(northward)
		drawing.Input.Set(proto.InputItemInteract)
		drawing.Transaction = &proto.UseItemTransaction{Use: proto.UseItem{Action: proto.UseItemClickAir}}
		w.send(drawing)
		srv.advance(100 * time.Millisecond)
		using := func() (using bool) {
			srv.onWorker(func(k *worker) {
				c := connOf(k, w.client)
				for _, f := range c.scene.actors {
					using = using || f.id == c.session.Entity && f.flags.Has(proto.FlagUsingItem)
				}
			})
			return using
		}
		if !using() {
			t.Error("the bow is not drawn")
		}
		w.send(proto.InventoryTransaction{Type: proto.TransactionReleaseItem})
		w.walk(1, northward)
		srv.advance(100 * time.Millisecond)
		if using() {
			t.Error("the bow is still drawn")
		}
	})
}

func attackPacket(target uint64) proto.InventoryTransaction {
	return proto.InventoryTransaction{
		Type: proto.TransactionUseItemOnActor, UseOnActor: proto.UseItemOnActor{Target: target, Action: proto.UseOnActorAttack},
	}
}

// connOf returns the worker's connection of a client.
func connOf(w *worker, c *client) *conn {
	for x := range w.conns {
		if x.peer.Addr() == c.addr {
			return x
		}
	}
	return nil
}

// The server accepts a barrier's answer in each form that clients send: with the barrier's timestamp unchanged, or converted to
// a finer unit.
func TestBarrierResponsesInEveryTimeUnitAreAccepted(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		w := srv.walker("ann")
		w.manual = true
		for _, times := range []uint64{1, 1000, 1_000_000} {
			w.walk(8, northward)
			w.takePackets()
			falseInput := w.next(northward)
			falseInput.Position[0] += 3
			w.send(falseInput)
			srv.advance(100 * time.Millisecond)
			b := packetsOf[proto.NetworkStackLatency](w.client)
			if len(b) != 1 {
				t.Fatalf("received %d barriers", len(b))
			}
			before := srv.faults("strange_barrier")
			w.send(proto.NetworkStackLatency{Timestamp: b[0].Timestamp * times})
			srv.advance(50 * time.Millisecond)
			if srv.faults("strange_barrier") != before {
				t.Errorf("answer with %d times the timestamp was not accepted", times)
			}
			w.walk(2, northward)
			srv.advance(time.Second)
		}
		w.send(proto.NetworkStackLatency{Timestamp: 12345})
		srv.advance(50 * time.Millisecond)
		if srv.faults("strange_barrier") != 1 {
			t.Error("the answer to an unknown barrier was accepted")
		}
	})
}

// The answer to a barrier is accepted once, even if the server has sent a newer barrier since.
func TestAnswerToOlderBarrierIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		w := srv.walker("ann")
		w.manual = true
		w.walk(8, northward)
		w.takePackets()
		ann := srv.entityNamed("ann")
		for range maxBarriers/2 + 1 { // two barriers per round: in total two more than maxBarriers
			srv.must(srv.hub.Freeze(context.Background(), ann, true))
			srv.advance(50 * time.Millisecond)
			srv.must(srv.hub.Freeze(context.Background(), ann, false))
			srv.advance(50 * time.Millisecond)
		}
		sent := packetsOf[proto.NetworkStackLatency](w.client)
		if len(sent) != maxBarriers+2 {
			t.Fatalf("received %d barriers", len(sent))
		}
		answers := func(b proto.NetworkStackLatency) uint64 {
			before := srv.faults("strange_barrier")
			w.send(proto.NetworkStackLatency{Timestamp: b.Timestamp})
			srv.advance(50 * time.Millisecond)
			return srv.faults("strange_barrier") - before
		}
		for i, b := range sent {
			if bad := answers(b); (bad == 0) != (i >= 2) {
				t.Errorf("answer %d of %d: %d bad", i+1, len(sent), bad)
			}
		}
		if answers(sent[len(sent)-1]) != 1 {
			t.Error("the same answer was accepted twice")
		}
	})
}
