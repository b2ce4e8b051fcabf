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
	bedrockgate "github.com/truestep-io/truestep/gateway/bedrock"
	"github.com/truestep-io/truestep/interest"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Figures of the crowd. The heart of it holds more than a client on tiles is shown.
const (
	heartAcross = 20  // posts on each axis of the heart
	heartGap    = 9   // units between two of them
	quiet       = 30  // players without a connection, in the heart
	ballista    = 2   // an item that reaches 2000 units
	belt        = 30  // posts at each of beltsAt
	byChunks    = 336 // units that six chunks are, which is as far as Bedrock clients see
)

// beltsAt are how far from the middle the other posts stand, in units: seen by Bedrock clients or not, near, middle or
// far for those of RealmCrafter.
var beltsAt = []float32{250, 420, 700, 1300}

// crowded is a world with a crowd of NPCs that stand still.
func crowded() string {
	var b strings.Builder
	b.WriteString(testWorld)
	b.WriteString("\n[[area]]\nname = \"Square\"\npvp = true\ntiles = { size = 7, base = [8192, 8192] }\nblocks = { units = 3.5, origin = [0, 64, 0] }\n")
	b.WriteString("[[area.portal]]\nname = \"Middle\"\nat = [0, 0, 0]\n")
	post := func(x, z float32) {
		fmt.Fprintf(&b, "[[area.spawn]]\ntemplate = \"Post\"\nat = [%.2f, 0, %.2f]\nsize = 0.01\nevery = 1\n", x, z)
	}
	for i := range heartAcross {
		for j := range heartAcross {
			post(float32(i-heartAcross/2)*heartGap+4, float32(j-heartAcross/2)*heartGap+4)
		}
	}
	for _, r := range beltsAt {
		for i := range belt {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / belt)
			post(r*float32(cos), r*float32(sin))
		}
	}
	return b.String()
}

// In a crowd of all kinds each door's client is told exactly whom its own policy says, as often as it says, and whoever
// fights it is never cut.
func TestEachDoorKeepsItsPolicyInACrowd(t *testing.T) {
	t.Parallel()
	overLine(t, "perfect", func(t testing.TB) *sim.World { return load(t, crowded()) }, func(t *testing.T, r *rig) {
		r.silent("Square", quiet)
		seats := []seat{
			{door: rcce, name: "Viewrc", area: "Square", at: geom.Vec{X: 1, Z: 1}},
			{door: rs, name: "Viewrs", area: "Square", at: geom.Vec{X: 3.5, Z: 3.5}},
			{door: bedrock, name: "Viewbe", area: "Square", at: geom.Vec{X: 2, Z: -2}},
			{door: rcce, name: "Shootrc", area: "Square", at: geom.Vec{X: 1400}, arms: ballista},
			{door: rcce, name: "Shootrs", area: "Square", at: geom.Vec{X: 104, Z: 104}, arms: ballista},
			{door: rcce, name: "Shootbe", area: "Square", at: geom.Vec{X: 500}, arms: ballista},
			{door: rcce, name: "Idlers", area: "Square", at: geom.Vec{X: -101, Z: -101}},
			{door: rcce, name: "Idlebe", area: "Square", at: geom.Vec{X: -500}},
		}
		all := r.join(seats...)
		id, _ := r.area("Square")
		soon(t, "everybody is there", func() bool {
			m := r.truth.now(id)
			return len(m.actors) == heartAcross*heartAcross+len(beltsAt)*belt+quiet+len(seats)
		})
		for i, v := range all[:3] {
			shooter := all[3+i]
			soon(t, shooter.name+" shoots", func() bool {
				shooter.strike(v.name)
				return within(time.Second, func() bool { return len(r.truth.did(sim.EventShotFired, shooter.name, v.name)) > 0 })
			})
		}
		for _, v := range all[:3] {
			switch c := v.client.(type) {
			case *rcceClient:
				r.nearMiddleFar(t, c)
			case *rsClient:
				r.nearestFirst(t, c)
			case *bedrockClient:
				r.withinSight(t, c)
			}
		}
		honest(t, all...)
	})
}

// silent brings players into the heart of an area who have no client: they stand there and are seen.
func (r *rig) silent(area string, n int) {
	for i := range n {
		name := fmt.Sprintf("Quiet%d", i)
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		r.settle(rcce, name, area, geom.Vec{X: float32(60 * cos), Z: float32(60 * sin)}, 0)
		l, err := r.hub.Login(r.t.Context(), r.peer(rcce), name, secret())
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

// nearMiddleFar: a client of RealmCrafter knows the whole area, and hears of the near in every broadcast, of those
// farther away in every other one and of the far never, but of whoever fights it always.
func (r *rig) nearMiddleFar(t *testing.T, c *rcceClient) {
	id, _ := r.area("Square")
	policy := interest.SeedPolicy()
	everybody := len(r.truth.now(id).actors) - 1
	soon(t, "it knows everybody", func() bool { return len(c.names()) == everybody })
	updates := func() map[uint16]rccecl.Actor {
		m := map[uint16]rccecl.Actor{}
		c.c.Look(func(w *rccecl.World) {
			for a := range w.Actors() {
				m[a.RuntimeID] = a
			}
		})
		return m
	}
	before, from := updates(), r.truth.now(id).tick
	soon(t, "three seconds are over by the clock of the area", func() bool { return r.truth.now(id).tick >= from+60 })
	var near, middle []int
	shooter := -1
	for rid, a := range updates() {
		n := int(a.Updates - before[rid].Updates)
		switch d := flat(a.Pos, geom.Vec{X: 1, Z: 1}); {
		case a.Name == "Shootrc":
			shooter = n
		case d < policy.CloseRadius:
			near = append(near, n)
		case d <= policy.FarRadius:
			middle = append(middle, n)
		case n > 0:
			t.Errorf("%s at %.0f units was told of %d times", a.Name, d, n)
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

// nearestFirst: a client on tiles is shown at most 250, none of them farther than 15 tiles, the nearest, and whoever
// fights it.
func (r *rig) nearestFirst(t *testing.T, c *rsClient) {
	id, def := r.area("Square")
	rule := interest.DefaultSightRule()
	soon(t, "it sees who fights it", func() bool { _, ok := c.look("Shootrs"); return ok })
	m := r.truth.now(id)
	self := m.find(r.truth.id("Viewrs"))
	if self == nil {
		t.Fatalf("Viewrs is not there any more: %v", c.fault())
	}
	own, _ := expected(rs, def, &m, self)
	there := map[int]int{} // by distance
	for i := range m.actors {
		s, _ := expected(rs, def, &m, &m.actors[i])
		there[tiles(own, s)]++
	}
	most, full := 0, 0
	for range 20 { // as the range goes to and fro with the crowd
		shown := map[int]int{}
		n := 0
		c.c.Inspect(func(w *rscl.World) {
			for _, at := range w.Locals() {
				shown[tiles(own, spot{float64(at.X), 0, float64(at.Z)})]++
				n++
			}
		})
		if _, ok := c.look("Shootrs"); !ok {
			t.Error("who fights it was cut")
		}
		if _, ok := c.look("Idlers"); ok {
			t.Error("it is shown somebody at the edge of a crowd who has nothing to do with it")
		}
		most = max(most, n)
		whole := 0 // rings of tiles of which it is shown everybody
		for shown[whole] == there[whole] {
			whole++
		}
		for d := range shown {
			if d > int(rule.Range) || d > whole+int(rule.Hysteresis) && d != 14 { // where Shootrs stands
				t.Errorf("it is shown somebody %d tiles away, and not everybody at %d", d, whole)
			}
		}
		full = max(full, whole)
		within(200*time.Millisecond, func() bool { return false })
	}
	t.Logf("at most %d, everybody up to %d tiles", most, full-1)
	if most > int(rule.MaxShown) || most < int(rule.MaxShown)/2 {
		t.Errorf("it was shown %d at most, want up to %d", most, rule.MaxShown)
	}
}

// tiles is how many steps lie between two tiles.
func tiles(a, b spot) int { return int(max(math.Abs(a.x-b.x), math.Abs(a.z-b.z))) }

// withinSight: a Bedrock client is shown everybody within its sight and nobody beyond, but whoever fights it.
func (r *rig) withinSight(t *testing.T, c *bedrockClient) {
	id, def := r.area("Square")
	policy := bedrockgate.Sight(r.def, 8)
	if policy.EnterRadius != byChunks {
		t.Errorf("the sight is %v units", policy.EnterRadius)
	}
	m := r.truth.now(id)
	self := m.find(r.truth.id("Viewbe"))
	if self == nil {
		t.Fatalf("Viewbe is not there any more: %v", c.fault())
	}
	var want []shown
	for i := range m.actors {
		a := &m.actors[i]
		if a.ID != self.ID && (flat(a.Pos, self.Pos) <= byChunks || a.Body.Name == "Shootbe") {
			s, _ := expected(bedrock, def, &m, a)
			want = append(want, shown{a.Body.Name, s})
		}
	}
	soon(t, fmt.Sprintf("it is shown %d others", len(want)), func() bool { return len(c.names()) == len(want) })
	got := c.everybody()
	for _, w := range want {
		if !slices.ContainsFunc(got, func(g shown) bool { return g.name == w.name && same(bedrock, g.at, w.at) }) {
			t.Errorf("it is not shown %s at %v", w.name, w.at)
		}
	}
	t.Logf("it is shown %d of %d", len(got), len(m.actors))
}
