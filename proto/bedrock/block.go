package bedrock

// BlockState is one property of a block type, such as the half of a slab: a byte (also used for booleans), an int or a
// text. The zero Kind is StateByte.
type BlockState struct {
	Key  string         // name of the property
	Kind BlockStateKind // type of the value, which selects Int or Text
	Int  int32          // value of StateByte (0..255) or StateInt
	Text string         // value of StateText
}

// BlockStateKind is the type of a BlockState's value.
type BlockStateKind uint8

// Values of BlockStateKind: the type of a block state's value.
const (
	StateByte BlockStateKind = iota // an unsigned byte, which is also the type of booleans
	StateInt                        // a 32-bit integer
	StateText                       // a text
)

// Parameters of the 32-bit FNV-1a hash.
const (
	fnvOffset = 2166136261
	fnvPrime  = 16777619
)

// BlockHash returns the network id of a block in a world that identifies blocks by hash (StartGame's
// BlockNetworkIDsAreHashes): the 32-bit FNV-1a hash, as a signed number, of the block's NBT tag in little-endian form
// (not the network form).
//
//	0a 00 00                         compound without a name
//	08 "name" text                   the block's name, "minecraft:stone"
//	0a "states" ... 00               compound: the states, sorted by key
//	00
//
// A text is a u16 byte count and the bytes. The parameter states may be in any order; its keys must be unique. BlockHash
// does not allocate, but its sort takes quadratic time, so callers should compute a table of hashes once.
//
// Source: docs/wire/bedrock.md, StartGame (SG-4).
func BlockHash(name string, states []BlockState) int32 {
	h := fnvHash(fnvOffset).byte(tagCompound).byte(0).byte(0)
	h = h.tag(tagString, "name").text(name)
	h = h.tag(tagCompound, "states")
	last := ""
	for i := range states {
		s := nextState(states, last, i == 0)
		if s == nil {
			break
		}
		h, last = h.state(s), s.Key
	}
	return int32(h.byte(tagEnd).byte(tagEnd))
}

// nextState returns the state that follows in the alphabetical order of the keys. This is the first one after the key last, or
// the first of all if first is true. It returns nil if there is none. BlockHash thereby visits the states in order without
// allocating a sorted copy.
func nextState(states []BlockState, last string, first bool) *BlockState {
	var best *BlockState
	for i := range states {
		if s := &states[i]; (first || s.Key > last) && (best == nil || s.Key < best.Key) {
			best = s
		}
	}
	return best
}

// fnvHash is an FNV-1a hash while it is computed: the hash of the bytes up to now. Each method returns the hash after some
// further bytes.
type fnvHash uint32

func (h fnvHash) byte(c byte) fnvHash { return (h ^ fnvHash(c)) * fnvPrime }

func (h fnvHash) text(s string) fnvHash {
	h = h.byte(byte(len(s))).byte(byte(len(s) >> 8))
	for i := range len(s) {
		h = h.byte(s[i])
	}
	return h
}

func (h fnvHash) tag(kind byte, key string) fnvHash { return h.byte(kind).text(key) }

func (h fnvHash) state(s *BlockState) fnvHash {
	switch s.Kind {
	case StateText:
		return h.tag(tagString, s.Key).text(s.Text)
	case StateInt:
		h = h.tag(tagInt, s.Key)
		return h.byte(byte(s.Int)).byte(byte(s.Int >> 8)).byte(byte(s.Int >> 16)).byte(byte(s.Int >> 24))
	default:
		return h.tag(tagByte, s.Key).byte(byte(s.Int))
	}
}
