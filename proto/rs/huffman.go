package rs

import (
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// MaxChatLength is the maximum length of packed text in characters. A text of this length fits into a MESSAGE_PUBLIC even
// if every character has the longest code, 22 bits.
const MaxChatLength = 90

// maxCode is the maximum length of a character's code in bits.
const maxCode = 24

// Huffman is a prefix code over the 256 bytes of Windows-1252 that packs chat text. It is immutable.
//
//	off  size   field    encoding  unit and range
//	0    1..2   Length   smart     bytes of the text, not of the packed form
//	     n      Bits     codes     highest bit of a byte first, zeros up to a whole byte
//
// Source: docs/wire/rs.md, packed text.
type Huffman struct {
	codes   [256]uint32
	lengths [256]uint8

	// tree has the two children of each inner node. A child is the number of another inner node, or -v-1 for a leaf with the
	// byte value v. While the tree is built, 0 stands for a free place; node 0 is the root and never a child.
	tree [255][2]int16
}

// NewHuffman builds a prefix code. The parameter lengths has the length of each byte value's code, 1 to 24 bits. One after the
// other, beginning with byte value 0, each value gets the leftmost free place at its depth of the tree. A canonical Huffman
// code, in contrast, assigns the shorter codes first. The error wraps wire.ErrRange if the lengths do not fill the tree
// exactly.
func NewHuffman(lengths [256]uint8) (*Huffman, error) {
	h := &Huffman{lengths: lengths}
	nodes := 1
	for v, n := range lengths {
		if n < 1 || n > maxCode || !h.assignCode(0, uint8(v), 0, n, &nodes) {
			return nil, fmt.Errorf("code length of byte %d is %d bits, which does not fit the Huffman tree: %w", v, n, wire.ErrRange)
		}
	}
	return h, nil // 256 codes fill 255 nodes exactly: a free leaf would have left another code without a node
}

// assignCode assigns the byte value v to the first free leaf that is depth levels below node. The parameter prefix is the code of
// node, and nodes the number of inner nodes so far. It returns false if there is no such leaf.
func (h *Huffman) assignCode(node int16, v uint8, prefix uint32, depth uint8, nodes *int) (assigned bool) {
	for bit := range h.tree[node] {
		code := prefix<<1 | uint32(bit)
		child := h.tree[node][bit]
		if depth == 1 {
			if child == 0 {
				h.codes[v], h.tree[node][bit] = code, -int16(v)-1
				return true
			}
			continue
		}
		if child == 0 && *nodes < len(h.tree) {
			child = int16(*nodes)
			h.tree[node][bit] = child
			*nodes++
		}
		if child > 0 && h.assignCode(child, v, code, depth-1, nodes) {
			return true
		}
	}
	return false
}

// Append appends the packed form of text, Windows-1252 of at most 32767 bytes, and returns the longer slice.
func (h *Huffman) Append(b, text []byte) []byte {
	w := NewBitWriter(appendSmart(b, uint32(len(text))))
	for _, c := range text {
		w.Put(uint64(h.codes[c]), uint(h.lengths[c]))
	}
	return w.Bytes()
}

// Parse unpacks all of b, which it borrows, and appends the text to dst. A text of more than limit bytes is an error. Errors wrap
// wire.ErrShort, wire.ErrTrailing, or wire.ErrRange (the text is too long, or padding bits are set); dst is then returned as it
// was.
func (h *Huffman) Parse(dst, b []byte, limit int) ([]byte, error) {
	r := wire.NewReader(b)
	n := readSmart(&r)
	if n > uint32(max(limit, 0)) {
		r.Fail(errLimit)
	}
	packed := r.Rest()
	if err := r.Done("packed text"); err != nil {
		return dst, err
	}
	bit, text := 0, dst
	for range n {
		node := int16(0)
		for {
			if bit == 8*len(packed) {
				return dst, fmt.Errorf("packed text ends after %d of %d characters: %w", len(text)-len(dst), n, wire.ErrShort)
			}
			node = h.tree[node][packed[bit>>3]>>(^bit&7)&1]
			bit++
			if node < 0 {
				break
			}
		}
		text = append(text, uint8(-node-1))
	}
	if used := (bit + 7) / 8; used != len(packed) {
		return dst, fmt.Errorf("packed text uses only %d of %d bytes: %w", used, len(packed), wire.ErrTrailing)
	}
	if bit&7 != 0 && packed[bit>>3]<<(bit&7) != 0 {
		return dst, fmt.Errorf("packed text has padding bits that are not 0: %w", wire.ErrRange)
	}
	return text, nil
}

// chatHuffman packs the chat text of all supported revisions. Clients read the same code lengths from their game cache.
var chatHuffman = func() *Huffman {
	h, err := NewHuffman(chatLengths)
	if err != nil {
		panic(err)
	}
	return h
}()

// ChatHuffman returns the code with which clients pack chat text.
func ChatHuffman() *Huffman { return chatHuffman }

// chatLengths has the code length in bits of each byte value, 32 values per line. Source: docs/wire/rs.md, packed
// text.
var chatLengths = [256]uint8{
	22, 22, 22, 22, 22, 22, 21, 22, 22, 20, 22, 22, 22, 21, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22,
	3, 8, 22, 16, 22, 16, 17, 7, 13, 13, 13, 16, 7, 10, 6, 16, 10, 11, 12, 12, 12, 12, 13, 13, 14, 14, 11, 14, 19, 15, 17, 8,
	11, 9, 10, 10, 10, 10, 11, 10, 9, 7, 12, 11, 10, 10, 9, 10, 10, 12, 10, 9, 8, 12, 12, 9, 14, 8, 12, 17, 16, 17, 22, 13,
	21, 4, 7, 6, 5, 3, 6, 6, 5, 4, 10, 7, 5, 6, 4, 4, 6, 10, 5, 4, 4, 5, 7, 6, 10, 6, 10, 22, 19, 22, 14, 22,
	22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22,
	22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22,
	22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22,
	22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 21, 22, 21, 22, 22, 22, 21, 22, 22,
}
