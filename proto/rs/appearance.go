package rs

import "errors"

// maxWorn is how many worn positions a revision can have.
const maxWornSlots = 16

// Appearance is what a player looks like, independent of the revision: each takes what it has and leaves the rest.
// Text is Windows-1252 bytes without 0. Profile.AppendAppearance makes the bytes of Info.Appearance of it.
//
// Source: docs/wire/rs.md, appearance.
type Appearance struct {
	Female         bool
	Vorbis         bool  // sounds are of the newer kind (667, 634)
	ShowSkillLevel bool  // 667, 634: Skill takes the place of MaxCombat and CombatRange
	Size           uint8 // tiles, 1..8; 0 is written as 1 (667, 634)
	TitleGroup     uint8 // 0..3 (667, 634)
	Title          int8  // key within the group (667, 634)
	PKIcon         int8  // -1 none; OSRS: skull
	PrayerIcon     int8  // -1 none; OSRS: overhead
	Hidden         bool  // not drawn for other players

	NPC            *NPCForm           // the model of an NPC; Worn is left out then
	Worn           [maxWornSlots]Worn // by worn position; positions that Profile.Wear does not transmit are left out
	Kits           [maxWornSlots]Worn // what is under Worn, kits only (OSRS)
	Customisations []Customisation    // ascending by Slot (667, OSRS)
	ForceRebuild   bool               // build the model again even if it seems the same (OSRS)
	Colours        [10]uint8          // 634 and OSRS have the first five
	Bas            uint16             // set of basic animations; 1426 is a person's (667, 634)
	Anims          [7]uint16          // standing, turning, walking forth, back, left and right, running (OSRS)
	Name           []byte
	Affixes        [3][]byte   // before the name, behind it, behind the combat level (OSRS)
	CombatLevel    uint8       // level
	MaxCombatLevel uint8       // level with summoning (667, 634)
	CombatRange    uint8       // 667, 634: levels that may be attacked, 255 for any
	SkillLevel     uint16      // total level; None for no level in the 667 and 634 SkillForm
	Pronoun        uint8       // OSRS
	Sound          PlayerSound // 667, 634
}

// NPCForm is the model that an NPC's look has. It must be in the client's game cache.
type NPCForm struct {
	ID   uint16
	Team uint8 // 0 none (667, 634)
}

// What is at a worn position.
const (
	WornEmpty  = 0
	WornKit    = 1 // a part of the body
	WornObject = 2 // a worn object: 667 and 634 count the objects that can be worn, OSRS all objects
)

// Worn is what is at one worn position.
type Worn struct {
	Kind uint8 // WornNothing, WornKit, WornObject
	ID   uint16
}

// Customised changes the look of one worn object. Source: docs/wire/rs.md, customisation.
type Customisation struct {
	Slot       uint8           // worn position, of a worn object
	WornModels []ModelPair     // instead of the object's models: 667 as many as the object has, up to 3; OSRS one
	HeadModels []ModelPair     // the same for the chat head: 667 up to 2; OSRS one
	Recolour   [4]Substitution // OSRS has the first two
	Retexture  [2]Substitution
}

// Models is a model for each sex.
type ModelPair struct {
	Male, Female int32 // model in the cache, -1 none
}

// Swap puts a colour or texture in the place of one that the object has.
type Substitution struct {
	Used  bool
	Index uint8 // which of the object's own, 0..14
	Value uint16
}

// Sound is what others hear of a player. A Range of 0 is silence, and the rest is not on the wire.
type PlayerSound struct {
	Range  uint8     // tiles
	IDs    [4]uint16 // while standing, crawling, walking, running
	Volume uint8
}

// ErrNeedsCache is the error for appearance bytes with models of a worn object: how many models follow depends on the
// object, so only a reader with the game cache can go on.
var ErrNeedsCache = errors.New("models of a worn object, whose number is known to the game cache only")

// lookSlots are the values of an appearance that stand in rows "look fields" and "look worn".
type appearanceSlots [37]int32

// lookFields names them; lookRuns names the texts.
const (
	appearanceFields = "flags female title pk prayer hide bas combat skill max range soundrange volume pronoun npc team " +
		"sound0 sound1 sound2 sound3 anim0 anim1 anim2 anim3 anim4 anim5 anim6 " +
		"colour0 colour1 colour2 colour3 colour4 colour5 colour6 colour7 colour8 colour9"
	appearanceTexts = "name before after aftercombat"
)

// Places in lookSlots.
const (
	slotNPC     = 14
	slotSounds  = 16
	slotAnims   = 20
	slotColours = 27
)

// slots takes the values out of a.
func (a *Appearance) slots() appearanceSlots {
	flags := flagBit(a.Female, 1) | flagBit(a.Vorbis, 2) | flagBit(a.ShowSkillLevel, 4) | int32(max(a.Size, 1)-1)<<3 | int32(a.TitleGroup)<<6
	v := appearanceSlots{
		flags, flagBit(a.Female, 1), int32(a.Title), int32(a.PKIcon), int32(a.PrayerIcon), flagBit(a.Hidden, 1),
		int32(a.Bas), int32(a.CombatLevel), int32(a.SkillLevel), int32(a.MaxCombatLevel), int32(a.CombatRange),
		int32(a.Sound.Range), int32(a.Sound.Volume), int32(a.Pronoun),
	}
	if a.NPC != nil {
		v[slotNPC], v[slotNPC+1] = int32(a.NPC.ID), int32(a.NPC.Team)
	}
	for i, id := range a.Sound.IDs {
		v[slotSounds+i] = int32(id)
	}
	for i, id := range a.Anims {
		v[slotAnims+i] = int32(id)
	}
	for i, c := range a.Colours {
		v[slotColours+i] = int32(c)
	}
	return v
}

// set puts the values into a.
func (a *Appearance) setSlots(v *appearanceSlots) {
	flags := uint8(v[0])
	a.Female = flags&1 != 0 || v[1] != 0
	a.Vorbis, a.ShowSkillLevel = flags&2 != 0, flags&4 != 0
	a.Size, a.TitleGroup = flags>>3&7+1, flags>>6
	a.Title, a.PKIcon, a.PrayerIcon, a.Hidden = int8(v[2]), int8(v[3]), int8(v[4]), v[5] != 0
	a.Bas, a.CombatLevel, a.SkillLevel, a.MaxCombatLevel, a.CombatRange = uint16(v[6]), uint8(v[7]), uint16(v[8]), uint8(v[9]), uint8(v[10])
	a.Sound.Range, a.Sound.Volume, a.Pronoun = uint8(v[11]), uint8(v[12]), uint8(v[13])
	if a.NPC != nil {
		*a.NPC = NPCForm{ID: uint16(v[slotNPC]), Team: uint8(v[slotNPC+1])}
	}
	for i := range a.Sound.IDs {
		a.Sound.IDs[i] = uint16(v[slotSounds+i])
	}
	for i := range a.Anims {
		a.Anims[i] = uint16(v[slotAnims+i])
	}
	for i := range a.Colours {
		a.Colours[i] = uint8(v[slotColours+i])
	}
}
