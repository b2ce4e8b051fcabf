// Package argon2id derives keys with Argon2id (RFC 9106) and reuses the working memory for the next key.
// golang.org/x/crypto/argon2 allocates the memory for every key, 19 MB with the server's settings, which would start a
// garbage collection every few logins.
//
//	var m argon2id.Memory
//	key := m.Key(secret, salt, 2, 19456, 1, 32)
//
// Nearly all of the work is filling the memory. For this, the package calls an unexported function of
// golang.org/x/crypto/argon2, which has assembly implementations. go.mod pins the version of that module, and tests compare
// the results with those of its exported functions.
package argon2id

import (
	"encoding/binary"
	"hash"
	_ "unsafe" // required by go:linkname

	_ "golang.org/x/crypto/argon2" // contains processBlocks, linked below
	"golang.org/x/crypto/blake2b"
)

// Version is the Argon2 version number that is part of the hashed input (RFC 9106, section 3.1).
const Version = 0x13

const (
	variant    = 2          // type number of Argon2id, RFC 9106, section 3.1
	blockBytes = 1024       // length of a block, RFC 9106, section 3.2
	slices     = 4          // number of slices of a pass, RFC 9106, section 3.4
	minBlocks  = 2 * slices // minimum number of blocks of a lane
)

// block is one block of the Argon2 memory matrix, as 64-bit little-endian words.
type block [blockBytes / 8]uint64

// processBlocks fills the memory matrix. Before the call the first two blocks of each lane must be set. All others must be zero,
// because the function XORs into them.
//
//go:linkname processBlocks golang.org/x/crypto/argon2.processBlocks
func processBlocks(memory []block, passes, blocks, lanes uint32, variant int)

// Memory is reusable working memory for deriving one key at a time. The zero value is ready to use. The memory grows to the
// largest size that a call of Key has asked for.
type Memory struct{ blocks []block }

// Size returns the present size of the working memory in bytes.
func (m *Memory) Size() int { return len(m.blocks) * blockBytes }

// Key derives a key of size bytes from a secret. It panics if passes or lanes are 0.
func (m *Memory) Key(secret, salt []byte, passes, memoryKiB uint32, lanes uint8, size uint32) []byte {
	return m.derive(secret, salt, nil, nil, passes, memoryKiB, uint32(lanes), size)
}

// derive implements RFC 9106, section 3.2. The parameters key and data are the optional inputs K (a secret value) and X
// (associated data).
func (m *Memory) derive(secret, salt, key, data []byte, passes, memoryKiB, lanes, size uint32) []byte {
	if passes == 0 || lanes == 0 {
		panic("argon2id: passes and lanes must be positive")
	}
	perLane := max(memoryKiB/(slices*lanes)*slices, minBlocks)
	b := m.clear(perLane * lanes)
	seed := initialHash(secret, salt, key, data, passes, memoryKiB, lanes, size)
	for lane := range lanes {
		for column := range uint32(2) {
			b[lane*perLane+column].setHash(seed, column, lane)
		}
	}
	processBlocks(b, passes, uint32(len(b)), lanes, variant)
	last := b[perLane-1] // XOR of the last blocks of all lanes
	for lane := uint32(1); lane < lanes; lane++ {
		for i, word := range b[(lane+1)*perLane-1] {
			last[i] ^= word
		}
	}
	out := make([]byte, size)
	longHash(out, last.bytes())
	return out
}

// clear returns n blocks of the working memory with all bytes set to 0. It enlarges the memory if needed.
func (m *Memory) clear(n uint32) []block {
	if uint32(len(m.blocks)) < n {
		m.blocks = make([]block, n)
		return m.blocks
	}
	b := m.blocks[:n]
	clear(b)
	return b
}

// initialHash returns H_0 of RFC 9106, section 3.2, step 1.
func initialHash(secret, salt, key, data []byte, passes, memoryKiB, lanes, size uint32) []byte {
	in := make([]byte, 0, 256)
	for _, number := range [...]uint32{lanes, size, memoryKiB, passes, Version, variant} {
		in = binary.LittleEndian.AppendUint32(in, number)
	}
	for _, text := range [...][]byte{secret, salt, key, data} {
		in = binary.LittleEndian.AppendUint32(in, uint32(len(text)))
		in = append(in, text...)
	}
	sum := blake2b.Sum512(in)
	return sum[:]
}

// setHash sets one of the first two blocks of a lane: RFC 9106, section 3.2, steps 3 and 4.
func (b *block) setHash(seed []byte, column, lane uint32) {
	in := binary.LittleEndian.AppendUint32(append([]byte(nil), seed...), column)
	var text [blockBytes]byte
	longHash(text[:], binary.LittleEndian.AppendUint32(in, lane))
	for i := range b {
		b[i] = binary.LittleEndian.Uint64(text[8*i:])
	}
}

func (b *block) bytes() []byte {
	text := make([]byte, 0, blockBytes)
	for _, word := range b {
		text = binary.LittleEndian.AppendUint64(text, word)
	}
	return text
}

// longHash fills out with the variable-length hash H' of RFC 9106, section 3.3. Each hash of a chain is the input of the next;
// the result consists of the first half of each hash, and of the whole last one.
func longHash(out, in []byte) {
	h := newHash(len(out))
	h.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(out))))
	h.Write(in)
	sum := h.Sum(nil)
	for len(out) > blake2b.Size {
		out = out[copy(out, sum[:blake2b.Size/2]):]
		h = newHash(len(out))
		h.Write(sum)
		sum = h.Sum(sum[:0])
	}
	copy(out, sum)
}

// newHash returns BLAKE2b with a digest of n bytes, at most 64.
func newHash(n int) hash.Hash {
	h, err := blake2b.New(min(n, blake2b.Size), nil)
	if err != nil {
		panic(err) // no error is possible, because n is 1..64
	}
	return h
}
