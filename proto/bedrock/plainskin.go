package bedrock

// The plain skin: every limb in one colour, on the body that every client has.
const (
	plainSkinSide     = 64                 // pixels
	plainSkinColor    = "\x6a\x8d\xb5\xff" // red, green, blue, opaque
	plainSkinID       = "truestep.plain"
	plainSkinPatch    = `{"geometry":{"default":"geometry.humanoid.custom"}}`
	plainSkinGeometry = "0.0.0" // with no geometry of its own: what clients have
	armSizeWide       = 1
)

// plainSkin is made once; nobody changes it.
var plainSkin = makePlainSkin()

// PlainSkin is a small skin that clients accept, for those who have none: 64 by 64 pixels of one colour. Its pixels are
// shared and must not be changed.
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
