package rs

import "math/bits"

// InfoKind is one kind of extended info, such as the appearance or a hit. Kinds are independent of the revision: revisions
// may encode the same kind differently, and a revision may lack kinds (Profile.Has).
type InfoKind uint8

// Values of InfoKind. Brackets name the revisions that have the kind if not all have it, or give another name of the kind.
const (
	KindAppearance   InfoKind = iota // the player's appearance as encoded bytes; see Appearance
	KindSay                          // text above the head, uncompressed (called CHAT in revisions 634 and 667)
	KindAnim                         // body animation
	KindGfx0                         // spot animation in slot 0 (revisions 634 and 667)
	KindGfx1                         // spot animation in slot 1 (revisions 634 and 667)
	KindGfx2                         // spot animation in slot 2 (revision 667 only)
	KindGfx3                         // spot animation in slot 3 (revision 667 only)
	KindHits                         // hit marks
	KindTarget                       // player or NPC to face from now on (revisions 634 and 667)
	KindTurn                         // angle to turn to (revisions 634 and 667)
	KindExactMove                    // forced movement between two tiles at given times
	KindSpeed                        // movement speed, kept by the client
	KindTempSpeed                    // movement speed of this cycle only
	KindWornAnims                    // animations of worn objects (revisions 634 and 667)
	KindWornTargets                  // targets that worn objects point at (revisions 634 and 667)
	KindRecolour                     // temporary tint of the body (called TINT on OSRS)
	KindTimerBar                     // timed bar over the head (revisions 634 and 667)
	KindClanmate                     // minimap dot of a clan mate (revisions 634 and 667)
	KindPIcon                        // second kind of minimap dot (revision 667 only)
	KindFace                         // entity, map object or angle to face (OSRS only)
	KindSpotAnims                    // list of spot animations by slot (OSRS only)
	KindChat                         // public chat with colour, effect and packed text (OSRS only)
	KindTransparency                 // fade in or out (OSRS only)
	KindHeadBars                     // bars over the head (OSRS only)
	KindFreeze                       // pause of animations (OSRS only)
	KindReset                        // the client discards everything that is pending for the player (OSRS only)
	numKinds
)

// None is the value of 16-bit fields that means no animation, no spot animation, no object, no slot or no target.
const None = 65535

// InfoKindSet is a set of kinds of extended info: bit k stands for the InfoKind k.
type InfoKindSet uint64

// InfoKindsOf returns the set of the given kinds.
func InfoKindsOf(ks ...InfoKind) InfoKindSet {
	var s InfoKindSet
	for _, k := range ks {
		s |= 1 << k
	}
	return s
}

// Has reports whether k is in the set.
func (s InfoKindSet) Has(k InfoKind) bool { return s>>k&1 != 0 }

// With returns the set s with k added.
func (s InfoKindSet) With(k InfoKind) InfoKindSet { return s | 1<<k }

// Without returns the set s with k removed.
func (s InfoKindSet) Without(k InfoKind) InfoKindSet { return s &^ (1 << k) }

// Count returns the number of kinds in the set.
func (s InfoKindSet) Count() int { return bits.OnesCount64(uint64(s)) }

// String returns the kind's name as used in profile rows.
func (k InfoKind) String() string {
	if k < numKinds {
		return kindTable[k].name
	}
	return "UNKNOWN"
}

// Info is the extended info of one player in one cycle, independent of the revision. Only fields whose kind is in Has
// are valid. Times are in client ticks of 20 ms, counted from the client's receipt of the packet.
//
// An Info can be reused: Reset and ParseInfo keep the memory of its slices. Text is Windows-1252 bytes (AppendText,
// TextString). The caller of AppendInfo ensures that the values are in their ranges; ParseInfo checks them.
//
// Source: docs/wire/rs.md, extended info.
type Info struct {
	Has InfoKindSet // kinds whose fields are valid

	Appearance  []byte       // KindAppearance: 1..255 bytes of Profile.AppendAppearance; some revisions reverse them on the wire
	Say         []byte       // KindSay: text of at least 1 byte, without 0; a leading '~' displays it in the chat box, too
	Anim        Anim         // KindAnim: animation
	Gfx         [4]Gfx       // KindGfx0..KindGfx3: spot animations by slot
	Hits        []Hit        // KindHits: hits, at most 255
	Target      uint16       // KindTarget: faced NPC index, or player index + 32768, or None; 34816..65534 crash clients
	Turn        uint16       // KindTurn: angle that the player turns to, 0..16383; 0 south, 4096 west, 8192 north, 12288 east
	ExactMove   ExactMove    // KindExactMove: forced movement
	Speed       int8         // KindSpeed: speed that the client keeps: -1 standing, 0 crawl, 1 walk, 2 run
	TempSpeed   int8         // KindTempSpeed: speed in this cycle only: a value of Speed, or SpeedInstant (127)
	WornAnims   []WornAnim   // KindWornAnims: animations of worn objects, at most 255
	WornTargets []WornTarget // KindWornTargets: targets of worn objects, at most 255; worn positions that are not listed have no target
	Recolour    Recolour     // KindRecolour: tint of the body
	TimerBar    TimerBar     // KindTimerBar: bar over the head
	Clanmate    bool         // KindClanmate: the player is a clan mate
	PIcon       bool         // KindPIcon: the player has a special minimap dot, different from that of a clan mate; its look is not documented

	Face         Face         // KindFace: direction that the player faces
	SpotAnims    []SpotAnim   // KindSpotAnims: spot animations, at most 255
	Chat         Chat         // KindChat: line of public chat
	Transparency Transparency // KindTransparency: fade
	HeadBars     []HeadBar    // KindHeadBars: bars over the head, at most 255
	Freeze       Freeze       // KindFreeze: pause of animations
	ResetWhat    uint8        // KindReset: the number in the block, whose values are not documented
}

// Reset clears the Info but keeps the memory of its slices for reuse.
func (in *Info) Reset() {
	*in = Info{
		Appearance:  in.Appearance[:0],
		Say:         in.Say[:0],
		Hits:        in.Hits[:0],
		WornAnims:   in.WornAnims[:0],
		WornTargets: in.WornTargets[:0],
		SpotAnims:   in.SpotAnims[:0],
		HeadBars:    in.HeadBars[:0],
		Chat:        Chat{Packed: in.Chat.Packed[:0]},
	}
}

// lacks reports whether the value that an Info has for the kind k is an empty text or byte string. Clients fail on a block with
// such a value, so it must not be sent.
func (in *Info) lacks(k InfoKind) bool {
	run := kindTable[k].bytesField
	return run != nil && (len(*run(in)) == 0 || k == KindSay && in.Say[0] == 0)
}

// Anim is an animation of a player: in revisions 634 and 667 one for each of four movement states, although servers usually
// send the same for all. OSRS has only the first, and ParseInfo sets the others to None.
type Anim struct {
	Seq   [4]uint16 // animations while standing, crawling, walking and running; None stops the animation
	Delay uint8     // client ticks until the animation starts
}

// Gfx is a spot animation on a player: RuneScape's term for a visual effect that the client draws at the player, such as the
// flash of a spell. It does not move the player's body.
type Gfx struct {
	ID       uint16 // number of the spot animation; None removes the animation
	Height   uint16 // height above the ground, fine units, of which a tile has 512
	Delay    uint16 // client ticks until the animation starts
	Rotation uint8  // eighths of a turn, 0..7
	WornSlot uint8  // worn position to which the animation is attached, 0..14; NoWornSlot for none
	Loop     bool   // the animation repeats; revision 634 reads this field only for slot 0
}

// NoWornSlot is the WornSlot of a spot animation that is not attached to a worn object.
const NoWornSlot = 15

// Hit is one hit on a player. Clients display it (1) as one mark, (2) as two marks if it is Soaked, or (3) without a
// mark, only in the health bar, if it is Hidden.
type Hit struct {
	Type       uint16 // type of the hit mark, 0..32765, or up to 32767 if Soaked
	Amount     uint16 // displayed number, 0..32767
	SoakType   uint16 // type of the second mark, 0..32767; only if Soaked
	SoakAmount uint16 // displayed number of the second mark, 0..32767; only if Soaked
	Delay      uint16 // client ticks until the mark appears, 0..32767
	Limit      uint16 // fourth number of an OSRS hit, 0..32767; its effect in the client is not documented
	HP         uint8  // health after the hit, in 1/255 of full health (revisions 634 and 667); OSRS uses HeadBars
	Soaked     bool   // displays two marks (revisions 634 and 667)
	Hidden     bool   // displays no mark (revisions 634 and 667)
}

// ExactMove moves a player from one position to another between two times, regardless of walking speed. The client discards the
// steps that it has queued for the player. Positions are relative to the tile on which the player is after this cycle's
// movement.
type ExactMove struct {
	X1, Z1 int8   // start of the movement, tiles east and north
	X2, Z2 int8   // end of the movement, tiles east and north
	T1, T2 uint16 // times at the start and at the end, client ticks; equal values other than 0 crash clients
	Dir    uint16 // faced direction: 0 north, 1 east, 2 south, 3 west in revisions 634 and 667; an angle on OSRS
}

// WornAnim animates objects that the player wears.
type WornAnim struct {
	Seq   uint16 // number of the animation; None stops the animation
	Delay uint8  // client ticks until the animation starts
	Slots uint16 // worn positions of the animated objects: bit i is position i
}

// WornTarget makes worn objects point at an NPC, a player or a tile.
type WornTarget struct {
	Target uint32 // NPC index, player index + 0x8000, or a tile: 0xC0000000 | x<<14 | z. 0x8800..0xBFFF crash clients
	Slots  uint16 // worn positions of the objects that point at Target: bit i is position i
}

// Recolour tints a player between two times.
type Recolour struct {
	Hue, Saturation, Lightness int8   // colour of the tint; OSRS reads the same bytes as unsigned
	Weight                     uint8  // strength of the tint
	Start, End                 uint16 // client ticks at which the tint begins and ends
}

// TimerBar is a bar over the head that the client animates.
type TimerBar struct {
	Duration    uint16 // time until the bar is full, client ticks, 0..32767
	Sprite      bool   // the bar is drawn with a sprite
	Start       uint8  // fill at which the bar starts
	Granularity uint8  // number that the protocol calls granularity; its effect is not documented
}

// Values of Face.Kind: what the player faces, and which fields of Face describe it.
const (
	FaceEntity = 0 // the player faces an entity: fields Entity, Index and Fallback
	FaceLoc    = 1 // the player faces a map object: fields X, Z, SizeX and SizeZ
	FaceAngle  = 2 // the player faces a direction: field Angle
	FaceReset  = 3 // the player faces nothing: no further fields
)

// Face is the direction that a player faces (OSRS only). Only the fields of its Kind are on the wire; ParseInfo leaves
// the others 0.
type Face struct {
	Kind     uint8  // FaceEntity, FaceLoc, FaceAngle or FaceReset
	WalkMode uint8  // number that the protocol calls walk mode, 0..7; its effect is not documented
	Instant  bool   // the player turns at once, not gradually
	Entity   uint8  // kind of the entity: 1 NPC, 2 player, 3 world entity
	Index    int32  // index of the entity; -1 for none
	Fallback uint16 // angle while the entity is not in view, 0..32767
	X, Z     uint16 // tile of the map object, 0..32767
	SizeX    uint8  // width of the map object, 0..15 tiles
	SizeZ    uint8  // length of the map object, 0..15 tiles
	Angle    uint16 // direction to face, 0..32767
}

// SpotAnim is a spot animation at the player, which is a visual effect (OSRS only). A player has several slots, with one such
// effect each.
type SpotAnim struct {
	Slot   uint8  // slot of the animation
	ID     uint16 // number of the spot animation; None removes the animation
	Height uint16 // height above the ground
	Delay  uint16 // client ticks until the animation starts
}

// Chat is a line of public chat (OSRS only).
type Chat struct {
	Colour  uint8    // colour of the text; 13..20 use 1..8 colours of Pattern
	Effect  uint8    // effect of the text; 0 for none
	ModIcon uint8    // number of the crown before the name
	Auto    bool     // the text was not typed by the player
	Packed  []byte   // text packed by ChatHuffman().Append; 1..255 bytes in their order before the reversal on the wire
	Pattern [8]uint8 // colours of a pattern, see Colour
}

// Transparency fades a player (OSRS only).
type Transparency struct {
	Start, End uint16 // client ticks at which the fade begins and ends
	From, To   uint8  // transparency at the times Start and End
	UseFrom    bool   // the client uses From; if UseFrom is false, the client ignores From
}

// HeadBar is a bar over the head (OSRS only).
type HeadBar struct {
	Type      uint16 // type of the bar, 0..32767
	EndTime   uint16 // client ticks until the fill is EndFill, 0..32766, or HeadBarRemoved
	StartTime uint16 // client ticks until the bar appears, 0..32767
	StartFill uint8  // fill of the bar at StartTime
	EndFill   uint8  // fill of the bar at EndTime; sent only if EndTime > 0
}

// HeadBarRemoved is the EndTime of a HeadBar with which the client removes the bar. The fields after it are then not sent.
const HeadBarRemoved = 32767

// Freeze pauses a player's animations (OSRS only).
type Freeze struct {
	Delay, Duration uint16 // client ticks until the pause begins, and length of the pause in client ticks
	Cancel          bool   // ends a pause early
}
