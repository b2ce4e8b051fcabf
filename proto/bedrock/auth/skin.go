package auth

import "fmt"

// Limits of a skin, required by rule VE-3 of docs/wire/bedrock.md. The maximum counts are chosen as several times the counts
// that the bedrock-protocol npm client sends.
const (
	MaxSkinSide   = 512 // maximum width and height of a skin, a cape or an animation, pixels
	maxAnimations = 16  // maximum animations per skin
	maxPieces     = 64  // maximum persona pieces per skin, and maximum tints per skin
	maxColours    = 16  // maximum colours per tint
)

// SkinImage is a picture of Width by Height pixels with four bytes each: red, green, blue, alpha. The first row is the
// top one.
type SkinImage struct {
	Width, Height int    // size in pixels
	Pixels        []byte // pixels, 4 * Width * Height bytes; empty if there is no image
}

// check returns an error, which wraps ErrSkin, if the image is too large or its size does not match the number of its bytes.
// The error text names the image by the parameter what.
func (m SkinImage) check(what string) error {
	sized := m.Width >= 0 && m.Height >= 0 && m.Width <= MaxSkinSide && m.Height <= MaxSkinSide
	if !sized || len(m.Pixels) != 4*m.Width*m.Height {
		return fmt.Errorf("%s has %d x %d pixels and %d bytes of data, must have at most %d x %d pixels and 4 bytes for each pixel: %w", what, m.Width, m.Height, len(m.Pixels), MaxSkinSide, MaxSkinSide, ErrSkin)
	}
	return nil
}

// Skin is the appearance of a player, as the client claims. The server passes texts and JSON on to other clients and checks
// only their sizes.
type Skin struct {
	ID, PlayFabID  string          // id of the skin; PlayFabID is the player's account id
	Image          SkinImage       // pixels of the skin; never empty
	Cape           SkinImage       // the cape; empty if there is none
	CapeID         string          // id of the cape; "" if there is none
	ResourcePatch  []byte          // JSON that selects the geometry
	Geometry       []byte          // JSON of the geometry
	GeometryEngine []byte          // version of the geometry, as text
	AnimationData  []byte          // JSON that describes the animations
	Animations     []SkinAnimation // animated parts of the skin
	Pieces         []PersonaPiece  // pieces of a persona
	Tints          []PersonaTint   // colours of the pieces
	ArmSize        string          // width of the arms: "wide", "slim" or ""
	Colour         string          // skin colour as #rrggbb or #aarrggbb

	Premium, Persona, CapeOnClassic, Trusted, Override bool // flags as in proto/bedrock.Skin
}

// SkinAnimation is one animated image of a skin.
type SkinAnimation struct {
	Image      SkinImage // pixels of the animation
	Type       int       // animated part: 1 face, 2 body of 32 x 32 pixels, 3 body of 128 x 128 pixels
	Frames     float32   // number of frames
	Expression int       // how the frames are played: 0 linear, that is, one after the other; 1 blinking
}

// PersonaPiece is one part of a persona, a skin that is built from ready-made parts.
type PersonaPiece struct {
	PieceID, Type, PackID, ProductID string // ids of the piece, its pack and its product; Type is the kind of the piece
	Default                          bool   // the piece is part of the default persona
}

// PersonaTint holds the colours of all pieces of a persona that have the same type, such as hair.
type PersonaTint struct {
	Type    string   // type of the pieces that the colours apply to
	Colours []string // colours as #aarrggbb
}

// check refuses a skin with images of the wrong size or with too many parts (rule VE-3 of docs/wire/bedrock.md).
// Errors wrap ErrSkin.
func (s *Skin) check() error {
	if len(s.Image.Pixels) == 0 {
		return fmt.Errorf("skin has no image: %w", ErrSkin)
	}
	if err := s.Image.check("skin"); err != nil {
		return err
	}
	if err := s.Cape.check("cape"); err != nil {
		return err
	}
	if len(s.Animations) > maxAnimations || len(s.Pieces) > maxPieces || len(s.Tints) > maxPieces {
		return fmt.Errorf("skin has %d animations, %d persona pieces and %d persona tints; the limits are %d, %d and %d: %w",
			len(s.Animations), len(s.Pieces), len(s.Tints), maxAnimations, maxPieces, maxPieces, ErrSkin)
	}
	for i := range s.Animations {
		if err := s.Animations[i].Image.check("animation"); err != nil {
			return err
		}
	}
	for i := range s.Tints {
		if n := len(s.Tints[i].Colours); n > maxColours {
			return fmt.Errorf("persona tint of the skin has %d colours, at most %d allowed: %w", n, maxColours, ErrSkin)
		}
	}
	return nil
}
