package journal

import (
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// verdictKey identifies the decisions that are counted together: player, verdict and reason.
type verdictKey struct {
	who     sim.EntityID
	verdict Verdict
	why     reason.Reason
}

// decisionOf returns the key under which the journal must count an event, or false if the event is no decision.
func decisionOf(e *sim.Event) (verdictKey, bool) {
	k := verdictKey{who: e.Who, why: e.Reason}
	switch e.Kind {
	case sim.EventHeld:
		k.verdict = Held
	case sim.EventCorrected:
		k.verdict = Corrected
	case sim.EventTeleported:
		k.verdict = Corrected
		return k, e.Reason != reason.None
	case sim.EventRefused, sim.EventExpelled:
		k.verdict = Refused
	default:
		return k, false
	}
	return k, true
}

// randomIntent returns a random intent, often invalid.
func randomIntent(random *rand.Rand, who sim.EntityID, tick uint64, nowMS int64) sim.Intent {
	odd := []float32{0, 1, -50, 4000, float32(math.NaN()), float32(math.Inf(1)), math.MaxFloat32}
	any := func() float32 { return odd[random.IntN(len(odd))] * random.Float32() }
	in := sim.Intent{Who: who, AtMS: nowMS, Target: sim.EntityID(random.IntN(12)), SlotA: uint8(random.Uint32()), SlotB: uint8(random.Uint32())}
	kinds := []sim.IntentKind{
		sim.IntentClaim, sim.IntentClaim, sim.IntentInput, sim.IntentInput, sim.IntentPath, sim.IntentAttack, sim.IntentInteract, sim.IntentSwap,
		sim.IntentPursue, sim.IntentInviteParty, sim.IntentAcceptInvite, sim.IntentLeaveParty, sim.IntentUseItem, sim.IntentBarrierAck, sim.IntentWarpAck,
	}
	in.Kind = kinds[random.IntN(len(kinds))]
	in.Claim = move.Claim{X: any(), Y: any(), Z: any(), Running: random.IntN(2) == 0, Backward: random.IntN(2) == 0}
	in.Tile = terrain.Tile{X: uint16(random.IntN(200)), Z: uint16(random.Uint32())}
	in.Input = move.Input{Tick: tick + uint64(random.IntN(5)) - uint64(random.IntN(3)), Pos: geom.Vec{X: any(), Y: any(), Z: any()}, RTT: uint16(random.IntN(300))}
	return in
}

// Every hold, correction and refusal of a random run must be an entry of its own or counted in the Times of another entry,
// unless the player was not in the area. Every entry can be read, explained and encoded as JSON.
func TestEveryDecisionOfRandomRunIsStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		random := rand.New(rand.NewPCG(seed, 1))
		def := content.DefaultWorld().World
		r := newHarness(t, nil)
		r.j.def = func() *sim.World { return def }
		a := sim.NewArea(def, 0, seed)
		want := map[verdictKey]int{}
		var intents []sim.Intent
		for id := range sim.EntityID(9) {
			auth := []move.Authority{move.ByClaim, move.ByPath, move.ByInput}[id%3]
			intents = append(intents, sim.Intent{Kind: sim.IntentJoin, Who: id + 1, Join: &sim.Join{
				Character: &sim.Character{ID: sim.CharacterID(id + 1), Name: string(rune('A' + id))}, Portal: -1, Login: true, Authority: auth,
			}})
		}
		for tick := range uint64(800) {
			for range random.IntN(12) {
				intents = append(intents, randomIntent(random, sim.EntityID(1+random.IntN(10)), tick, int64(tick)*50))
			}
			f := a.Step(intents)
			for i := range f.Events {
				if k, ok := decisionOf(&f.Events[i]); ok && (k.why != reason.Unknown || f.Find(k.who) != nil) {
					want[k]++
				}
			}
			r.j.readFrame(area.Published{Frame: f})
			a.Recycle(f)
			intents = intents[:0]
			time.Sleep(50 * time.Millisecond)
		}
		r.flush()
		compareCounts(t, r, want)
	})
}

func compareCounts(t *testing.T, r *harness, want map[verdictKey]int) {
	t.Helper()
	got := map[verdictKey]int{}
	for q := (Query{Limit: MaxLimit}); ; {
		list := r.entries(q)
		for i := range list {
			e := &list[i]
			got[verdictKey{e.Entity, e.Verdict, e.Reason}] += int(e.Times)
			if _, err := e.MarshalJSON(); err != nil || Explain(*e) == "" {
				t.Fatalf("%v: %+v", err, e)
			}
			q.Before = e.ID
		}
		if len(list) < MaxLimit {
			break
		}
	}
	for k, n := range want {
		if got[k] != n {
			t.Errorf("player %d, %v, %v: %d of %d found", k.who, k.verdict, k.why, got[k], n)
		}
	}
	if len(got) != len(want) || len(want) < 10 {
		t.Errorf("%d kinds of decision, %d found", len(want), len(got))
	}
}
