package bedrock

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
)

// loopback is a session and a server that exchange messages without delay. Each Tick runs one server frame.
type loopback struct {
	t       testing.TB
	session *Session
	server  *fakeServer
	now     int64
	fatal   error // error that ended the session
}

func newLoopback(t testing.TB, o Options) *loopback {
	t.Helper()
	if o.Name == "" {
		o.Name = "Alex"
	}
	s, err := NewSession(o)
	if err != nil {
		t.Fatal(err)
	}
	return &loopback{t: t, session: s, server: newFakeServer(nil)}
}

// exchange passes messages in both directions until none is left.
func (u *loopback) exchange() {
	u.t.Helper()
	for {
		var up, down [][]byte
		u.session.Flush(func(b []byte) { up = append(up, slices.Clone(b)) })
		for _, b := range up {
			u.server.receive(b, func(b []byte) { down = append(down, slices.Clone(b)) })
		}
		u.server.flush(func(b []byte) { down = append(down, slices.Clone(b)) })
		if u.server.err != nil {
			u.t.Fatal(u.server.err)
		}
		if len(up)+len(down) == 0 {
			return
		}
		for _, b := range down {
			if err := u.session.Receive(u.now, b); err != nil {
				u.fatal = err
				return
			}
		}
	}
}

func (u *loopback) join() *loopback {
	u.t.Helper()
	u.session.Start()
	u.exchange()
	if u.fatal == nil && !u.session.Playing() {
		u.t.Fatalf("not in the world; server received %v", u.server.packetOrder)
	}
	return u
}

// ticks runs n ticks.
func (u *loopback) ticks(n int, b Behaviour) {
	u.t.Helper()
	for range n {
		u.now += int64(TickInterval)
		if err := u.session.Tick(u.now, b); err != nil {
			u.fatal = err
			return
		}
		u.exchange()
	}
}

// constantKeys is a Behaviour that presses the given keys in every tick.
type constantKeys Keys

func (k constantKeys) Act(*Player) Keys { return Keys(k) }

func TestLoginCompletesAndPlayerEntersWorld(t *testing.T) {
	for name, o := range map[string]Options{
		"2169": {}, "2193": {Version: proto.V2193}, "older login": {ChainLogin: true},
	} {
		t.Run(name, func(t *testing.T) {
			u := newLoopback(t, o).join()
			u.ticks(20, constantKeys{Forward: 1})
			want := []proto.ID{
				proto.IDRequestNetworkSettings, proto.IDLogin, proto.IDClientToServerHandshake, proto.IDClientCacheStatus,
				proto.IDResourcePackClientResponse, proto.IDResourcePackClientResponse, proto.IDRequestChunkRadius,
				proto.IDSetLocalPlayerAsInitialized, proto.IDPlayerAuthInput,
			}
			if !slices.Equal(u.server.packetOrder, want) {
				t.Errorf("server received %v, want %v", u.server.packetOrder, want)
			}
			if u.server.name != "Alex" || u.server.inputs != 20 || u.server.player.maxError > 1e-4 {
				t.Errorf("%q, %d inputs, off by %v", u.server.name, u.server.inputs, u.server.player.maxError)
			}
			if u.session.World().Name != "vale" || u.session.World().Self.Health != 20 || u.session.Predictor().Ground().ChunkCount() != 25 {
				t.Errorf("%+v, %d chunks", u.session.World(), u.session.Predictor().Ground().ChunkCount())
			}
			if p := u.session.Predictor().State().Pos; p.Z < 4 || p.Y != 64 {
				t.Errorf("walked to %v", p)
			}
			if c := u.session.Counts(); c.ParseErrors != 0 || c.Trailing != 0 || c.UnknownActors != 0 {
				t.Errorf("%+v: %v", c, u.session.FirstParseError())
			}
		})
	}
}

func TestServerRefusalEndsLoginWithError(t *testing.T) {
	for status, want := range map[proto.PlayStatusCode]error{
		proto.StatusClientTooOld: ErrVersion, proto.StatusServerTooOld: ErrVersion, proto.StatusServerFull: ErrFull,
	} {
		u := newLoopback(t, Options{})
		u.server.refuse = status
		if u.join(); !errors.Is(u.fatal, want) {
			t.Errorf("status %d: %v, want %v", status, u.fatal, want)
		}
	}
}

func TestDisconnectByServerEndsSessionWithReason(t *testing.T) {
	u := newLoopback(t, Options{}).join()
	u.server.queue(proto.Disconnect{Reason: proto.DisconnectKicked, Message: "bye"})
	u.exchange()
	d, ok := errors.AsType[*DisconnectError](u.fatal)
	if !ok || d.Reason != proto.DisconnectKicked || d.Message != "bye" {
		t.Errorf("session error %v", u.fatal)
	}
}

func TestInvalidSessionOptionsAreRefused(t *testing.T) {
	for _, o := range []Options{{}, {Name: "x", Version: 1}} {
		if _, err := NewSession(o); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestOtherActorsThatServerShowsAreStored(t *testing.T) {
	u := newLoopback(t, Options{}).join()
	u.server.queue(otherPlayer(9, "Bob", 3, 4))
	u.server.queue(proto.AddActor{Unique: 11, Runtime: 10, Type: "minecraft:zombie", Position: proto.Vec3{5, 64, 5}})
	u.exchange()
	w := u.session.World()
	if a, ok := w.Actor(9); !ok || a.Name != "Bob" || !a.HasPlayerModel() || a.Pos != (geom.Vec{X: 3, Y: 64, Z: 4}) {
		t.Errorf("actor %+v", a)
	}
	u.server.queue(proto.MoveActorAbsolute{Runtime: 9, Position: proto.Vec3{4, 64 + 1.62, 4}, Yaw: 64, Flags: proto.MoveOnGround})
	u.server.queue(proto.MoveActorDelta{Runtime: 10, X: proto.Some[float32](6)})
	u.server.queue(proto.MovePlayer{Runtime: 77})
	u.exchange()
	if a, _ := w.Actor(9); a.Pos != (geom.Vec{X: 4, Y: 64, Z: 4}) || a.Yaw != 90 || !a.OnGround || a.PositionUpdates != 1 {
		t.Errorf("actor %+v", a)
	}
	if a, _ := w.Actor(10); a.Pos != (geom.Vec{X: 6, Y: 64, Z: 5}) || a.HasPlayerModel() {
		t.Errorf("actor %+v", a)
	}
	if near, _ := w.Nearest(geom.Vec{X: 6, Y: 64, Z: 6}, func(a *Actor) bool { return a.HasPlayerModel() }); near == nil || near.RuntimeID != 9 {
		t.Errorf("nearest player is %+v", near)
	}
	u.server.queue(proto.RemoveActor{Unique: 11})
	u.server.queue(proto.RemoveActor{Unique: 12})
	u.exchange()
	if _, ok := w.Actor(10); ok || w.ActorCount() != 1 || u.session.Counts().UnknownActors != 2 {
		t.Errorf("%d actors, %+v", w.ActorCount(), u.session.Counts())
	}
}

func TestChatIsSentAndReceived(t *testing.T) {
	var lines []string
	u := newLoopback(t, Options{Chat: func(from, text string) { lines = append(lines, from+": "+text) }}).join()
	u.server.queue(proto.Text{Type: proto.TextChat, Author: "Bob", Message: "hello"})
	u.session.Say("hi there")
	u.session.Command("/warp home")
	u.ticks(1, nil)
	if !slices.Equal(lines, []string{"Bob: hello"}) {
		t.Errorf("received %q", lines)
	}
	if p, ok := u.server.received[proto.IDText].(proto.Text); !ok || p.Message != "hi there" || p.Author != "Alex" {
		t.Errorf("server received %+v", u.server.received[proto.IDText])
	}
	if p, ok := u.server.received[proto.IDCommandRequest].(proto.CommandRequest); !ok || p.Line != "/warp home" {
		t.Errorf("server received %+v", u.server.received[proto.IDCommandRequest])
	}
}

func TestLatencyRequestIsAnswered(t *testing.T) {
	u := newLoopback(t, Options{}).join()
	u.server.queue(proto.NetworkStackLatency{Timestamp: 12345, NeedsResponse: true})
	u.exchange()
	if p, ok := u.server.received[proto.IDNetworkStackLatency].(proto.NetworkStackLatency); !ok || p.Timestamp != 12345 || p.NeedsResponse {
		t.Errorf("answered %+v", u.server.received[proto.IDNetworkStackLatency])
	}
}

// A dead player asks to respawn after a delay, confirms the respawn, and moves again when its health is restored.
func TestDeadPlayerRespawns(t *testing.T) {
	u := newLoopback(t, Options{}).join()
	u.server.queue(healthUpdate(0))
	u.ticks(1, constantKeys{Forward: 1})
	if !u.session.World().Self.Dead {
		t.Fatal("Self.Dead is not set")
	}
	at := u.session.Predictor().State().Pos
	u.ticks(60, constantKeys{Forward: 1})
	if p := u.session.Predictor().State().Pos; p != at {
		t.Errorf("walked from %v to %v while dead", at, p)
	}
	if p, ok := u.server.received[proto.IDRespawn].(proto.Respawn); !ok || p.State != proto.RespawnClientReady {
		t.Fatalf("respawn request %+v", u.server.received[proto.IDRespawn])
	}
	home := geom.Vec{X: 8.5, Y: 64, Z: 8.5}
	u.server.queue(proto.Respawn{State: proto.RespawnServerReady, Position: vec3(eyeOf(home))})
	u.exchange()
	if p, ok := u.server.received[proto.IDPlayerAction].(proto.PlayerAction); !ok || p.Action != proto.ActionRespawn {
		t.Fatalf("player action %+v", u.server.received[proto.IDPlayerAction])
	}
	u.server.queue(healthUpdate(20))
	u.server.player.teleport(home)
	u.ticks(5, nil)
	if c := u.session.Counts(); c.Deaths != 1 || c.Respawns != 1 || u.session.World().Self.Dead || c.DamageTaken != 20 {
		t.Errorf("counts %+v", c)
	}
	if p := u.session.Predictor().State().Pos; geom.DistXZ(p, home) > 0.01 {
		t.Errorf("respawned at %v", p)
	}
}

// A Fight walks to its target and attacks it. Each attack is sent before the input of its tick.
func TestFightBehaviourWalksToTargetAndAttacksIt(t *testing.T) {
	u := newLoopback(t, Options{}).join()
	u.server.queue(otherPlayer(9, "Bob", 0.5, 8.5))
	u.ticks(60, &Fight{})
	p, ok := u.server.received[proto.IDInventoryTransaction].(proto.InventoryTransaction)
	if !ok || p.Type != proto.TransactionUseItemOnActor || p.UseOnActor.Target != 9 || p.UseOnActor.Action != proto.UseOnActorAttack {
		t.Fatalf("server received %+v", u.server.received[proto.IDInventoryTransaction])
	}
	if z := u.session.Predictor().State().Pos.Z; z < 6 || z > 8.5 {
		t.Errorf("attacks from z %v", z)
	}
	if c := u.session.Counts(); c.Attacks < 2 || c.Attacks > maxAttempts || c.Move.Unexpected != 0 {
		t.Errorf("counts %+v", c)
	}
}

func TestFightBehaviourDoesNotAttackExcludedActors(t *testing.T) {
	u := newLoopback(t, Options{}).join()
	u.server.queue(otherPlayer(9, "Bob", 0.5, 8.5))
	f := &Fight{Exclude: func(a *Actor) bool { return a.Name == "Bob" }}
	u.ticks(60, f)
	if c := u.session.Counts(); c.Attacks != 0 || f.HasTarget() {
		t.Errorf("counts %+v", c)
	}
}

// Rule CL-8 of docs/wire/bedrock.md: simulated delays in ticks apply to received and sent packets.
func TestSimulatedDelayAppliesInBothDirections(t *testing.T) {
	u := newLoopback(t, Options{Tamper: &Tamper{DelayIn: 3, DelayOut: 2}}).join()
	u.ticks(10, constantKeys{Forward: 1})
	if u.server.inputs != 8 {
		t.Errorf("%d inputs of 10 ticks with a delay of 2", u.server.inputs)
	}
	u.server.queue(healthUpdate(7))
	u.exchange()
	for n := 0; ; n++ {
		if u.session.World().Self.Health == 7 {
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

// Malformed and hostile packets neither panic nor affect the rest of the session.
func TestHostilePacketsDoNotAffectSession(t *testing.T) {
	u := newLoopback(t, Options{}).join()
	u.server.queue(proto.CorrectPlayerMovePrediction{Tick: 1 << 62, Position: proto.Vec3{1, 66, 1}})
	u.server.queue(proto.LevelChunk{X: 1 << 30, Z: -1 << 30, SubChunks: 3})
	u.server.queue(proto.LevelChunk{SubChunks: 9, Payload: []byte{9, 9}})
	u.server.queue(proto.NetworkChunkPublisherUpdate{Center: proto.BlockPos{1 << 30, 0, 0}, Radius: 1 << 31})
	u.server.queue(proto.MovePlayer{Runtime: ownID, Position: proto.Vec3{1e30, -1e30, 1e38}, Mode: proto.MoveReset})
	u.ticks(5, constantKeys{Forward: 1})
	if c := u.session.Counts(); c.ParseErrors != 1 || u.session.FirstParseError() == nil {
		t.Errorf("counts %+v", c)
	}
	// Truncated packets and packets with trailing bytes.
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.SampledFrom([]proto.ID{
			proto.IDAddPlayer, proto.IDAddActor, proto.IDSetActorData, proto.IDUpdateAttributes, proto.IDPlayerList, proto.IDText,
			proto.IDMobEffect, proto.IDUpdateAbilities, proto.IDMoveActorDelta, proto.IDLevelChunk, proto.IDStartGame, 1023,
			proto.IDSetActorLink, proto.IDMobEquipment, proto.IDItemRegistry, proto.IDInventoryContent,
		}).Draw(t, "id")
		b := append(proto.AppendHeader(nil, id), rapid.SliceOfN(rapid.Byte(), 0, 80).Draw(t, "body")...)
		if err := u.session.handle(b); err != nil {
			t.Fatal(err)
		}
	})
}

// A change of dimension clears the client's world. The client acknowledges the end of the change.
func TestChangeOfDimensionClearsWorld(t *testing.T) {
	u := newLoopback(t, Options{}).join()
	u.server.queue(otherPlayer(9, "Bob", 3, 4))
	u.server.queue(proto.ChangeDimension{Dimension: 1, Position: proto.Vec3{100, 65.62, 100}})
	u.exchange()
	if u.session.World().ActorCount() != 0 || u.session.Predictor().Ground().ChunkCount() != 0 {
		t.Errorf("%d actors, %d chunks are left", u.session.World().ActorCount(), u.session.Predictor().Ground().ChunkCount())
	}
	u.server.queue(proto.PlayStatus{Status: proto.StatusSpawn})
	u.ticks(1, constantKeys{Forward: 1})
	if p, ok := u.server.received[proto.IDPlayerAction].(proto.PlayerAction); !ok || p.Action != proto.ActionDimensionChanged {
		t.Errorf("server received %+v", u.server.received[proto.IDPlayerAction])
	}
	if p := u.session.Predictor().State().Pos; p.X != 100 || p.Z != 100 {
		t.Errorf("moved to %v over terrain that was not sent", p)
	}
}

// BenchmarkTick measures a tick of a bot in the world: choosing keys, simulation, encoding, encryption.
func BenchmarkTick(b *testing.B) {
	u := newLoopback(b, Options{}).join()
	w := &Wander{}
	b.ReportAllocs()
	for b.Loop() {
		u.now += int64(TickInterval)
		if err := u.session.Tick(u.now, w); err != nil {
			b.Fatal(err)
		}
		u.session.Flush(func([]byte) {})
	}
}

// The client stores the appearance of other actors: type, held item, mount, health and scale.
func TestAppearanceOfOtherPlayersIsStored(t *testing.T) {
	u := newLoopback(t, Options{}).join()
	u.server.queue(proto.ItemRegistry{Items: []proto.ItemDefinition{{Name: "minecraft:bow", NetworkID: 3}}})
	u.server.queue(proto.AddActor{
		Unique: 20, Runtime: 20, Type: "minecraft:horse", Position: proto.Vec3{5, 64, 5},
		Attributes: []proto.ActorAttribute{{Name: proto.AttributeHealth, Current: 8, Max: 20}},
		Metadata:   proto.Metadata{proto.TextMeta(proto.MetaName, "Horse"), proto.FloatMeta(proto.MetaScale, 1.5), proto.TextMeta(proto.MetaScore, "4 / 10")},
	})
	u.server.queue(proto.AddPlayer{Runtime: 21, Name: "Bob", Position: proto.Vec3{1, 64, 1}, Held: proto.SimpleItem(3, 1, 0),
		Abilities: proto.PlayerAbilities{Unique: 21}})
	u.server.queue(proto.SetActorLink{Link: proto.ActorLink{Ridden: 20, Rider: 21, Type: proto.LinkRider}})
	u.server.queue(proto.MoveActorAbsolute{Runtime: 20, Position: proto.Vec3{7, 64, 7}})
	u.exchange()
	horse, _ := u.session.World().Actor(20)
	bob, _ := u.session.World().Actor(21)
	if horse.Type != "minecraft:horse" || horse.Health != 8 || horse.Scale != 1.5 || horse.ScoreText != "4 / 10" || horse.Rider != 21 || horse.HasPlayerModel() {
		t.Errorf("horse: %+v", horse)
	}
	if bob.HeldItem != "minecraft:bow" || bob.Mount != 20 || bob.Pos != horse.Pos {
		t.Errorf("rider: %+v", bob)
	}
	u.server.queue(proto.MobEquipment{Runtime: 21})
	u.server.queue(proto.SetActorLink{Link: proto.ActorLink{Ridden: 20, Rider: 99, Type: proto.LinkRider}}) // the rider is an unknown actor
	u.server.queue(proto.RemoveActor{Unique: 20})
	u.exchange()
	if bob, _ = u.session.World().Actor(21); bob.HeldItem != "" || bob.Mount != 0 {
		t.Errorf("rider after removal of the horse: %+v", bob)
	}
	if n := u.session.Counts().UnknownActors; n != 1 {
		t.Errorf("%d packets about unknown actors", n)
	}
}
