package rs

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// ErrKey is wrapped by errors of ParsePublicKey.
var ErrKey = errors.New("the text is not the public key of a server")

const maxKeyText = 16 << 10 // longest key text in bytes

// ParsePublicKey reads a server's public key from the text that the server writes for patching game clients. Each line has a name
// and a number: exponent and modulus are decimal, exponent_hex and modulus_hex hexadecimal. Each number may be given in
// decimal, in hexadecimal, or in both forms. Lines that begin with # and lines with other names are ignored. Errors wrap ErrKey
// and name the line.
func ParsePublicKey(text []byte) (*proto.PublicKey, error) {
	if len(text) > maxKeyText {
		return nil, fmt.Errorf("%w: the text has %d bytes, at most %d are allowed", ErrKey, len(text), maxKeyText)
	}
	key := new(proto.PublicKey)
	places := map[string]struct {
		to   **big.Int
		base int
	}{
		"exponent": {&key.E, 10}, "exponent_hex": {&key.E, 16}, "modulus": {&key.N, 10}, "modulus_hex": {&key.N, 16},
	}
	for i, line := range strings.Split(string(text), "\n") {
		f := strings.Fields(line)
		if len(f) == 0 || strings.HasPrefix(f[0], "#") {
			continue
		}
		at, known := places[f[0]]
		if !known {
			continue
		}
		if len(f) != 2 {
			return nil, fmt.Errorf("%w: line %d: %q must be followed by one number", ErrKey, i+1, f[0])
		}
		n, ok := new(big.Int).SetString(f[1], at.base)
		switch {
		case !ok || n.Sign() <= 0 || n.BitLen() > 8*proto.MaxModulus:
			return nil, fmt.Errorf("%w: line %d: %s must be a number of 1 to %d bits in base %d", ErrKey, i+1, f[0], 8*proto.MaxModulus, at.base)
		case *at.to != nil && (*at.to).Cmp(n) != 0:
			return nil, fmt.Errorf("%w: line %d: %s differs from its value on an earlier line", ErrKey, i+1, f[0])
		}
		*at.to = n
	}
	if key.E == nil || key.N == nil {
		return nil, fmt.Errorf("%w: the text needs a line with \"exponent\" or \"exponent_hex\" and a line with \"modulus\" or \"modulus_hex\"", ErrKey)
	}
	return key, nil
}
