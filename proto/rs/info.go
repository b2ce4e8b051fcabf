package rs

import "math/bits"

// Kind names one thing that extended info can say about a player. Kinds are independent of a revision: where two
// revisions mean the same, they share the kind and only their rows differ. A profile has some of them (Profile.Has).
type Kind uint8

// The kinds, with the block's name in each profile where it differs from the constant's.
const (
	KindAppearance   Kind = iota // what the player looks like, opaque bytes; see Appearance
	KindSay                      // text above the head, as it is (667 and 634 call the block CHAT)
	KindAnim                     // an animation of the body
	KindGfx0                     // spot effect in the client's slot 0 (667, 634)
	KindGfx1                     // spot effect in slot 1 (667, 634)
	KindGfx2                     // spot effect in slot 2 (667)
	KindGfx3                     // spot effect in slot 3 (667)
	KindHits                     // hit marks
	KindTarget                   // the player or NPC that is faced from now on (667, 634)
	KindTurn                     // an angle to turn to (667, 634)
	KindExactMove                // a movement between two tiles at a given time, without walking
	KindSpeed                    // the speed that the client remembers for the index
	KindTempSpeed                // the speed of this cycle's movement only
	KindWornAnims                // animations of worn objects (667, 634)
	KindWornTargets              // what worn objects point at (667, 634)
	KindRecolour                 // a tint of the body for a time (OSRS calls the block TINT)
	KindTimerBar                 // a bar over the head that fills by itself (667, 634)
	KindClanmate                 // the minimap dot of a clan mate (667, 634)
	KindPIcon                    // the second kind of minimap dot (667)
	KindFace                     // entity, map object or angle to face (OSRS)
	KindSpotAnims                // spot effects in numbered slots, one list (OSRS)
	KindChat                     // public chat: colour, effect, packed text (OSRS)
	KindTransparency             // fading in or out (OSRS)
	KindHeadBars                 // bars over the head (OSRS)
	KindFreeze                   // animations stand still for a time (OSRS)
	KindReset                    // drops what the client has pending for the player (OSRS)
	numKinds
)

// None is "no animation", "no spot effect", "no target" in the 16-bit fields that have it.
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

// Has tells whether k is in the set.
func (s Kinds) Has(k Kind) bool { return s>>k&1 != 0 }

// With returns the set with k.
func (s Kinds) With(k Kind) Kinds { return s | 1<<k }

// Without returns the set without k.
func (s Kinds) Without(k Kind) Kinds { return s &^ (1 << k) }

// Count returns how many kinds are in the set.
func (s Kinds) Count() int { return bits.OnesCount64(uint64(s)) }

// String returns the kind's name, as the rows of a profile write it.
func (k Kind) String() string {
	if k < numKinds {
		return kindTable[k].name
	}
	return "UNKNOWN"
}

// Info is what extended info says about one player in one cycle, independent of the revision. Only the fields whose
// kind is in Has mean anything. "Client ticks" are 20 ms, counted from the client's receipt of the packet.
//
// An Info is made to be used again: Reset and ParseInfo keep the memory of its slices. Text is Windows-1252 bytes
// (AppendText, TextString). Ranges are the caller's contract on writing; ParseInfo holds them.
//
// Source: docs/wire/rs.md, extended info.
type Info struct {
	Has Kinds

	Appearance  []byte       // KindAppearance: 1..255 bytes in normal order, made by Profile.AppendAppearance
	Say         []byte       // KindSay: 1 byte or more, none of them 0; '~' first shows it in the chat box too
	Anim        Anim         // KindAnim
	Gfx         [4]Gfx       // KindGfx0..KindGfx3
	Hits        []Hit        // KindHits: 0..255
	Target      uint16       // KindTarget: NPC index, or player index + 32768, or None; clients fail at 34816..65534
	Turn        uint16       // KindTurn: 0..16383, 0 south, 4096 west, 8192 north, 12288 east
	ExactMove   ExactMove    // KindExactMove
	Speed       int8         // KindSpeed: -1 standing, 0 crawl, 1 walk, 2 run; the client remembers it
	TempSpeed   int8         // KindTempSpeed: as Speed, or 127: be there at once; for this cycle only
	WornAnims   []WornAnim   // KindWornAnims: 0..255
	WornTargets []WornTarget // KindWornTargets: 0..255; a slot that none of them names points at nothing
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

// Reset empties in and keeps the memory of its slices.
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

// lacks tells whether kind k is text or measured bytes and in has none: no client can take that.
func (in *Info) lacks(k Kind) bool {
	run := kindTable[k].bytesField
	return run != nil && (len(*run(in)) == 0 || k == KindSay && in.Say[0] == 0)
}

// Anim is an animation. 667 and 634 name one for each way of moving, usually the same four times; OSRS has the first
// only, and a parse leaves the others None.
type Anim struct {
	Seq   [4]uint16 // while standing, crawling, walking, running; None stops
	Delay uint8     // client ticks
}

// Gfx is a spot effect at a player.
type Gfx struct {
	ID       uint16 // None removes
	Height   uint16 // above the ground, fine units
	Delay    uint16 // client ticks
	Rotation uint8  // 0..7, eighths of a turn
	WornSlot uint8  // 0..15, NoWornSlot for none; 0 is slot 0
	Loop     bool   // 634 reads it for slot 0 only
}

// NoWornSlot is the WornSlot of a spot effect that hangs at no worn object.
const NoWornSlot = 15

// Hit is one hit mark. The marks of a Soaked hit are two; a Hidden hit has no mark and only moves the bar.
type Hit struct {
	Type       uint16 // hit mark, 0..32765, any up to 32767 if Soaked
	Amount     uint16 // 0..32767
	SoakType   uint16 // 0..32767, if Soaked
	SoakAmount uint16 // 0..32767, if Soaked
	Delay      uint16 // client ticks, 0..32767
	Limit      uint16 // OSRS: 0..32767
	HP         uint8  // 667 and 634: fraction of full, 255 is full; OSRS has HeadBars
	Soaked     bool   // not on OSRS
	Hidden     bool   // not on OSRS
}

// ExactMove moves a player from one tile to another at given times. It drops what the client still had to walk.
// Offsets are from the tile that is true after this cycle's movement.
type ExactMove struct {
	X1, Z1 int8   // start, tiles
	X2, Z2 int8   // end, tiles
	T1, T2 uint16 // client ticks at which start and end are reached; equal only if both are 0, or clients fail
	Dir    uint16 // 667, 634: 0 north, 1 east, 2 south, 3 west; OSRS: angle
}

// WornAnim animates worn objects.
type WornAnim struct {
	Seq   uint16 // None stops
	Delay uint8  // client ticks
	Slots uint16 // bit i is worn position i
}

// WornTarget makes worn objects point at something.
type WornTarget struct {
	Target uint32 // NPC index, player index + 0x8000, or a tile: 0xC0000000 | x<<14 | z. Clients fail at 0x8800..0xBFFF
	Slots  uint16 // bit i is worn position i
}

// Recolour tints a player between two times.
type Recolour struct {
	Hue, Saturation, Lightness int8 // the tint; OSRS reads the same bytes unsigned
	Weight                     uint8
	Start, End                 uint16 // client ticks
}

// TimerBar is a bar over the head that moves by itself.
type TimerBar struct {
	Duration    uint16 // client ticks, 0..32767
	Sprite      bool   // drawn with a sprite
	Start       uint8
	Granularity uint8
}

// What a Face is about.
const (
	FaceEntity = 0 // Entity, Index, Fallback
	FaceLoc    = 1 // X, Z, SizeX, SizeZ
	FaceAngle  = 2 // Angle
	FaceReset  = 3 // nothing
)

// Face says where a player looks (OSRS). Only the fields of its kind are on the wire; a parse leaves the others 0.
type Face struct {
	Kind     uint8  // FaceEntity..FaceReset
	WalkMode uint8  // 0..7
	Instant  bool   // without turning
	Entity   uint8  // 1 NPC, 2 player, 3 world entity
	Index    int32  // -1 none
	Fallback uint16 // angle while the entity is not there, 0..32767
	X, Z     uint16 // map object, 0..32767
	SizeX    uint8  // 0..15 tiles
	SizeZ    uint8  // 0..15 tiles
	Angle    uint16 // 0..32767
}

// SpotAnim is a spot effect in a slot (OSRS).
type SpotAnim struct {
	Slot   uint8
	ID     uint16 // None removes
	Height uint16
	Delay  uint16 // client ticks
}

// Chat is a line of public chat (OSRS).
type Chat struct {
	Colour  uint8  // 13..20 have a pattern of 1..8 colours
	Effect  uint8  // 0 none
	ModIcon uint8  // crown
	Auto    bool   // typed by a machine
	Packed  []byte // the text, packed by ChatCode().Append, in normal order; 1..255 bytes
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
	EndTime   uint16 // client ticks, 0..32766; HeadBarRemoved takes the bar away
	StartTime uint16 // client ticks, 0..32767
	StartFill uint8
	EndFill   uint8 // only if EndTime > 0
}

// HeadBarRemoved is the EndTime of a HeadBar that is taken away; it has no other fields then.
const HeadBarRemoved = 32767

// Freeze holds a player's animations (OSRS).
type Freeze struct {
	Delay, Duration uint16 // client ticks
	Cancel          bool
}
