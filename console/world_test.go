package console

import (
	"encoding/json"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/worldmap"
)

func TestWorldAPIResponseDescribesAreasDoorsTemplatesAndReasons(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	w := get[worldBody](r, Viewer, "/world")
	if w.Name != "Truestep Vale" || w.TickRate != 20 || len(w.Areas) != len(r.def.Areas) || len(w.Templates) != len(r.def.Templates) || len(w.Reasons) != len(reason.All()) {
		t.Errorf("%s, %d areas, %d templates, %d reasons", w.Name, len(w.Areas), len(w.Templates), len(w.Reasons))
	}
	if d := w.Doors[0]; d.Name != "rcce" || !d.Open || *d.Addr != "127.0.0.1:25000" || d.Grid != nil || d.Bands[0].Radius != 500 || len(d.Bands[0].Radii) != len(r.def.Areas) {
		t.Errorf("the first door is %+v", d)
	}
	for i, a := range w.Areas {
		def := &r.def.Areas[i]
		if a.ID != sim.AreaID(i) || len(a.Portals) != len(def.Portals) || len(a.Waters) != len(def.Waters) || len(a.Solids) != len(def.Solids) {
			t.Errorf("area %d: %+v", i, a)
		}
		for _, p := range a.Portals {
			if p.X-p.Radius < a.Bounds.MinX || p.X+p.Radius > a.Bounds.MaxX || p.Z-p.Radius < a.Bounds.MinZ || p.Z+p.Radius > a.Bounds.MaxZ {
				t.Errorf("%s is outside of %+v", p.Name, a.Bounds)
			}
		}
	}
	if strings.Contains(r.call(Viewer, "GET", "/world", "").body, "null,null") {
		t.Error("a list is null")
	}
}

func TestAreaBoundsIncludeMarginAroundContent(t *testing.T) {
	t.Parallel()
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		name string
		def  sim.AreaDef
		want boundsBody
	}{
		{"nothing", sim.AreaDef{}, boundsBody{-25, -25, 25, 25}},
		{"a place", sim.AreaDef{Portals: []sim.Portal{{Pos: geom.Vec{X: 100, Z: -50}, Radius: 5}}}, boundsBody{70, -80, 130, -20}},
		{"unused waypoints", sim.AreaDef{Waypoints: []sim.Waypoint{{Pos: geom.Vec{X: 9000}}}}, boundsBody{-25, -25, 25, 25}},
		{"a large water", sim.AreaDef{Waters: []sim.Water{{X: 0, Z: 0, Width: 1000, Depth: 10}}}, boundsBody{-50, -50, 1050, 60}},
		{"a spawn of nowhere", sim.AreaDef{Spawns: []sim.Spawn{{Waypoint: 7}}}, boundsBody{-25, -25, 25, 25}},
		{"infinity", sim.AreaDef{Portals: []sim.Portal{{Pos: geom.Vec{X: inf}}, {Pos: geom.Vec{X: 5}}}}, boundsBody{-20, -25, 30, 25}},
	} {
		if got := describeArea(0, &c.def, worldmap.New(&sim.World{Areas: []sim.AreaDef{c.def}}, 0, appearance.MapStyle{}), appearance.MapStyle{}).Bounds; got != c.want {
			t.Errorf("%s: the bounds are %+v, want %+v", c.name, got, c.want)
		}
	}
	def := defaultWorld()
	if _, err := json.Marshal(describeWorld(def, nil, newGroundTiles(def, new(appearance.Tables)).maps, new(appearance.Tables))); err != nil {
		t.Error(err)
	}
}

func TestPlayersAreFilteredByNameDoorAndArea(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		s := r.enter("Ann")
		r.waitUntilShown(s)
		r.waitUntilShown(r.enter("Bodo"))
		for query, want := range map[string]string{
			"": "Ann Bodo", "?q=NN": "Ann", "?q=bod": "Bodo", "?q=x": "", "?door=rcce": "Ann Bodo", "?door=rs": "", "?area=0": "Ann Bodo", "?area=1": "", "?q=o&area=truestep%20vale": "Bodo",
		} {
			var names []string
			for _, p := range get[playersBody](r, Viewer, "/players"+query).Players {
				names = append(names, p.Name)
			}
			if got := strings.Join(names, " "); got != want {
				t.Errorf("%s finds %q, want %q", query, got, want)
			}
		}
		p := get[playersBody](r, Viewer, "/players?q=ann").Players[0]
		if p.Entity != s.Entity || p.Account != "ann" || p.Door != "rcce" || p.Addr != "192.0.2.7" || p.Health <= 0 || p.Health > p.HealthMax || p.RTT != nil || p.InView != nil || p.Level < 1 {
			t.Errorf("the player is %+v", p)
		}
		if o := get[overviewBody](r, Viewer, "/overview"); o.Online != 2 || len(o.Areas) != len(r.def.Areas) || o.Areas[0].Players != 2 || o.Areas[0].Actors <= 2 || o.Doors[0].Name != "rcce" || o.Saving.Since != nil || len(o.Failures) != 1 || o.Failures[0].What != "ledger not written" || o.Failures[0].Error != "disk full" || o.Saving.Error != nil {
			t.Errorf("the overview is %+v", o)
		}
	})
}

func TestPlayerAPIResponseHasConnectionInventoryAndHits(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		s := r.enter("Ann")
		r.waitUntilShown(s)
		s.Link().RTT.Store(41)
		s.Link().InView.Store(7)
		r.frames.hits.add(s.Entity, hit{at: r.clock.now(), by: s.Entity, on: 500, byName: "Ann", onName: "Rat", damage: 6})
		r.frames.hits.add(s.Entity, hit{at: r.clock.now(), by: 500, on: s.Entity, byName: "Rat", onName: "Ann", damage: -1})
		d := get[playerDetail](r, Viewer, pathOf(s, ""))
		if *d.RTT != 41 || *d.InView != 7 || d.Pos == nil || d.Target != nil || d.Gold != 50 || len(d.Inventory) != 5 || d.Inventory[0].Item != "Short Sword" || !d.Inventory[0].Worn {
			t.Errorf("the player is described as %+v", d)
		}
		if len(d.Hits) != 2 || d.Hits[0].Kind != "missed" || d.Hits[0].Damage != 0 || d.Hits[1].Kind != "dealt" || d.Hits[1].On != "Rat" || d.Hits[1].Damage != 6 {
			t.Errorf("the hits are %+v", d.Hits)
		}
		r.frames.hits.sweep(func(sim.EntityID) bool { return false })
		if d := get[playerDetail](r, Viewer, pathOf(s, "")); len(d.Hits) != 0 {
			t.Errorf("the hits are %+v, want none", d.Hits)
		}
	})
}

// Only players have hits, newest first, and a bounded number.
func TestHitListOfPlayerKeepsNewestHits(t *testing.T) {
	var h hits
	f := &sim.Frame{Actors: []sim.ActorState{
		{ID: 1, Body: &sim.Body{Name: "Ann"}, Flags: sim.FlagPlayer}, {ID: 2, Body: &sim.Body{Name: "Rat"}},
	}}
	for i := range int32(hitsPerPlayer + 5) {
		h.record(f, &sim.Event{Kind: sim.EventAttacked, Who: 2, Other: 1, N: i}, anyTime)
	}
	h.record(f, &sim.Event{Kind: sim.EventAttacked, Who: 1, Other: 77, N: 99}, anyTime) // actor 77, the target, has left
	list := h.recent(1)
	if len(list) != hitsPerPlayer || list[0].damage != 99 || list[0].onName != "" || list[1].damage != hitsPerPlayer+4 || list[1].byName != "Rat" || len(h.recent(2)) != 0 {
		t.Errorf("the hits are %+v", list)
	}
	h.forget(1)
	if len(h.recent(1)) != 0 {
		t.Error("a player that left still has hits")
	}
}

// docs/console-api.md has exactly the calls in routes, with their roles.
func TestAPIDocumentListsEveryCallWithRole(t *testing.T) {
	text, err := os.ReadFile("../docs/console-api.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for _, s := range strings.Split(string(text), "\n### ")[1:] {
		title, body, _ := strings.Cut(s, "\n")
		if regexp.MustCompile(`^(GET|POST|PUT|DELETE) /`).MatchString(title) {
			sections[title] = strings.Join(strings.Fields(body), " ")
		}
	}
	for _, to := range routes {
		title := to.method + " " + to.path
		body, ok := sections[title]
		if !ok {
			t.Errorf("%s is not in the document", title)
			continue
		}
		role := "Role: " + to.role.String()
		if to.role == NoRole {
			role = "No role"
		}
		if !strings.Contains(body, role) {
			t.Errorf("%s: the document does not say %q", title, role)
		}
		delete(sections, title)
	}
	for title := range sections {
		t.Errorf("%s is in the document only", title)
	}
	for _, code := range []string{codeUnauthorized, codeExpired, codeForbidden, codeNotFound, codeBadRequest, codeThrottled, codeConflict, codeInternal, "4401", "4408", "1001", "1008"} {
		if !strings.Contains(string(text), code) {
			t.Errorf("%s is not in the document", code)
		}
	}
}

// docs/console-api.md has every JSON key of every response.
func TestAPIDocumentMentionsEveryJSONKey(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		text, err := os.ReadFile("../docs/console-api.md")
		if err != nil {
			t.Fatal(err)
		}
		s := r.enter("Ann")
		r.waitUntilShown(s)
		r.claimFarAway(s)
		r.eventually("the hold is in the journal", func() bool { return len(get[entryList](r, Viewer, "/corrections").Entries) > 0 })
		id := get[entryList](r, Viewer, "/corrections").Entries[0].ID
		r.call(Moderator, "POST", pathOf(s, "/message"), `{"text":"x"}`)
		for _, path := range []string{"/session", "/world", "/overview", "/players", pathOf(s, ""), "/series", "/corrections", "/corrections/" + itoa(id), "/audit", "/bans", "/held-back"} {
			a := r.call(Admin, "GET", path, "")
			for _, m := range regexp.MustCompile(`"(\w+)":`).FindAllStringSubmatch(a.body, -1) {
				if !strings.Contains(string(text), `"`+m[1]+`"`) {
					t.Errorf("%s: the document does not have %q", path, m[1])
				}
			}
		}
	})
}
