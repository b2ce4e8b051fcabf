package rcce

import (
	"testing"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// A worker that has missed frames sends the changes in them: attributes, equipment, experience, death, party, items on the ground.
func TestChangesOfMissedFramesAreSentWithNextFrame(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{noTicks: true}, func(srv *testServer) {
		w := srv.world.Def()
		ann, a := srv.joinWithoutTicks("ann")
		bob, b := srv.joinWithoutTicks("bob")
		annState, bobState := player(ann, "ann", geom.Vec{}), player(bob, "bob", geom.Vec{})
		item := func(handle uint32) sim.GroundItem {
			return sim.GroundItem{Handle: handle, Stack: sim.ItemStack{Item: sword, Amount: 1, Health: 100}}
		}
		frame := func(tick sim.Tick, ground []sim.GroundItem, events ...sim.Event) *sim.Frame {
			f := westFrame(tick, []sim.ActorState{annState, bobState}, events...)
			f.Ground = ground
			return f
		}
		srv.show(frame(1, []sim.GroundItem{item(5), item(7)}))
		a.takePackets()
		b.takePackets()

		// Frames 2 to 8 are missed. The events of frame 9 are the drop of item 10 and 4 of the 30 points of experience that ann
		// has gained.
		annBody, bobBody := *annState.Body, *bobState.Body
		annBody.XP, annBody.Version = 30, 1
		bobBody.Equipment[sim.SlotWeapon], bobBody.Version = sword, 2
		annState.Body, bobState.Body = &annBody, &bobBody
		annState.Health, annState.Flags = 0, annState.Flags|sim.FlagDead
		bobState.Energy, bobState.Speed = 20, 60
		items := [3]sim.GroundItem{item(7), item(8), item(10)}
		srv.show(frame(9, items[:], sim.Event{Kind: sim.EventDropped, Who: bob, Ground: items[2]}, sim.Event{Kind: sim.EventXP, Who: ann, Value: 4}))
		stat := func(rid uint16, attribute uint8, points int32) proto.StatUpdate {
			return proto.StatUpdate{Sub: proto.StatValue, RuntimeID: rid, Attribute: attribute, Value: proto.StatPoints(points)}
		}
		death, energyOfBob, speedOfBob := stat(1, health, 0), stat(2, energy, 20), stat(2, speed, 60)
		gone, shown, dropped := proto.InventoryGone{Drop: 5}, droppedItem(w, &items[1]), droppedItem(w, &items[2])
		a.expectPackets("the client of the dead player", death, proto.XPUpdate{Sub: proto.XPGained, Value: 30}, deathMessage,
			speedOfBob, energyOfBob, equipment(fieldAppearances(), 2, &bobBody), gone, shown, dropped)
		b.expectPackets("the other client", death, speedOfBob, energyOfBob, gone, shown, dropped)

		// The worker misses no frame before the next one, so only the events of that frame are sent.
		annState.Health, annState.Flags = 50, sim.FlagPlayer
		srv.show(frame(10, items[:1], sim.Event{Kind: sim.EventXP, Who: ann, Value: 6}))
		a.expectPackets("a client that has missed nothing", proto.XPUpdate{Sub: proto.XPGained, Value: 6})
		b.expectPackets("another client that has missed nothing")
	})
}

// If the first frame after missed frames contains an event about a change, clients are sent that change only once.
func TestDeathAfterMissedFramesIsSentOnce(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{noTicks: true}, func(srv *testServer) {
		ann, a := srv.joinWithoutTicks("ann")
		state := player(ann, "ann", geom.Vec{})
		srv.show(westFrame(1, []sim.ActorState{state}))
		a.takePackets()
		state.Health, state.Flags = 0, state.Flags|sim.FlagDead
		srv.show(westFrame(5, []sim.ActorState{state}, sim.Event{Kind: sim.EventDied, Who: ann}))
		if lines := packetsOf[proto.ChatMessage](a); len(lines) != 1 || lines[0] != deathMessage {
			t.Errorf("the client is sent the lines %v, want that of its death once", lines)
		}
	})
}

func TestAttributeMaximaAndWeatherOfMissedFramesAreSent(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{noTicks: true}, func(srv *testServer) {
		ann, a := srv.joinWithoutTicks("ann")
		state := player(ann, "ann", geom.Vec{})
		srv.show(westFrame(1, []sim.ActorState{state}))
		a.takePackets()
		state.HealthMax, state.SpeedMax = 130, 90
		f := westFrame(5, []sim.ActorState{state})
		f.Weather = 2
		srv.show(f)
		a.expectPackets("the client", proto.StatUpdate{Sub: proto.StatMaximum, RuntimeID: 1, Attribute: health, Value: proto.StatPoints(130)},
			proto.StatUpdate{Sub: proto.StatMaximum, RuntimeID: 1, Attribute: speed, Value: proto.StatPoints(90)},
			proto.WeatherChange{Area: areaHandle(0), Weather: 2})
	})
}

func TestPartyChangedInMissedFramesIsSentToOwner(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{noTicks: true}, func(srv *testServer) {
		ann, a := srv.joinWithoutTicks("ann")
		bob, b := srv.joinWithoutTicks("bob")
		annState, bobState := player(ann, "ann", geom.Vec{}), player(bob, "bob", geom.Vec{})
		srv.show(westFrame(1, []sim.ActorState{annState, bobState}))
		a.takePackets()
		b.takePackets()
		annState.Party, bobState.Party = 3, 3
		srv.show(westFrame(4, []sim.ActorState{annState, bobState}))
		a.expectPackets("the first member", proto.PartyUpdate{Names: []string{"bob"}})
		b.expectPackets("the second member", proto.PartyUpdate{Names: []string{"ann"}})
		annState.Party, bobState.Party = 0, 0
		srv.show(westFrame(7, []sim.ActorState{annState, bobState}))
		a.expectPackets("the first former member", proto.PartyUpdate{})
		b.expectPackets("the second former member", proto.PartyUpdate{})
	})
}
