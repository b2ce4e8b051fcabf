package bedrock

import (
	"testing"

	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// The tests in this file check statements of Mojang's specification PlayerMovementOverview with the Predictor, encoded
// packets and the simulation of the server. The network delays each direction by two frames unless a test says otherwise.

// place is a position in the second example of PlayerMovementOverview: the number of blocks east and north of the player's
// position in frame 0.
type place [2]int

// Scenario A-2 of docs/wire/bedrock.md: the second example of PlayerMovementOverview, position by position. A player
// walks north at one block per tick, and a force that only the server knows moves it one block east in frame 0. Each
// row states a client frame and the server frame that runs at the same time.
func TestPositionsAfterKnockbackEqualExampleOfSpecification(t *testing.T) {
	const frame0 = firstTick + 20 // by this tick the player walks at constant speed
	r := newRig(t, nil, netsim.Impairment{DelayMS: 100}, nil)
	north := geom.Vec{}
	r.keys = func(*Predictor) Keys { return Keys{Forward: 1, Yaw: 180} }
	r.server.state.Avatar.Speed = walkingOneBlockPerTick
	r.predict.AddAttributes(proto.UpdateAttributes{Attributes: []proto.Attribute{{
		Name: proto.AttributeMovement, Current: walkingOneBlockPerTick, Default: walkingOneBlockPerTick,
	}}})
	r.server.afterInput = func(j *authority) {
		if j.state.Tick == frame0 {
			a := &j.state.Avatar
			a.Pos.X++
			j.positions[frame0] = a.Pos
			j.queue(proto.CorrectPlayerMovePrediction{Position: vec3(eyeOf(a.Pos)), Delta: vec3(a.Vel), OnGround: a.OnGround, Tick: frame0})
			j.sendBarrier()
		}
	}
	at := func(p geom.Vec) place {
		const tolerance = 1e-3
		east, ahead := p.X-north.X, north.Z-p.Z
		got := place{int(east + 0.5), int(ahead + 0.5)}
		if d := geom.Abs(east-float32(got[0])) + geom.Abs(ahead-float32(got[1])); d > tolerance {
			t.Errorf("%v blocks east and %v north are no whole blocks", east, ahead)
		}
		return got
	}
	r.play(20)
	north = r.predict.State().Pos
	r.play(1)
	for _, row := range []struct {
		client, server          uint64
		clientAt                place // position of the client after its frame
		claimed, simulated      place // position that the client claimed for the server's frame, and position that the server simulated
		replayed                []place
		corrections, rewindsYet int
	}{
		{client: 2, server: 0, clientAt: place{0, 2}, claimed: place{0, 0}, simulated: place{1, 0}},
		{client: 3, server: 1, clientAt: place{0, 3}, claimed: place{0, 1}, simulated: place{1, 1}},
		{client: 4, server: 2, clientAt: place{1, 4}, claimed: place{0, 2}, simulated: place{1, 2}, replayed: []place{{1, 0}, {1, 1}, {1, 2}, {1, 3}}},
		{client: 5, server: 3, clientAt: place{1, 5}, claimed: place{0, 3}, simulated: place{1, 3}},
		{client: 6, server: 4, clientAt: place{1, 6}, claimed: place{1, 4}, simulated: place{1, 4}},
	} {
		r.play(1)
		if c, s := r.predict.Tick()-frame0, r.server.state.Tick-frame0; c != row.client || s != row.server {
			t.Fatalf("frame (%d, %d), want (%d, %d)", c, s, row.client, row.server)
		}
		if got := at(r.predict.State().Pos); got != row.clientAt {
			t.Errorf("frame (%d, %d): client at %v, want %v", row.client, row.server, got, row.clientAt)
		}
		if claimed, simulated := at(r.server.last.ClaimedPos), at(r.server.positions[r.server.state.Tick]); claimed != row.claimed || simulated != row.simulated {
			t.Errorf("frame (%d, %d): client claims %v and server has %v, want %v and %v", row.client, row.server, claimed, simulated, row.claimed, row.simulated)
		}
		for frame, want := range row.replayed {
			if _, after, _ := r.predict.StateAt(frame0 + uint64(frame)); at(after.Pos) != want {
				t.Errorf("frame (%d, %d): replay of frame %d ends at %v, want %v", row.client, row.server, frame, at(after.Pos), want)
			}
		}
	}
	r.play(20)
	if r.server.corrections != 0 || r.server.last.PosError > 1e-3 {
		t.Errorf("%d further corrections, positions differ by %v", r.server.corrections, r.server.last.PosError)
	}
	if s := r.predict.RewindStats(); s.Rewinds == 0 || s.Visible != 1 || s.MaxReplayed != 3 {
		t.Errorf("statistics %+v", s)
	}
}

// walkingOneBlockPerTick is the movement attribute at which a player walks one block per tick on grass: the forward
// input is 0.98, and friction keeps 0.546 of the velocity per tick.
const walkingOneBlockPerTick float32 = (1 - 0.546) / 0.98

// Rule CL-5 of docs/wire/bedrock.md: MovePlayer in mode rotation turns the player at its tick, without moving it and
// without an acknowledgement.
func TestPlayerTurnsAtTickOfMovePlayerPacketInRotationMode(t *testing.T) {
	r := newRig(t, nil, netsim.Impairment{}, nil)
	r.play(10)
	r.keys = func(p *Predictor) Keys { a := p.State(); return Keys{Yaw: a.Yaw, Pitch: a.Pitch} }
	r.play(60)
	before := r.predict.State()
	turn := proto.MovePlayer{Position: proto.Vec3{99, 99, 99}, Mode: proto.MoveRotation, Tick: r.predict.Tick() - 3, Pitch: 20, Yaw: 90, HeadYaw: 100}
	if r.predict.AddTeleport(turn) == 0 {
		t.Fatal("ignored")
	}
	r.predict.Reconcile()
	if _, after, _ := r.predict.StateAt(turn.Tick); after.Pitch != 20 || after.Yaw != 90 || after.HeadYaw != 100 || after.Pos != before.Pos {
		t.Errorf("after its tick %+v", after)
	}
	r.predict.AddTeleport(proto.MovePlayer{Mode: proto.MoveRotation, Pitch: 10, Yaw: -90})
	in := r.predict.Advance(r.keys(r.predict))
	if in.Yaw != -90 || in.Pitch != 10 || in.Flags.Has(move.InputHandledTeleport) || in.Pos != before.Pos {
		t.Errorf("input %+v", in)
	}
	if c := r.predict.Counts(); c.Teleports != 0 {
		t.Errorf("%d teleports counted", c.Teleports)
	}
}

// Rule CL-5 of docs/wire/bedrock.md: metadata that has a bounding box but no flags sets the posture whose height the
// box has, at the packet's tick.
func TestBoundingBoxWithoutFlagsSetsPostureByBoxHeight(t *testing.T) {
	box := func(height float32, tick uint64) proto.SetActorData {
		return proto.SetActorData{Runtime: ownID, Metadata: proto.Metadata{proto.FloatMeta(proto.MetaHeight, height)}, Tick: tick}
	}
	for _, c := range []struct {
		height   float32
		sneaks   bool
		crawls   bool
		sneaking bool // the client sneaks before the packet arrives
	}{
		{height: 0.6, crawls: true}, {height: 1.5, sneaks: true}, {height: 1.8}, {height: 1.8, sneaking: true}, {height: 1.5, sneaking: true, sneaks: true},
	} {
		r := newRig(t, nil, netsim.Impairment{}, nil)
		r.keys = func(*Predictor) Keys { return Keys{Sneak: c.sneaking} }
		r.play(10)
		tick := r.predict.Tick() - 2
		if r.predict.AddActorData(box(c.height, tick)) == 0 {
			t.Fatalf("%v: ignored", c)
		}
		r.predict.Reconcile()
		_, after, _ := r.predict.StateAt(tick)
		if after.Height() != c.height || after.Sneaking != c.sneaks || after.Crawling != c.crawls {
			t.Errorf("%+v: height %v, sneaking %v, crawling %v", c, after.Height(), after.Sneaking, after.Crawling)
		}
	}
}

// Rules SV-22 and CL-3 of docs/wire/bedrock.md: the use of the held item is sent before the input of its tick. Client
// and server slow the player from that input until the input of the release.
func TestUsingItemSlowsPlayerFromTickOfUse(t *testing.T) {
	const press, release = 30, 50 // times at which the use key is pressed and released, in ticks after firstTick
	r := newRig(t, nil, netsim.Impairment{DelayMS: 100}, nil)
	r.server.policy.Threshold = 0.01
	r.keys = func(p *Predictor) Keys {
		n := p.Tick() + 1 - firstTick
		return Keys{Forward: 1, Use: n >= press && n < release}
	}
	slow := map[bool]int{}
	r.server.afterInput = func(j *authority) {
		n := j.state.Tick - firstTick
		if n >= press && n < release != j.state.Avatar.UsingItem {
			t.Errorf("tick %d: the server has the item in use: %v", n, j.state.Avatar.UsingItem)
		}
		if j.last.PosError > 1e-5 {
			t.Errorf("tick %d: positions differ by %v", n, j.last.PosError)
		}
		slow[j.state.Avatar.Vel.Z < 0.05]++
	}
	r.play(80)
	if r.server.corrections != 0 || slow[true] < 15 || slow[false] < 40 {
		t.Errorf("%d corrections, %d slow ticks of %d", r.server.corrections, slow[true], slow[true]+slow[false])
	}
}

// Rule CL-5 of docs/wire/bedrock.md: the attributes of movement in liquids take effect at the packet's tick.
func TestLiquidMovementAttributesApplyAtTickOfPacket(t *testing.T) {
	for liquid, name := range map[terrain.BlockID]string{terrain.Water: proto.AttributeUnderwaterMovement, terrain.Lava: proto.AttributeLavaMovement} {
		blocks, err := terrain.NewBlocks(terrain.BlocksSpec{
			Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Level: 64, Surface: terrain.Stone, Filler: terrain.Stone,
			Fills: []terrain.BlockFill{{Min: [3]int32{-20, 64, -20}, Max: [3]int32{20, 90, 60}, Block: liquid}},
		})
		if err != nil {
			t.Fatal(err)
		}
		way := func(told bool) float32 {
			r := newRig(t, blocks, netsim.Impairment{}, nil)
			r.play(20)
			if told {
				tick := r.predict.Tick() - 5
				r.predict.AddAttributes(proto.UpdateAttributes{Tick: tick, Attributes: []proto.Attribute{{Name: name, Current: 0.04}}})
			}
			r.predict.Reconcile()
			return r.predict.State().Pos.Z
		}
		if slow, fast := way(false), way(true); fast < slow+0.1 {
			t.Errorf("%s: at %v with the attribute, %v without", name, fast, slow)
		}
	}
}
