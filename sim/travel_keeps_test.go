package sim

import (
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// A player that changes areas keeps its state. Every field of an actor is in one of two lists. The fields in the first list,
// kept, have the same values in the next area. The second list, begins, states why a field is not tested here.
func TestPlayerThatChangesAreasKeepsLocationIndependentState(t *testing.T) {
	kept := []string{
		"frozen", "party", "invited", "recordVersion", "attr", "level", "xp", "gold", "reputation", "xpBar", "resist", "ratings", "homeFaction", "inv", "fields",
	}
	begins := map[string]string{
		"id": "is the same", "tmpl": "is in the record", "name": "is in the record", "tag": "is in the record", "appearance": "is in the record",
		"player": "is the same", "record": "is that of the departure", "authority": "tested for each authority", "digest": "derived", "body": "derived",
		"bodyStale": "derived", "glides": "derived", "depthStrider": "derived", "intentCount": "derived", "tickPos": "derived", "armour": "derived", "weapon": "derived",
		"gone": "of the tick", "pets": "tested below", "mount": "tested below", "effects": "tested below", "linger": "tested in travel_timers_test.go",
		"invitedUntil": "tested below",
		"dead":         "a dead player does not change areas",
		"respawnTick":  "a dead player does not change areas",
		"running":      "stands still", "backward": "stands still", "walkStart": "stands still", "destX": "stands still", "destZ": "stands still",
		"pos": "place", "yaw": "place", "lastPortal": "place", "lastPortalTick": "place", "placedTick": "place", "claim": "place", "ignoreClaimsUntil": "place",
		"target":       "stays in the other area",
		"lastAttackMS": "the delay between two attacks begins anew",
		"energyDebt":   "less than a point of energy",
		"waterTick":    "the time under water between two losses of breath begins anew",
		"saveTick":     "the departure has emitted a record",
		"mode":         "of NPCs", "rider": "of NPCs", "passenger": "of NPCs", "vehicle": "of NPCs", "leader": "of NPCs", "waypoint": "of NPCs", "spawn": "of NPCs",
		"home": "of NPCs", "goalX": "of NPCs", "goalZ": "of NPCs", "pauseTick": "of NPCs",
	}
	w := testWorld()
	w.Schema = gameTestSchema()
	s := newStage(t, w)
	x := s.player(1, geom.Vec{X: 20})
	x.invitedUntil = s.a.now + 100
	value := func(x *actor, name string) reflect.Value {
		f, _ := reflect.TypeFor[actor]().FieldByName(name)
		return reflect.NewAt(f.Type, unsafe.Pointer(reflect.ValueOf(x).Elem().FieldByName(name).UnsafeAddr())).Elem()
	}
	for _, name := range kept {
		if begins[name] != "" {
			t.Errorf("%s is in both lists", name)
		}
		switch name {
		case "frozen": // a frozen player does not enter portals: see TestFrozenPlayerStaysFrozenAfterTransferAndSnapshot
		case "attr":
			x.attr[attrEnergy].Value = 41
		case "fields":
			x.fields[1] = 2
		default:
			if !changeValue(value(x, name)) {
				t.Fatalf("do not know how to change %s", name)
			}
		}
	}
	x.inv[SlotBackpack] = ItemStack{Item: itemHerb, Amount: 3, Health: 100}
	typ := reflect.TypeFor[actor]()
	for i := range typ.NumField() {
		name := typ.Field(i).Name
		if begins[name] == "" && !slices.Contains(kept, name) {
			t.Errorf("the test does not say whether a player keeps %s", name)
		}
	}
	before := *x
	before.fields = append([]int32(nil), x.fields...)
	before.recordVersion++ // the departure emits a record
	town := s.travel(x)
	y := town.a.find(1)
	for _, name := range kept {
		if was, is := value(&before, name).Interface(), value(y, name).Interface(); !reflect.DeepEqual(was, is) {
			t.Errorf("%s was %v before and is %v after the change of areas", name, was, is)
		}
	}
}

func TestInvitationCanBeAcceptedAfterChangeOfAreas(t *testing.T) {
	invited := func(seconds float32) (town *stage, y *actor, party PartyID) {
		s := newStage(t, testWorld())
		x, host := s.player(1, geom.Vec{X: 20}), s.player(2, geom.Vec{X: 21})
		s.step(Intent{Kind: IntentInviteParty, Who: host.id, Text: x.name})
		s.run(seconds)
		town = s.travel(x)
		return town, town.a.find(1), host.party
	}
	town, y, party := invited(20)
	town.run(9)
	if town.step(Intent{Kind: IntentAcceptInvite, Who: 1}); y.party != party || party == 0 {
		t.Errorf("29 s after the invitation the player is in party %d, want %d", y.party, party)
	}
	town, y, _ = invited(20)
	town.run(11)
	if town.expectRefusal(reason.NotInParty, Intent{Kind: IntentAcceptInvite, Who: 1}); y.party != 0 {
		t.Errorf("31 s after the invitation the player is in party %d", y.party)
	}
	if _, y, _ = invited(31); y.invited != 0 || y.invitedUntil != 0 {
		t.Errorf("an invitation that has ended goes along: %d, until tick %d", y.invited, y.invitedUntil)
	}
}

// Pets and the mount keep their game fields. The fields of a mount that is also a pet are not confused with those of other pets.
func TestPetsAndMountKeepGameFieldsWhenPlayerChangesAreas(t *testing.T) {
	for name, ownMount := range map[string]bool{"mount of its own": true, "mount of no player": false} {
		t.Run(name, func(t *testing.T) {
			w := testWorld()
			w.Schema = gameTestSchema()
			s := newStage(t, w)
			x := s.player(1, geom.Vec{X: 20})
			var mount *actor
			if ownMount {
				mount = s.a.byID[s.pet(x, tmplHorse)]
			} else {
				mount = s.npc(tmplHorse, geom.Vec{X: 20})
			}
			first, second := s.a.byID[s.pet(x, tmplDog)], s.a.byID[s.pet(x, tmplCow)]
			s.ride(x, mount)
			mount.fields[0], first.fields[0], second.fields[0], second.fields[1] = 3, -4, 5, 6
			town := s.travel(x)
			y := town.a.find(1)
			have := map[uint16][]int32{}
			for _, z := range town.a.actors {
				if !z.player {
					have[z.tmpl.ID] = z.fields
				}
			}
			want := map[uint16][]int32{tmplHorse: {3, 0}, tmplDog: {-4, 0}, tmplCow: {5, 6}}
			if !reflect.DeepEqual(have, want) || y.mount == 0 {
				t.Errorf("the fields are %v, want %v; the player rides %d", have, want, y.mount)
			}
		})
	}
}
