package bedrock

import (
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/truestep-io/truestep/proto/wire"
)

// UUID is a universally unique identifier. Its 16 bytes are in the order of the text form.
//
// On the wire each half of 8 bytes is a little-endian number, so its bytes are reversed. The bedrock-protocol npm
// client does not reverse them and therefore displays another text for most UUIDs.
//
// Source: docs/wire/bedrock.md, primitive encodings.
type UUID [16]byte

// ParseUUID parses the text form, 8-4-4-4-12 hexadecimal digits of either case. Errors wrap wire.ErrRange.
func ParseUUID(text string) (UUID, error) {
	var u UUID
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return UUID{}, fmt.Errorf("UUID %.40q is not 8-4-4-4-12 hexadecimal digits: %w", text, wire.ErrRange)
	}
	digits := text[:8] + text[9:13] + text[14:18] + text[19:23] + text[24:]
	if _, err := hex.Decode(u[:], []byte(digits)); err != nil {
		return UUID{}, fmt.Errorf("UUID %.40q is not 8-4-4-4-12 hexadecimal digits: %w", text, wire.ErrRange)
	}
	return u, nil
}

// String returns the text form in lower case.
func (u UUID) String() string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// wireOrder converts a UUID between the order of its text form and that on the wire: it reverses the bytes of each half.
// Applied twice, it returns the original UUID.
func (u UUID) wireOrder() UUID {
	slices.Reverse(u[:8])
	slices.Reverse(u[8:])
	return u
}

func readUUID(r *wire.Reader) UUID {
	var u UUID
	copy(u[:], r.Bytes(len(u)))
	return u.wireOrder()
}

func appendUUID(b []byte, u UUID) []byte {
	u = u.wireOrder()
	return append(b, u[:]...)
}
