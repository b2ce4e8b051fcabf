package rs

import "errors"

// maxWornSlots is the maximum number of worn positions (helmet, body, weapon and so on) in any revision.
const maxWornSlots = 16

// Appearance describes, for all revisions, how clients draw a player. Profile.AppendAppearance encodes an Appearance into
// the bytes of Info.Appearance and leaves out the fields that the profile's revision lacks. Text is Windows-1252 without
// NUL.
//
// Source: docs/wire/rs.md, appearance.
type Appearance struct {
	Female         bool  // the player has a female body
	Vorbis         bool  // Sound.IDs are numbers of Vorbis sounds, the newer kind (revisions 634 and 667)
	ShowSkillLevel bool  // SkillLevel is sent instead of MaxCombatLevel and CombatRange (revisions 634 and 667)
	Size           uint8 // edge length of the player in tiles, 1..8; 0 is written as 1 (revisions 634 and 667)
	TitleGroup     uint8 // group of titles to which Title belongs, 0..3 (revisions 634 and 667)
	Title          int8  // key of a title within TitleGroup (revisions 634 and 667)
	PKIcon         int8  // number of the player-killer icon over the head (on OSRS the skull), -1 for none
	PrayerIcon     int8  // number of the prayer icon over the head (on OSRS the overhead icon), -1 for none
	Hidden         bool  // only the clients of staff draw the player

	NPC            *NPCForm           // if not nil, the player is drawn as this NPC and Worn is not sent
	Worn           [maxWornSlots]Worn // worn objects by worn position; a position for which Profile.WornSlots is 1 is not sent
	Kits           [maxWornSlots]Worn // body parts under Worn, all of kind WornKit (OSRS only)
	Customisations []Customisation    // changed models, colours and textures of worn objects, ascending by Slot (revision 667 and OSRS)
	ForceRebuild   bool               // the client rebuilds the model even if nothing changed (OSRS only)
	Colours        [10]uint8          // body colours as palette indices; revision 634 and OSRS have only the first five
	Bas            uint16             // base animation set; 1426 is the human one (revisions 634 and 667)
	Anims          [7]uint16          // animations of standing, turning, walking forward, back, left and right, running (OSRS only)
	Name           []byte             // name of the player
	Affixes        [3][]byte          // texts before the name, after the name and after the combat level (OSRS only)
	CombatLevel    uint8              // combat level without summoning
	MaxCombatLevel uint8              // combat level with summoning (revisions 634 and 667)
	CombatRange    uint8              // range of combat levels that may be attacked, 255 for any (revisions 634 and 667)
	SkillLevel     uint16             // total level; the constant None hides it; revisions 634 and 667 send it only with ShowSkillLevel
	Pronoun        uint8              // number of the pronoun for the player (OSRS only)
	Sound          PlayerSound        // sound that other players hear from the player (revisions 634 and 667)
}

// NPCForm makes clients draw the player as an NPC. The type of the NPC must be in the client's game cache.
type NPCForm struct {
	ID   uint16 // number of the NPC type
	Team uint8  // team of the player, 0 for none (revisions 634 and 667)
}

// Values of Worn.Kind: what a worn position holds.
const (
	WornEmpty  = 0 // nothing is worn
	WornKit    = 1 // body part (identity kit)
	WornObject = 2 // worn object; revisions 634 and 667 number only wearable objects, OSRS numbers all
)

// Worn is the content of one worn position: nothing, a body part (kit) or a worn object.
type Worn struct {
	Kind uint8  // WornEmpty, WornKit or WornObject
	ID   uint16 // number of the kit or object
}

// Customisation changes how one worn object is drawn: with other models, colours or textures. Source: docs/wire/rs.md,
// customisation.
type Customisation struct {
	Slot       uint8           // worn position of the object
	WornModels []ModelPair     // new models of the object: in 667 up to 3, as many as the object has; on OSRS one; nil: unchanged
	HeadModels []ModelPair     // new models of the object in the chat head: in 667 up to 2, on OSRS one; nil: unchanged
	Recolour   [4]Substitution // replaced colours; OSRS has only the first two
	Retexture  [2]Substitution // textures to replace
}

// ModelPair holds the model numbers of an object for the male and the female body.
type ModelPair struct {
	Male, Female int32 // number of the model in the cache; -1 for none
}

// Substitution replaces one colour or texture of a worn object.
type Substitution struct {
	Used  bool   // the entry is used
	Index uint8  // index in the object's own list of colours or textures, 0..14
	Value uint16 // new colour or texture
}

// PlayerSound is the sound that other players hear from a player. A Range of 0 means no sound; the other fields are
// then not sent.
type PlayerSound struct {
	Range  uint8     // distance in tiles up to which the sound is heard
	IDs    [4]uint16 // sounds while standing, crawling, walking and running
	Volume uint8     // volume of the sound, 0..255
}

// ErrNeedsCache is returned for appearance bytes with customised models of a worn object. The number of models depends on the
// object and is not in the bytes, so only a program with the game cache can parse them.
var ErrNeedsCache = errors.New("cannot parse an appearance with customised models of a worn object: their number is only in the game cache")

// appearanceSlots holds the numeric fields of an Appearance in one array, so that a profile table can refer to them by name.
// appearanceFields has their names, in the same order.
type appearanceSlots [37]int32

// Names by which the rows of a profile table refer to fields of an Appearance. appearanceFields lists those of the numeric
// fields, in the order of appearanceSlots. appearanceTexts lists those of the text fields.
const (
	appearanceFields = "flags female title pk prayer hide bas combat skill max range soundrange volume pronoun npc team " +
		"sound0 sound1 sound2 sound3 anim0 anim1 anim2 anim3 anim4 anim5 anim6 " +
		"colour0 colour1 colour2 colour3 colour4 colour5 colour6 colour7 colour8 colour9"
	appearanceTexts = "name before after aftercombat"
)

// Indices into appearanceSlots at which fields with several numbers begin: the NPC form, the sounds, the animations and the
// colours.
const (
	slotNPC     = 14
	slotSounds  = 16
	slotAnims   = 20
	slotColours = 27
)

// slots returns the values of the numeric fields of the appearance, in the order of appearanceFields.
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

// setSlots sets the numeric fields of the appearance to the values in v, which are in the order of appearanceFields.
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
