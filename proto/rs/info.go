package rs

import "math/bits"

// Kind is one kind of extended info. Kinds are independent of the revision: revisions with the same meaning share the
// kind and differ only in their rows. A profile has some of them (Profile.Has).
type Kind uint8

// The kinds, with the block's name in each profile where it differs from the constant's.
const (
	KindAppearance   Kind = iota // the player's appearance as encoded bytes; see Appearance
	KindSay                      // text above the head, uncompressed (667 and 634 call the block CHAT)
	KindAnim                     // body animation
	KindGfx0                     // spot animation in slot 0 (667, 634)
	KindGfx1                     // spot animation in slot 1 (667, 634)
	KindGfx2                     // spot animation in slot 2 (667)
	KindGfx3                     // spot animation in slot 3 (667)
	KindHits                     // hit marks
	KindTarget                   // player or NPC to face from now on (667, 634)
	KindTurn                     // angle to turn to (667, 634)
	KindExactMove                // forced movement between two tiles at given times
	KindSpeed                    // movement speed, kept by the client
	KindTempSpeed                // movement speed of this cycle only
	KindWornAnims                // animations of worn objects (667, 634)
	KindWornTargets              // targets that worn objects point at (667, 634)
	KindRecolour                 // temporary tint of the body (OSRS calls the block TINT)
	KindTimerBar                 // timed bar over the head (667, 634)
	KindClanmate                 // minimap dot of a clan mate (667, 634)
	KindPIcon                    // second kind of minimap dot (667)
	KindFace                     // entity, map object or angle to face (OSRS)
	KindSpotAnims                // list of spot animations by slot (OSRS)
	KindChat                     // public chat: colour, effect, packed text (OSRS)
	KindTransparency             // fade in or out (OSRS)
	KindHeadBars                 // bars over the head (OSRS)
	KindFreeze                   // pause of animations (OSRS)
	KindReset                    // clears what the client has pending for the player (OSRS)
	numKinds
)

// None means no animation, no spot animation or no target in the 16-bit fields that allow it.
const None = 65535

// Kinds is a set of Kind.
type Kinds uint64

// KindsOf returns the set of the given kinds.
func KindsOf(ks ...Kind) Kinds {
	var s Kinds
	for _, k := range ks {
		s |= 1 << k
	}
	return s
}

// Has reports whether k is in the set.
func (s Kinds) Has(k Kind) bool { return s>>k&1 != 0 }

// With returns the set with k.
func (s Kinds) With(k Kind) Kinds { return s | 1<<k }

// Without returns the set without k.
func (s Kinds) Without(k Kind) Kinds { return s &^ (1 << k) }

// Count returns how many kinds are in the set.
func (s Kinds) Count() int { return bits.OnesCount64(uint64(s)) }

// String returns the kind's name as used in profile rows.
func (k Kind) String() string {
	if k < numKinds {
		return kindTable[k].name
	}
	return "UNKNOWN"
}

// Info is the extended info of one player in one cycle, independent of the revision. Only fields whose kind is in Has
// are valid. A client tick is 20 ms, counted from the client's receipt of the packet.
//
// An Info can be reused: Reset and ParseInfo keep the memory of its slices. Text is Windows-1252 bytes (AppendText,
// TextString). When writing, the caller keeps the ranges; ParseInfo checks them.
//
// Source: docs/wire/rs.md, extended info.
type Info struct {
	Has Kinds

	Appearance  []byte       // KindAppearance: 1..255 bytes in normal order, made by Profile.AppendAppearance
	Say         []byte       // KindSay: at least 1 byte, no 0; with a leading '~' it is also shown in the chat box
	Anim        Anim         // KindAnim
	Gfx         [4]Gfx       // KindGfx0..KindGfx3
	Hits        []Hit        // KindHits: 0..255
	Target      uint16       // KindTarget: NPC index, or player index + 32768, or None; 34816..65534 crash clients
	Turn        uint16       // KindTurn: 0..16383, 0 south, 4096 west, 8192 north, 12288 east
	ExactMove   ExactMove    // KindExactMove
	Speed       int8         // KindSpeed: -1 standing, 0 crawl, 1 walk, 2 run; kept by the client
	TempSpeed   int8         // KindTempSpeed: as Speed, or SpeedInstant (127); for this cycle only
	WornAnims   []WornAnim   // KindWornAnims: 0..255
	WornTargets []WornTarget // KindWornTargets: 0..255; slots not listed point at nothing
	Recolour    Recolour     // KindRecolour
	TimerBar    TimerBar     // KindTimerBar
	Clanmate    bool         // KindClanmate
	PIcon       bool         // KindPIcon

	Face         Face         // KindFace
	SpotAnims    []SpotAnim   // KindSpotAnims: 0..255
	Chat         Chat         // KindChat
	Transparency Transparency // KindTransparency
	HeadBars     []HeadBar    // KindHeadBars: 0..255
	Freeze       Freeze       // KindFreeze
	ResetWhat    uint8        // KindReset: the block's only byte
}

// Reset clears in and keeps the memory of its slices.
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

// lacks reports whether k is text or length-prefixed bytes and is empty in in: clients fail on an empty one.
func (in *Info) lacks(k Kind) bool {
	run := kindTable[k].bytesField
	return run != nil && (len(*run(in)) == 0 || k == KindSay && in.Say[0] == 0)
}

// Anim is an animation. 667 and 634 have one for each movement state, usually the same four times; OSRS has only the
// first, and ParseInfo sets the others to None.
type Anim struct {
	Seq   [4]uint16 // while standing, crawling, walking, running; None stops it
	Delay uint8     // client ticks
}

// Gfx is a spot animation on a player.
type Gfx struct {
	ID       uint16 // None removes
	Height   uint16 // above the ground, fine units
	Delay    uint16 // client ticks
	Rotation uint8  // 0..7, eighths of a turn
	WornSlot uint8  // 0..15, NoWornSlot for none
	Loop     bool   // 634 reads it for slot 0 only
}

// NoWornSlot is the WornSlot of a spot animation that is not attached to a worn object.
const NoWornSlot = 15

// Hit is one hit mark. A Soaked hit shows two marks; a Hidden hit shows none and only updates the health bar.
type Hit struct {
	Type       uint16 // hit mark type, 0..32765, up to 32767 if Soaked
	Amount     uint16 // 0..32767
	SoakType   uint16 // 0..32767, if Soaked
	SoakAmount uint16 // 0..32767, if Soaked
	Delay      uint16 // client ticks, 0..32767
	Limit      uint16 // OSRS: 0..32767
	HP         uint8  // 667 and 634: health in 1/255 of full health; OSRS uses HeadBars
	Soaked     bool   // not on OSRS
	Hidden     bool   // not on OSRS
}

// ExactMove moves a player from one tile to another at given times. It clears the steps that the client has queued.
// Offsets are from the tile after this cycle's movement.
type ExactMove struct {
	X1, Z1 int8   // start, tiles
	X2, Z2 int8   // end, tiles
	T1, T2 uint16 // client ticks at which start and end are reached; equal values other than 0 crash clients
	Dir    uint16 // 667, 634: 0 north, 1 east, 2 south, 3 west; OSRS: angle
}

// WornAnim animates worn objects.
type WornAnim struct {
	Seq   uint16 // None stops
	Delay uint8  // client ticks
	Slots uint16 // bit i is worn position i
}

// WornTarget makes worn objects point at a target.
type WornTarget struct {
	Target uint32 // NPC index, player index + 0x8000, or a tile: 0xC0000000 | x<<14 | z. 0x8800..0xBFFF crash clients
	Slots  uint16 // bit i is worn position i
}

// Recolour tints a player between two times.
type Recolour struct {
	Hue, Saturation, Lightness int8 // the tint; OSRS reads the same bytes unsigned
	Weight                     uint8
	Start, End                 uint16 // client ticks
}

// TimerBar is a bar over the head that the client animates.
type TimerBar struct {
	Duration    uint16 // client ticks, 0..32767
	Sprite      bool   // drawn with a sprite
	Start       uint8
	Granularity uint8
}

// Values of Face.Kind.
const (
	FaceEntity = 0 // Entity, Index, Fallback
	FaceLoc    = 1 // X, Z, SizeX, SizeZ
	FaceAngle  = 2 // Angle
	FaceReset  = 3 // no fields
)

// Face is the direction that a player faces (OSRS). Only the fields of its Kind are on the wire; ParseInfo leaves the
// others 0.
type Face struct {
	Kind     uint8  // FaceEntity..FaceReset
	WalkMode uint8  // 0..7
	Instant  bool   // without turning
	Entity   uint8  // 1 NPC, 2 player, 3 world entity
	Index    int32  // -1 none
	Fallback uint16 // angle while the entity is not in view, 0..32767
	X, Z     uint16 // map object, 0..32767
	SizeX    uint8  // 0..15 tiles
	SizeZ    uint8  // 0..15 tiles
	Angle    uint16 // 0..32767
}

// SpotAnim is a spot animation in a slot (OSRS).
type SpotAnim struct {
	Slot   uint8
	ID     uint16 // None removes
	Height uint16
	Delay  uint16 // client ticks
}

// Chat is a line of public chat (OSRS).
type Chat struct {
	Colour  uint8  // 13..20 use 1..8 colours of Pattern
	Effect  uint8  // 0 none
	ModIcon uint8  // crown
	Auto    bool   // not typed by the player
	Packed  []byte // text packed by ChatHuffman().Append, in normal order; 1..255 bytes
	Pattern [8]uint8
}

// Transparency fades a player (OSRS).
type Transparency struct {
	Start, End uint16 // client ticks
	From, To   uint8
	UseFrom    bool
}

// HeadBar is a bar over the head (OSRS).
type HeadBar struct {
	Type      uint16 // 0..32767
	EndTime   uint16 // client ticks, 0..32766, or HeadBarRemoved
	StartTime uint16 // client ticks, 0..32767
	StartFill uint8
	EndFill   uint8 // only if EndTime > 0
}

// HeadBarRemoved is the EndTime that removes a HeadBar; the other fields are then not sent.
const HeadBarRemoved = 32767

// Freeze pauses a player's animations (OSRS).
type Freeze struct {
	Delay, Duration uint16 // client ticks
	Cancel          bool
}
