package auth

import (
	"bytes"
	"crypto/ecdsa"
	"strings"

	"github.com/go-jose/go-jose/v4"
)

// ClientData is a client's description of itself. Its content is not verified: the client may claim anything. Texts have at
// most MaxClientText bytes of valid UTF-8; longer texts are cut off when they are parsed.
type ClientData struct {
	GameVersion  string // for example "1.26.45"
	Language     string // for example "en_GB"
	DeviceModel  string // model of the device, as the client states it
	DeviceID     string // id of the device, as the client states it
	DeviceOS     int64  // operating system: 1 Android, 2 iOS, 7 Windows, 11 PlayStation, 12 Switch, 13 Xbox
	InputMode    int64  // input device: 1 mouse, 2 touch, 3 game pad, 4 motion controller
	UIProfile    int64  // layout of the screens: 0 classic, 1 pocket
	ViewDistance int64  // maximum view distance of the client in chunks; 0 if absent
	MemoryTier   int64  // memory class of the device, as the client states it
	PlatformType int64  // number of the platform, as the client states it
	Server       string // server address as the player entered it
	SelfSignedID string // UUID that the client chose for itself
	PlatformID   string // account id on the client's platform
	Skin         Skin   // appearance of the player
}

// MaxClientText is the maximum length of a text in ClientData. The value was chosen without measurements.
const MaxClientText = 256 // in bytes

// verifyClientData verifies the signature of the client-data token and parses its content. The parameter key is that of the
// verified identity; the key in the token's own header is ignored. Errors wrap a Refusal.
func verifyClientData(text string, key *ecdsa.PublicKey) (ClientData, error) {
	t, err := parseToken(text, jose.ES384)
	if err != nil {
		return ClientData{}, err
	}
	b, err := t.verify(key)
	if err != nil {
		return ClientData{}, err
	}
	return parseClientData(b)
}

// parseClientData parses the claims of a client-data token. The caller has checked their JSON with checkLimits. Errors wrap
// ErrJSON or ErrSkin.
func parseClientData(b []byte) (ClientData, error) {
	if !bytes.HasPrefix(skipSpace(b), []byte("{")) {
		return ClientData{}, ErrJSON
	}
	var f clientFields
	if err := readJSON(b, &f); err != nil {
		return ClientData{}, err
	}
	c := f.clientData()
	return c, c.Skin.check()
}

// clientFields are the members of the JSON in a client-data token that this package reads and writes. A tag states the name in
// JSON where it differs from that of the field.
type clientFields struct {
	CurrentInputMode, DefaultInputMode, DeviceOS, UIProfile int64
	MaxViewDistance, MemoryTier, PlatformType               int64
	DeviceID                                                string `json:"DeviceId"`
	DeviceModel, GameVersion, LanguageCode, ServerAddress   string
	PlatformOfflineID                                       string `json:"PlatformOfflineId"` // id of the player on the client's platform, used offline; often empty
	PlatformOnlineID                                        string `json:"PlatformOnlineId"`  // id of the player on the client's platform, used online; often empty
	PlayFabID                                               string `json:"PlayFabId"`
	SelfSignedID                                            string `json:"SelfSignedId"`
	ThirdPartyName                                          string // name of the player
	ArmSize, SkinColor                                      string
	CapeID                                                  string `json:"CapeId"`
	SkinID                                                  string `json:"SkinId"`
	SkinImageWidth, SkinImageHeight                         int
	CapeImageWidth, CapeImageHeight                         int
	SkinData, CapeData, SkinAnimationData                   []byte
	SkinGeometryData, SkinGeometryDataEngineVersion         []byte
	SkinResourcePatch                                       []byte // JSON that selects the geometry
	PersonaSkin, PremiumSkin, CapeOnClassicSkin             bool
	TrustedSkin, OverrideSkin                               bool
	AnimatedImageData                                       []animationFields // animated parts of the skin
	PersonaPieces                                           []pieceFields     // pieces of a persona
	PieceTintColors                                         []tintFields      // colours of the pieces
}

type animationFields struct {
	AnimationExpression, Type, ImageWidth, ImageHeight int
	Frames                                             float32 // number of frames
	Image                                              []byte  // RGBA pixels of the animation
}

type pieceFields struct {
	IsDefault bool   // the piece is part of the default persona
	PackID    string `json:"PackId"`
	PieceID   string `json:"PieceId"`
	PieceType string // kind of the piece
	ProductID string `json:"ProductId"`
}

type tintFields struct {
	Colors    []string // colours as #aarrggbb
	PieceType string   // type of the pieces that the colours apply to
}

// clientData converts the members of a client-data token to ClientData.
func (f *clientFields) clientData() ClientData {
	c := ClientData{
		GameVersion: truncateText(f.GameVersion), Language: truncateText(f.LanguageCode), DeviceModel: truncateText(f.DeviceModel),
		DeviceID: truncateText(f.DeviceID), DeviceOS: f.DeviceOS, InputMode: f.CurrentInputMode, UIProfile: f.UIProfile,
		ViewDistance: f.MaxViewDistance, MemoryTier: f.MemoryTier, PlatformType: f.PlatformType,
		Server: truncateText(f.ServerAddress), SelfSignedID: truncateText(f.SelfSignedID), PlatformID: truncateText(f.PlatformOnlineID),
		Skin: Skin{
			ID: truncateText(f.SkinID), PlayFabID: truncateText(f.PlayFabID), CapeID: truncateText(f.CapeID),
			Image:         SkinImage{f.SkinImageWidth, f.SkinImageHeight, f.SkinData},
			Cape:          SkinImage{f.CapeImageWidth, f.CapeImageHeight, f.CapeData},
			ResourcePatch: f.SkinResourcePatch, Geometry: f.SkinGeometryData, GeometryEngine: f.SkinGeometryDataEngineVersion,
			AnimationData: f.SkinAnimationData, ArmSize: truncateText(f.ArmSize), Colour: truncateText(f.SkinColor),
			Premium: f.PremiumSkin, Persona: f.PersonaSkin, CapeOnClassic: f.CapeOnClassicSkin,
			Trusted: f.TrustedSkin, Override: f.OverrideSkin,
		},
	}
	for _, a := range f.AnimatedImageData {
		c.Skin.Animations = append(c.Skin.Animations,
			SkinAnimation{SkinImage{a.ImageWidth, a.ImageHeight, a.Image}, a.Type, a.Frames, a.AnimationExpression})
	}
	for _, p := range f.PersonaPieces {
		c.Skin.Pieces = append(c.Skin.Pieces, PersonaPiece{truncateText(p.PieceID), truncateText(p.PieceType), truncateText(p.PackID), truncateText(p.ProductID), p.IsDefault})
	}
	for _, t := range f.PieceTintColors {
		for i := range t.Colors {
			t.Colors[i] = truncateText(t.Colors[i])
		}
		c.Skin.Tints = append(c.Skin.Tints, PersonaTint{truncateText(t.PieceType), t.Colors})
	}
	return c
}

// fields converts client data to the members of a client-data token. The parameter name is the player's name, which the
// token contains too.
func (c *ClientData) fields(name string) clientFields {
	s := &c.Skin
	f := clientFields{
		GameVersion: c.GameVersion, LanguageCode: c.Language, DeviceModel: c.DeviceModel, DeviceID: c.DeviceID,
		DeviceOS: c.DeviceOS, CurrentInputMode: c.InputMode, DefaultInputMode: c.InputMode, UIProfile: c.UIProfile,
		MaxViewDistance: c.ViewDistance, MemoryTier: c.MemoryTier, PlatformType: c.PlatformType,
		ServerAddress: c.Server, SelfSignedID: c.SelfSignedID, PlatformOnlineID: c.PlatformID, ThirdPartyName: name,
		SkinID: s.ID, PlayFabID: s.PlayFabID, CapeID: s.CapeID, ArmSize: s.ArmSize, SkinColor: s.Colour,
		SkinImageWidth: s.Image.Width, SkinImageHeight: s.Image.Height, SkinData: nonNil(s.Image.Pixels),
		CapeImageWidth: s.Cape.Width, CapeImageHeight: s.Cape.Height, CapeData: nonNil(s.Cape.Pixels),
		SkinResourcePatch: nonNil(s.ResourcePatch), SkinGeometryData: nonNil(s.Geometry),
		SkinGeometryDataEngineVersion: nonNil(s.GeometryEngine), SkinAnimationData: nonNil(s.AnimationData),
		AnimatedImageData: []animationFields{}, PersonaPieces: []pieceFields{}, PieceTintColors: []tintFields{},
		PremiumSkin: s.Premium, PersonaSkin: s.Persona,
		CapeOnClassicSkin: s.CapeOnClassic, TrustedSkin: s.Trusted, OverrideSkin: s.Override,
	}
	for _, a := range s.Animations {
		f.AnimatedImageData = append(f.AnimatedImageData,
			animationFields{a.Expression, a.Type, a.Image.Width, a.Image.Height, a.Frames, nonNil(a.Image.Pixels)})
	}
	for _, p := range s.Pieces {
		f.PersonaPieces = append(f.PersonaPieces, pieceFields{p.Default, p.PackID, p.PieceID, p.Type, p.ProductID})
	}
	for _, t := range s.Tints {
		f.PieceTintColors = append(f.PieceTintColors, tintFields{t.Colours, t.Type})
	}
	return f
}

// nonNil returns b, or an empty slice if b is nil. JSON encodes a nil slice as null, which some servers refuse.
func nonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// truncateText returns a copy of a text, cut to at most MaxClientText bytes of valid UTF-8.
func truncateText(s string) string {
	if len(s) > MaxClientText {
		s = s[:MaxClientText]
	}
	return strings.Clone(strings.ToValidUTF8(s, ""))
}
