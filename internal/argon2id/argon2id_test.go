package argon2id

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"testing"

	"golang.org/x/crypto/argon2"
)

// Source: RFC 9106, section 5.3.
func TestArgon2idKeyEqualsRFC9106Vector(t *testing.T) {
	const want = "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"
	var m Memory
	for range 2 { // the second hash reuses the memory of the first
		got := m.derive(bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 16), bytes.Repeat([]byte{3}, 8), bytes.Repeat([]byte{4}, 12), 3, 32, 4, 32)
		if hex.EncodeToString(got) != want {
			t.Errorf("key is %x, want %s", got, want)
		}
	}
}

// Keys of all sizes that are derived with one Memory equal those of golang.org/x/crypto.
func TestArgon2idKeyWithReusedMemoryEqualsCryptoPackage(t *testing.T) {
	var m Memory
	for i, memory := range []uint32{8, 2048, 7, 64, 33, 1000} {
		for _, lanes := range []uint8{1, 2, 4} {
			for passes := range uint32(3) {
				secret, salt := fmt.Append(nil, "secret ", i), fmt.Append(nil, "salt of 16 bytes ", i)
				size := 16 + 24*uint32(i)
				got := m.Key(secret, salt, passes+1, memory, lanes, size)
				if want := argon2.IDKey(secret, salt, passes+1, memory, lanes, size); !bytes.Equal(got, want) {
					t.Errorf("m=%d t=%d p=%d: key is %x, want %x", memory, passes+1, lanes, got, want)
				}
			}
		}
	}
	if want := 2048 << 10; m.Size() != want {
		t.Errorf("memory has %d bytes, want %d", m.Size(), want)
	}
}

func FuzzKey(f *testing.F) {
	f.Add([]byte("secret"), []byte("somesalt"), uint8(1), uint8(8), uint8(1), uint8(32))
	var m Memory
	f.Fuzz(func(t *testing.T, secret, salt []byte, passes, memory, threads, size uint8) {
		p, n := uint32(passes%4)+1, threads%4+1
		got := m.Key(secret, salt, p, uint32(memory), n, uint32(size)+1)
		if want := argon2.IDKey(secret, salt, p, uint32(memory), n, uint32(size)+1); !bytes.Equal(got, want) {
			t.Fatalf("key is %x, want %x", got, want)
		}
	})
}

func TestArgon2idMemoryIsReallocatedOnlyForLargerCost(t *testing.T) {
	var m Memory
	run := func(memory uint32) *block {
		m.Key([]byte("secret"), []byte("salt of 16 bytes"), 1, memory, 1, 32)
		return &m.blocks[0]
	}
	first := run(64)
	if run(64) != first || run(32) != first || run(65) != first {
		t.Error("a key of the same or a smaller size allocates the memory anew")
	}
	if run(128) == first || m.Size() != 128<<10 {
		t.Errorf("after a larger key the memory has %d bytes", m.Size())
	}
}

func BenchmarkKey(b *testing.B) {
	var m Memory
	b.ReportAllocs()
	for b.Loop() {
		m.Key([]byte("secret"), []byte("salt of 16 bytes"), 2, 19456, 1, 32)
	}
}
