package bedrock

import (
	"math/rand/v2"
	"testing"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// barrierModel simulates both sides of a gateway: an area that randomly changes the state and the mount of one player, and a
// client that answers barriers late. A barrier is a request whose answer acknowledges a change.
type barrierModel struct {
	*sceneTest
	rng        *rand.Rand
	serial     uint32 // serial of the last change
	rideSerial uint32 // serial of the last change that mounted or dismounted the player
	shown      uint32 // serial of the last change, other than a mount or dismount, that the gateway has received in a frame
	acked      uint32 // newest serial that the gateway reported to the area as acknowledged
	unanswered []proto.NetworkStackLatency
}

// change adds an event to the next frame and returns it: a change of the player's state or, if ride is set, a change of the
// actor that the player rides (the parameter mount, 0 for none).
func (m *barrierModel) change(mount sim.EntityID, ride bool) sim.Event {
	m.serial++
	r := &sim.Rewind{Tick: uint64(m.frame.Tick), Serial: m.serial, State: m.frame.Avatars[0].Avatar}
	if !ride {
		return sim.Event{Kind: sim.EventStance, Who: 1, Rewind: r}
	}
	m.rideSerial, m.frame.Avatars[0].Prediction.RideSerial = m.serial, m.serial
	m.actor(1).Mount = mount
	if mount == 0 {
		return sim.Event{Kind: sim.EventDismounted, Who: 1, Other: 7, Rewind: r}
	}
	return sim.Event{Kind: sim.EventMounted, Who: 1, Other: mount, Rewind: r}
}

// step simulates one frame. In each frame, the area may change the player's state and the gateway may miss the frame, both at random.
func (m *barrierModel) step() {
	var events []sim.Event
	other := uint32(0)
	for range m.rng.IntN(3) {
		switch m.rng.IntN(3) {
		case 0:
			events = append(events, m.change(7-m.actor(1).Mount, true))
		default:
			events = append(events, m.change(0, false))
			other = m.serial
		}
	}
	if m.rng.IntN(5) == 0 { // the vehicle leaves or enters the view
		m.moveActor(7, []float32{-500, 500}[m.rng.IntN(2)])
	}
	if m.rng.IntN(3) == 0 {
		m.frame.Tick++ // the gateway misses this frame
		return
	}
	m.showFrames(1, events...)
	m.shown = max(m.shown, other)
	m.answer(m.rng.IntN(4))
}

// answer makes the client answer at most n barriers.
func (m *barrierModel) answer(n int) {
	m.unanswered = append(m.unanswered, ofType[proto.NetworkStackLatency](m.takePackets())...)
	for range min(n, len(m.unanswered)) {
		if serial := m.client.takeBarrier(proto.NetworkStackLatency{Timestamp: m.unanswered[0].Timestamp}); serial != 0 {
			m.acked = max(m.acked, serial) // an area ignores the answer to an older barrier
		}
		m.unanswered = m.unanswered[1:]
	}
}

// A client's answer to the last barrier acknowledges the last change, whichever frames the gateway missed. This holds even
// if the frame of a mount was missed and the mount is therefore sent after a newer change.
func TestAnswerToLastBarrierAcknowledgesLastChangeDespiteMissedFrames(t *testing.T) {
	for seed := range uint64(60) {
		m := &barrierModel{sceneTest: newSceneTest(t), rng: rand.New(rand.NewPCG(seed, 7))}
		w, models := fieldsWithAppearances()
		w.Rules.Predict = move.DefaultPredictPolicy()
		w.Template(horse).Vehicle = move.Horse
		m.w.g.appearanceTable = newAppearanceTable(w, &models)
		m.addNPC(7, horse, 3)
		m.showFrames(20)
		m.takePackets()
		for range 30 {
			m.step()
		}
		m.actor(7).Pos = m.actor(1).Pos
		m.showFrames(20)
		m.answer(1000)
		if m.acked < max(m.rideSerial, m.shown) || m.client.ride.serial != m.rideSerial || m.client.ride.mount != m.actor(1).Mount {
			t.Fatalf("seed %d: acknowledged %d of the changes %d and %d; told %+v", seed, m.acked, m.rideSerial, m.shown, m.client.ride)
		}
	}
}
