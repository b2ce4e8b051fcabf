package bedrock

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
)

// duo is a session and a server that hear each other at once, one frame per Tick.
type duo struct {
	t     testing.TB
	s     *Session
	d     *door
	now   int64
	fatal error // of the session
}

func newDuo(t testing.TB, o Options) *duo {
	t.Helper()
	if o.Name == "" {
		o.Name = "Alex"
	}
	s, err := NewSession(o)
	if err != nil {
		t.Fatal(err)
	}
	return &duo{t: t, s: s, d: newDoor(nil)}
}

// exchange carries messages to and fro until there are none.
func (u *duo) exchange() {
	u.t.Helper()
	for {
		var up, down [][]byte
		u.s.Flush(func(b []byte) { up = append(up, slices.Clone(b)) })
		for _, b := range up {
			u.d.receive(b, func(b []byte) { down = append(down, slices.Clone(b)) })
		}
		u.d.flush(func(b []byte) { down = append(down, slices.Clone(b)) })
		if u.d.err != nil {
			u.t.Fatal(u.d.err)
		}
		if len(up)+len(down) == 0 {
			return
		}
		for _, b := range down {
			if err := u.s.Receive(u.now, b); err != nil {
				u.fatal = err
				return
			}
		}
	}
}

func (u *duo) join() *duo {
	u.t.Helper()
	u.s.Start()
	u.exchange()
	if u.fatal == nil && !u.s.Playing() {
		u.t.Fatalf("not in the world; the server saw %v", u.d.seen)
	}
	return u
}

// ticks goes on for n ticks.
func (u *duo) ticks(n int, b Behaviour) {
	u.t.Helper()
	for range n {
		u.now += int64(TickEvery)
		if err := u.s.Tick(u.now, b); err != nil {
			u.fatal = err
			return
		}
		u.exchange()
	}
}

// keysOf is a Behaviour of keys that do not change.
type keysOf Keys

func (k keysOf) Act(*Player) Keys { return Keys(k) }

func TestLoginLeadsIntoTheWorld(t *testing.T) {
	for name, o := range map[string]Options{
		"2169": {}, "2193": {Version: proto.V2193}, "older login": {OldLogin: true},
	} {
		t.Run(name, func(t *testing.T) {
			u := newDuo(t, o).join()
			u.ticks(20, keysOf{Forward: 1})
			want := []proto.ID{
				proto.IDRequestNetworkSettings, proto.IDLogin, proto.IDClientToServerHandshake, proto.IDClientCacheStatus,
				proto.IDResourcePackClientResponse, proto.IDResourcePackClientResponse, proto.IDRequestChunkRadius,
				proto.IDSetLocalPlayerAsInitialized, proto.IDPlayerAuthInput,
			}
			if !slices.Equal(u.d.seen, want) {
				t.Errorf("the server saw %v, want %v", u.d.seen, want)
			}
			if u.d.name != "Alex" || u.d.inputs != 20 || u.d.judge.worst > 1e-4 {
				t.Errorf("%q, %d inputs, off by %v", u.d.name, u.d.inputs, u.d.judge.worst)
			}
			if u.s.World().Name != "vale" || u.s.World().Self.Health != 20 || u.s.Predictor().Ground().Chunks() != 25 {
				t.Errorf("%+v, %d chunks", u.s.World(), u.s.Predictor().Ground().Chunks())
			}
			if p := u.s.Predictor().State().Pos; p.Z < 4 || p.Y != 64 {
				t.Errorf("walked to %v", p)
			}
			if c := u.s.Counts(); c.Bad != 0 || c.Trailing != 0 || c.Strange != 0 {
				t.Errorf("%+v: %v", c, u.s.FirstBad())
			}
		})
	}
}

func TestRefusalsEndTheLogin(t *testing.T) {
	for status, want := range map[proto.PlayStatusCode]error{
		proto.StatusClientTooOld: ErrVersion, proto.StatusServerTooOld: ErrVersion, proto.StatusServerFull: ErrFull,
	} {
		u := newDuo(t, Options{})
		u.d.refuse = status
		if u.join(); !errors.Is(u.fatal, want) {
			t.Errorf("status %d: %v, want %v", status, u.fatal, want)
		}
	}
}

func TestDisconnectTellsWhy(t *testing.T) {
	u := newDuo(t, Options{}).join()
	u.d.tell(proto.Disconnect{Reason: proto.DisconnectKicked, Message: "bye"})
	u.exchange()
	d, ok := errors.AsType[*DisconnectError](u.fatal)
	if !ok || d.Reason != proto.DisconnectKicked || d.Message != "bye" {
		t.Errorf("%v", u.fatal)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []Options{{}, {Name: "x", Version: 1}} {
		if _, err := NewSession(o); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestOthersAreFollowed(t *testing.T) {
	u := newDuo(t, Options{}).join()
	u.d.tell(other(9, "Bob", 3, 4))
	u.d.tell(proto.AddActor{Unique: 11, Runtime: 10, Type: "minecraft:zombie", Position: proto.Vec3{5, 64, 5}})
	u.exchange()
	w := u.s.World()
	if a, ok := w.Actor(9); !ok || a.Name != "Bob" || !a.Player() || a.Pos != (geom.Vec{X: 3, Y: 64, Z: 4}) {
		t.Errorf("%+v", a)
	}
	u.d.tell(proto.MoveActorAbsolute{Runtime: 9, Position: proto.Vec3{4, 64 + 1.62, 4}, Yaw: 64, Flags: proto.MoveOnGround})
	u.d.tell(proto.MoveActorDelta{Runtime: 10, X: proto.Some[float32](6)})
	u.d.tell(proto.MovePlayer{Runtime: 77})
	u.exchange()
	if a, _ := w.Actor(9); a.Pos != (geom.Vec{X: 4, Y: 64, Z: 4}) || a.Yaw != 90 || !a.OnGround || a.Updates != 1 {
		t.Errorf("%+v", a)
	}
	if a, _ := w.Actor(10); a.Pos != (geom.Vec{X: 6, Y: 64, Z: 5}) || a.Player() {
		t.Errorf("%+v", a)
	}
	if near, _ := w.Nearest(geom.Vec{X: 6, Y: 64, Z: 6}, func(a *Actor) bool { return a.Player() }); near == nil || near.RuntimeID != 9 {
		t.Errorf("nearest player is %+v", near)
	}
	u.d.tell(proto.RemoveActor{Unique: 11})
	u.d.tell(proto.RemoveActor{Unique: 12})
	u.exchange()
	if _, ok := w.Actor(10); ok || w.ActorCount() != 1 || u.s.Counts().Strange != 2 {
		t.Errorf("%d actors, %+v", w.ActorCount(), u.s.Counts())
	}
}

func TestChatBothWays(t *testing.T) {
	var lines []string
	u := newDuo(t, Options{Chat: func(from, text string) { lines = append(lines, from+": "+text) }}).join()
	u.d.tell(proto.Text{Type: proto.TextChat, Author: "Bob", Message: "hello"})
	u.s.Say("hi there")
	u.s.Command("/warp home")
	u.ticks(1, nil)
	if !slices.Equal(lines, []string{"Bob: hello"}) {
		t.Errorf("heard %q", lines)
	}
	if p, ok := u.d.got[proto.IDText].(proto.Text); !ok || p.Message != "hi there" || p.Author != "Alex" {
		t.Errorf("said %+v", u.d.got[proto.IDText])
	}
	if p, ok := u.d.got[proto.IDCommandRequest].(proto.CommandRequest); !ok || p.Line != "/warp home" {
		t.Errorf("commanded %+v", u.d.got[proto.IDCommandRequest])
	}
}

func TestLatencyIsAnsweredWithItsNumber(t *testing.T) {
	u := newDuo(t, Options{}).join()
	u.d.tell(proto.NetworkStackLatency{Timestamp: 12345, NeedsResponse: true})
	u.exchange()
	if p, ok := u.d.got[proto.IDNetworkStackLatency].(proto.NetworkStackLatency); !ok || p.Timestamp != 12345 || p.NeedsResponse {
		t.Errorf("answered %+v", u.d.got[proto.IDNetworkStackLatency])
	}
}

// A dead player asks for a new life after a while, says that it is back, and moves on when it is healthy.
func TestDeathAndRespawn(t *testing.T) {
	u := newDuo(t, Options{}).join()
	u.d.tell(health(0))
	u.ticks(1, keysOf{Forward: 1})
	if !u.s.World().Self.Dead {
		t.Fatal("does not know that it died")
	}
	at := u.s.Predictor().State().Pos
	u.ticks(60, keysOf{Forward: 1})
	if p := u.s.Predictor().State().Pos; p != at {
		t.Errorf("walked from %v to %v while dead", at, p)
	}
	if p, ok := u.d.got[proto.IDRespawn].(proto.Respawn); !ok || p.State != proto.RespawnClientReady {
		t.Fatalf("asked %+v", u.d.got[proto.IDRespawn])
	}
	home := geom.Vec{X: 8.5, Y: 64, Z: 8.5}
	u.d.tell(proto.Respawn{State: proto.RespawnServerReady, Position: vec3(eyeOf(home))})
	u.exchange()
	if p, ok := u.d.got[proto.IDPlayerAction].(proto.PlayerAction); !ok || p.Action != proto.ActionRespawn {
		t.Fatalf("did %+v", u.d.got[proto.IDPlayerAction])
	}
	u.d.tell(health(20))
	u.d.judge.teleport(home)
	u.ticks(5, nil)
	if c := u.s.Counts(); c.Deaths != 1 || c.Respawns != 1 || u.s.World().Self.Dead || c.DamageTaken != 20 {
		t.Errorf("%+v", c)
	}
	if p := u.s.Predictor().State().Pos; geom.DistXZ(p, home) > 0.01 {
		t.Errorf("lives at %v", p)
	}
}

// A fighter walks up to its target and strikes it, each blow before the input of its tick.
func TestFighterStrikes(t *testing.T) {
	u := newDuo(t, Options{}).join()
	u.d.tell(other(9, "Bob", 0.5, 8.5))
	u.ticks(60, &Fight{})
	p, ok := u.d.got[proto.IDInventoryTransaction].(proto.InventoryTransaction)
	if !ok || p.Type != proto.TransactionUseItemOnActor || p.UseOnActor.Target != 9 || p.UseOnActor.Action != proto.UseOnActorAttack {
		t.Fatalf("%+v", u.d.got[proto.IDInventoryTransaction])
	}
	if z := u.s.Predictor().State().Pos.Z; z < 6 || z > 8.5 {
		t.Errorf("strikes from %v", z)
	}
	if c := u.s.Counts(); c.Attacks < 2 || c.Attacks > fightTries || c.Move.False != 0 {
		t.Errorf("%+v", c)
	}
}

func TestFighterSparesWhomItIsToldTo(t *testing.T) {
	u := newDuo(t, Options{}).join()
	u.d.tell(other(9, "Bob", 0.5, 8.5))
	f := &Fight{Spare: func(a *Actor) bool { return a.Name == "Bob" }}
	u.ticks(60, f)
	if c := u.s.Counts(); c.Attacks != 0 || f.Active() {
		t.Errorf("%+v", c)
	}
}

// CL-8: ticks by which a client's line is delayed, each way.
func TestDelayHoldsBackBothWays(t *testing.T) {
	u := newDuo(t, Options{Tamper: &Tamper{DelayIn: 3, DelayOut: 2}}).join()
	u.ticks(10, keysOf{Forward: 1})
	if u.d.inputs != 8 {
		t.Errorf("%d inputs of 10 ticks with 2 held back", u.d.inputs)
	}
	u.d.tell(health(7))
	u.exchange()
	for n := 0; ; n++ {
		if u.s.World().Self.Health == 7 {
			if n != 3 {
				t.Errorf("took effect after %d ticks, want 3", n)
			}
			break
		}
		if n > 10 {
			t.Fatal("never took effect")
		}
		u.ticks(1, nil)
	}
}

// Whatever a server sends, a client neither panics nor loses its footing on what it can read.
func TestHostileServerIsSurvived(t *testing.T) {
	u := newDuo(t, Options{}).join()
	u.d.tell(proto.CorrectPlayerMovePrediction{Tick: 1 << 62, Position: proto.Vec3{1, 66, 1}})
	u.d.tell(proto.LevelChunk{X: 1 << 30, Z: -1 << 30, SubChunks: 3})
	u.d.tell(proto.LevelChunk{SubChunks: 9, Payload: []byte{9, 9}})
	u.d.tell(proto.NetworkChunkPublisherUpdate{Center: proto.BlockPos{1 << 30, 0, 0}, Radius: 1 << 31})
	u.d.tell(proto.MovePlayer{Runtime: ownID, Position: proto.Vec3{1e30, -1e30, 1e38}, Mode: proto.MoveReset})
	u.ticks(5, keysOf{Forward: 1})
	if c := u.s.Counts(); c.Bad != 1 || u.s.FirstBad() == nil {
		t.Errorf("%+v", c)
	}
	// Packets cut short or with bytes behind them.
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.SampledFrom([]proto.ID{
			proto.IDAddPlayer, proto.IDAddActor, proto.IDSetActorData, proto.IDUpdateAttributes, proto.IDPlayerList, proto.IDText,
			proto.IDMobEffect, proto.IDUpdateAbilities, proto.IDMoveActorDelta, proto.IDLevelChunk, proto.IDStartGame, 1023,
			proto.IDSetActorLink, proto.IDMobEquipment, proto.IDItemRegistry,
		}).Draw(t, "id")
		b := append(proto.AppendHeader(nil, id), rapid.SliceOfN(rapid.Byte(), 0, 80).Draw(t, "body")...)
		if err := u.s.handle(b); err != nil {
			t.Fatal(err)
		}
	})
}

// A change of dimension empties the world, and its end is acknowledged.
func TestChangeOfDimension(t *testing.T) {
	u := newDuo(t, Options{}).join()
	u.d.tell(other(9, "Bob", 3, 4))
	u.d.tell(proto.ChangeDimension{Dimension: 1, Position: proto.Vec3{100, 65.62, 100}})
	u.exchange()
	if u.s.World().ActorCount() != 0 || u.s.Predictor().Ground().Chunks() != 0 {
		t.Errorf("%d actors, %d chunks are left", u.s.World().ActorCount(), u.s.Predictor().Ground().Chunks())
	}
	u.d.tell(proto.PlayStatus{Status: proto.StatusSpawn})
	u.ticks(1, keysOf{Forward: 1})
	if p, ok := u.d.got[proto.IDPlayerAction].(proto.PlayerAction); !ok || p.Action != proto.ActionDimensionChanged {
		t.Errorf("%+v", u.d.got[proto.IDPlayerAction])
	}
	if p := u.s.Predictor().State().Pos; p.X != 100 || p.Z != 100 {
		t.Errorf("moved to %v over ground that was not sent", p)
	}
}

// BenchmarkTick is a tick of a bot in the world: it decides, steps, encodes, encrypts.
func BenchmarkTick(b *testing.B) {
	u := newDuo(b, Options{}).join()
	w := &Wander{}
	b.ReportAllocs()
	for b.Loop() {
		u.now += int64(TickEvery)
		if err := u.s.Tick(u.now, w); err != nil {
			b.Fatal(err)
		}
		u.s.Flush(func([]byte) {})
	}
}

// What is said of how others look is kept: their kind, what they hold, whom they ride, how they are.
func TestLooksOfOthers(t *testing.T) {
	u := newDuo(t, Options{}).join()
	u.d.tell(proto.ItemRegistry{Items: []proto.ItemDefinition{{Name: "minecraft:bow", NetworkID: 3}}})
	u.d.tell(proto.AddActor{
		Unique: 20, Runtime: 20, Type: "minecraft:horse", Position: proto.Vec3{5, 64, 5},
		Attributes: []proto.ActorAttribute{{Name: proto.AttributeHealth, Current: 8, Max: 20}},
		Metadata:   proto.Metadata{proto.TextMeta(proto.MetaName, "Horse"), proto.FloatMeta(proto.MetaScale, 1.5), proto.TextMeta(proto.MetaScore, "4 / 10")},
	})
	u.d.tell(proto.AddPlayer{Runtime: 21, Name: "Bob", Position: proto.Vec3{1, 64, 1}, Held: proto.SimpleItem(3, 1, 0),
		Abilities: proto.PlayerAbilities{Unique: 21}})
	u.d.tell(proto.SetActorLink{Link: proto.ActorLink{Ridden: 20, Rider: 21, Type: proto.LinkRider}})
	u.d.tell(proto.MoveActorAbsolute{Runtime: 20, Position: proto.Vec3{7, 64, 7}})
	u.exchange()
	horse, _ := u.s.World().Actor(20)
	bob, _ := u.s.World().Actor(21)
	if horse.Type != "minecraft:horse" || horse.Health != 8 || horse.Scale != 1.5 || horse.Below != "4 / 10" || horse.Rider != 21 || horse.Player() {
		t.Errorf("the horse is %+v", horse)
	}
	if bob.Held != "minecraft:bow" || bob.Mount != 20 || bob.Pos != horse.Pos {
		t.Errorf("the rider is %+v", bob)
	}
	u.d.tell(proto.MobEquipment{Runtime: 21})
	u.d.tell(proto.SetActorLink{Link: proto.ActorLink{Ridden: 20, Rider: 99, Type: proto.LinkRider}}) // somebody unknown
	u.d.tell(proto.RemoveActor{Unique: 20})
	u.exchange()
	if bob, _ = u.s.World().Actor(21); bob.Held != "" || bob.Mount != 0 {
		t.Errorf("afterwards the rider is %+v", bob)
	}
	if n := u.s.Counts().Strange; n != 1 {
		t.Errorf("%d packets about nobody", n)
	}
}
