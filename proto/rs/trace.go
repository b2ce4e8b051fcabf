package rs

// StepKind is what stands at one place of a traced packet.
type StepKind uint8

// Kinds of steps.
const (
	StepPass   StepKind = iota // beginning of a pass, or of the blocks
	StepRun                    // run of players who have nothing to tell
	StepChange                 // change of one player
	StepBlock                  // extended info of one player
)

// Step is one item of a packet with its place.
type Step struct {
	Kind StepKind
	Pass uint8 // 1..4, PassBlocks
	Bit  int   // offset from the start of the payload
	Bits int   // length; 0 for StepPass

	Players     int    // StepPass: members of its list, or blocks; StepRun: players covered
	First, Last Index  // StepRun: the first and last of them
	CountBits   uint   // StepRun: size class, as the bits that count the players after the first: 0, 5, 8 or 11
	Change      Change // StepChange, and whose block it is at StepBlock
	Kinds       Kinds  // StepBlock
	Block       []byte // StepBlock: mask and blocks; the Trace owns them

	place int
}

// Trace is a packet taken apart: what stands at which bit. The zero Trace is ready; ApplyTraced empties it first, and
// keeps its memory.
type Trace struct {
	Profile *Profile
	Self    Index
	Size    int    // bytes of the payload
	Steps   []Step // in the order of the packet, up to the error
	Err     error  // of the packet; nil if the client took it
}

// ApplyTraced is Apply and fills t. A trace costs memory, so it is for people, not for a swarm.
func (c *Client) ApplyTraced(payload []byte, t *Trace) error {
	*t = Trace{Profile: c.profile, Self: c.self, Size: len(payload), Steps: t.Steps[:0]}
	if c.err != nil {
		t.Err = c.err
		return c.err
	}
	c.trace = t
	t.Err = c.Apply(payload)
	c.trace = nil
	t.finish(c)
	return t.Err
}

// finish copies what became known only with the blocks.
func (t *Trace) finish(c *Client) {
	for k := range t.Steps {
		s := &t.Steps[k]
		switch s.Kind {
		case StepChange:
			s.Change = c.changes[s.place]
		case StepBlock:
			s.Change = c.changes[s.place]
			s.Block = append([]byte(nil), c.blocks[s.Change.start:s.Change.end]...)
		}
	}
}

func (t *Trace) pass(pass uint8, bit, players int) {
	t.Steps = append(t.Steps, Step{Kind: StepPass, Pass: pass, Bit: bit, Players: players})
}

func (t *Trace) run(pass uint8, bit, end int, first, last Index, players int, countBits uint) {
	t.Steps = append(t.Steps, Step{
		Kind: StepRun, Pass: pass, Bit: bit, Bits: end - bit, Players: players, First: first, Last: last, CountBits: countBits,
	})
}

func (t *Trace) change(pass uint8, bit, end, place int) {
	t.Steps = append(t.Steps, Step{Kind: StepChange, Pass: pass, Bit: bit, Bits: end - bit, place: place})
}

func (t *Trace) block(bit, end, place int, kinds Kinds) {
	t.Steps = append(t.Steps, Step{Kind: StepBlock, Pass: PassBlocks, Bit: bit, Bits: end - bit, Kinds: kinds, place: place})
}
