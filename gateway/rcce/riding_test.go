package rcce

import (
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rcce"
)

// docs/wire/rcce.md 3.1, 3.4 and 5.1, on a whole server: after a right click the player rides, updates contain its mount,
// rider and mount move together, the rider can neither jump nor attack, and Dismount ends the ride. On foot, a jump is sent
// to all players, including the jumping one.
func TestMountingRidingAndDismountingAreSentToOtherPlayer(t *testing.T) {
	w := twoFields()
	w.Areas[0].Spawns[0].Template = horse
	withServer(t, w, serverOptions{}, func(srv *testServer) {
		a, b := srv.join("ann"), srv.join("bob")
		rider := a.runtimeID
		srv.advance(600 * time.Millisecond)
		mount := packetsOf[proto.NewActor](a)[0].RuntimeID
		last := func(rid uint16) proto.StandardUpdate {
			b.received = nil
			srv.advance(450 * time.Millisecond)
			list := updatesOf(b, rid)
			if len(list) == 0 {
				t.Fatalf("no update of %d", rid)
			}
			return list[len(list)-1]
		}
		jumps := func() int {
			b.received = nil
			a.send(proto.JumpRequest{})
			srv.advance(200 * time.Millisecond)
			return countOf[proto.Jump](b)
		}
		if u, n := last(rider), jumps(); u.Mount != 0 || n != 1 || countOf[proto.Jump](a) != 1 {
			t.Errorf("on foot: mount %d, %d jumps seen", u.Mount, n)
		}

		a.send(proto.RightClick{Target: mount})
		srv.advance(200 * time.Millisecond)
		a.claim(proto.StandardUpdateRequest{DestX: 20, DestZ: 2, Y: 1, X: 50, Z: 2})
		srv.advance(time.Second)
		on, under := last(rider), last(mount)
		if on.Mount != mount || under.Mount != 0 || on.X > 40 || under.Z != on.Z || under.DestX != on.DestX {
			t.Errorf("riding: the rider is shown as %+v, the mount as %+v", on, under)
		}
		a.send(proto.AttackActorRequest{Target: mount})
		if n := jumps(); n != 0 || countOf[proto.AttackActor](b) != 0 {
			t.Errorf("a rider jumps %d times and attacks %d times", n, countOf[proto.AttackActor](b))
		}

		a.send(proto.Dismount{})
		srv.advance(200 * time.Millisecond)
		if u, n := last(rider), jumps(); u.Mount != 0 || n != 1 {
			t.Errorf("on foot again: mount %d, %d jumps seen", u.Mount, n)
		}
	})
}

// Original specification, P_AttackActor, "broadcast pattern", on a whole server: the attacker is sent packet H, the victim
// Y with the same damage, and a third player O without damage. After each hit, all three are sent the victim's health.
func TestAttackerVictimAndOnlookerAreSentDifferentHitPackets(t *testing.T) {
	w := emptyFields()
	w.Areas[0].PvP = true
	withServer(t, w, serverOptions{}, func(srv *testServer) {
		a, b, c := srv.join("ann"), srv.join("bob"), srv.join("cid")
		attacker, victim := a.runtimeID, b.runtimeID
		srv.advance(1200 * time.Millisecond)
		a.received, b.received, c.received = nil, nil, nil
		for range 9 { // three hits of at most 30 points kill no player
			a.send(proto.AttackActorRequest{Target: victim})
			srv.advance(250 * time.Millisecond)
		}
		given := packetsOf[proto.AttackActor](a)
		if len(given) < 2 || len(given) > 3 {
			t.Fatalf("%d hits in 2.25 s, want one a second", len(given))
		}
		var h, y, o []proto.Packet
		for i, blow := range given {
			if blow != (proto.AttackActor{Sub: proto.AttackYouHit, Victim: victim, Damage: blow.Damage, DamageType: blow.DamageType}) {
				t.Fatalf("the attacker got %+v", blow)
			}
			h = append(h, blow)
			y = append(y, proto.HitForVictim(attacker, blow.Damage.Points(), blow.DamageType))
			o = append(o, proto.HitForOthers(attacker, victim))
			if blow.Damage.IsMiss() {
				continue
			}
			left := proto.StatUpdate{Sub: proto.StatValue, RuntimeID: victim, Attribute: health, Value: 100}
			for _, before := range given[:i+1] {
				left.Value -= int16(max(0, before.Damage.Points()))
			}
			h, y, o = append(h, left), append(y, left), append(o, left)
		}
		b.expectPackets("the victim", y...)
		c.expectPackets("the onlooker", o...)
		for _, p := range a.received {
			if m, ok := p.(proto.ChatMessage); ok && m.Color == proto.ChatRGB { // reports a critical hit, to the attacker only
				h = append(h, m)
			}
		}
		if n := len(a.takePackets()); n != len(h) {
			t.Errorf("the attacker got %d packets, want %d", n, len(h))
		}
	})
}
