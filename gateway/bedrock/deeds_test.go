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
)

// mounted is a show in which a person, 8, sits on a horse, 7.
func mounted(t *testing.T) (v *show, horseID, riderID int64) {
	v = newShow(t)
	v.npc(7, horse, 3)
	v.npc(8, human, 3).Mount = 7
	v.frames(4)
	got := v.take()
	h, r := one[proto.AddActor](t, got), one[proto.AddPlayer](t, got)
	l := one[proto.SetActorLink](t, got)
	if want := (proto.ActorLink{Ridden: h.Unique, Rider: int64(r.Runtime), Type: proto.LinkRider, Immediate: true}); l.Link != want {
		t.Fatalf("linked %+v, want %+v", l.Link, want)
	}
	if names := kinds(got); slices.Index(names, "SetActorLink") < max(slices.Index(names, "AddActor"), slices.Index(names, "AddPlayer")) {
		t.Errorf("the link comes before both are there: %v", kinds(got))
	}
	seat, _ := r.Metadata.Find(proto.MetaSeat)
	if !r.Metadata.Flags().Has(proto.FlagRiding) || seat.Vec[1] < 1.4 || seat.Vec[1] > 3 {
		t.Errorf("the rider sits at %v, with flags %b", seat.Vec, r.Metadata.Flags())
	}
	return v, h.Unique, int64(r.Runtime)
}

// A rider goes where his mount goes, until he leaves it.
func TestARiderIsMovedByHisMount(t *testing.T) {
	v, horseID, riderID := mounted(t)
	v.goes(7, 1)
	v.goes(8, 1)
	v.frames(4)
	if m := one[proto.MoveActorAbsolute](t, v.take()); int64(m.Runtime) != horseID {
		t.Errorf("moved is %+v", m)
	}
	v.is(8).Mount = 0
	v.frames(4)
	got := v.take()
	if l := one[proto.SetActorLink](t, got); l.Link != (proto.ActorLink{Ridden: horseID, Rider: riderID, Immediate: true}) {
		t.Errorf("parted by %+v", l.Link)
	}
	if m := one[proto.MoveActorAbsolute](t, got); int64(m.Runtime) != riderID || m.Position != (proto.Vec3{4, groundY + 1.62, 0}) {
		t.Errorf("he stands at %+v", m)
	}
	if d := one[proto.SetActorData](t, got); d.Metadata.Flags().Has(proto.FlagRiding) {
		t.Error("he still rides")
	}
	if len(v.x.sight.seats) != 0 {
		t.Errorf("seats %v are kept", v.x.sight.seats)
	}
}

// Whichever of the two goes, the other stays as it should be, and nothing of the link is kept.
func TestHalfOfAPairThatGoesParts(t *testing.T) {
	v, _, riderID := mounted(t)
	v.leaves(7) // with the rider still in the saddle: his frame is a moment older
	v.frames(4)
	got := v.take()
	if names := kinds(got); slices.Index(names, "SetActorLink") > slices.Index(names, "RemoveActor") || one[proto.SetActorLink](t, got).Link.Type != proto.LinkRemoved {
		t.Errorf("told %v", names)
	}
	v.goes(8, 2)
	v.frames(4)
	if m := one[proto.MoveActorAbsolute](t, v.take()); int64(m.Runtime) != riderID {
		t.Errorf("the rider moves by %+v", m)
	}
	v, horseID, _ := mounted(t)
	v.leaves(8)
	v.frames(4)
	v.goes(7, 1)
	v.frames(4)
	if m := one[proto.MoveActorAbsolute](t, v.take()); int64(m.Runtime) != horseID || len(v.x.sight.seats) != 0 {
		t.Errorf("the horse moves by %+v, seats %v", m, v.x.sight.seats)
	}
}

// Whichever of the two a client meets anew, they are together again.
func TestWhoIsMetAnewIsSeatedAnew(t *testing.T) {
	for _, id := range []sim.EntityID{7, 8} {
		v, _, _ := mounted(t)
		v.take()
		n := v.s.face(id)
		v.x.hide(id)
		v.x.meet(n)
		v.x.mountUp(v.s, n)
		v.x.flush()
		v.collect()
		links := of[proto.SetActorLink](v.take())
		if len(links) != 2 || links[0].Link.Type != proto.LinkRemoved || links[1].Link.Type != proto.LinkRider || v.x.sight.seats[8] != 7 {
			t.Errorf("actor %d: %+v", id, links)
		}
	}
}

// A shot is seen to fly from one to the other, and ends there.
func TestAShotFliesAndLands(t *testing.T) {
	v := newShow(t)
	v.npc(7, human, 2)
	v.npc(8, wolf, 14)
	v.frames(4)
	v.take()
	v.frames(1, sim.Event{Kind: sim.EventProjectile, Who: 7, Other: 8, Projectile: &dressedFields().Projectiles[0]})
	p := one[proto.AddActor](t, v.take())
	if p.Type != "minecraft:snowball" || p.Position != (proto.Vec3{2, groundY + 1.8*0.75, 0}) || p.Velocity[0] < 1 || p.Yaw != 90 {
		t.Errorf("it begins as %+v", p)
	}
	v.frames(20)
	got := v.take()
	moves := of[proto.MoveActorAbsolute](got)
	if len(moves) < 5 || len(moves) > 10 {
		t.Errorf("%d moves over 12 blocks", len(moves))
	}
	for i, m := range moves {
		if m.Runtime != p.Runtime || i > 0 && m.Position[0] <= moves[i-1].Position[0] || m.Position[0] > 14 {
			t.Errorf("move %d is %+v", i, m)
		}
	}
	if r := one[proto.RemoveActor](t, got); r.Unique != p.Unique || kind(got[len(got)-1]) != "RemoveActor" {
		t.Errorf("it ends with %v", kinds(got))
	}
	if len(v.s.shots) != 0 || len(v.w.ids.byEntity) != 3 {
		t.Errorf("%d shots, %d numbers are kept", len(v.s.shots), len(v.w.ids.byEntity))
	}
}

// Whoever dies of a shot is gone when it is told, and it is shown all the same. One that nobody sees is not.
func TestAShotAtTheDyingIsShown(t *testing.T) {
	v := newShow(t)
	v.npc(7, human, 2)
	v.npc(8, wolf, 5)
	v.frames(4)
	v.take()
	v.leaves(8)
	v.frames(1, sim.Event{Kind: sim.EventProjectile, Who: 7, Other: 8}, sim.Event{Kind: sim.EventDied, Who: 8, Other: 7})
	if p := one[proto.AddActor](t, v.take()); p.Type != "minecraft:arrow" {
		t.Errorf("shown %+v", p)
	}
	v.frames(40)
	v.npc(9, human, 500)
	v.npc(10, wolf, 505)
	v.frames(4)
	v.take()
	v.frames(2, sim.Event{Kind: sim.EventProjectile, Who: 9, Other: 10}, sim.Event{Kind: sim.EventProjectile, Who: 77, Other: 78})
	if got := v.take(); len(got) != 0 || len(v.s.shots) != 0 {
		t.Errorf("told %v", kinds(got))
	}
}

// A rain of arrows is bounded, and a client that leaves has none of them left.
func TestShotsAreFewAndEndWithTheScene(t *testing.T) {
	v := newShow(t)
	v.npc(7, human, 2)
	v.npc(8, wolf, 40)
	v.frames(4)
	v.take()
	rain := make([]sim.Event, 3*mostShots)
	for i := range rain {
		rain[i] = sim.Event{Kind: sim.EventProjectile, Who: 7, Other: 8, Projectile: &combat.Projectile{Speed: 1}}
	}
	v.frames(1, rain...)
	if n := len(of[proto.AddActor](v.take())); n != mostShots {
		t.Errorf("%d shots are shown", n)
	}
	v.frames(longestFly/50 - 5)
	if n := len(of[proto.RemoveActor](v.take())); n != 0 {
		t.Errorf("%d shots have landed already", n)
	}
	v.x.leaveScene()
	v.x.flush()
	v.collect()
	if n := len(of[proto.RemoveActor](v.take())); n != mostShots+2 {
		t.Errorf("%d are taken away", n)
	}
	for _, x := range v.s.shots {
		if len(x.viewers) != 0 {
			t.Fatal("a shot remembers who has left")
		}
	}
}

func TestFlightsTakeTheirTime(t *testing.T) {
	for _, c := range []struct {
		blocks float32
		speed  uint8
		want   sim.Tick
	}{{0, 50, 1}, {1.5, 50, 1}, {15, 50, 10}, {15, 100, 5}, {15, 0, 10}, {1e9, 1, 30}, {float32(math.Inf(1)), 50, 30}} {
		if got := flight(c.blocks, &combat.Projectile{Speed: c.speed}, 20); got != c.want {
			t.Errorf("%v blocks at %d: %d ticks, want %d", c.blocks, c.speed, got, c.want)
		}
	}
	if got := flight(15, nil, 60); got != 30 {
		t.Errorf("at 60 ticks a second %d", got)
	}
}

// A jump of a player of another door is an arc that ends where it began; his mount jumps under him. Players of this door
// jump by themselves.
func TestJumpsOfOtherDoorsAreSeen(t *testing.T) {
	v := newShow(t)
	v.npc(7, human, 3).Flags = sim.FlagPlayer
	v.npc(8, horse, 4)
	v.npc(9, human, 4).Mount = 8
	v.frames(4)
	v.take()
	for _, c := range []struct{ jumps, seen sim.EntityID }{{7, 7}, {9, 8}} {
		v.frames(5, sim.Event{Kind: sim.EventJumped, Who: c.jumps})
		v.frames(15, sim.Event{Kind: sim.EventJumped, Who: c.jumps}) // again in the air: nothing
		wire := v.x.sight.wires[c.seen]
		up, moves := float32(0), of[proto.MoveActorAbsolute](v.take())
		for _, m := range moves {
			if m.Runtime != wire {
				t.Errorf("%d jumped, %+v", c.jumps, m)
			}
			at := m.Position[1] - groundY - v.s.face(c.seen).look.eyes
			up = max(up, at)
			if at > 1e-3 && m.Flags&proto.MoveOnGround != 0 {
				t.Errorf("%d stands in the air at %v", c.seen, at)
			}
		}
		if up < 1 || up > 1.25 || len(moves) < 4 || len(moves) > 10 {
			t.Errorf("%d rose by %v in %d moves", c.seen, up, len(moves))
		}
		if last := moves[len(moves)-1]; v.s.face(c.seen).at.Y != groundY || last.Flags&proto.MoveOnGround == 0 {
			t.Errorf("%d is left at %+v", c.seen, last)
		}
	}
	v.frames(1, sim.Event{Kind: sim.EventJumped, Who: 1}, sim.Event{Kind: sim.EventJumped, Who: 55})
	v.frames(5)
	if n := v.s.face(1); n.at.Y != groundY || n.hopped != 0 {
		t.Errorf("a player of this door hops: %+v", n)
	}
}

// The dead fall over before they are taken away, and nobody can strike them meanwhile.
func TestTheDeadFallOver(t *testing.T) {
	v := newShow(t)
	v.npc(7, wolf, 3)
	v.frames(4)
	id := one[proto.AddActor](t, v.take()).Unique
	v.leaves(7)
	v.frames(15, sim.Event{Kind: sim.EventDied, Who: 7, Other: 1})
	if got, want := v.take(), []proto.Packet{proto.ActorEvent{Runtime: uint64(id), Event: proto.EventDeath}}; !reflect.DeepEqual(got, want) {
		t.Errorf("told %+v", got)
	}
	if v.x.sight.entity(uint64(id)) != 0 || len(v.x.sight.wires) != 0 {
		t.Error("it can be struck")
	}
	v.frames(10)
	if got := v.take(); !reflect.DeepEqual(got, []proto.Packet{proto.RemoveActor{Unique: id}}) {
		t.Errorf("then %+v", got)
	}
	if v.frames(25, sim.Event{Kind: sim.EventDied, Who: 99}); len(v.take()) != 0 {
		t.Error("who was never seen leaves a corpse")
	}
	v.npc(8, wolf, 3)
	v.frames(4)
	id = one[proto.AddActor](t, v.take()).Unique
	v.leaves(8)
	v.frames(2, sim.Event{Kind: sim.EventDied, Who: 8})
	v.x.leaveScene()
	v.x.flush()
	v.collect()
	if got := of[proto.RemoveActor](v.take()); !slices.Contains(got, proto.RemoveActor{Unique: id}) || len(v.x.sight.corpses) != 0 {
		t.Errorf("who leaves keeps a corpse: %v", got)
	}
}

// A player who leaves the world in the very frame in which he dies is no longer on the list of players.
func TestWhoLeavesAsHeDiesIsTakenOffTheList(t *testing.T) {
	v := newShow(t)
	v.npc(7, guard, 3).Body.Character = 5
	v.frames(4)
	wire := one[proto.AddPlayer](t, v.take()).Runtime
	v.leaves(7)
	v.frames(30, sim.Event{Kind: sim.EventDied, Who: 7}, sim.Event{Kind: sim.EventLeft, Who: 7})
	got := v.take()
	if list := one[proto.PlayerList](t, got); len(list.Entries) != 1 || !list.Entries[0].Remove || list.Entries[0].UUID != uuidOf(wire) {
		t.Errorf("the list is told %+v", list)
	}
	if len(of[proto.RemoveActor](got)) != 1 || len(v.x.sight.listed) != 0 {
		t.Errorf("told %v", kinds(got))
	}
}

func TestCorpsesAreFew(t *testing.T) {
	v := newShow(t)
	var events []sim.Event
	for i := range 2 * mostCorpses {
		v.npc(sim.EntityID(i+7), wolf, 3)
		events = append(events, sim.Event{Kind: sim.EventDied, Who: sim.EntityID(i + 7)})
	}
	v.frames(4)
	v.take()
	v.f.Actors = v.f.Actors[:1]
	v.frames(1, events...)
	if n := len(v.x.sight.corpses); n > mostCorpses {
		t.Errorf("%d lie about", n)
	}
	v.frames(25)
	if n := len(of[proto.RemoveActor](v.take())); n != 2*mostCorpses || len(v.x.sight.corpses) != 0 {
		t.Errorf("%d were taken away, %d lie", n, len(v.x.sight.corpses))
	}
}

// SV-24: on a real server, with honest clients: a wolf arrives as a wolf, is struck to death, seen to die, and its kin
// come after it.
func TestSV24BeastsOfARealServer(t *testing.T) {
	t.Parallel()
	world := dressedFields()
	world.Areas[0].Waypoints = []sim.Waypoint{{Pos: geom.Vec{X: 53, Z: 2}, Used: true, NextA: -1, NextB: -1, Prev: -1}}
	world.Areas[0].Spawns = []sim.Spawn{{Template: wolf, Waypoint: 0, Max: 1, PeriodMS: 100}}
	bubble(t, world, Options{}, func(r *rig) {
		b := r.player("bob")
		r.run(time.Second)
		w, ok := b.sees("Wolf")
		if !ok || w.Type != "minecraft:wolf" || w.HasPlayerModel() || w.Health != 20 || w.Pos.Y != groundY || w.Scale != 1.5 {
			t.Fatalf("bob sees %+v, %v", w, ok)
		}
		a := r.enters("ann")
		r.run(300 * time.Millisecond)
		died := func() bool { return slices.Contains(a.order, "ActorEvent") && b.Counts().Hurts > 0 }
		var wire uint64
		for _, p := range each[proto.AddActor](a) {
			wire = p.Runtime
		}
		duel(r, a.walker(), wire, died)
		r.run(200 * time.Millisecond)
		if x, _ := b.sees("Wolf"); x.Health >= 20 || x.ScoreText == "" && !x.Dead {
			t.Errorf("the wolf that was hurt is %+v", x)
		}
		duel(r, a.walker(), wire, func() bool {
			return slices.ContainsFunc(each[proto.ActorEvent](a), func(e proto.ActorEvent) bool { return e.Runtime == wire && e.Event == proto.EventDeath })
		})
		r.run(3 * time.Second)
		again, ok := b.sees("Wolf")
		if !ok || again.RuntimeID == w.RuntimeID || b.World().ActorCount() != 2 {
			t.Errorf("after its death bob sees %d others, %+v", b.World().ActorCount(), again)
		}
		b.unharmed("a wolf's death")
	})
}

// Whoever gains experience reads it as a tip, and nobody else does.
func TestWhatIsGainedIsATip(t *testing.T) {
	v := newShow(t)
	v.npc(7, human, 2)
	v.frames(4)
	v.take()
	v.frames(1, sim.Event{Kind: sim.EventXP, Who: 1, Value: 17}, sim.Event{Kind: sim.EventXP, Who: 7, Value: 5})
	if p := one[proto.Text](t, v.take()); p.Type != proto.TextTip || p.Message != "You gain 17 points of experience." {
		t.Errorf("told %+v", p)
	}
}
