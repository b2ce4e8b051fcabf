package rs

import (
	"bytes"

	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
)

// Identity kits of players: the numbers in the client's cache of the body parts from which clients draw a player. The keys are
// positions in the appearance block. Source: docs/wire/rs.md, vector V22.
var (
	maleKits   = map[int]uint16{4: 18, 6: 26, 7: 36, 8: 0, 9: 33, 10: 42, 11: 10}
	femaleKits = map[int]uint16{4: 56, 6: 61, 7: 70, 8: 45, 9: 67, 10: 79}
)

// wornPosition contains, for each equipment slot of the simulation (0..7), the position of the worn item in the client's
// appearance block. -1 means that clients do not display the slot.
var wornPosition = [8]int{sim.SlotWeapon: 3, sim.SlotShield: 5, sim.SlotHat: 0, sim.SlotChest: 4, sim.SlotHand: 9, sim.SlotBelt: -1, sim.SlotLegs: 7, sim.SlotFeet: 10}

// Limits of fields in an appearance block.
const (
	minCombatLevel = 3   // combat level of a new player
	maxCombatLevel = 138 // highest combat level, with summoning
	anyAttackRange = 255 // range of combat levels in which players may attack each other; the value allows any difference
	maxNameBytes   = 60  // maximum length of a name in bytes; all other fields need less than 80 of the block's 255 bytes
)

// updateAppearance adds the appearance of an actor to info, the extended info that clients are sent about the actor.
func (as *areaScene) updateAppearance(state *rowState, a *sim.ActorState, info *proto.Info) {
	state.body, state.models = a.Body, as.models
	w := as.w
	look := appearanceOf(as.models, a.Body, a.Is(sim.FlagPlayer))
	w.appearance = proto.Profile667.AppendAppearance(w.appearance[:0], &look)
	info.Appearance = append(info.Appearance[:0], w.appearance...)
	info.Has = info.Has.With(proto.KindAppearance)
}

// modelOf returns how clients draw actors with the template of the body b.
func (g *Gateway) modelOf(b *sim.Body) appearance.RuneScapeActor {
	return g.opt.LiveAppearance().Actor(b.Template)
}

// appearanceOf returns the appearance block with which clients of revision 667 draw an actor with the body b.
func appearanceOf(models *appearance.RuneScape, b *sim.Body, player bool) proto.Appearance {
	f := models.Actor(b.Template)
	level := uint8(min(max(b.Level, minCombatLevel), maxCombatLevel))
	name := appendEscaped(nil, proto.AppendText(nil, b.Name), maxNameBytes) // clients interpret markup in names
	look := proto.Appearance{
		PKIcon: -1, PrayerIcon: -1, Bas: f.Stance, Name: bytes.TrimSpace(name),
		CombatLevel: level, MaxCombatLevel: level, CombatRange: anyAttackRange, Female: b.Appearance.Gender == 1,
	}
	if f.NPC != appearance.None {
		look.NPC = &proto.NPCForm{ID: f.NPC}
		return look
	}
	kits := maleKits
	if look.Female {
		kits = femaleKits
	}
	for slot, kit := range kits {
		look.Worn[slot] = proto.Worn{Kind: proto.WornKit, ID: kit}
	}
	for slot, id := range b.Equipment {
		if worn := models.Item(id).Worn; worn != appearance.None && wornPosition[slot] >= 0 {
			look.Worn[wornPosition[slot]] = proto.Worn{Kind: proto.WornObject, ID: worn}
		}
	}
	if player {
		look.Colours = [10]uint8{b.Appearance.Hair, 4 + b.Appearance.Body, 8 + b.Appearance.Face, b.Appearance.Beard, b.Appearance.Body}
	}
	return look
}
