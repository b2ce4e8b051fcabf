package rcce

import (
	"testing"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

// sceneTest is a scene with three players and a wolf in one area, with fixed runtime ids. The test creates the frames of the
// area.
type sceneTest struct {
	*testServer
	ann, bob, cid                   sim.EntityID
	annClient, bobClient, cidClient *client
	actors                          []sim.ActorState
	tick                            sim.Tick
}

// Runtime ids of the actors.
const annRID, bobRID, cidRID, wolfRID = 1, 2, 3, 4

// wolfEntity is the entity id of the wolf.
const wolfEntity sim.EntityID = 1000

func withScene(t *testing.T, fn func(s *sceneTest)) {
	t.Helper()
	withServer(t, emptyFields(), serverOptions{noTicks: true}, func(srv *testServer) {
		s := &sceneTest{testServer: srv}
		s.ann, s.annClient = srv.joinWithoutTicks("ann")
		s.bob, s.bobClient = srv.joinWithoutTicks("bob")
		s.cid, s.cidClient = srv.joinWithoutTicks("cid")
		s.actors = []sim.ActorState{
			player(s.ann, "ann", geom.Vec{}), player(s.bob, "bob", geom.Vec{X: 3}), player(s.cid, "cid", geom.Vec{X: 6}),
			npc(wolfEntity, wolf, geom.Vec{X: 9}),
		}
		s.showNext()
		s.annClient.takePackets()
		s.bobClient.takePackets()
		s.cidClient.takePackets()
		fn(s)
	})
}

// showNext passes the next frame, with the given events, to the scene.
func (s *sceneTest) showNext(events ...sim.Event) {
	s.tick++
	s.show(westFrame(s.tick, s.actors, events...))
}

func packetList(packets ...proto.Packet) []proto.Packet { return packets }

// Each event is sent only to the clients that the protocol names for it. Each case is one frame. Source: docs/wire/rcce.md 3.4
// and 6.7.
func TestEventPacketsAreSentOnlyToIntendedClients(t *testing.T) {
	arrow := &combat.Projectile{ID: 1, Speed: 60}
	arrowLook := fieldAppearances().Projectile(1)
	stat := func(rid uint16, value int16) proto.Packet {
		return proto.StatUpdate{Sub: proto.StatValue, RuntimeID: rid, Attribute: health, Value: value}
	}
	at := geom.Vec{X: 1, Y: 2, Z: 3}
	withScene(t, func(s *sceneTest) {
		stack := sim.ItemStack{Item: cap, Amount: 1, Health: 100}
		ground := sim.GroundItem{Handle: 9, Stack: stack, Pos: at}
		dropped := droppedItem(s.world.Def(), &ground)
		both := func(p ...proto.Packet) [3][]proto.Packet { return [3][]proto.Packet{p, p, p} }
		for _, tc := range []struct {
			name   string
			events []sim.Event
			want   [3][]proto.Packet // packets expected by ann, bob and cid
		}{
			{
				"melee between players",
				[]sim.Event{
					{Kind: sim.EventAttacked, Who: s.ann, Other: s.bob, N: 24, Type: 3},
					{Kind: sim.EventStat, Who: s.bob, N: health, Value: 76},
				},
				[3][]proto.Packet{
					packetList(proto.HitForAttacker(bobRID, 24, 3), stat(bobRID, 76)),
					packetList(proto.HitForVictim(annRID, 24, 3), stat(bobRID, 76)),
					packetList(proto.HitForOthers(annRID, bobRID), stat(bobRID, 76)),
				},
			},
			{
				"a miss on a wolf",
				[]sim.Event{{Kind: sim.EventAttacked, Who: s.ann, Other: wolfEntity, N: -1}},
				[3][]proto.Packet{
					packetList(proto.HitForAttacker(wolfRID, -1, 0)),
					packetList(proto.HitForOthers(annRID, wolfRID)),
					packetList(proto.HitForOthers(annRID, wolfRID)),
				},
			},
			{
				"a wolf bites",
				[]sim.Event{{Kind: sim.EventAttacked, Who: wolfEntity, Other: s.cid, N: 2, Type: 1}},
				[3][]proto.Packet{
					packetList(proto.HitForOthers(wolfRID, cidRID)),
					packetList(proto.HitForOthers(wolfRID, cidRID)),
					packetList(proto.HitForVictim(wolfRID, 2, 1)),
				},
			},
			{
				"a shot that hits",
				[]sim.Event{
					{Kind: sim.EventShotFired, Who: s.ann, Other: s.bob},
					{Kind: sim.EventProjectile, Who: s.ann, Other: s.bob, Projectile: arrow},
					{Kind: sim.EventAttacked, Who: s.ann, Other: s.bob, N: 5, Type: 2, Ranged: true},
					{Kind: sim.EventStat, Who: s.bob, N: health, Value: 71},
				},
				[3][]proto.Packet{
					packetList(projectile(arrow, arrowLook, annRID, bobRID), proto.HitForAttacker(bobRID, 5, 2), stat(bobRID, 71)),
					packetList(projectile(arrow, arrowLook, annRID, bobRID), proto.HitForVictim(annRID, 5, 2), stat(bobRID, 71)),
					packetList(proto.HitForOthers(annRID, bobRID), projectile(arrow, arrowLook, annRID, bobRID), stat(bobRID, 71)),
				},
			},
			{
				"a shot that misses",
				[]sim.Event{
					{Kind: sim.EventShotFired, Who: s.ann, Other: wolfEntity},
					{Kind: sim.EventProjectile, Who: s.ann, Other: wolfEntity, Projectile: arrow},
				},
				[3][]proto.Packet{
					packetList(projectile(arrow, arrowLook, annRID, wolfRID)),
					packetList(proto.HitForOthers(annRID, wolfRID), projectile(arrow, arrowLook, annRID, wolfRID)),
					packetList(proto.HitForOthers(annRID, wolfRID), projectile(arrow, arrowLook, annRID, wolfRID)),
				},
			},
			{
				"a player dies: no ActorDead, which would remove the model",
				[]sim.Event{{Kind: sim.EventDied, Who: s.bob, Other: wolfEntity}},
				[3][]proto.Packet{nil, packetList(proto.ChatMessage{Color: proto.ChatRed, Text: "You are dead. You will wake up in a moment."}), nil},
			},
			{
				"a player respawns",
				[]sim.Event{{Kind: sim.EventRespawned, Who: s.bob, Pos: at, Yaw: 90}},
				both(
					proto.RepositionActor{Sub: proto.RepositionMove, RuntimeID: bobRID, X: 1, Y: 2, Z: 3},
					proto.RepositionActor{Sub: proto.RepositionRotate, RuntimeID: bobRID, Yaw: 90},
				),
			},
			{
				"a correction goes to its owner only",
				[]sim.Event{{Kind: sim.EventCorrected, Who: s.bob, Pos: at}},
				[3][]proto.Packet{nil, packetList(proto.RepositionActor{Sub: proto.RepositionMove, RuntimeID: bobRID, X: 1, Y: 2, Z: 3}), nil},
			},
			{
				"strength goes to the owner only; speed, energy and health to all",
				[]sim.Event{
					{Kind: sim.EventStat, Who: s.ann, N: strength, Value: 9},
					{Kind: sim.EventStat, Who: s.ann, N: speed, Value: 8},
					{Kind: sim.EventStat, Who: s.ann, N: energy, Value: 7},
					{Kind: sim.EventStat, Who: s.ann, N: health, Value: 70000},
				},
				[3][]proto.Packet{
					packetList(
						proto.StatUpdate{Sub: 'A', RuntimeID: annRID, Attribute: strength, Value: 9},
						proto.StatUpdate{Sub: 'A', RuntimeID: annRID, Attribute: speed, Value: 8},
						proto.StatUpdate{Sub: 'A', RuntimeID: annRID, Attribute: energy, Value: 7},
						proto.StatUpdate{Sub: 'A', RuntimeID: annRID, Attribute: health, Value: 32767},
					),
					packetList(
						proto.StatUpdate{Sub: 'A', RuntimeID: annRID, Attribute: speed, Value: 8},
						proto.StatUpdate{Sub: 'A', RuntimeID: annRID, Attribute: energy, Value: 7},
						proto.StatUpdate{Sub: 'A', RuntimeID: annRID, Attribute: health, Value: 32767},
					),
					packetList(
						proto.StatUpdate{Sub: 'A', RuntimeID: annRID, Attribute: speed, Value: 8},
						proto.StatUpdate{Sub: 'A', RuntimeID: annRID, Attribute: energy, Value: 7},
						proto.StatUpdate{Sub: 'A', RuntimeID: annRID, Attribute: health, Value: 32767},
					),
				},
			},
			{
				"experience", []sim.Event{{Kind: sim.EventXP, Who: s.cid, Value: 17}},
				[3][]proto.Packet{nil, nil, packetList(proto.XPUpdate{Sub: proto.XPGained, Value: 17})},
			},
			{
				"speech, also to the speaker", []sim.Event{{Kind: sim.EventChat, Who: s.ann, Text: "hello"}},
				both(proto.ChatMessage{Text: "<ann> hello"}),
			},
			{
				"texts of the server",
				[]sim.Event{
					{Kind: sim.EventMessage, Who: s.bob, Text: "news"},
					{Kind: sim.EventMessage, Who: s.bob, Text: "broken", N: sim.ToneWarning},
					{Kind: sim.EventMessage, Who: s.bob, Text: "Critical!", N: sim.ToneCombat},
				},
				[3][]proto.Packet{nil, packetList(
					proto.ChatMessage{Color: proto.ChatYellow, Text: "news"},
					proto.ChatMessage{Color: proto.ChatRed, Text: "broken"},
					proto.ChatMessage{Color: proto.ChatRGB, R: 255, G: 225, B: 100, Text: "Critical!"},
				), nil},
			},
			{
				"a jump, also to the jumper", []sim.Event{{Kind: sim.EventJumped, Who: s.ann}},
				both(proto.Jump{RuntimeID: annRID}),
			},
			{
				"equipment goes to others only", []sim.Event{{Kind: sim.EventEquipment, Who: s.ann}},
				[3][]proto.Packet{
					nil,
					packetList(proto.InventoryEquipment{RuntimeID: annRID, Weapon: sim.NoItem, Shield: sim.NoItem, Chest: sim.NoItem, Hat: sim.NoItem}),
					packetList(proto.InventoryEquipment{RuntimeID: annRID, Weapon: sim.NoItem, Shield: sim.NoItem, Chest: sim.NoItem, Hat: sim.NoItem}),
				},
			},
			{
				"item damage goes to the owner only", []sim.Event{{Kind: sim.EventItemDamaged, Who: s.ann, N: 1, Value: 99}},
				[3][]proto.Packet{packetList(proto.ItemHealth{Slot: 1, Health: 99}), nil, nil},
			},
			{"an item is dropped", []sim.Event{{Kind: sim.EventDropped, Who: s.ann, Ground: ground}}, both(dropped)},
			{
				"an item is picked up", []sim.Event{{Kind: sim.EventPickedUp, Who: s.bob, Ground: ground, N: 20}},
				[3][]proto.Packet{packetList(proto.InventoryGone{Drop: 9}), packetList(proto.InventoryReceived{Drop: 9, Slot: 20}), packetList(proto.InventoryGone{Drop: 9})},
			},
			{"an item expires", []sim.Event{{Kind: sim.EventPickedUp, Ground: ground}}, both(proto.InventoryGone{Drop: 9})},
			{"events that are not sent", []sim.Event{{Kind: sim.EventHeld, Who: s.ann}, {Kind: sim.EventMounted, Who: s.ann, Other: wolfEntity}, {Kind: sim.EventRecord, Who: s.ann}}, both()},
		} {
			s.showNext(tc.events...)
			s.annClient.expectPackets(tc.name+": ann", tc.want[0]...)
			s.bobClient.expectPackets(tc.name+": bob", tc.want[1]...)
			s.cidClient.expectPackets(tc.name+": cid", tc.want[2]...)
		}
	})
}

// docs/wire/rcce.md 6.7 and 6.8: hit, health, death and experience are sent in this order, and ActorGone is not sent.
func TestPacketsAboutDeathOfNPCAreInRequiredOrder(t *testing.T) {
	withScene(t, func(s *sceneTest) {
		s.actors = s.actors[:3]
		s.showNext(
			sim.Event{Kind: sim.EventAttacked, Who: s.ann, Other: wolfEntity, N: 50, Type: 1},
			sim.Event{Kind: sim.EventStat, Who: wolfEntity, N: health, Value: 0},
			sim.Event{Kind: sim.EventDied, Who: wolfEntity, Other: s.ann},
			sim.Event{Kind: sim.EventXP, Who: s.ann, Value: 12},
		)
		none := proto.StatUpdate{Sub: proto.StatValue, RuntimeID: wolfRID, Attribute: health}
		dead := proto.ActorDead{Dead: wolfRID, HasKiller: true, Killer: annRID}
		s.annClient.expectPackets("the killer", proto.HitForAttacker(wolfRID, 50, 1), none, dead, proto.XPUpdate{Sub: proto.XPGained, Value: 12})
		s.bobClient.expectPackets("an onlooker", proto.HitForOthers(annRID, wolfRID), none, dead)
		s.showNext()
		s.bobClient.expectPackets("an onlooker, a frame later")
	})
}

func TestEquipmentPacketHasModelPartsOfWornItems(t *testing.T) {
	withScene(t, func(s *sceneTest) {
		body := *s.actors[0].Body
		body.Equipment[sim.SlotHat], body.Equipment[sim.SlotWeapon] = cap, sword
		s.actors[0].Body = &body
		s.showNext(sim.Event{Kind: sim.EventEquipment, Who: s.ann})
		s.bobClient.expectPackets("an onlooker", proto.InventoryEquipment{
			RuntimeID: annRID, Weapon: sword, Shield: sim.NoItem, Chest: sim.NoItem, Hat: cap, Gubbins: [6]uint8{0, 1},
		})
	})
}

// Clients move an actor at the speed in its packets. An actor under path authority does not move at the speed of its
// attribute, so a StatUpdate of its speed has the displayed speed. Under claim authority it has the value of the attribute.
func TestSpeedChangeUnderPathAuthorityIsSentAsDisplayedSpeed(t *testing.T) {
	withScene(t, func(s *sceneTest) {
		speed := s.world.Def().Roles.Speed
		told := func(m sim.Motion) int16 {
			s.actors[1].Motion = m
			s.showNext(sim.Event{Kind: sim.EventStat, Who: s.bob, N: int32(speed), Value: 77}, sim.Event{Kind: sim.EventStat, Who: s.bob, N: health, Value: 55})
			var values []int16
			for _, p := range s.annClient.takePackets() {
				if p, ok := p.(proto.StatUpdate); ok {
					values = append(values, p.Value)
				}
			}
			if len(values) != 2 || values[1] != 55 {
				t.Fatalf("stats sent: %v", values)
			}
			return values[0]
		}
		if got := told(sim.Motion{}); got != 77 {
			t.Errorf("a player under the claim authority has speed %d", got)
		}
		own, _ := shownSpeed(&sim.ActorState{Motion: pathMotion(7)})
		if got := told(pathMotion(7)); got == 77 || got != int16(own) {
			t.Errorf("a player under the path authority has speed %d, want %d", got, own)
		}
	})
}
