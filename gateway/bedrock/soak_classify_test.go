package bedrock

import (
	"testing"
	"time"

	bot "github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// A packet that arrives after its tick has left the client's history explains corrections until the client sends an input
// that agrees with the server's state and that was sent after the last change had arrived.
func TestLatePacketExplainsCorrectionsUntilClientAgreesAgain(t *testing.T) {
	body := move.NewAvatar(geom.Vec{Y: 64})
	slowed := body
	slowed.SlowFalling = 1
	horse := move.Vehicle{Type: move.Horse, Pos: geom.Vec{Y: 64}}
	charged := horse
	charged.ChargeTicks = 3
	const late, change, input = 390, 400, 406 // ticks of the late packet, of the last change, and of the input of the first frame
	for name, c := range map[string]struct {
		sent     prediction // state of the client when it sent the input
		vehicle  move.Vehicle
		received uint64 // client tick at which the last change arrived
		want     string
	}{
		"client agrees":                     {prediction{body: body}, move.Vehicle{}, 404, ""},
		"driver agrees":                     {prediction{body: body, vehicle: horse}, horse, 404, ""},
		"client did not know the change":    {prediction{body: body}, move.Vehicle{}, 406, connectionStall},
		"client had another effect":         {prediction{body: slowed}, move.Vehicle{}, 404, connectionStall},
		"driver had another jump charge":    {prediction{body: body, vehicle: charged}, horse, 404, connectionStall},
		"client did not know of its horse":  {prediction{body: body}, horse, 404, connectionStall},
		"client did not know that it walks": {prediction{body: body, vehicle: horse}, move.Vehicle{}, 404, connectionStall},
	} {
		t.Run(name, func(t *testing.T) {
			ch := newChecker()
			rec := &playerRecord{id: 1, corrected: map[reason.Reason]int{}, byCause: map[string]int{}, changes: []barrierChange{{5, change}}}
			ch.players[1] = rec
			ch.client = func(string, uint64) clientState {
				return clientState{
					after: c.sent.body, vehicle: c.sent.vehicle, known: true,
					lateNewsTick: late, received: []receivedBarrier{{5, c.received}},
				}
			}
			f := &sim.Frame{Tick: 1, Actors: []sim.ActorState{{ID: 1}}, Avatars: []sim.AvatarState{{ID: 1, Avatar: body, Prediction: sim.PredictionState{Tick: input}}}}
			if c.vehicle.Type != move.NoVehicle {
				f.Actors[0].Mount, f.Vehicles = 2, []sim.VehicleState{{ID: 2, Vehicle: c.vehicle}}
			}
			ch.checkFrame(f)
			ch.checkFrame(&sim.Frame{Tick: 2, Events: []sim.Event{{Kind: sim.EventCorrected, Who: 1, Reason: reason.Mispredicted, Rewind: &sim.Rewind{Tick: input + 1}}}})
			if len(rec.byCause) != 1 || rec.byCause[c.want] != 1 {
				t.Errorf("causes %v, want %q", rec.byCause, c.want)
			}
		})
	}
}

// The checker compares the server's state with the state that the client had when it sent its input. The client's history
// may contain another state later, because the client rewinds to changes by the server.
func TestCheckerUsesClientStateFromTimeOfInput(t *testing.T) {
	t.Parallel()
	w := courseWorld(t)
	withSoakServer(t, w, 1, func(srv *soakServer) {
		c := srv.addClient(bot.Options{Name: "Ann"}, soakNet{RTT: 300}, standing{})
		srv.waitForJoins()
		srv.advance(time.Second)
		rec := srv.checker.record("Ann")
		w.Templates[0].Attr[w.Roles.Speed].Value *= 2 // the speed of players is relative to that of their template
		for rec.speedChanges == 0 {
			srv.step()
		}
		changed := rec.changes[len(rec.changes)-1].tick + 1
		srv.advance(time.Second)
		_, now, ok := c.Predictor().StateAt(changed)
		if sent := srv.clientState("Ann", changed); !ok || !sent.known || sent.after.Speed == now.Speed || now.Speed != rec.state.Avatar.Speed {
			t.Errorf("speed at tick %d: %v when the input was sent, %v now, %v on the server", changed, sent.after.Speed, now.Speed, rec.state.Avatar.Speed)
		}
	})
}
