package bedrock

import (
	"reflect"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Rule SV-24 of docs/wire/bedrock.md: an NPC with an entity model is added with type, name, collision box, scale and
// health. Packets about it have the position of its feet. It is removed like any other actor.
func TestActorIsShownAsEntityTypeOfItsTemplate(t *testing.T) {
	st := newSceneTest(t)
	st.addNPC(7, wolf, 3).Health = 10
	st.showFrames(4)
	got := st.takePackets()
	p := only[proto.AddActor](t, got)
	if p.Type != "minecraft:wolf" || p.Position != (proto.Vec3{3, groundY, 0}) || uint64(p.Unique) != p.Runtime || p.Runtime == 0 {
		t.Errorf("shown as %+v", p)
	}
	if want := []proto.ActorAttribute{{Name: proto.AttributeHealth, Current: 5, Max: 20}}; !slices.Equal(p.Attributes, want) {
		t.Errorf("attributes %+v, want %+v", p.Attributes, want)
	}
	for key, want := range map[proto.MetaKey]proto.MetaEntry{
		proto.MetaName: proto.TextMeta(proto.MetaName, "somebody"), proto.MetaScale: proto.FloatMeta(proto.MetaScale, 1.5),
		proto.MetaWidth: proto.FloatMeta(proto.MetaWidth, 0.6), proto.MetaHeight: proto.FloatMeta(proto.MetaHeight, 0.8),
		proto.MetaScore: proto.TextMeta(proto.MetaScore, "10 / 40"), proto.MetaAlwaysShowName: proto.ByteMeta(proto.MetaAlwaysShowName, 1),
	} {
		if e, _ := p.Metadata.Find(key); !reflect.DeepEqual(e, want) {
			t.Errorf("metadata %+v, want %+v", e, want)
		}
	}
	if n := len(ofType[proto.PlayerList](got)) + len(ofType[proto.AddPlayer](got)); n != 0 {
		t.Errorf("shown as a player as well: %v", listNames(got))
	}
	st.moveActor(7, 1)
	st.showFrames(4)
	if m := only[proto.MoveActorAbsolute](t, st.takePackets()); m.Position != (proto.Vec3{4, groundY, 0}) || m.Runtime != p.Runtime {
		t.Errorf("moved to %+v", m)
	}
	st.removeActor(7)
	st.showFrames(4)
	if got := st.takePackets(); !reflect.DeepEqual(got, []proto.Packet{proto.RemoveActor{Unique: p.Unique}}) {
		t.Errorf("removed with %+v", got)
	}
}

// An NPC with a player model has a skin. The template sets the skin's colours. If the template has none, the NPC's appearance
// sets them. If the NPC has no appearance, they are derived from its name.
func TestNPCsWithPlayerModelHaveSkins(t *testing.T) {
	st := newSceneTest(t)
	st.addNPC(7, guard, 3)
	st.showFrames(4)
	got := st.takePackets()
	lists := ofType[proto.PlayerList](got)
	if len(lists) != 2 || lists[0].Entries[0].Remove || !lists[1].Entries[0].Remove {
		t.Fatalf("lists %+v", listNames(got))
	}
	shirt := lists[0].Entries[0].Skin.Image.Pixels[(24*64+24)*4:]
	if !slices.Equal(shirt[:4], []byte{0, 0, 200, 255}) {
		t.Errorf("the guard's shirt has colour %v", shirt[:4])
	}
	if p := only[proto.AddPlayer](t, got); p.Name != "somebody" {
		t.Errorf("the name is %q", p.Name)
	}
	skin := func(name string, l sim.Appearance) string {
		av := &actorView{appearance: unknownTemplate, name: name, body: &sim.Body{Appearance: l}}
		return st.w.skinOf(av).SkinID
	}
	plain := skin("ann", sim.Appearance{})
	if skin("ann", sim.Appearance{}) != plain {
		t.Error("the skin of one character is not stable")
	}
	for what, id := range map[string]string{
		"the name": skin("bob", sim.Appearance{}), "the hair": skin("ann", sim.Appearance{Hair: 3}), "the skin": skin("ann", sim.Appearance{Face: 2}),
		"the gender": skin("ann", sim.Appearance{Gender: 1}), "the beard": skin("ann", sim.Appearance{Beard: 1}), "the body": skin("ann", sim.Appearance{Body: 1}),
	} {
		if id == plain {
			t.Errorf("%s makes no difference", what)
		}
	}
	skin("ann", sim.Appearance{Gender: 255, Face: 255, Hair: 255, Beard: 255, Body: 255}) // the maximum value of each field of an appearance is valid
	for i := range 2 * maxSkins {
		skin(string(rune('a'+i%26))+string(rune('a'+i/26)), sim.Appearance{Hair: uint8(i % 5), Face: uint8(i / 5 % 5)})
	}
	if len(st.w.skinCache) > maxSkins {
		t.Errorf("%d skins cached", len(st.w.skinCache))
	}
}

func TestCollisionBoxDependsOnEntityTypeOrTemplateRadius(t *testing.T) {
	tab := fieldAppearances()
	for template, want := range map[uint16]actorAppearance{
		human: {box: box{0.6, 1.8}, scale: 1, eyeHeight: 1.62},
		wolf:  {box: box{0.6, 0.8}, scale: 1.5},
		horse: {box: box{1.4, 2}, scale: 1},
		bird:  {box: box{1, 1}, scale: 1}, // the box of an unknown entity type depends on the template's radius
		999:   {box: box{0.6, 1.8}, scale: 1, eyeHeight: 1.62},
	} {
		if ap := tab.ofTemplate(template); ap.box != want.box || ap.scale != want.scale || ap.eyeHeight != want.eyeHeight {
			t.Errorf("template %d is %+v, want %+v", template, *ap, want)
		}
	}
}

// The lists of entity types and items that clients are sent at the start contain each type and each item that may be shown
// later exactly once.
func TestAnnouncedEntityTypesAndItemsAreUnique(t *testing.T) {
	tab := fieldAppearances()
	if want := proto.ActorIdentifiers([]string{"minecraft:horse", "minecraft:snowball", "minecraft:wolf", "own:bird"}); !reflect.DeepEqual(tab.entityKinds, want) {
		t.Errorf("kinds %q, want %q", tab.entityKinds.Data, want.Data)
	}
	if len(tab.registry.Items) != 4 || tab.items[itemSword] != tab.items[itemTin] || tab.items[itemSword].id == 0 || tab.items[5].id != 0 {
		t.Errorf("unexpected registry %+v, items %+v", tab.registry, tab.items)
	}
	for i, it := range tab.registry.Items {
		if int(it.NetworkID) != i+1 {
			t.Errorf("%s has number %d", it.Name, it.NetworkID)
		}
	}
	if n := len(tab.items[6].wireItem().Extra); n != 18 {
		t.Errorf("a shield has %d extra bytes", n)
	}
	if e := newAppearanceTable(twoFields(), &appearance.Bedrock{}); e.registry.Items != nil || e.entityKinds.Data != nil {
		t.Errorf("a world without appearances announces %+v, %x", e.registry, e.entityKinds.Data)
	}
}

// An actor's equipment is sent when the actor enters a client's view and when the equipment changes, and at no other time.
func TestEquipmentIsSentWhenActorAppearsAndWhenItChanges(t *testing.T) {
	st := newSceneTest(t)
	a := st.addNPC(7, wolf, 3)
	a.Body.Equipment[sim.SlotWeapon], a.Body.Equipment[sim.SlotHat] = itemBow, itemCap
	st.addNPC(8, human, 4).Body.Equipment[sim.SlotWeapon] = itemSword
	st.showFrames(4)
	got := st.takePackets()
	id := func(item uint16) int16 { return st.w.g.appearanceTable.items[item].id }
	if p := only[proto.AddPlayer](t, got); p.Held.NetworkID != id(itemSword) || p.Held.Count != 1 {
		t.Errorf("the player was shown with %+v", p.Held)
	}
	hands := ofType[proto.MobEquipment](got)
	if len(hands) != 2 || hands[0].Item.NetworkID != id(itemBow) || hands[1].Item.NetworkID != id(itemSword) {
		t.Errorf("equipment packets %+v", hands)
	}
	if p := only[proto.MobArmorEquipment](t, got); p.Helmet.NetworkID != id(itemCap) || !p.Chest.IsEmpty() || !p.Boots.IsEmpty() {
		t.Errorf("armour %+v", p)
	}
	body := *st.actor(7).Body
	body.Level++
	body.UpdateVersion()
	st.actor(7).Body = &body
	st.showFrames(4)
	if got := st.takePackets(); len(got) != 0 {
		t.Errorf("a level change sent %v", listNames(got))
	}
	bare := body
	bare.Equipment[sim.SlotWeapon], bare.Equipment[sim.SlotShield] = sim.NoItem, 6
	bare.UpdateVersion()
	st.actor(7).Body = &bare
	st.showFrames(4)
	got = st.takePackets()
	hands = ofType[proto.MobEquipment](got)
	if len(hands) != 2 || !hands[0].Item.IsEmpty() || hands[1].Window != proto.WindowOffHand || hands[1].Item.IsEmpty() {
		t.Errorf("afterwards %+v", hands)
	}
}

// The health of other actors is sent as an attribute and, while the actor is wounded, as points below its name.
func TestHealthChangesOfOtherActorsAreSent(t *testing.T) {
	st := newSceneTest(t)
	st.addNPC(7, wolf, 3)
	st.showFrames(4)
	st.takePackets()
	for _, c := range []struct {
		health int32
		hearts float32
		below  string
	}{{30, 15, "30 / 40"}, {1, 0.5, "1 / 40"}, {40, 20, ""}} {
		st.actor(7).Health = c.health
		st.showFrames(4)
		got := st.takePackets()
		if p := only[proto.UpdateAttributes](t, got); p.Attributes[0].Current != c.hearts || p.Attributes[0].Max != 20 || p.Tick != 0 {
			t.Errorf("health %d sent as %+v", c.health, p)
		}
		below, _ := only[proto.SetActorData](t, got).Metadata.Find(proto.MetaScore)
		if below.Text != c.below {
			t.Errorf("health %d: text %q under the name, want %q", c.health, below.Text, c.below)
		}
	}
}

// Flying actors are displayed at their height and without gravity.
func TestFlyingActorsAreShownAtTheirHeight(t *testing.T) {
	st := newSceneTest(t)
	a := st.addNPC(7, bird, 3)
	a.Flags, a.Motion.InAir, a.Pos.Y = sim.FlagFlying, true, 20
	st.showFrames(4)
	p := only[proto.AddActor](t, st.takePackets())
	if p.Position[1] != groundY+20/unitsPerBlock || p.Metadata.Flags().Has(proto.FlagAffectedByGravity) {
		t.Errorf("flying actor at %v with flags %b", p.Position, p.Metadata.Flags())
	}
	st.actor(7).Pos.Y = 30
	st.showFrames(4)
	if m := only[proto.MoveActorAbsolute](t, st.takePackets()); m.Position[1] != groundY+15 || m.Flags&proto.MoveOnGround != 0 {
		t.Errorf("moved up to %+v", m)
	}
}

// Formatting codes are removed from names of players of other protocols.
func TestPlayerNamesOfOtherProtocolsAreSanitized(t *testing.T) {
	st := newSceneTest(t)
	st.addNPC(7, wolf, 3).Body.Name = "\u00a7aB\u00e4r"
	st.addNPC(8, human, 3).Body.Name = "B\u00e4r"
	st.showFrames(4)
	got := st.takePackets()
	if e, _ := only[proto.AddActor](t, got).Metadata.Find(proto.MetaName); e.Text != "aB\u00e4r" {
		t.Errorf("the wolf's name is %q", e.Text)
	}
	if p := only[proto.AddPlayer](t, got); p.Name != "B\u00e4r" {
		t.Errorf("the player's name is %q", p.Name)
	}
}

// Updates of moving NPCs allocate nothing once buffers have grown.
func TestSendingMovesOfNPCsDoesNotAllocate(t *testing.T) {
	st := newSceneTest(t)
	for i := range 40 {
		st.addNPC(sim.EntityID(i+7), wolf, 3)
	}
	st.showFrames(20)
	frame := func() {
		st.frame.Tick++
		for i := 1; i < len(st.frame.Actors); i++ {
			a := &st.frame.Actors[i]
			a.Pos.X += 0.01
			a.DestX = a.Pos.X
		}
		st.scene.Show(st.frame)
		st.scene.Broadcast(st.frame)
	}
	for range 20 {
		frame()
		st.readMail()
	}
	if n := testing.AllocsPerRun(20, func() { st.frame.Events = nil; frame() }); n >= 2 { // RakNet stores unacknowledged datagrams, which may cost one allocation
		t.Errorf("%v allocations in a frame", n)
	}
	if at := st.scene.find(7).pos; geom.DistXZ(at, geom.Vec{X: 3}) > 5 {
		t.Errorf("wolf displayed at %v", at)
	}
}

// An actor that stopped outside the view is shown at its current position when the viewer comes closer.
func TestActorThatStoppedOutsideViewReappearsAtCurrentPosition(t *testing.T) {
	st := newSceneTest(t)
	pol := st.w.g.opt.Policy
	far, leave := pol.FarRadius/unitsPerBlock, pol.LeaveRadius/unitsPerBlock
	st.addNPC(7, wolf, far-1)
	st.showFrames(4)
	st.moveActor(7, (leave-far)/2+1)
	st.showFrames(1) // the actor leaves the view
	st.moveActor(7, 1)
	st.showFrames(40)
	st.actor(1).Pos.X += 10 * unitsPerBlock
	st.showFrames(8)
	moves := ofType[proto.MoveActorAbsolute](st.takePackets())
	want := far + (leave-far)/2 + 1
	if len(moves) == 0 || moves[len(moves)-1].Position[0] != want {
		t.Errorf("received %+v, want the last at %v", moves, want)
	}
}
