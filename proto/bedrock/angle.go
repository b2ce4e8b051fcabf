package bedrock

// ByteAngle is an angle in units of 1/256 of a full turn, one byte on the wire.
type ByteAngle uint8

// maxAngle is the limit of ByteAngleOf, which converts only angles below maxAngle degrees in either direction. A larger float32
// has too few digits to represent a fraction of a degree.
const maxAngle = 1 << 22 // in degrees

// ByteAngleOf converts an angle in degrees to a ByteAngle, truncated toward zero and wrapped: 90 is 64, -90 is 192, 359.9 is
// 255. NaN, and angles of 4194304 degrees or more in either direction, become 0.
func ByteAngleOf(degrees float32) ByteAngle {
	if !(degrees > -maxAngle && degrees < maxAngle) {
		return 0
	}
	return ByteAngle(uint32(int32(degrees * 256 / 360)))
}

// Degrees returns the angle in degrees, 0..358.59375. The result is exact: ByteAngleOf(a.Degrees()) == a.
func (a ByteAngle) Degrees() float32 { return float32(a) * 360 / 256 }
