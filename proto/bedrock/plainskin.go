package bedrock

// Contents of the skin that PlainSkin returns, whose pixels all have the same colour.
const (
	plainSkinSide     = 64                 // width and height in pixels
	plainSkinColor    = "\x6a\x8d\xb5\xff" // red, green, blue and alpha of every pixel
	plainSkinID       = "truestep.plain"
	plainSkinPatch    = `{"geometry":{"default":"geometry.humanoid.custom"}}`
	plainSkinGeometry = "0.0.0" // version of the geometry; "0.0.0" selects the built-in geometry of the client
	armSizeWide       = 1
)

// plainSkin is the shared result of PlainSkin. It is never modified.
var plainSkin = makePlainSkin()

// PlainSkin returns a small skin that clients accept, for players that have no skin: 64 by 64 pixels of one colour. Its pixels
// are shared and must not be modified.
func PlainSkin() Skin { return plainSkin }

func makePlainSkin() Skin {
	pixels := make([]byte, 0, plainSkinSide*plainSkinSide*skinPixel)
	for range plainSkinSide * plainSkinSide {
		pixels = append(pixels, plainSkinColor...)
	}
	return Skin{
		SkinID: plainSkinID, FullID: plainSkinID,
		ResourcePatch:   plainSkinPatch,
		Image:           SkinImage{Width: plainSkinSide, Height: plainSkinSide, Pixels: pixels},
		GeometryVersion: plainSkinGeometry,
		ArmSize:         armSizeWide,
		PrimaryUser:     true, OverridesAppearance: true,
		Trusted: "true",
	}
}
