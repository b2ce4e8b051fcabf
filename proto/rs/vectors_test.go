package rs

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// infoVector is a player-info payload and the state of a client after it. An unmodified client of revision 667 accepted
// each payload and ended in that state.
type infoVector struct {
	name string
	hex  string
	bits string // the four passes; "-" for an empty pass, "*" for a pass of which the document states only the length
	want string // local players as index@x,z,plane, then external players that are not at 0,0,0 as index=x,z,plane
}

// infoScene is a sequence of packets to one client.
type infoScene struct {
	name    string
	start   string // state before the first packet, in the format of infoVector.want
	packets []infoVector
}

// infoScenes are the vectors of docs/wire/rs.md for profile 667.
var infoScenes = []infoScene{
	{"one player alone", "1@3200,3200,0", []infoVector{
		{"V01", "007ff4", "000 - - 01111111111101", "1@3200,3200,0"},
		{"V02", "007ff4", "- 000 01111111111101 -", "1@3200,3200,0"},
		{"V03", "987ff4", "- 1001100 01111111111101 -", "1@3201,3200,0"},
		{"V04", "007ff4", "000 - 01111111111101 -", "1@3201,3200,0"},
		{"V05", "aa7ff4", "- 10101010 01111111111101 -", "1@3203,3201,0"},
		{"V06", "b1b3807ff4", "10110001101100111 - 01111111111101 -", "1@3198,3208,0"},
		{"V07", "b200007ff4", "10110010000000000 - 01111111111101 -", "1@3198,3208,1"},
		{"V08", "be1f47e7007ff4", "10111110000111110100011111100111000 - 01111111111101 -", "1@4198,3008,0"},
		{"V09", "c07ff4017f", "1100 - 01111111111101 -", "1@4198,3008,0"},
		{"V09b", "d67ff48002fe", "1101011 - 01111111111101 -", "1@4197,3008,0"},
		{"V09c", "ef7ff4800281", "11101111 - 01111111111101 -", "1@4199,3010,0"},
		{"V09d", "f0ab007ff48102817e", "11110000101010110 - 01111111111101 -", "1@4209,3000,0"},
	}},
	{"add and remove", "1@3200,3200,0 2=50,50,0 3=49,50,0", []infoVector{
		{"V10", "00814a3ff8", "000 - - 1000000101001010001111111111100", "1@3200,3200,0 2@3205,3210,0 3=49,50,0"},
		{"V11", "217ff0", "- 00100001 01111111111100 -", "1@3200,3200,0 2@3205,3210,0 3=49,50,0"},
		{"V12", "13407ff0", "- 0001001101 01111111111100 -", "1@3200,3200,0 2@3204,3211,0 3=49,50,0"},
		{"V13", "80007ff0", "10000 000 01111111111100 -", "1@3200,3200,0 2=50,50,0 3=49,50,0"},
		{"V14", "007ff000", "- 000 01111111111100 000", "1@3200,3200,0 2=50,50,0 3=49,50,0"},
		{"V15", "0013081feffd8008500000ffff0000000000011200011a012401000121012a010a000000000000000000000000000592426f7431000303ff00", "- 000 00010011000010000001111111101111111111011 -", "1@3200,3200,0 3@3201,3199,0 2=50,50,0"},
		{"V16", "11e32f707ff0", "- 0001000111100011001011110111 01111111111100 -", "1@3200,3200,0 2=50,50,0 3=100,40,2"},
		{"V16b", "007ff09ece0a0c40", "- 000 01111111111100 1001111011001110000010100000110001000", "1@3200,3200,0 3@3203,3204,0 2=50,50,0"},
		{"V16c", "11507ff0", "- 000100010101 01111111111100 -", "1@3200,3200,0 2=50,50,0 3=50,50,1"},
	}},
	{"external changes", "1@3200,3200,0 5=50,50,0 6=10,20,3 7=0,0,1 9=255,1,0", []infoVector{
		{"V17", "0022c2af7200c700801ff5", "000 - - *", "1@3200,3200,0 5=51,49,0 6=10,20,0 7=200,3,2 9=1,1,0"},
		{"V18", "007fe423", "- 000 01111111111001 00100011", "1@3200,3200,0 5=51,49,0 6=10,20,0 7=200,3,2 9=1,1,0"},
		{"V19", "0022cf4bb88fcd00", "- 000 0010001011001111010010111011100010001111110011010 -", "1@3200,3200,0 5=52,50,1 6=10,20,0 7=200,3,2 9=1,1,0 100=1,0,0"},
	}},
	{"run of 1", "1@3200,3200,0", []infoVector{
		{"V20.1", "0018effd80", "000 - - 0001100011101111111111011", "1@3200,3200,0 3=1,1,0"},
	}},
	{"run of 2", "1@3200,3200,0", []infoVector{
		{"V20.2", "0021c77fe8", "000 - - 001000011100011101111111111010", "1@3200,3200,0 4=1,1,0"},
	}},
	{"run of 31", "1@3200,3200,0", []infoVector{
		{"V20.31", "003ec77f74", "000 - - 001111101100011101111111011101", "1@3200,3200,0 33=1,1,0"},
	}},
	{"run of 32", "1@3200,3200,0", []infoVector{
		{"V20.32", "003fc77f70", "000 - - 001111111100011101111111011100", "1@3200,3200,0 34=1,1,0"},
	}},
	{"run of 33", "1@3200,3200,0", []infoVector{
		{"V20.33", "004418efed80", "000 - - 010001000001100011101111111011011", "1@3200,3200,0 35=1,1,0"},
	}},
	{"run of 255", "1@3200,3200,0", []infoVector{
		{"V20.255", "005fd8ef7e80", "000 - - 010111111101100011101111011111101", "1@3200,3200,0 257=1,1,0"},
	}},
	{"run of 256", "1@3200,3200,0", []infoVector{
		{"V20.256", "005ff8ef7e00", "000 - - 010111111111100011101111011111100", "1@3200,3200,0 258=1,1,0"},
	}},
	{"run of 257", "1@3200,3200,0", []infoVector{
		{"V20.257", "0064031defb0", "000 - - 011001000000001100011101111011111011", "1@3200,3200,0 259=1,1,0"},
	}},
	{"run of 2045", "1@3200,3200,0", []infoVector{
		{"V20.2045", "007ff31c", "000 - - 0111111111110011000111", "1@3200,3200,0 2047=1,1,0"},
	}},
	{"skip flag over several cycles", "10@3200,3200,0 1=50,50,0 2=50,50,0 3=50,50,0 4=50,50,0 5=50,50,0 6=50,50,0 7=50,50,0", []infoVector{
		{"V21a", "00804140412030d0208814540c32071cffb0", "000 - - *", "1@3201,3201,0 2@3202,3202,0 3@3203,3203,0 4@3204,3204,0 5@3205,3205,0 6@3206,3206,0 7@3207,3207,0 10@3200,3200,0"},
		{"V21b", "13086491007fd8", "- 000100110000100001100100100100010 01111111110110 -", "1@3201,3201,0 2@3203,3202,0 3@3203,3203,0 4@3204,3204,0 5@3205,3204,0 6@3206,3206,0 7@3207,3207,0 10@3200,3200,0"},
		{"V21c", "124022a7217fd8", "0001001001 001000101010011100100001 01111111110110 -", "1@3201,3201,0 2@3203,3202,0 3@3203,3203,0 4@3204,3204,0 5@3205,3203,0 6@3204,3206,0 7@3207,3207,0 10@3200,3200,0"},
		{"V21d", "21257fd8", "00100001 00100101 01111111110110 -", "1@3201,3201,0 2@3203,3202,0 3@3203,3203,0 4@3204,3204,0 5@3205,3203,0 6@3204,3206,0 7@3207,3207,0 10@3200,3200,0"},
	}},
	{"blocks", "1@3200,3200,0", []infoVector{
		{"V22", "c07ff4084e0000ffff0000000000011200011a012401000121012a010a0000000203040506000000000005925a657a696d61007e8aff00", "1100 - - 01111111111101", "1@3200,3200,0"},
		{"V23", "c07ff4085f8907010300ffff003204000000000000000000000592447261676f6e0003031400", "1100 - 01111111111101 -", "1@3200,3200,0"},
		{"V24", "c07ff408450600ffff008064000000011200011a012401000121012a010a000000010101010101010101010592536b696c6c006305dc050001000200030004c8", "1100 - 01111111111101 -", "1@3200,3200,0"},
		{"V24b", "c07ff4084a0000ffff008064000000011200011a012401000121012a010a0000010104d27fff00000000000000000000059243757374000303ff00", "1100 - 01111111111101 -", "1@3200,3200,0"},
		{"V25", "dc7ff4ffff1f01fffffd8300a601a701a801ffff89ad0164001e0086766ce2288500012cfe804832fc2e013200140007ff030380c80001ffff0337050c2880fffe00f67e12b40081c081234500824e0000ffff0000000000011200011a012401000121012a010a0000000203040506000000000005925a657a696d61007e8aff0068656c6c6f007f7f80878203847b1e00da00821000012c0a003c00fbaf0146002800ec", "1101110 - 01111111111101 -", "1@3200,3201,0"},
	}},
	{"blocks of two players", "1@3200,3200,0 2=50,50,0", []infoVector{
		{"V26", "dc80413ff800", "1101110 - - 1000000001000001001111111111100", "1@3200,3201,0 2@3201,3201,0"},
		{"V27", "c0de7ff02020008040686900", "1100 1101111 01111111111100 -", "1@3200,3201,0 2@3202,3202,0"},
		{"V28a", "13007ff0", "0001001100 - 01111111111100 -", "1@3200,3201,0 2@3203,3202,0"},
		{"V28b", "c0c07ff010ff7f017e", "1100 1100 01111111111100 -", "1@3200,3201,0 2@3203,3202,0"},
		{"V29a", "11ccece07ff0", "0001000111001100111011001110 - 01111111111100 -", "1@3200,3201,0"},
		{"V29b", "007ff09c3232104809500000ffff0000000000011200011a012401000121012a010a000000000000000000000000000592426f7431000303ff007f", "- 000 01111111111100 1001110000110010001100100001000001001", "1@3200,3201,0 2@3204,3204,0"},
	}},
	{"index reused inside one packet", "1@3200,3200,0 2=50,50,0", []infoVector{
		{"V32a", "0080c33ff8", "000 - - 1000000011000011001111111111100", "1@3200,3200,0 2@3203,3203,0"},
		{"V32b", "1130fc267ff008500000ffff0000000000011200011a012401000121012a010a000000000000000000000000000592426f7431000303ff00", "- 0001000100110000111111000010011 01111111111100 -", "1@3200,3200,0 2@3196,3209,0"},
		{"V32c", "00007ff0", "000 000 01111111111100 -", "1@3200,3200,0 2@3196,3209,0"},
	}},
	{"square after a removal", "1@3200,3200,1 4=49,50,0", []infoVector{
		{"V33", "0021cc7fe8", "000 - - 001000011100110001111111111010", "1@3200,3200,1 4=50,50,1"},
		{"V33b", "007ff0803f00", "- 000 01111111111100 10000000001111110", "1@3200,3200,1 4@3200,3263,1"},
		{"V33c", "14007ff0", "- 00010100000 01111111111100 -", "1@3200,3200,1 4@3198,3261,1"},
		{"V33d", "80007ff0", "10000 000 01111111111100 -", "1@3200,3200,1 4=49,50,1"},
	}},
}

// npcScenes are P15 and P16, in which a player is drawn as an NPC; each is the first packet of its client. Source:
// docs/wire/rs.md, vectors P01..P19.
var npcScenes = []infoScene{
	{"own player as a goblin", "1@3200,3200,0 2=50,50,0 3=100,40,2", []infoVector{
		{"P15", "c07ff4085f0000ffff00ffff000100000000000000000000000592476f626c696e000202ff00", "1100 - - 01111111111101", "1@3200,3200,0 2=50,50,0 3=100,40,2"},
	}},
	{"goblin is added", "1@3200,3200,0 2=50,50,0", []infoVector{
		{"P16", "00814abff8085f0000ffff00ffff000100000000000000000000000592476f626c696e000202ff00", "000 - - 1000000101001010101111111111100", "1@3200,3200,0 2@3205,3210,0"},
	}},
}

// sceneState is a parsed state (infoScene.start, infoVector.want): the tiles of local players and the squares of external ones.
type sceneState struct {
	self    Index // index of the first local player
	locals  map[Index]Tile
	squares map[Index]MapSquare
}

func readState(tb testing.TB, text string) sceneState {
	tb.Helper()
	s := sceneState{locals: map[Index]Tile{}, squares: map[Index]MapSquare{}}
	for word := range strings.FieldsSeq(text) {
		var i, x, z Index
		var plane uint8
		if _, err := fmt.Sscanf(word, "%d@%d,%d,%d", &i, &x, &z, &plane); err == nil {
			s.locals[i] = Tile{X: x, Z: z, Plane: plane}
			if s.self == 0 {
				s.self = i
			}
		} else if _, err := fmt.Sscanf(word, "%d=%d,%d,%d", &i, &x, &z, &plane); err == nil {
			s.squares[i] = MapSquare(uint32(plane)<<16 | uint32(x)<<8 | uint32(z))
		} else {
			tb.Fatalf("bad state %q", word)
		}
	}
	return s
}

// placement writes the placement block of the state, independently of AppendPlacement.
func (s sceneState) placement() []byte {
	w := NewBitWriter(nil)
	w.Put(uint64(s.locals[s.self].Pack()), 30)
	for i := Index(1); i <= MaxIndex; i++ {
		if i != s.self {
			w.Put(uint64(s.squares[i]), 18)
		}
	}
	return w.Bytes()
}

func (s sceneState) client(tb testing.TB, p *Profile) *PlayerInfoDecoder {
	tb.Helper()
	c, err := NewPlayerInfoDecoder(p, s.self, s.placement())
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// describe returns the state of a client in the notation of infoVector.want.
func describe(c *PlayerInfoDecoder) string {
	var words []string
	for i := range c.Locals() {
		t, _ := c.Local(i)
		words = append(words, fmt.Sprintf("%d@%d,%d,%d", i, t.X, t.Z, t.Plane))
	}
	for i := Index(1); i <= MaxIndex; i++ {
		if s, ok := c.LowRes(i); ok && s != 0 {
			words = append(words, fmt.Sprintf("%d=%d,%d,%d", i, s.X(), s.Z(), s.Plane()))
		}
	}
	return strings.Join(words, " ")
}

// tracedPassBits returns the four passes of a traced packet as the document writes them.
func tracedPassBits(t *PacketTrace, payload []byte) string {
	passes := make([]string, 4)
	for _, s := range t.Steps {
		for bit := s.Bit; s.Pass <= 4 && bit < s.Bit+s.Bits; bit++ {
			passes[s.Pass-1] += string('0' + payload[bit/8]>>(7-bit%8)&1)
		}
	}
	for k := range passes {
		passes[k] = max(passes[k], "-")
	}
	return strings.Join(passes, " ")
}

// sameBits compares the passes got with the passes want of the document, in which "*" stands for a pass with any bits.
func sameBits(got, want string) bool {
	g, w := strings.Fields(got), strings.Fields(want)
	return slices.EqualFunc(g, w, func(g, w string) bool { return g == w || w == "*" })
}

func TestDecoderStateMatchesExpectedStateAfterEachTestVector(t *testing.T) {
	for _, scene := range slices.Concat(infoScenes, npcScenes) {
		t.Run(scene.name, func(t *testing.T) {
			c := readState(t, scene.start).client(t, Profile667)
			for _, v := range scene.packets {
				applyVector(t, c, v)
			}
		})
	}
}

// Packets of revision 634 differ from packets of revision 667 only in their blocks. Therefore each scene is applied only up to
// its first vector with a block.
func TestDecoderStateForRevision634MatchesTestVectorsBeforeFirstBlock(t *testing.T) {
	for _, scene := range infoScenes {
		t.Run(scene.name, func(t *testing.T) {
			c := readState(t, scene.start).client(t, Profile634)
			for _, v := range scene.packets {
				if firstVectorWithBlock[v.name] {
					return
				}
				applyVector(t, c, v)
			}
		})
	}
}

// firstVectorWithBlock contains, for each scene, the name of the first vector that has a non-empty block.
var firstVectorWithBlock = map[string]bool{"V09": true, "V15": true, "V22": true, "V27": true, "V32b": true}

func TestAppearanceOfPlayerDrawnAsNPCIsParsed(t *testing.T) {
	doc := withoutSpace(document(t))
	for _, scene := range npcScenes {
		c := readState(t, scene.start).client(t, Profile667)
		v := scene.packets[0]
		applyVector(t, c, v)
		body, rest, _ := strings.Cut(v.hex, "085f")
		if !strings.Contains(doc, "`"+v.hex+"`") && !strings.Contains(doc, "`"+body+"085f`andthe33bytesofP15") || len(rest) != 66 {
			t.Errorf("%s is missing in docs/wire/rs.md", v.name)
		}
		for _, ch := range c.Changes() {
			look, err := Profile667.ParseAppearance(c.Appearance(ch.Index))
			if err != nil || look.NPC == nil || look.NPC.ID != 1 || string(look.Name) != "Goblin" || look.CombatLevel != 2 || look.MaxCombatLevel != 2 {
				t.Errorf("%s: index %d is %+v, %v", v.name, ch.Index, look, err)
			}
		}
		if len(c.Changes()) != 1 {
			t.Errorf("%s: changes %+v", v.name, c.Changes())
		}
	}
}

func applyVector(t *testing.T, c *PlayerInfoDecoder, v infoVector) {
	t.Helper()
	packet := unhex(t, v.hex)
	var tr PacketTrace
	if err := c.ApplyTraced(packet, &tr); err != nil {
		t.Fatalf("%s: %v", v.name, err)
	}
	if got := describe(c); got != v.want {
		t.Errorf("%s:\ngot  %s\nwant %s", v.name, got, v.want)
	}
	if got := tracedPassBits(&tr, packet); !sameBits(got, v.bits) {
		t.Errorf("%s:\ngot  %s\nwant %s", v.name, got, v.bits)
	}
}
