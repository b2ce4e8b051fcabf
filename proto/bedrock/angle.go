package bedrock

// ByteAngle is an angle in 256 parts of a full turn, as a byte on the wire.
type ByteAngle uint8

// maxAngle is where a float32 has no fractions of a degree left that could matter.
const maxAngle = 1 << 22 // degrees

// AngleOf is the byte of an angle in degrees, cut toward zero and wrapped: 90 is 64, -90 is 192, 359.9 is 255. NaN and
// angles beyond 4194304 degrees are 0.
func AngleOf(degrees float32) ByteAngle {
	if !(degrees > -maxAngle && degrees < maxAngle) {
		return 0
	}
	return ByteAngle(uint32(int32(degrees * 256 / 360)))
}

// Degrees is the angle, 0 up to 358.59375. AngleOf gives the same byte again.
func (a ByteAngle) Degrees() float32 { return float32(a) * 360 / 256 }
