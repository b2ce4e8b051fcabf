package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// Skin is the appearance of a player, in PlayerList.
//
//	size  field                 encoding  range
//	      SkinID                str
//	      PlayFabID             str
//	      ResourcePatch         str       JSON: selects the geometry
//	      Image                 SkinImage
//	      Animations            list      up to 128
//	      Cape                  SkinImage
//	      Geometry              str       JSON; "" for a built-in geometry
//	      GeometryVersion       str
//	      AnimationData         str
//	      CapeID                str
//	      FullID                str       SkinID and CapeID
//	1     ArmSize               u8        0 slim, 1 wide
//	4     Color                 i32 BE    ARGB
//	      Pieces                list      up to 128: pieces of a persona
//	      Tints                 list      up to 128
//	1     Premium               bool
//	1     Persona               bool
//	1     CapeOnClassic         bool
//	1     PrimaryUser           bool
//	1     OverridesAppearance   bool
//	      Trusted               str       "true" or "false"
//	      ProfileHash           str
//
// Source: docs/wire/bedrock.md, other packets (PlayerList).
type Skin struct {
	SkinID, PlayFabID         string          // id of the skin, and id of the player's account
	ResourcePatch             string          // JSON that selects the geometry
	Image                     SkinImage       // pixels of the skin
	Animations                []SkinAnimation // animated parts of the skin
	Cape                      SkinImage       // pixels of the cape; empty if there is none
	Geometry, GeometryVersion string          // Geometry is JSON, or "" for a built-in geometry
	AnimationData             string          // JSON that describes the animations
	CapeID, FullID            string          // FullID combines SkinID and CapeID
	ArmSize                   uint8           // 0 slim, 1 wide
	Color                     uint32          // skin colour as ARGB
	Pieces                    []PersonaPiece  // pieces of a persona
	Tints                     []PersonaTint   // colours of the pieces
	Premium, Persona          bool            // Premium: the skin is from the marketplace; Persona: the skin is assembled from Pieces
	CapeOnClassic             bool            // the cape belongs to a skin that is no persona
	PrimaryUser               bool            // the player is the first on its device
	OverridesAppearance       bool            // the skin replaces the appearance that the client would choose
	Trusted                   string          // "true" if the skin counts as trusted, otherwise "false"
	ProfileHash               string          // hash of the profile of the player; not used by Truestep
}

// SkinImage is a picture of Width by Height pixels, four bytes (red, green, blue, alpha) each, row by row from the top.
//
//	size  field   encoding  range
//	4     Width   i32       0..512
//	4     Height  i32       0..512
//	      Pixels  bytes     4 * Width * Height
type SkinImage struct {
	Width, Height int32  // size in pixels, at most 512
	Pixels        []byte // pixels in rows from the top, borrowed after parsing; nil if empty
}

// SkinAnimation is an animated texture, for instance of a persona's face.
//
//	size  field       encoding  range
//	      Image       SkinImage
//	      Type        varu32
//	4     Frames      f32
//	      Expression  varu32
type SkinAnimation struct {
	Image      SkinImage // pixels of the animation
	Type       uint32    // kind of the animation
	Frames     float32   // number of frames
	Expression uint32    // how the frames are played; see auth.SkinAnimation
}

// PersonaPiece is one part of a persona, a skin that is built from ready-made parts.
//
//	size  field      encoding  range
//	      PieceID    str
//	4     Type       i32
//	16    PackID     uuid
//	1     Default    bool
//	      ProductID  str
type PersonaPiece struct {
	PieceID   string // id of the piece
	Type      int32  // kind of the piece
	PackID    UUID   // id of the pack that contains the piece
	Default   bool   // the piece is part of the default persona
	ProductID string // id in the marketplace; "" for a default piece
}

// PersonaTint holds the colours of those parts of a persona that have one type, such as the hair.
//
//	size  field   encoding
//	      Type    str
//	16    Colors  four i32 BE, ARGB
type PersonaTint struct {
	Type   string    // type of the pieces that the colours apply to
	Colors [4]uint32 // colours as ARGB
}

// Maximum and minimum sizes of the parts of a Skin.
const (
	maxSkinSide    = 512                      // maximum width and height of an image in pixels (rule VE-3 of docs/wire/bedrock.md)
	maxSkinParts   = 128                      // maximum number of pieces, tints or animations; chosen well above the dozens of a persona
	skinPixel      = 4                        // bytes per pixel
	minSkinImage   = 4 + 4 + 1                // minimum bytes of an image: an empty one
	minAnimation   = minSkinImage + 1 + 4 + 1 // minimum bytes of an animation: that with an empty image
	minPersona     = 1 + 4 + 16 + 1 + 1       // minimum bytes of a persona piece: that with empty texts
	minPersonaTint = 1 + 4*4                  // minimum bytes of a tint: that with an empty type
)

// ParseSkin decodes a skin. Its images share the memory of b. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseSkin(b []byte) (Skin, error) {
	r := wire.NewReader(b)
	s := readSkin(&r)
	return s, r.Done("Skin")
}

// Append appends the skin, which is the same in every protocol version, to b and returns the extended slice.
func (s *Skin) Append(b []byte) []byte {
	b = wire.VarStr(wire.VarStr(wire.VarStr(b, s.SkinID), s.PlayFabID), s.ResourcePatch)
	b = appendList(appendSkinImage(b, s.Image), s.Animations, appendSkinAnimation)
	b = wire.VarStr(wire.VarStr(appendSkinImage(b, s.Cape), s.Geometry), s.GeometryVersion)
	b = wire.VarStr(wire.VarStr(wire.VarStr(b, s.AnimationData), s.CapeID), s.FullID)
	b = wire.BE32(append(b, s.ArmSize), s.Color)
	b = appendList(appendList(b, s.Pieces, appendPersonaPiece), s.Tints, appendPersonaTint)
	b = wire.Bool(wire.Bool(wire.Bool(b, s.Premium), s.Persona), s.CapeOnClassic)
	b = wire.Bool(wire.Bool(b, s.PrimaryUser), s.OverridesAppearance)
	return wire.VarStr(wire.VarStr(b, s.Trusted), s.ProfileHash)
}

// Validate returns an error that wraps wire.ErrRange if an image does not match its stated size or exceeds the limits. A
// parsed skin always passes.
func (s *Skin) Validate() error {
	r := wire.NewReader(nil)
	checkSkinImage(&r, s.Image)
	checkSkinImage(&r, s.Cape)
	for _, a := range s.Animations {
		checkSkinImage(&r, a.Image)
	}
	return r.Done("Skin")
}

func readSkin(r *wire.Reader) Skin {
	return Skin{
		SkinID: r.VarStr(), PlayFabID: r.VarStr(), ResourcePatch: r.VarStr(),
		Image:      readSkinImage(r),
		Animations: readList(r, minAnimation, maxSkinParts, readSkinAnimation),
		Cape:       readSkinImage(r),
		Geometry:   r.VarStr(), GeometryVersion: r.VarStr(),
		AnimationData: r.VarStr(), CapeID: r.VarStr(), FullID: r.VarStr(),
		ArmSize: r.U8(), Color: r.BE32(),
		Pieces:  readList(r, minPersona, maxSkinParts, readPersonaPiece),
		Tints:   readList(r, minPersonaTint, maxSkinParts, readPersonaTint),
		Premium: r.Bool(), Persona: r.Bool(), CapeOnClassic: r.Bool(), PrimaryUser: r.Bool(),
		OverridesAppearance: r.Bool(),
		Trusted:             r.VarStr(), ProfileHash: r.VarStr(),
	}
}

func readSkinImage(r *wire.Reader) SkinImage {
	i := SkinImage{Width: r.I32(), Height: r.I32()}
	if pixels := r.VarBytes(); len(pixels) > 0 {
		i.Pixels = pixels
	}
	checkSkinImage(r, i)
	return i
}

func checkSkinImage(r *wire.Reader, i SkinImage) {
	ok := 0 <= i.Width && i.Width <= maxSkinSide && 0 <= i.Height && i.Height <= maxSkinSide
	r.CheckRange(ok && int(i.Width)*int(i.Height)*skinPixel == len(i.Pixels), "size of a skin image")
}

func appendSkinImage(b []byte, i SkinImage) []byte {
	return wire.VarBytes(wire.I32(wire.I32(b, i.Width), i.Height), i.Pixels)
}

func readSkinAnimation(r *wire.Reader) SkinAnimation {
	return SkinAnimation{Image: readSkinImage(r), Type: r.VarU32(), Frames: r.F32(), Expression: r.VarU32()}
}

func appendSkinAnimation(b []byte, a SkinAnimation) []byte {
	return wire.VarU32(wire.F32(wire.VarU32(appendSkinImage(b, a.Image), a.Type), a.Frames), a.Expression)
}

func readPersonaPiece(r *wire.Reader) PersonaPiece {
	return PersonaPiece{
		PieceID: r.VarStr(), Type: r.I32(), PackID: readUUID(r), Default: r.Bool(), ProductID: r.VarStr(),
	}
}

func appendPersonaPiece(b []byte, p PersonaPiece) []byte {
	b = appendUUID(wire.I32(wire.VarStr(b, p.PieceID), p.Type), p.PackID)
	return wire.VarStr(wire.Bool(b, p.Default), p.ProductID)
}

func readPersonaTint(r *wire.Reader) PersonaTint {
	return PersonaTint{Type: r.VarStr(), Colors: [4]uint32{r.BE32(), r.BE32(), r.BE32(), r.BE32()}}
}

func appendPersonaTint(b []byte, t PersonaTint) []byte {
	b = wire.VarStr(b, t.Type)
	for _, c := range t.Colors {
		b = wire.BE32(b, c)
	}
	return b
}
