package console

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
)

// playerView is a part of the answer of GET /players/{entity}.
type playerView struct {
	Inventory []struct {
		Slot   int
		Item   string
		ItemID uint16
		Amount int
	}
	Attributes []struct {
		Index      int
		Name       string
		Value, Max int
	}
}

// amount returns how many items with the given name the player carries.
func (v *playerView) amount(item string) (n int) {
	for _, s := range v.Inventory {
		if s.Item == item {
			n += s.Amount
		}
	}
	return n
}

// stackable returns an item of the world that stacks.
func stackable(t *testing.T, w *sim.World) *sim.Item {
	for i := range w.Items {
		if w.Items[i].Stackable {
			return &w.Items[i]
		}
	}
	t.Fatal("no item of the world stacks")
	return nil
}

// Each order succeeds only if an administrator gives it. It is recorded in the audit log in any case.
func TestActionsOnItemsAttributesAndNPCsRequireAdminAndAreAudited(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		s := r.enter("Ann")
		r.waitUntilShown(s)
		item := stackable(t, r.def)
		for _, c := range []struct{ method, path, body, action, detail string }{
			{"POST", pathOf(s, "/give"), fmt.Sprintf(`{"item":%q,"amount":3}`, item.Name), "give", "3 " + item.Name},
			{"POST", pathOf(s, "/take"), fmt.Sprintf(`{"item":%d,"all":true}`, item.ID), "take", "all " + item.Name},
			{"POST", pathOf(s, "/attribute"), `{"attribute":"health","value":7}`, "attribute", "Health: value 7"},
			{"POST", "/npcs", `{"template":"Wolf","areaId":0,"x":5,"y":null,"z":6}`, "spawn", "Wolf in Truestep Vale at 5.0 "},
			{"DELETE", "/npcs/1099511627777", "", "remove", " in Truestep Vale at "},
		} {
			for role := Viewer; role <= Admin; role++ {
				a := r.call(role, c.method, c.path, c.body)
				want := "ok"
				if role < Admin {
					r.wantError(a, 403, codeForbidden, "this call needs the role admin; yours is "+role.String())
					want = a.message
				} else if a.status != 200 || !strings.HasPrefix(a.body, `{"ok":true`) {
					t.Errorf("%s %s as %v: %d %s", c.method, c.path, role, a.status, a.body)
				}
				newest := get[auditList](r, Admin, "/audit?limit=1").Entries[0]
				if newest.Operator != role.String()+" (api)" || newest.Action != c.action || newest.Result != want || role == Admin && !strings.Contains(newest.Detail, c.detail) ||
					strings.HasPrefix(c.path, "/players") && newest.Account != "ann" {
					t.Errorf("%s as %v is recorded as %+v, want %q %q", c.action, role, newest, c.detail, want)
				}
			}
		}
	})
}

func TestGiveAndTakeActionsChangeInventoryAndInvalidOnesAreRefused(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		s := r.enter("Ann")
		r.waitUntilShown(s)
		item := stackable(t, r.def)
		view := func() *playerView { v := get[playerView](r, Viewer, pathOf(s, "")); return &v }
		before := view().amount(item.Name)
		act := func(action, body string) answer { return r.call(Admin, "POST", pathOf(s, action), body) }
		for _, c := range []struct {
			action, body, code, says string
			status, change           int
		}{
			{"/give", `{"item":"` + strings.ToUpper(item.Name) + `","amount":5}`, "", "", 200, 5},
			{"/give", fmt.Sprintf(`{"item":"%d"}`, item.ID), "", "", 200, 1},
			{"/take", fmt.Sprintf(`{"item":%d,"amount":2}`, item.ID), "", "", 200, -2},
			{"/take", fmt.Sprintf(`{"item":%d,"amount":60000}`, item.ID), codeConflict, "does not carry so many", 409, 0},
			{"/take", fmt.Sprintf(`{"item":%d,"slot":0}`, item.ID), codeConflict, "does not carry so many", 409, 0},
			{"/take", fmt.Sprintf(`{"item":%d,"slot":46}`, item.ID), codeBadRequest, `"slot" must be 0..45`, 400, 0},
			{"/take", fmt.Sprintf(`{"item":%d,"all":true,"amount":1}`, item.ID), codeBadRequest, "exclude each other", 400, 0},
			{"/take", fmt.Sprintf(`{"item":%d,"amount":0}`, item.ID), codeBadRequest, `"all" takes all`, 400, 0},
			{"/give", fmt.Sprintf(`{"item":%d,"amount":0}`, item.ID), codeBadRequest, "must be 1..65535", 400, 0},
			{"/give", fmt.Sprintf(`{"item":%d,"amount":70000}`, item.ID), codeBadRequest, `"amount" must be a number in range`, 400, 0},
			{"/give", `{"item":"Excalibur"}`, codeBadRequest, `this world has no item "Excalibur"`, 400, 0},
			{"/give", `{"item":[1]}`, codeBadRequest, `"item" must be a name or a number`, 400, 0},
			{"/give", `{"item":null}`, codeBadRequest, `"item" is missing`, 400, 0},
			{"/give", `{"amount":1}`, codeBadRequest, `"item" is missing`, 400, 0},
		} {
			has := view().amount(item.Name)
			a := act(c.action, c.body)
			if c.status != 200 {
				r.wantError(a, c.status, c.code, c.says)
			} else if a.status != 200 {
				t.Errorf("action %s with body %s: status %d, response %s", c.action, c.body, a.status, a.body)
			}
			if now := view().amount(item.Name); now != has+c.change {
				t.Errorf("%s %s: %d items, before %d", c.action, c.body, now, has)
			}
		}
		var single *sim.Item
		for i := range r.def.Items {
			if !r.def.Items[i].Stackable {
				single = &r.def.Items[i]
			}
		}
		r.wantError(act("/give", fmt.Sprintf(`{"item":%d,"amount":40}`, single.ID)), 409, codeConflict, "the inventory has no room for the items")
		if before+4 != view().amount(item.Name) {
			t.Errorf("%d items at the end, %d at the begin", view().amount(item.Name), before)
		}
		r.wantError(r.call(Admin, "POST", "/players/999/give", fmt.Sprintf(`{"item":%d}`, item.ID)), 404, codeNotFound, "no such player")
	})
}

func TestSetAttributeAcceptsOnlyValuesInRange(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		s := r.enter("Ann")
		r.waitUntilShown(s)
		set := func(body string) answer { return r.call(Admin, "POST", pathOf(s, "/attribute"), body) }
		if a := set(`{"attribute":"Strength","value":44,"max":55}`); a.status != 200 {
			t.Fatal(a.body)
		}
		strength := r.def.Roles.Strength
		v := get[playerView](r, Viewer, pathOf(s, ""))
		if !slices.ContainsFunc(v.Attributes, func(a struct {
			Index      int
			Name       string
			Value, Max int
		}) bool {
			return a.Index == strength && a.Name == "Strength" && a.Value == 44 && a.Max == 55
		}) {
			t.Errorf("attributes %+v", v.Attributes)
		}
		r.wantError(set(`{"attribute":"Strength","value":56}`), 400, codeBadRequest, "Strength must be 0..32767 and at most its maximum, now 55")
		r.wantError(set(`{"attribute":"Health","value":0}`), 400, codeBadRequest, "Health must be 1..32767")
		r.wantError(set(`{"attribute":"Speed","value":30000,"max":30000}`), 400, codeBadRequest, "Speed must be 0..")
		r.wantError(set(`{"attribute":"Strength","value":-1}`), 400, codeBadRequest, `"value" must be 0..32767`)
		r.wantError(set(`{"attribute":"Strength"}`), 400, codeBadRequest, `"value" or "max" is required`)
		r.wantError(set(`{"attribute":"Beauty","value":1}`), 400, codeBadRequest, `no attribute "Beauty"`)
	})
}

func TestSpawnedNPCsAreListedLimitedAndRemoved(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		type npc struct {
			Entity  sim.EntityID
			Name    string
			AreaID  int
			Pos     vecBody
			Spawned bool
		}
		list := func(query string) []npc {
			return get[struct{ NPCs []npc }](r, Viewer, "/npcs"+query).NPCs
		}
		spawn := func(body string) answer { return r.call(Admin, "POST", "/npcs", body) }
		if len(list("?spawned=true")) != 0 || len(list("?area=0")) == 0 {
			t.Fatal("the new world has spawned NPCs or none at all")
		}
		a := spawn(`{"template":"wolf","areaId":1,"x":5,"y":null,"z":6,"yaw":90}`)
		var made struct{ Entity sim.EntityID }
		if err := json.Unmarshal([]byte(a.body), &made); err != nil || a.status != 200 {
			t.Fatal(a.status, a.body)
		}
		found := list("?spawned=true")
		if len(found) != 1 || found[0].Entity != made.Entity || found[0].Name != "Wolf" || found[0].AreaID != 1 || !found[0].Spawned {
			t.Errorf("listed %+v, made %d", found, made.Entity)
		}
		if n := list("?area=1&q=WOL&spawned=true"); len(n) != 1 {
			t.Errorf("by name: %+v", n)
		}
		if n := list("?area=0&spawned=true"); len(n) != 0 {
			t.Errorf("in the other area: %+v", n)
		}
		for body, says := range map[string]string{
			`{"template":"Dragon","areaId":0,"x":5,"z":6}`:       `this world has no template "Dragon"`,
			`{"template":"Wolf","areaId":9,"x":5,"z":6}`:         "there is no area 9",
			`{"template":"Wolf","areaId":0,"x":5}`:               `"areaId", "x" and "z" are required`,
			`{"template":"Wolf","areaId":0,"x":5e7,"y":0,"z":6}`: "within",
			`{"areaId":0,"x":5,"z":6}`:                           `"template" is missing`,
		} {
			r.wantError(spawn(body), 400, codeBadRequest, says)
		}
		remove := func(id sim.EntityID) answer { return r.call(Admin, "DELETE", fmt.Sprintf("/npcs/%d", id), "") }
		if a := remove(made.Entity); a.status != 200 || a.body != `{"ok":true,"name":"Wolf","spawned":true}`+"\n" {
			t.Errorf("removal: %d %s", a.status, a.body)
		}
		r.wantError(remove(made.Entity), 404, codeNotFound, "no such NPC")
		r.wantError(remove(1<<52), 404, codeNotFound, "no such NPC")
		r.wantError(remove(0), 404, codeNotFound, "no such NPC")
		r.wantError(r.call(Admin, "DELETE", "/npcs/wolf", ""), 400, codeBadRequest, "is not an entity id")
		s := r.enter("Ann")
		r.waitUntilShown(s)
		r.wantError(remove(s.Entity), 400, codeBadRequest, "is a player")
		req := r.request(Admin, "DELETE", fmt.Sprintf("/npcs/%d", list("?area=0")[0].Entity), "")
		req.Header.Set(runHeader, "2026-01-02T03:04:05.678Z")
		r.wantError(r.do(req), 409, codeConflict, "the server was restarted")
		for n := range sim.MaxSpawnedNPCs + 1 {
			if n%20 == 19 {
				r.clock.advance(actionBurst * 1e9)
			}
			a := spawn(`{"template":"Sheep","areaId":0,"x":5,"y":null,"z":6}`)
			if n < sim.MaxSpawnedNPCs && a.status != 200 {
				t.Fatalf("NPC %d: %d %s", n, a.status, a.body)
			} else if n == sim.MaxSpawnedNPCs {
				r.wantError(a, 409, codeConflict, "operators have created 100 NPCs in this area")
			}
		}
	})
}

func TestItemsAreGivenToAndTakenFromStoredCharacter(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		s := r.enter("Ann")
		r.waitUntilShown(s)
		item := stackable(t, r.def)
		edit := func(body string) answer { return r.call(Admin, "POST", "/accounts/ann/characters/Ann", body) }
		give := fmt.Sprintf(`{"give":[{"item":%q,"amount":4}]}`, item.Name)
		r.wantError(edit(give), 409, codeConflict, "is in the world")
		s.Leave()
		r.eventually("the player has left", func() bool { return edit(give).status == 200 })
		newest := get[auditList](r, Admin, "/audit?limit=1").Entries[0]
		if newest.Action != "edit_character" || !strings.Contains(newest.Detail, item.Name) {
			t.Errorf("audit %+v", newest)
		}
		account := func() *playerView {
			c := get[struct {
				Characters []struct{ Items json.RawMessage }
			}](r, Admin, "/accounts/ann").Characters[0]
			var v playerView
			if err := json.Unmarshal(c.Items, &v.Inventory); err != nil {
				t.Fatal(err)
			}
			return &v
		}
		has := account().amount(item.Name)
		if a := edit(fmt.Sprintf(`{"take":[{"item":%d,"amount":1}]}`, item.ID)); a.status != 200 || account().amount(item.Name) != has-1 {
			t.Errorf("%d %s: %d items, before %d", a.status, a.body, account().amount(item.Name), has)
		}
		r.wantError(edit(`{"give":[{"item":"Excalibur","amount":1}]}`), 400, codeBadRequest, `no item "Excalibur"`)
		r.wantError(edit(fmt.Sprintf(`{"take":[{"item":%d,"amount":60000}]}`, item.ID)), 400, codeBadRequest, "does not carry so many")
	})
}
