package bedrock

import (
	"encoding/hex"
	"errors"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

func TestUUIDHalvesAreByteReversedOnWire(t *testing.T) {
	const text = "00112233-4455-6677-8899-aabbccddeeff"
	u, err := ParseUUID(text)
	if err != nil {
		t.Fatal(err)
	}
	if u.String() != text {
		t.Errorf("text %s", u)
	}
	b := appendUUID(nil, u)
	if got := hex.EncodeToString(b); got != "7766554433221100ffeeddccbbaa9988" {
		t.Errorf("written as %s", got)
	}
	r := wire.NewReader(b)
	if got := readUUID(&r); got != u || r.Done("uuid") != nil {
		t.Errorf("read as %s", got)
	}
}

func TestMalformedUUIDTextIsRefused(t *testing.T) {
	for _, text := range []string{
		"", "00112233-4455-6677-8899-aabbccddeef", "00112233445566778899aabbccddeeff", "00112233-4455-6677-8899-aabbccddeefg",
		"00112233+4455-6677-8899-aabbccddeeff", "0011-2233-4455-6677-8899-aabbccddeef",
	} {
		if u, err := ParseUUID(text); !errors.Is(err, wire.ErrRange) {
			t.Errorf("%q is %s, %v", text, u, err)
		}
	}
	if u, err := ParseUUID("AABBCCDD-4455-6677-8899-AABBCCDDEEFF"); err != nil || u[0] != 0xaa {
		t.Errorf("upper case: %s, %v", u, err)
	}
}
