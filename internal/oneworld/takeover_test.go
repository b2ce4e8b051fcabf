package oneworld

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// A player loses its connection in a fight and reconnects, twice, through each door that its account may use. It takes over the same
// actor, which was hit meanwhile. Accounts of Bedrock players have no password, so they can reconnect only through the Bedrock door.
func TestReconnectOverAnyProtocolTakesOverActorOfLostConnection(t *testing.T) {
	for _, way := range [][]string{{rcce, rs, rcce}, {rs, rcce, rs}, {rcce, rcce, rcce}, {rs, rs, rs}, {bedrock, bedrock, bedrock}, {web, rcce, web}, {rs, web, web}} {
		t.Run(way[0]+" "+way[1], func(t *testing.T) {
			t.Parallel()
			overLine(t, "perfect", newTestWorld, func(t *testing.T, r *rig) {
				both := r.join(
					entrant{door: way[0], name: "Body", area: "Field", at: geom.Vec{X: 3.5, Z: 38.5}, weapon: ballista},
					entrant{door: rcce, name: "Foe", area: "Field", at: geom.Vec{X: 45.5, Z: 38.5}, weapon: ballista})
				body, foe := both[0], both[1]
				r.waitForPositions(t, "Field", both, both)
				for _, door := range way[1:] {
					body = r.loseAndTakeOver(t, body, foe, door)
				}
				checkHonest(t, foe, body)
			})
		})
	}
}

// loseAndTakeOver cuts the connection of the player body during a fight with foe, and reconnects through the given door. It
// returns the reconnected player.
func (r *rig) loseAndTakeOver(t *testing.T, body, foe *player, door string) *player {
	r.strike(t, body, foe)
	r.strike(t, foe, body)
	body.stopFight()
	body.lose()
	struck := r.health(t, body)
	r.strike(t, foe, body)
	waitFor(t, "the server notices the loss", func() bool { p, _ := r.listed("Body"); return p.Lingering })
	before, _ := r.listed("Body")
	at, left := body.pos(), r.health(t, body)
	if left >= struck {
		t.Fatalf("the body has %d points of health, and had %d before it was struck", left, struck)
	}
	again, err := r.dial(t.Context(), door, "Body")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(again.leave)
	after, online := r.listed("Body")
	if after.Entity != before.Entity || after.Lingering || online != 2 {
		t.Errorf("%s to %s: the player is entity %d, was %d; %d players are online", body.door, door, after.Entity, before.Entity, online)
	}
	if got := again.pos(); got != at || r.health(t, again) != left {
		t.Errorf("%s to %s: at %v with %d points of health, was at %v with %d", body.door, door, got, r.health(t, again), at, left)
	}
	waitFor(t, "the client shows the health of its body", func() bool { return math.Abs(again.health()*maxHealth-float64(left)) <= maxHealth/40 })
	waitFor(t, "both clients show each other", func() bool {
		_, ok1 := again.actor("Foe")
		_, ok2 := foe.actor("Body")
		return ok1 && ok2
	})
	again.resetStats()
	both := []*player{again, foe}
	r.waitForPositions(t, "Field", both, both)
	r.strike(t, foe, again)
	r.strike(t, again, foe)
	again.stopFight()
	if gone := r.truth.eventsOf(sim.EventLeft, "Body", ""); len(gone) > 0 {
		t.Errorf("the body left in tick %d", gone[0].tick)
	}
	return again
}

// strike makes a player attack another player until an attack does damage.
func (r *rig) strike(t *testing.T, by, on *player) {
	t.Helper()
	count := func() int {
		attacks := r.truth.eventsOf(sim.EventAttacked, by.name, on.name)
		return len(slices.DeleteFunc(attacks, func(d savedEvent) bool { return d.N <= 0 }))
	}
	before := count()
	waitFor(t, by.name+" strikes "+on.name, func() bool {
		by.attackOnce(on.name)
		return happensWithin(time.Second, func() bool { return count() > before })
	})
}

// health returns the health of a player in points.
func (r *rig) health(t *testing.T, p *player) int32 {
	t.Helper()
	_, a, ok := r.truth.player(p.name)
	if !ok {
		t.Fatalf("%s is in no area", p.name)
	}
	return a.Health
}

// listed returns the named player in session.Hub.Players, and the number of all players there.
func (r *rig) listed(name string) (p session.Player, n int) {
	all := r.hub.Players()
	if i := slices.IndexFunc(all, func(p session.Player) bool { return p.Name == name }); i >= 0 {
		p = all[i]
	}
	return p, len(all)
}
