package bedrock

// The plain skin: every limb in one colour, on the body that every client has.
const (
	plainSide     = 64                 // pixels
	plainColor    = "\x6a\x8d\xb5\xff" // red, green, blue, opaque
	plainID       = "truestep.plain"
	plainPatch    = `{"geometry":{"default":"geometry.humanoid.custom"}}`
	plainGeometry = "0.0.0" // with no geometry of its own: what clients have
	armsWide      = 1
)

// plainSkin is made once; nobody changes it.
var plainSkin = makePlainSkin()

// PlainSkin is a small skin that clients accept, for those who have none: 64 by 64 pixels of one colour. Its pixels are
// shared and must not be changed.
func PlainSkin() Skin { return plainSkin }

func makePlainSkin() Skin {
	pixels := make([]byte, 0, plainSide*plainSide*skinPixel)
	for range plainSide * plainSide {
		pixels = append(pixels, plainColor...)
	}
	return Skin{
		SkinID: plainID, FullID: plainID,
		ResourcePatch:   plainPatch,
		Image:           SkinImage{Width: plainSide, Height: plainSide, Pixels: pixels},
		GeometryVersion: plainGeometry,
		ArmSize:         armsWide,
		PrimaryUser:     true, OverridesAppearance: true,
		Trusted: "true",
	}
}
