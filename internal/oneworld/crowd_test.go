package oneworld

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	rccecl "github.com/truestep-io/truestep/client/rcce"
	rscl "github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/content"
	bedrockgate "github.com/truestep-io/truestep/gateway/bedrock"
	webgate "github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/interest"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Parameters of the crowd. Its centre has more actors than a RuneScape client can be shown.
const (
	centerAcross = 20  // number of NPC posts along each axis of the center
	centerGap    = 9   // distance between neighbouring posts of the center in units
	idlePlayers  = 30  // number of players without a connection in the center
	ballista     = 2   // id of an item whose range is 2000 units
	perRing      = 30  // number of NPC posts on each ring
	sixChunks    = 336 // view radius of Bedrock and web clients in units: six chunks, 96 blocks
)

// ringRadii are the distances of the outer NPC posts from the centre, in units. Some are inside and some outside of the
// view of Bedrock and web clients. They cover the near, middle and far range of RealmCrafter clients.
var ringRadii = []float32{250, 420, 700, 1300}

// crowdWorld returns the source of a world with a crowd of NPCs that stand still.
func crowdWorld() string {
	var b strings.Builder
	b.WriteString(testWorld)
	b.WriteString("\n[[area]]\nname = \"Square\"\npvp = true\ntiles = { size = 7, base = [8192, 8192] }\nblocks = { units = 3.5, origin = [0, 64, 0] }\n")
	b.WriteString("[[area.portal]]\nname = \"Middle\"\nat = [0, 0, 0]\n")
	post := func(x, z float32) {
		fmt.Fprintf(&b, "[[area.spawn]]\ntemplate = \"Post\"\nat = [%.2f, 0, %.2f]\nsize = 0.01\nevery = 1\n", x, z)
	}
	for i := range centerAcross {
		for j := range centerAcross {
			post(float32(i-centerAcross/2)*centerGap+4, float32(j-centerAcross/2)*centerGap+4)
		}
	}
	for _, r := range ringRadii {
		for i := range perRing {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / perRing)
			post(r*float32(cos), r*float32(sin))
		}
	}
	return b.String()
}

// In a crowd, the client of each door is shown exactly the actors that its door's interest policy selects, at the rate of
// that policy. It is always shown the actor that attacks its player.
func TestClientInCrowdIsShownActorsThatInterestPolicySelects(t *testing.T) {
	t.Parallel()
	overLine(t, "perfect", func(t testing.TB) *content.World { return load(t, crowdWorld()) }, func(t *testing.T, r *rig) {
		r.addIdlePlayers("Square", idlePlayers)
		entrants := []entrant{
			{door: rcce, name: "Viewrc", area: "Square", at: geom.Vec{X: 1, Z: 1}},
			{door: rs, name: "Viewrs", area: "Square", at: geom.Vec{X: 3.5, Z: 3.5}},
			{door: bedrock, name: "Viewbe", area: "Square", at: geom.Vec{X: 2, Z: -2}},
			{door: web, name: "Viewweb", area: "Square", at: geom.Vec{X: -2, Z: 2}},
			{door: rcce, name: "Shootrc", area: "Square", at: geom.Vec{X: 1400}, weapon: ballista},
			{door: rcce, name: "Shootrs", area: "Square", at: geom.Vec{X: 104, Z: 104}, weapon: ballista},
			{door: rcce, name: "Shootbe", area: "Square", at: geom.Vec{X: 500}, weapon: ballista},
			{door: rcce, name: "Shootweb", area: "Square", at: geom.Vec{X: 502}, weapon: ballista},
			{door: rcce, name: "Idlers", area: "Square", at: geom.Vec{X: -101, Z: -101}},
			{door: rcce, name: "Idlebe", area: "Square", at: geom.Vec{X: -500}},
		}
		all := r.join(entrants...)
		id, _ := r.area("Square")
		waitFor(t, "all actors are there", func() bool {
			m := r.truth.latest(id)
			return len(m.actors) == centerAcross*centerAcross+len(ringRadii)*perRing+idlePlayers+len(entrants)
		})
		viewers, shooters := all[:4], all[4:8]
		for i, v := range viewers {
			shooter := shooters[i]
			waitFor(t, shooter.name+" shoots", func() bool {
				shooter.attackOnce(v.name)
				return happensWithin(time.Second, func() bool { return len(r.truth.eventsOf(sim.EventShotFired, shooter.name, v.name)) > 0 })
			})
		}
		for i, v := range viewers {
			switch c := v.client.(type) {
			case *rcceClient:
				r.checkUpdateRates(t, c)
			case *rsClient:
				r.checkNearestAreShown(t, c)
			case *bedrockClient, *webClient:
				r.checkViewRadius(t, v, shooters[i].name)
			}
		}
		checkHonest(t, all...)
	})
}

// addIdlePlayers adds players without a client at the center of an area, where they stand still.
func (r *rig) addIdlePlayers(area string, n int) {
	for i := range n {
		name := fmt.Sprintf("Quiet%d", i)
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		r.createCharacter(rcce, name, area, geom.Vec{X: float32(60 * cos), Z: float32(60 * sin)}, 0)
		l, err := r.hub.Login(r.t.Context(), r.peer(rcce), name, passwordHash())
		if err != nil {
			r.t.Fatal(err)
		}
		s, err := r.hub.Enter(r.t.Context(), l, 0)
		if err != nil {
			r.t.Fatal(err)
		}
		r.t.Cleanup(s.Leave)
	}
}

// checkUpdateRates checks that a RealmCrafter client knows all actors of the area. Near actors and its attacker must be
// updated in every broadcast, actors at a middle distance in every second one, and far actors never.
func (r *rig) checkUpdateRates(t *testing.T, c *rcceClient) {
	id, _ := r.area("Square")
	policy := interest.OriginalPolicy()
	others := len(r.truth.latest(id).actors) - 1
	waitFor(t, "it knows all actors", func() bool { return len(c.names()) == others })
	updates := func() map[uint16]rccecl.Actor {
		m := map[uint16]rccecl.Actor{}
		c.c.Inspect(func(w *rccecl.World) {
			for a := range w.Actors() {
				m[a.RuntimeID] = a
			}
		})
		return m
	}
	before, from := updates(), r.truth.latest(id).tick
	waitFor(t, "the area has had 60 ticks", func() bool { return r.truth.latest(id).tick >= from+60 })
	var near, middle []int
	shooter := -1
	for rid, a := range updates() {
		n := int(a.Updates - before[rid].Updates)
		switch d := distance(a.Pos, geom.Vec{X: 1, Z: 1}); {
		case a.Name == "Shootrc":
			shooter = n
		case d < policy.CloseRadius:
			near = append(near, n)
		case d <= policy.FarRadius:
			middle = append(middle, n)
		case n > 0:
			t.Errorf("%s at %.0f units was updated %d times, want 0", a.Name, d, n)
		}
	}
	slices.Sort(near)
	slices.Sort(middle)
	if near[0] != 15 || near[len(near)-1] != 15 {
		t.Errorf("near actors were updated %d to %d times in 3 s, want 15", near[0], near[len(near)-1])
	}
	if middle[0] < 7 || middle[len(middle)-1] > 8 {
		t.Errorf("actors at a middle distance were updated %d to %d times in 3 s, want 7 or 8", middle[0], middle[len(middle)-1])
	}
	if shooter != 15 {
		t.Errorf("the far attacker was updated %d times in 3 s, want 15", shooter)
	}
}

// checkNearestAreShown checks that a RuneScape client is shown at most 250 actors. They must be the nearest ones, none
// farther than 15 tiles, and must include its attacker.
func (r *rig) checkNearestAreShown(t *testing.T, c *rsClient) {
	id, def := r.area("Square")
	rule := interest.DefaultSightRule()
	waitFor(t, "it sees its attacker", func() bool { _, ok := c.actor("Shootrs"); return ok })
	m := r.truth.latest(id)
	self := m.find(r.truth.id("Viewrs"))
	if self == nil {
		t.Fatalf("Viewrs is not in the area: %v", c.problem())
	}
	own, _ := expectedPosition(rs, def, &m, self)
	countAt := map[int]int{} // number of actors by distance in tiles
	for i := range m.actors {
		s, _ := expectedPosition(rs, def, &m, &m.actors[i])
		countAt[tileDistance(own, s)]++
	}
	most, full := 0, 0
	for range 20 { // observe several times, because the view range varies with the size of the crowd
		shownActor := map[int]int{}
		n := 0
		c.c.Inspect(func(w *rscl.World) {
			for _, at := range w.Locals() {
				shownActor[tileDistance(own, position{float64(at.X), 0, float64(at.Z)})]++
				n++
			}
		})
		if _, ok := c.actor("Shootrs"); !ok {
			t.Error("Viewrs is not shown its attacker")
		}
		if _, ok := c.actor("Idlers"); ok {
			t.Error("Viewrs is shown an idle player at the edge of the crowd")
		}
		most = max(most, n)
		whole := 0 // distance in tiles within which every actor is shown
		for shownActor[whole] == countAt[whole] {
			whole++
		}
		for d := range shownActor {
			if d > int(rule.Range) || d > whole+int(rule.Hysteresis) && d != 14 { // the attacker, at distance 14, is always shown
				t.Errorf("Viewrs is shown an actor %d tiles away, but not all actors at %d tiles", d, whole)
			}
		}
		full = max(full, whole)
		happensWithin(200*time.Millisecond, func() bool { return false })
	}
	t.Logf("at most %d actors, all actors up to %d tiles", most, full-1)
	if most > int(rule.MaxShown) || most < int(rule.MaxShown)/2 {
		t.Errorf("Viewrs was shown %d actors at most, want up to %d", most, rule.MaxShown)
	}
}

// tileDistance returns the number of steps between two tiles.
func tileDistance(a, b position) int { return int(max(math.Abs(a.x-b.x), math.Abs(a.z-b.z))) }

// checkViewRadius checks that a Bedrock or web client is shown its attacker, all actors within its view radius, and no others.
func (r *rig) checkViewRadius(t *testing.T, v *player, attacker string) {
	id, def := r.area("Square")
	for _, policy := range []interest.Policy{bedrockgate.InterestPolicy(r.def, 8), webgate.InterestPolicy(r.def)} {
		if policy.EnterRadius != sixChunks {
			t.Errorf("view radius of the policy is %v units, want %v", policy.EnterRadius, sixChunks)
		}
	}
	m := r.truth.latest(id)
	self := m.find(r.truth.id(v.name))
	if self == nil {
		t.Fatalf("%s is not in the area: %v", v.name, v.problem())
	}
	var want []shownActor
	for i := range m.actors {
		a := &m.actors[i]
		if a.ID != self.ID && (distance(a.Pos, self.Pos) <= sixChunks || a.Body.Name == attacker) {
			s, _ := expectedPosition(v.door, def, &m, a)
			want = append(want, shownActor{a.Body.Name, s})
		}
	}
	waitFor(t, fmt.Sprintf("%s is shown %d others", v.name, len(want)), func() bool { return len(v.names()) == len(want) })
	got := v.client.(interface{ allShown() []shownActor }).allShown()
	for _, w := range want {
		if !slices.ContainsFunc(got, func(g shownActor) bool { return g.name == w.name && samePosition(v.door, g.at, w.at) }) {
			t.Errorf("%s is not shown %s at %v", v.name, w.name, w.at)
		}
	}
	t.Logf("%s is shown %d of %d", v.name, len(got), len(m.actors))
}
