package rs

// TraceStepKind says what a TraceStep describes: the start of a pass, a run, a change or a block.
type TraceStepKind uint8

// Values of TraceStep.Kind: what a step of a traced player-info packet describes.
const (
	StepPass   TraceStepKind = iota // start of one of the four passes, or of the extended-info blocks
	StepRun                         // run of idle players
	StepChange                      // change of one player
	StepBlock                       // extended info of one player
)

// TraceStep is one part of a traced player-info packet, with its position in bits.
type TraceStep struct {
	Kind TraceStepKind // kind of the part; determines which of the fields below are set
	Pass uint8         // pass 1..4, or PassBlocks
	Bit  int           // offset from the start of the payload, bits
	Bits int           // length in bits; 0 for StepPass

	Players     int          // number of players in the pass, or of blocks (StepPass); number of players in the run (StepRun)
	First, Last Index        // first and last player in the run (StepRun)
	CountBits   uint         // width of the count of further players: 0, 5, 8 or 11 bits (StepRun)
	Change      PlayerChange // the change (StepChange), or the change that announced the block (StepBlock)
	Kinds       InfoKindSet  // kinds in the block (StepBlock)
	Block       []byte       // mask and blocks, owned by the PacketTrace (StepBlock)

	place int // index into PlayerInfoDecoder.changes (StepChange and StepBlock)
}

// PacketTrace lists the parts of a player-info packet, with their positions in bits. The zero PacketTrace is ready to use;
// ApplyTraced fills it and reuses its memory.
type PacketTrace struct {
	Profile *Profile    // profile of the client's revision
	Self    Index       // index of the client's own player
	Size    int         // length of the payload, bytes
	Steps   []TraceStep // parts of the packet in their order, up to the error
	Err     error       // error of the packet; nil if the client accepted it
}

// ApplyTraced decodes a payload as Apply does and fills t. Tracing allocates memory; it is meant for inspection, not
// for load tests.
func (c *PlayerInfoDecoder) ApplyTraced(payload []byte, t *PacketTrace) error {
	*t = PacketTrace{Profile: c.profile, Self: c.self, Size: len(payload), Steps: t.Steps[:0]}
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

// finish completes the steps of the trace with what is known only after the whole packet was read: the final change of each
// player, and the bytes of the blocks.
func (t *PacketTrace) finish(c *PlayerInfoDecoder) {
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

func (t *PacketTrace) pass(pass uint8, bit, players int) {
	t.Steps = append(t.Steps, TraceStep{Kind: StepPass, Pass: pass, Bit: bit, Players: players})
}

func (t *PacketTrace) run(pass uint8, bit, end int, first, last Index, players int, countBits uint) {
	t.Steps = append(t.Steps, TraceStep{
		Kind: StepRun, Pass: pass, Bit: bit, Bits: end - bit, Players: players, First: first, Last: last, CountBits: countBits,
	})
}

func (t *PacketTrace) change(pass uint8, bit, end, place int) {
	t.Steps = append(t.Steps, TraceStep{Kind: StepChange, Pass: pass, Bit: bit, Bits: end - bit, place: place})
}

func (t *PacketTrace) block(bit, end, place int, kinds InfoKindSet) {
	t.Steps = append(t.Steps, TraceStep{Kind: StepBlock, Pass: PassBlocks, Bit: bit, Bits: end - bit, Kinds: kinds, place: place})
}
