package bedrock

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// mountedPair returns a scene in which player 8 rides horse 7.
func mountedPair(t *testing.T) (st *sceneTest, horseID, riderID int64) {
	st = newSceneTest(t)
	st.addNPC(7, horse, 3)
	st.addNPC(8, human, 3).Mount = 7
	st.showFrames(4)
	got := st.takePackets()
	h, r := only[proto.AddActor](t, got), only[proto.AddPlayer](t, got)
	l := only[proto.SetActorLink](t, got)
	if want := (proto.ActorLink{Ridden: h.Unique, Rider: int64(r.Runtime), Type: proto.LinkRider, Immediate: true}); l.Link != want {
		t.Fatalf("linked %+v, want %+v", l.Link, want)
	}
	if names := listNames(got); slices.Index(names, "SetActorLink") < max(slices.Index(names, "AddActor"), slices.Index(names, "AddPlayer")) {
		t.Errorf("link sent before both actors: %v", listNames(got))
	}
	seat, _ := r.Metadata.Find(proto.MetaSeat)
	if !r.Metadata.Flags().Has(proto.FlagRiding) || seat.Vec[1] < 1.4 || seat.Vec[1] > 3 {
		t.Errorf("rider at %v with flags %b", seat.Vec, r.Metadata.Flags())
	}
	return st, h.Unique, int64(r.Runtime)
}

// A rider moves with its mount until the rider dismounts.
func TestRiderMovesWithMountUntilDismount(t *testing.T) {
	st, horseID, riderID := mountedPair(t)
	st.moveActor(7, 1)
	st.moveActor(8, 1)
	st.showFrames(4)
	if m := only[proto.MoveActorAbsolute](t, st.takePackets()); int64(m.Runtime) != horseID {
		t.Errorf("movement: %+v", m)
	}
	st.actor(8).Mount = 0
	st.showFrames(4)
	got := st.takePackets()
	if l := only[proto.SetActorLink](t, got); l.Link != (proto.ActorLink{Ridden: horseID, Rider: riderID, Immediate: true}) {
		t.Errorf("unlinked by %+v", l.Link)
	}
	if m := only[proto.MoveActorAbsolute](t, got); int64(m.Runtime) != riderID || m.Position != (proto.Vec3{4, groundY + 1.62, 0}) {
		t.Errorf("rider after dismounting: %+v", m)
	}
	if d := only[proto.SetActorData](t, got); d.Metadata.Flags().Has(proto.FlagRiding) {
		t.Error("the rider flag is still set")
	}
	if len(st.client.view.links) != 0 {
		t.Errorf("links %v are kept", st.client.view.links)
	}
}

// When rider or mount disappears, the client is sent the removal of the entity link first, and the remaining actor
// moves independently.
func TestLinkBetweenRiderAndMountIsRemovedWhenOneOfThemIsRemoved(t *testing.T) {
	st, _, riderID := mountedPair(t)
	st.removeActor(7) // the rider is still mounted in this frame
	st.showFrames(4)
	got := st.takePackets()
	if names := listNames(got); slices.Index(names, "SetActorLink") > slices.Index(names, "RemoveActor") || only[proto.SetActorLink](t, got).Link.Type != proto.LinkRemoved {
		t.Errorf("received %v", names)
	}
	st.moveActor(8, 2)
	st.showFrames(4)
	if m := only[proto.MoveActorAbsolute](t, st.takePackets()); int64(m.Runtime) != riderID {
		t.Errorf("rider's movement: %+v", m)
	}
	st, horseID, _ := mountedPair(t)
	st.removeActor(8)
	st.showFrames(4)
	st.moveActor(7, 1)
	st.showFrames(4)
	if m := only[proto.MoveActorAbsolute](t, st.takePackets()); int64(m.Runtime) != horseID || len(st.client.view.links) != 0 {
		t.Errorf("horse's movement: %+v, mounts %v", m, st.client.view.links)
	}
}

// If rider or mount is hidden and shown again, the entity link is sent again.
func TestLinkBetweenRiderAndMountIsResentWhenOneOfThemIsShownAgain(t *testing.T) {
	for _, id := range []sim.EntityID{7, 8} {
		st, _, _ := mountedPair(t)
		st.takePackets()
		av := st.scene.find(id)
		st.client.hideActor(id)
		st.client.showActor(av)
		st.client.linkRiding(st.scene, av)
		st.client.flush()
		st.readMail()
		links := ofType[proto.SetActorLink](st.takePackets())
		if len(links) != 2 || links[0].Link.Type != proto.LinkRemoved || links[1].Link.Type != proto.LinkRider || st.client.view.links[8].mount != 7 {
			t.Errorf("actor %d: %+v", id, links)
		}
	}
}

// If a rider changes its seat between two updates of a viewer, the viewer is sent a link to the same mount with the new
// seat's type.
func TestLinkBetweenRiderAndMountIsResentWhenRiderChangesSeat(t *testing.T) {
	st, _, _ := mountedPair(t)
	st.takePackets()
	av := st.scene.find(8)
	av.seat = 1
	st.client.syncRiderLink(st.scene, av)
	st.client.syncRiderLink(st.scene, av)
	st.client.flush()
	st.readMail()
	links := ofType[proto.SetActorLink](st.takePackets())
	if len(links) != 2 || links[0].Link.Type != proto.LinkRemoved || links[1].Link.Type != proto.LinkPassenger {
		t.Errorf("%+v", links)
	}
}

// A projectile flies from the attacker to the target. It is removed when it reaches the target.
func TestProjectileFliesToTarget(t *testing.T) {
	st := newSceneTest(t)
	st.addNPC(7, human, 2)
	st.addNPC(8, wolf, 14)
	st.showFrames(4)
	st.takePackets()
	st.showFrames(1, sim.Event{Kind: sim.EventProjectile, Who: 7, Other: 8, Projectile: &combat.Projectile{ID: 1, Speed: 50}})
	p := only[proto.AddActor](t, st.takePackets())
	if p.Type != "minecraft:snowball" || p.Position != (proto.Vec3{2, groundY + 1.8*0.75, 0}) || p.Velocity[0] < 1 || p.Yaw != 90 {
		t.Errorf("projectile spawned as %+v", p)
	}
	st.showFrames(20)
	got := st.takePackets()
	moves := ofType[proto.MoveActorAbsolute](got)
	if len(moves) < 5 || len(moves) > 10 {
		t.Errorf("%d moves over 12 blocks", len(moves))
	}
	for i, m := range moves {
		if m.Runtime != p.Runtime || i > 0 && m.Position[0] <= moves[i-1].Position[0] || m.Position[0] > 14 {
			t.Errorf("move %d is %+v", i, m)
		}
	}
	if r := only[proto.RemoveActor](t, got); r.Unique != p.Unique || packetName(got[len(got)-1]) != "RemoveActor" {
		t.Errorf("last packets %v", listNames(got))
	}
	if len(st.scene.inFlight) != 0 || len(st.w.ids.byEntity) != 3 {
		t.Errorf("%d projectiles and %d ids are kept", len(st.scene.inFlight), len(st.w.ids.byEntity))
	}
}

// A projectile is shown even if the shot kills its target. The frame that reports such a shot no longer contains the
// target. A projectile between actors that no client sees is not created.
func TestProjectileAtDyingTargetIsShown(t *testing.T) {
	st := newSceneTest(t)
	st.addNPC(7, human, 2)
	st.addNPC(8, wolf, 5)
	st.showFrames(4)
	st.takePackets()
	st.removeActor(8)
	st.showFrames(1, sim.Event{Kind: sim.EventProjectile, Who: 7, Other: 8}, sim.Event{Kind: sim.EventDied, Who: 8, Other: 7})
	if p := only[proto.AddActor](t, st.takePackets()); p.Type != "minecraft:arrow" {
		t.Errorf("shown %+v", p)
	}
	st.showFrames(40)
	st.addNPC(9, human, 500)
	st.addNPC(10, wolf, 505)
	st.showFrames(4)
	st.takePackets()
	st.showFrames(2, sim.Event{Kind: sim.EventProjectile, Who: 9, Other: 10}, sim.Event{Kind: sim.EventProjectile, Who: 77, Other: 78})
	if got := st.takePackets(); len(got) != 0 || len(st.scene.inFlight) != 0 {
		t.Errorf("received %v", listNames(got))
	}
}

// The number of projectiles in a scene is bounded. A client that leaves the scene is sent the removal of all of them.
func TestNumberOfDisplayedProjectilesIsLimited(t *testing.T) {
	st := newSceneTest(t)
	st.addNPC(7, human, 2)
	st.addNPC(8, wolf, 40)
	st.showFrames(4)
	st.takePackets()
	volley := make([]sim.Event, 3*maxProjectiles)
	for i := range volley {
		volley[i] = sim.Event{Kind: sim.EventProjectile, Who: 7, Other: 8, Projectile: &combat.Projectile{Speed: 1}}
	}
	st.showFrames(1, volley...)
	if n := len(ofType[proto.AddActor](st.takePackets())); n != maxProjectiles {
		t.Errorf("%d projectiles shown", n)
	}
	st.showFrames(maxFlightMS/50 - 5)
	if n := len(ofType[proto.RemoveActor](st.takePackets())); n != 0 {
		t.Errorf("%d projectiles removed too early", n)
	}
	st.client.leaveScene()
	st.client.flush()
	st.readMail()
	if n := len(ofType[proto.RemoveActor](st.takePackets())); n != maxProjectiles+2 {
		t.Errorf("%d actors removed", n)
	}
	for _, pr := range st.scene.inFlight {
		if len(pr.viewers) != 0 {
			t.Fatal("a projectile keeps a client that has left")
		}
	}
}

func TestProjectileFlightTimeDependsOnDistanceAndSpeed(t *testing.T) {
	for _, c := range []struct {
		blocks float32
		speed  uint8
		want   sim.Tick
	}{{0, 50, 1}, {1.5, 50, 1}, {15, 50, 10}, {15, 100, 5}, {15, 0, 10}, {1e9, 1, 30}, {float32(math.Inf(1)), 50, 30}} {
		if got := flightTicks(c.blocks, &combat.Projectile{Speed: c.speed}, 20); got != c.want {
			t.Errorf("%v blocks at %d: %d ticks, want %d", c.blocks, c.speed, got, c.want)
		}
	}
	if got := flightTicks(15, nil, 60); got != 30 {
		t.Errorf("at 60 ticks per second: %d ticks, want 30", got)
	}
}

// The jump of a player of another protocol is displayed as an arc that ends on the ground. If the player rides, its mount
// is displayed with the arc. A player with a simulated body has no arc, because its positions include its jumps.
func TestJumpsOfPlayersOfOtherProtocolsAreShownAsArcs(t *testing.T) {
	st := newSceneTest(t)
	st.addNPC(7, human, 3).Flags = sim.FlagPlayer
	st.addNPC(8, horse, 4)
	st.addNPC(9, human, 4).Mount = 8
	st.showFrames(4)
	st.takePackets()
	for _, c := range []struct{ jumps, seen sim.EntityID }{{7, 7}, {9, 8}} {
		st.showFrames(5, sim.Event{Kind: sim.EventJumped, Who: c.jumps})
		st.showFrames(15, sim.Event{Kind: sim.EventJumped, Who: c.jumps}) // a jump event during a jump has no effect
		wire := st.client.view.runtimeIDs[c.seen]
		up, moves := float32(0), ofType[proto.MoveActorAbsolute](st.takePackets())
		for _, m := range moves {
			if m.Runtime != wire {
				t.Errorf("jump of %d: %+v", c.jumps, m)
			}
			at := m.Position[1] - groundY - st.scene.find(c.seen).appearance.eyeHeight
			up = max(up, at)
			if at > 1e-3 && m.Flags&proto.MoveOnGround != 0 {
				t.Errorf("actor %d is on ground at height %v", c.seen, at)
			}
		}
		if up < 1 || up > 1.25 || len(moves) < 4 || len(moves) > 10 {
			t.Errorf("actor %d rose by %v in %d updates", c.seen, up, len(moves))
		}
		if last := moves[len(moves)-1]; st.scene.find(c.seen).pos.Y != groundY || last.Flags&proto.MoveOnGround == 0 {
			t.Errorf("actor %d ends at %+v", c.seen, last)
		}
	}
	st.showFrames(1, sim.Event{Kind: sim.EventJumped, Who: 1}, sim.Event{Kind: sim.EventJumped, Who: 55})
	st.showFrames(5)
	if av := st.scene.find(1); av.pos.Y != groundY || av.jumpTick != 0 {
		t.Errorf("a predicted player has a jump arc: %+v", av)
	}
}

// An actor whose body is simulated in blocks is shown at its exact position, even if it is neither a player nor predicted by a client.
func TestActorWithSimulatedBodyIsShownAtItsExactPosition(t *testing.T) {
	st := newSceneTest(t)
	npc := st.addNPC(7, human, 3)
	npc.Flags |= sim.FlagAvatar
	body := move.NewAvatar(geom.Vec{X: 3.25, Y: groundY + 5.5, Z: -0.75})
	body.Pitch, body.OnGround, body.Sneaking = 30, false, true
	st.frame.Avatars = append(st.frame.Avatars, sim.AvatarState{ID: 7, Avatar: body})
	st.showFrames(4, sim.Event{Kind: sim.EventJumped, Who: 7})
	av := st.scene.find(7)
	if av.pos != body.Pos || av.pitch != 30 || av.onGround || av.height != body.Height() || !av.flags.Has(proto.FlagSneaking) || av.jumpTick != 0 {
		t.Errorf("shown as %+v, want %+v", av, body)
	}
}

// A dead NPC remains visible for its death animation and cannot be attacked meanwhile.
func TestDeadNPCIsRemovedAfterDeathAnimation(t *testing.T) {
	st := newSceneTest(t)
	st.addNPC(7, wolf, 3)
	st.showFrames(4)
	id := only[proto.AddActor](t, st.takePackets()).Unique
	st.removeActor(7)
	st.showFrames(15, sim.Event{Kind: sim.EventDied, Who: 7, Other: 1})
	if got, want := st.takePackets(), []proto.Packet{proto.ActorEvent{Runtime: uint64(id), Event: proto.EventDeath}}; !reflect.DeepEqual(got, want) {
		t.Errorf("received %+v", got)
	}
	if st.client.view.entity(uint64(id)) != 0 || len(st.client.view.runtimeIDs) != 0 {
		t.Error("the dead actor can be attacked")
	}
	st.showFrames(10)
	if got := st.takePackets(); !reflect.DeepEqual(got, []proto.Packet{proto.RemoveActor{Unique: id}}) {
		t.Errorf("then received %+v", got)
	}
	if st.showFrames(25, sim.Event{Kind: sim.EventDied, Who: 99}); len(st.takePackets()) != 0 {
		t.Error("an actor that was never shown got a death animation")
	}
	st.addNPC(8, wolf, 3)
	st.showFrames(4)
	id = only[proto.AddActor](t, st.takePackets()).Unique
	st.removeActor(8)
	st.showFrames(2, sim.Event{Kind: sim.EventDied, Who: 8})
	st.client.leaveScene()
	st.client.flush()
	st.readMail()
	if got := ofType[proto.RemoveActor](st.takePackets()); !slices.Contains(got, proto.RemoveActor{Unique: id}) || len(st.client.view.deathAnimations) != 0 {
		t.Errorf("death animation left after leaving the scene: %v", got)
	}
}

// A player that leaves the world in the frame of its death is removed from the player list.
func TestPlayerThatLeavesDuringDeathAnimationIsRemovedFromPlayerList(t *testing.T) {
	st := newSceneTest(t)
	st.addNPC(7, guard, 3).Body.Character = 5
	st.showFrames(4)
	wire := only[proto.AddPlayer](t, st.takePackets()).Runtime
	st.removeActor(7)
	st.showFrames(30, sim.Event{Kind: sim.EventDied, Who: 7}, sim.Event{Kind: sim.EventLeft, Who: 7})
	got := st.takePackets()
	if list := only[proto.PlayerList](t, got); len(list.Entries) != 1 || !list.Entries[0].Remove || list.Entries[0].UUID != uuidOf(wire) {
		t.Errorf("player list: %+v", list)
	}
	if len(ofType[proto.RemoveActor](got)) != 1 || len(st.client.view.playerList) != 0 {
		t.Errorf("received %v", listNames(got))
	}
}

func TestNumberOfConcurrentDeathAnimationsIsLimited(t *testing.T) {
	st := newSceneTest(t)
	var events []sim.Event
	for i := range 2 * maxDeathAnimations {
		st.addNPC(sim.EntityID(i+7), wolf, 3)
		events = append(events, sim.Event{Kind: sim.EventDied, Who: sim.EntityID(i + 7)})
	}
	st.showFrames(4)
	st.takePackets()
	st.frame.Actors = st.frame.Actors[:1]
	st.showFrames(1, events...)
	if n := len(st.client.view.deathAnimations); n > maxDeathAnimations {
		t.Errorf("%d death animations", n)
	}
	st.showFrames(25)
	if n := len(ofType[proto.RemoveActor](st.takePackets())); n != 2*maxDeathAnimations || len(st.client.view.deathAnimations) != 0 {
		t.Errorf("%d removed, %d left", n, len(st.client.view.deathAnimations))
	}
}

// Rule SV-24 of docs/wire/bedrock.md: a client of a complete server is shown a wolf as the entity type wolf. When it is
// killed, its death is displayed, and the respawned wolf has a new id.
func TestKilledWolfIsShownDyingAndAfterRespawn(t *testing.T) {
	t.Parallel()
	world, models := fieldsWithAppearances()
	world.Areas[0].Waypoints = []sim.Waypoint{{Pos: geom.Vec{X: 53, Z: 2}, Used: true, NextA: -1, NextB: -1, Prev: -1}}
	world.Areas[0].Spawns = []sim.Spawn{{Template: wolf, Waypoint: 0, Max: 1, PeriodMS: 100}}
	withServer(t, world, Options{Appearance: models}, func(srv *testServer) {
		b := srv.joinPlayer("bob")
		srv.advance(time.Second)
		w, ok := b.findActor("Wolf")
		if !ok || w.Type != "minecraft:wolf" || w.HasPlayerModel() || w.Health != 20 || w.Pos.Y != groundY || w.Scale != 1.5 {
			t.Fatalf("bob sees %+v, %v", w, ok)
		}
		a := srv.join("ann")
		srv.advance(300 * time.Millisecond)
		died := func() bool { return slices.Contains(a.received, "ActorEvent") && b.Counts().Hurts > 0 }
		var wire uint64
		for _, p := range packetsOf[proto.AddActor](a) {
			wire = p.Runtime
		}
		attackUntil(srv, a.walker(), wire, died)
		srv.advance(200 * time.Millisecond)
		if x, _ := b.findActor("Wolf"); x.Health >= 20 || x.ScoreText == "" && !x.Dead {
			t.Errorf("wounded wolf: %+v", x)
		}
		attackUntil(srv, a.walker(), wire, func() bool {
			return slices.ContainsFunc(packetsOf[proto.ActorEvent](a), func(e proto.ActorEvent) bool { return e.Runtime == wire && e.Event == proto.EventDeath })
		})
		srv.advance(3 * time.Second)
		again, ok := b.findActor("Wolf")
		if !ok || again.RuntimeID == w.RuntimeID || b.World().ActorCount() != 2 {
			t.Errorf("after its death bob sees %d others, %+v", b.World().ActorCount(), again)
		}
		b.assertUnaffected("a wolf's death")
	})
}

// Gained experience is sent as a tip, only to the player that gains it.
func TestGainedExperienceIsDisplayedAsTip(t *testing.T) {
	st := newSceneTest(t)
	st.addNPC(7, human, 2)
	st.showFrames(4)
	st.takePackets()
	st.showFrames(1, sim.Event{Kind: sim.EventXP, Who: 1, Value: 17}, sim.Event{Kind: sim.EventXP, Who: 7, Value: 5})
	if p := only[proto.Text](t, st.takePackets()); p.Type != proto.TextTip || p.Message != "You gain 17 points of experience." {
		t.Errorf("received %+v", p)
	}
}
