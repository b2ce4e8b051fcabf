package sim

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// predictWorld is a world whose areas are flat ground. Blocks are 3.5 units wide, and the world's origin is at block 0, 64, 0.
func predictWorld() *World {
	w := testWorld()
	w.Rules.Predict = move.DefaultPredictPolicy()
	w.Rules.Knockback = Knockback{Away: 0.4, Up: 0.4}
	for i := range w.Areas {
		w.Areas[i].BlockGrid = terrain.BlockGrid{UnitsPerBlock: 3.5, Origin: [3]int32{0, 64, 0}}
	}
	return w
}

// predictClient is an honest predicting client: it runs the simulation that the server runs.
type predictClient struct {
	s       *stage
	x       *actor
	avatar  move.Avatar
	tick    uint64
	scratch move.Scratch
}

// predictClient logs a player in under the predict authority and returns its client.
func (s *stage) predictClient(who EntityID, at geom.Vec) *predictClient {
	s.t.Helper()
	in := joinAt(s.w, who, at)
	in.Join.Authority, in.Join.Login = move.ByInput, true
	s.step(in)
	x := s.a.find(who)
	x.lastAttackMS, x.saveTick = -1_000_000, 1<<40
	return &predictClient{s: s, x: x, avatar: predictOf(x).Avatar, tick: 100}
}

// next returns the client's next honest input.
func (k *predictClient) next(forward float32) Intent {
	k.tick++
	in := move.Input{Tick: k.tick, Yaw: k.avatar.Yaw, HeadYaw: k.avatar.Yaw, Move: [2]float32{0, forward}}
	k.avatar.Step(&in, nil, &k.scratch)
	in.Pos, in.Delta = k.avatar.Pos, k.avatar.Vel
	return Intent{Kind: IntentInput, Who: k.x.id, Input: in}
}

// mispredict returns the client's next input with an error in X. The parameter "by" is the error in blocks.
func (k *predictClient) mispredict(by float32) Intent {
	in := k.next(1)
	in.Input.Pos.X += by
	return in
}

func (k *predictClient) state() *AvatarState { return k.s.f.FindAvatar(k.x.id) }

func TestPredictedPlayerDoesNotMoveWithoutInput(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{})
	for range 10 {
		s.step(k.next(1))
	}
	predictOf(k.x).Avatar.Pos.Y += 20 // raises the player into the air
	predictOf(k.x).Avatar.OnGround = false
	before := predictOf(k.x).Avatar
	for range 100 { // 100 server ticks without input
		s.step()
		if k.state().Avatar != before || k.state().Prediction.Tick != k.tick {
			t.Fatalf("moved to %v without input", k.state().Avatar.Pos)
		}
	}
}

func TestMovementOfPredictedPlayerIsConvertedFromBlocksToWorldUnits(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{X: 35, Z: 70})
	if at := k.state().Avatar.Pos; at != (geom.Vec{X: 10, Y: 64, Z: -20}) {
		t.Fatalf("stands at block %v", at)
	}
	k.avatar.Yaw = 180 // the player faces north, which is +Z in the world
	for range 40 {
		s.step(k.next(1))
		if e := events(s.f, EventCorrected); len(e) > 0 {
			t.Fatalf("corrected: %+v", e[0].Rewind)
		}
	}
	row := s.f.Find(1)
	if !near(row.Pos.X, 35, 0.01) || row.Pos.Z < 70+3.5*7 || row.Pos.Z > 70+3.5*9 || !near(row.Pos.Y, 0, 1e-3) {
		t.Errorf("after 2 s at %v", row.Pos)
	}
	if row.DestZ <= row.Pos.Z || !near(row.Yaw, 0, 1e-3) || !row.Is(FlagAvatar|FlagPlayer) {
		t.Errorf("destination %v, %v, yaw %v", row.DestX, row.DestZ, row.Yaw)
	}
}

func TestCorrectionReportsTickAndStateAndErrorDistanceAndRTT(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{})
	s.step(k.next(1))
	in := k.mispredict(0.6)
	in.Input.RTT = 80
	e := s.expectEvent(EventCorrected, in)
	r := e.Rewind
	if e.Reason != reason.Mispredicted || r == nil || r.Tick != k.tick || r.RTT != 80 || r.Serial == 0 {
		t.Fatalf("got %+v, %+v", e, r)
	}
	if r.State != k.state().Avatar || r.Claimed != in.Input.Pos || r.Velocity != in.Input.Delta || !near(r.Distance, 0.6, 1e-4) || e.Asked != r.Distance || e.Allowed != 0.5 {
		t.Errorf("state %v, claimed %v, distance %v of %v", r.State.Pos, r.Claimed, e.Asked, e.Allowed)
	}
	if !near(geom.DistXZ(e.Pos, e.From), 0.6*3.5, 1e-3) {
		t.Errorf("in the world %v and %v", e.Pos, e.From)
	}
}

// Scenario A-4 of docs/wire/bedrock.md: ten inputs that arrive together after ten ticks without inputs are all processed
// in the server's next tick.
func TestTenInputsAfterTenSilentTicksAreProcessedInOneTick(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{})
	s.step(k.next(1))
	s.run(0.5) // ten ticks without inputs
	var batch []Intent
	for range 10 {
		batch = append(batch, k.next(1))
	}
	s.step(batch...)
	if k.state().Prediction.Tick != k.tick || k.state().Avatar.Pos != k.avatar.Pos {
		t.Errorf("processed up to %d of %d", k.state().Prediction.Tick, k.tick)
	}
}

// Scenario A-11 of docs/wire/bedrock.md: a client with a fast clock sends 25 inputs per second, instead of 20, for a
// minute.
func TestClientThatSendsInputsTooFastGainsNoDistance(t *testing.T) {
	s := newStage(t, predictWorld())
	honest, cheat := s.predictClient(1, geom.Vec{}), s.predictClient(2, geom.Vec{X: 35})
	for tick := range 60 * 20 {
		ins := []Intent{honest.next(1), cheat.next(1)}
		if tick%4 == 0 {
			ins = append(ins, cheat.next(1))
		}
		s.step(ins...)
		for _, e := range events(s.f, EventCorrected) {
			if e.Who == 1 {
				t.Fatal("honest client was corrected")
			}
			cheat.avatar = e.Rewind.State
		}
	}
	gained := geom.DistXZ(cheat.state().Avatar.Pos, geom.Vec{X: 10}) - geom.DistXZ(honest.state().Avatar.Pos, geom.Vec{})
	if gained > 0.3 {
		t.Errorf("timer cheat is %v blocks ahead", gained)
	}
	if len(predictOf(cheat.x).queue) > int(s.w.Rules.Predict.QueueSize) {
		t.Errorf("%d inputs wait", len(predictOf(cheat.x).queue))
	}
}

func TestOldestInputIsDroppedWhenQueueIsFull(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{})
	s.step(k.next(1))
	var flood []Intent
	for range 45 {
		flood = append(flood, k.next(1))
	}
	s.step(flood...)
	lost := 0
	for _, e := range events(s.f, EventRefused) {
		if e.Reason == reason.InputOverflow {
			lost++
		}
	}
	if lost != 5 || predictOf(k.x).queuedInputs() != 39 { // one input was processed, 39 are queued
		t.Errorf("%d inputs dropped and %d queued", lost, predictOf(k.x).queuedInputs())
	}
	if e := events(s.f, EventCorrected); len(e) != 1 || e[0].Reason != reason.InputOverflow {
		t.Errorf("corrections: %+v", e)
	}
}

func TestQueuedActionsAreExecutedInOrderBeforeNextInput(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{})
	k.x.inv[SlotWeapon] = ItemStack{Item: itemBow, Amount: 1, Health: 100}
	s.a.updateEquipment(k.x)
	s.step(Intent{Kind: IntentUseItem, Who: 1, Amount: 1})
	if k.state().Avatar.UsingItem {
		t.Fatal("item used without an input")
	}
	before := k.state().Avatar
	k.avatar.UsingItem = true // the item slows the player in this step on the client and on the server
	s.step(k.next(1))
	if e := events(s.f, EventCorrected); len(e) > 0 || k.state().Avatar.Pos != k.avatar.Pos {
		t.Errorf("the client is at %v, the server at %v", k.avatar.Pos, k.state().Avatar.Pos)
	}
	if slow := before.Pos.Z - k.state().Avatar.Pos.Z; slow > 0.02 || slow <= 0 {
		t.Errorf("moved %v while using the bow", slow)
	}
	k.avatar.UsingItem = false
	s.step(Intent{Kind: IntentUseItem, Who: 1}, k.next(1))
	if k.state().Avatar.UsingItem {
		t.Error("item still in use after release")
	}
	t.Run("at most sixteen actions are queued", func(t *testing.T) {
		for range 10 {
			s.step(slices.Repeat([]Intent{{Kind: IntentUseItem, Who: 1}}, 10)...)
		}
		if n := len(predictOf(k.x).queue); n != maxActions {
			t.Errorf("%d actions queued", n)
		}
	})
}

// The range of an attack is measured from the attacker's position after its last processed input. Source: docs/wire/bedrock.md,
// order of one input.
func TestAttackReachUsesPositionAfterLastInput(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{})
	reach := s.w.Rules.Combat.MeleeReach + 2
	y := s.player(2, geom.Vec{Z: -reach - 3}) // the target is still out of reach after one step south
	k.x.ratings[y.homeFaction] = 100
	k.avatar.Yaw = 0
	var ins []Intent
	for range 12 {
		ins = append(ins, k.next(1))
	}
	s.run(1)
	s.step(append([]Intent{attackIntent(k.x, y)}, ins...)...)
	if e := events(s.f, EventRefused); len(e) != 1 || e[0].Reason != reason.OutOfRange {
		t.Errorf("attack before the steps: %+v", e)
	}
	s.run(1)
	s.step(attackIntent(k.x, y), k.next(0))
	if e := events(s.f, EventRefused); len(e) != 0 {
		t.Errorf("attack after the steps: %+v", e)
	}
}

func TestKnockbackIsAppliedImmediatelyAndSentWithClientTick(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{})
	s.step(k.next(0))
	x := s.player(2, geom.Vec{X: -3.5})
	x.ratings[k.x.homeFaction] = 100
	var e Event
	for range 50 {
		x.lastAttackMS = -1_000_000
		if found := events(s.step(attackIntent(x, k.x)), EventKnockback); len(found) == 1 {
			e = found[0]
			break
		}
	}
	if e.Rewind == nil || e.Who != 1 || e.Rewind.Tick != k.tick || e.Rewind.Serial == 0 {
		t.Fatalf("got %+v", e)
	}
	if v := e.Rewind.State.Vel; v != (geom.Vec{X: 0.4, Y: 0.4}) {
		t.Errorf("velocity %v", v)
	}
	for range 5 { // inputs in flight, which the client made before it knew of the knockback
		s.step(k.next(0))
		if len(events(s.f, EventCorrected)) > 0 {
			t.Fatal("corrected while the knockback was pending")
		}
	}
	if at := k.state().Avatar.Pos; at.X < 1 || at.Y <= 64 {
		t.Errorf("player at %v", at)
	}
}

func TestSpeedChangeIsSentWithClientTick(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{})
	s.step(k.next(1))
	k.x.attr[attrSpeed].Value = 50
	e := s.expectEvent(EventStance, k.next(1))
	if e.Rewind.State.Speed != 0.05 || e.Rewind.Tick != k.tick-1 || e.Rewind.Serial == 0 {
		t.Errorf("speed %v at tick %d", e.Rewind.State.Speed, e.Rewind.Tick)
	}
}

func TestRequestedStanceChangeIsSentBackToClient(t *testing.T) {
	s := newStage(t, predictWorld())
	k := s.predictClient(1, geom.Vec{})
	s.step(k.next(1))
	in := k.next(1)
	in.Input.Flags |= move.InputStartSneak | move.InputSneakDown | move.InputSneaking
	e := s.expectEvent(EventStance, in)
	if !e.Rewind.State.Sneaking || e.Rewind.Tick != k.tick {
		t.Errorf("got %+v", e.Rewind)
	}
	in = k.next(1)
	in.Input.Flags |= move.InputStartFly
	if e := events(s.step(in), EventStance); len(e) != 1 || e[0].Rewind.State.Flying {
		t.Errorf("flying without the ability: %+v", e)
	}
}

// An area restored from a snapshot gives the same frames for the same inputs.
func TestReplayFromSnapshotUnderPredictAuthorityGivesSameFrames(t *testing.T) {
	w := predictWorld()
	s := newStage(t, w)
	k := s.predictClient(1, geom.Vec{})
	play := func(i int) []Intent {
		switch {
		case i%7 == 3:
			return nil
		case i%50 == 20:
			return []Intent{k.mispredict(0.7)}
		case i%11 == 0:
			return []Intent{{Kind: IntentUseItem, Who: 1, Amount: 1}, k.next(1), k.next(0.5)}
		}
		return []Intent{k.next(1)}
	}
	for i := range 100 {
		s.step(play(i)...)
	}
	s.step(k.next(1), k.next(1), k.next(1)) // two of these inputs stay queued
	again, err := Restore(w, s.a.Snapshot(nil))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		ins := play(i)
		for j := range ins {
			ins[j].AtMS = s.a.ms() + 50
		}
		f, g := s.a.Step(ins), again.Step(ins)
		if f.Hash != g.Hash || !reflect.DeepEqual(f.Avatars, g.Avatars) || len(f.Events) != len(g.Events) {
			t.Fatalf("tick %d: %x and %x", f.Tick, f.Hash, g.Hash)
		}
	}
}

// The snapshot and the hash contain every field of the predict authority's state.
func TestHashAndSnapshotCoverWholeStateOfPredictAuthority(t *testing.T) {
	w := ridingWorld()
	for _, path := range leaves(reflect.TypeFor[move.PredictState](), nil) {
		s := newStage(t, w)
		k := s.predictClient(1, geom.Vec{})
		v := reflect.ValueOf(&predictOf(k.x).PredictState).Elem()
		name := ""
		if field := v.Type().Field(path[0]).Name; field == "Vehicle" {
			if len(path) == 2 && v.Field(path[0]).Type().Field(path[1]).Name == "Type" {
				continue // the type of the vehicle follows from the mount's template, so it is not changed
			}
			s.mount(k, s.npc(tmplHorse, geom.Vec{X: 8}))
		}
		for _, i := range path {
			name += "." + v.Type().Field(i).Name
			v = reflect.NewAt(v.Field(i).Type(), unsafe.Pointer(v.Field(i).UnsafeAddr())).Elem()
		}
		if strings.HasPrefix(name, ".Teleport.Replay.") {
			predictOf(k.x).Teleport.Tick = 1 // without a tick there is no replayed body
		}
		before := s.a.hash()
		if !changeValue(v) {
			t.Fatalf("field %s: do not know how to change a %v", name, v.Type())
		}
		if s.a.hash() == before {
			t.Errorf("the hash does not see %s", name)
		}
		again, err := Restore(w, s.a.Snapshot(nil))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, want := predictOf(again.find(1)).PredictState, predictOf(k.x).PredictState; got != want {
			t.Errorf("the snapshot loses %s", name)
		}
	}
}

func TestTickWithPredictedPlayersDoesNotAllocate(t *testing.T) {
	w := predictWorld()
	s := newStage(t, w)
	var ks []*predictClient
	for i := range 20 {
		ks = append(ks, s.predictClient(EntityID(i+1), geom.Vec{X: float32(i) * 20}))
	}
	ins := make([]Intent, 0, len(ks))
	tick := func() {
		ins = ins[:0]
		for _, k := range ks {
			ins = append(ins, k.next(1))
		}
		s.a.Recycle(s.f)
		s.f = s.a.Step(ins)
	}
	for range 100 {
		tick()
	}
	if n := testing.AllocsPerRun(200, tick); n > 0 {
		t.Errorf("%v allocations a tick", n)
	}
}
