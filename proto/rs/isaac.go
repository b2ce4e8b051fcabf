package rs

// Keys are the four random words that a client generates for a session and sends inside the RSA block. They are the key of
// XTEA, and the keys of the opcode ciphers of both directions are derived from them. The XTEA keys of map squares have the same
// type.
type Keys [4]uint32

// serverKeyStep is added to each key word for the cipher of the direction server to client. Source: docs/wire/rs.md, ciphers.
const serverKeyStep = 50

// ClientCipher returns the opcode cipher of the direction client to server.
func (k Keys) ClientCipher() *ISAAC { return NewISAAC(k) }

// ServerCipher returns the opcode cipher of the direction server to client. Its seed is the key with 50 added to every word, modulo 2^32.
func (k Keys) ServerCipher() *ISAAC {
	for i := range k {
		k[i] += serverKeyStep
	}
	return NewISAAC(k)
}

const (
	isaacWords  = 256
	isaacGolden = 0x9e3779b9
)

// ISAAC is the random number generator ISAAC with 256 words of state (Bob Jenkins, 1996). Its results are read from
// index 255 downwards, as RuneScape clients do. It only obfuscates opcodes; it is not a modern cipher. Each direction of a
// session needs its own generator, which must be used by one goroutine at a time.
type ISAAC struct {
	results [isaacWords]uint32
	state   [isaacWords]uint32
	a, b, c uint32
	left    int // number of unread results; results[:left] are unread
}

// NewISAAC returns a generator whose 256-word seed begins with the four words of seed and is 0 otherwise.
func NewISAAC(seed [4]uint32) *ISAAC {
	g := new(ISAAC)
	copy(g.results[:], seed[:])
	g.init()
	g.refill()
	return g
}

// NextWord returns the next 32-bit word of the key stream.
func (g *ISAAC) NextWord() uint32 {
	if g.left == 0 {
		g.refill()
	}
	g.left--
	return g.results[g.left]
}

// init fills the state from the seed, which is in results: it mixes the seed into the state, and then the state into itself.
func (g *ISAAC) init() {
	var m [8]uint32
	for i := range m {
		m[i] = isaacGolden
	}
	for range 4 {
		mixISAAC(&m)
	}
	for _, from := range [...]*[isaacWords]uint32{&g.results, &g.state} {
		for i := 0; i < isaacWords; i += len(m) {
			for j := range m {
				m[j] += from[i+j]
			}
			mixISAAC(&m)
			copy(g.state[i:], m[:])
		}
	}
}

// mixISAAC mixes eight words. The algorithm defines the shifts.
func mixISAAC(m *[8]uint32) {
	for i, shift := range [8]uint{11, 2, 8, 16, 10, 4, 8, 9} {
		next := m[(i+1)&7]
		if i&1 == 0 {
			m[i] ^= next << shift
		} else {
			m[i] ^= next >> shift
		}
		m[(i+3)&7] += m[i]
		m[(i+1)&7] = next + m[(i+2)&7]
	}
}

// refill generates the next 256 words of the key stream.
func (g *ISAAC) refill() {
	g.c++
	g.b += g.c
	for i := range g.state {
		switch i & 3 {
		case 0:
			g.a ^= g.a << 13
		case 1:
			g.a ^= g.a >> 6
		case 2:
			g.a ^= g.a << 2
		case 3:
			g.a ^= g.a >> 16
		}
		g.a += g.state[(i+isaacWords/2)%isaacWords]
		x := g.state[i]
		y := g.state[x>>2%isaacWords] + g.a + g.b
		g.state[i] = y
		g.b = g.state[y>>10%isaacWords] + x
		g.results[i] = g.b
	}
	g.left = isaacWords
}
