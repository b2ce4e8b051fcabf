package tape

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// A group stores consecutive ticks in columns, one column for each field, because the values of one field resemble each
// other and compress well. Nearly all intents are claims or inputs. Their fields have columns of their own, and each
// value is the difference to the value predicted from the player's previous intent. Every other intent is a value of
// the column colOther, as sim.AppendIntents encodes it.
//
// The columns of a group, in the order in which they are stored:
const (
	colWall   = iota // varint: change of the interval between two ticks: (wall-clock ms of this tick - previous tick) - previous interval
	colHash          // 8 bytes LE: PrevHash
	colSaved         // varint: Tick.Saved minus Tick.Saved of the previous tick
	colCount         // uvarint: number of intents of the tick
	colKind          // u8 per intent: kindOther, kindClaim or kindInput
	colWho           // uvarint: player of a claim or input, see playerTable
	colAt            // varint: AtMS of a claim or input minus AtMS of the previous claim or input
	colOther         // uvarint length, then one intent as sim.AppendIntents encodes it
	colClaim         // u8: bit 0 Running, bit 1 Backward
	colTick          // varint: Input.Tick minus the player's previous one, minus 1
	colFlags         // uvarint: Input.Flags xor the player's previous ones
	colRTT           // varint: Input.RTT minus the player's previous one
	colRide          // uvarint: Input.Vehicle xor the player's previous one
	colFloats        // four columns per float, claims first: bytes 0..3 of (bits of float - bits of prediction), zigzag-coded

	claimFloats = 5  // floats of a claim
	inputFloats = 12 // floats of an input
	numColumns  = colFloats + 4*(claimFloats+inputFloats)
)

// Values of colKind: how an intent is stored.
const (
	kindOther = iota // in colOther
	kindClaim        // the intent is in the columns of claims
	kindInput        // the intent is in the columns of inputs
)

// playerState is what is known of a player while a group is encoded or decoded. From it the player's next intent is
// predicted.
type playerState struct {
	id    sim.EntityID
	next  int // index of the player whose intent came after this player's intent the last time
	claim move.Claim
	prev  [2]float32 // X and Z of the claim before the one in the field claim
	input move.Input
}

// playerTable numbers the players of a group from 1, in the order of their first claim or input. Column colWho says which
// player sent each claim or input. To save space, the sender of each intent is predicted: after an intent of player A it is the
// player whose intent followed the last time that A sent one. If the prediction is right, the column contains 0. Otherwise it
// contains the player's number, followed by the player's id if the player is new in the group.
type playerTable struct {
	list  []playerState
	index map[sim.EntityID]int
	last  int // index of the player of the previous intent
}

func newPlayerTable() playerTable {
	// Index 0 stands for no player. It is the previous sender of the first intent in a group.
	return playerTable{list: make([]playerState, 1, 64), index: map[sim.EntityID]int{}}
}

func (p *playerTable) add(id sim.EntityID) int {
	p.list = append(p.list, playerState{id: id})
	p.index[id] = len(p.list) - 1
	return len(p.list) - 1
}

// follow records that the player with index i sent the current intent, from which later intents are predicted. It
// returns the player's state.
func (p *playerTable) follow(i int) *playerState {
	p.list[p.last].next = i
	p.last = i
	return &p.list[i]
}

// groupWriter encodes ticks into the columns of a group.
type groupWriter struct {
	columns [numColumns][]byte
	players playerTable

	first        sim.Tick // first tick of the group
	firstMS      int64    // wall-clock time of the first tick, ms since 1970
	ticks        int      // number of ticks
	chain, after uint64   // chain values before the first tick and after the last tick of the group
	wall, step   int64
	saved        sim.Tick
	at           int64

	scratch [2][]byte
	single  [1]sim.Intent
}

// reset begins a new group whose first tick is t. The parameter chain is the chain value before t: the hash over all
// records before t.
func (g *groupWriter) reset(t *Tick, chain uint64) {
	for i := range g.columns {
		g.columns[i] = g.columns[i][:0]
	}
	g.players = newPlayerTable()
	g.first, g.firstMS, g.ticks, g.chain, g.after = t.Tick, t.WallMS, 0, chain, chain
	g.wall, g.step, g.saved, g.at = t.WallMS, 0, 0, 0
}

// size returns the total length of the columns in bytes.
func (g *groupWriter) size() (n int) {
	for i := range g.columns {
		n += len(g.columns[i])
	}
	return n
}

func (g *groupWriter) uvarint(column int, v uint64) {
	g.columns[column] = binary.AppendUvarint(g.columns[column], v)
}

func (g *groupWriter) varint(column int, v int64) {
	g.columns[column] = binary.AppendVarint(g.columns[column], v)
}

// add appends a tick to the columns of the group.
func (g *groupWriter) add(t *Tick) {
	g.ticks++
	g.after = t.chain
	step := t.WallMS - g.wall
	g.varint(colWall, step-g.step)
	g.wall, g.step = t.WallMS, step
	g.columns[colHash] = binary.LittleEndian.AppendUint64(g.columns[colHash], t.PrevHash)
	g.varint(colSaved, int64(t.Saved-g.saved))
	g.saved = t.Saved
	g.uvarint(colCount, uint64(len(t.Intents)))
	for i := range t.Intents {
		g.addIntent(&t.Intents[i])
	}
}

func (g *groupWriter) addIntent(in *sim.Intent) {
	kind := g.kindOf(in)
	g.columns[colKind] = append(g.columns[colKind], kind)
	if kind == kindOther {
		g.uvarint(colOther, uint64(len(g.scratch[0])))
		g.columns[colOther] = append(g.columns[colOther], g.scratch[0]...)
		return
	}
	p := g.addPlayer(in.Who)
	g.varint(colAt, in.AtMS-g.at)
	g.at = in.AtMS
	f := floatColumns{write: g}
	if kind == kindClaim {
		g.columns[colClaim] = append(g.columns[colClaim], flagBits(in.Claim.Running, in.Claim.Backward))
		claim := in.Claim
		f.claim(p, &claim)
		p.acceptClaim(&claim)
		return
	}
	input := in.Input
	g.varint(colTick, int64(input.Tick-p.input.Tick-1))
	g.uvarint(colFlags, uint64(input.Flags^p.input.Flags))
	g.varint(colRTT, int64(input.RTT)-int64(p.input.RTT))
	g.uvarint(colRide, input.Vehicle^p.input.Vehicle)
	f.input(p, &input)
	p.input = input
}

func (g *groupWriter) addPlayer(id sim.EntityID) *playerState {
	t := &g.players
	i, known := t.index[id]
	switch {
	case !known:
		g.uvarint(colWho, uint64(len(t.list)))
		g.uvarint(colWho, uint64(id))
		i = t.add(id)
	case t.list[t.last].next == i:
		g.uvarint(colWho, 0)
	default:
		g.uvarint(colWho, uint64(i))
	}
	return t.follow(i)
}

// kindOf returns how an intent is stored: in the columns of claims or inputs if these columns can represent all its fields, else
// in colOther. As a side effect, scratch[0] contains the encoding of the intent afterwards.
func (g *groupWriter) kindOf(in *sim.Intent) uint8 {
	g.single[0] = *in
	g.scratch[0] = sim.AppendIntents(g.scratch[0][:0], g.single[:])
	kind := columnKind(in)
	if kind == kindOther {
		return kindOther
	}
	g.single[0] = plainIntent(in)
	g.scratch[1] = sim.AppendIntents(g.scratch[1][:0], g.single[:])
	if !bytes.Equal(g.scratch[0], g.scratch[1]) {
		return kindOther
	}
	return kind
}

func columnKind(in *sim.Intent) uint8 {
	switch {
	case in.Kind == sim.IntentClaim && in.Who != 0:
		return kindClaim
	case in.Kind == sim.IntentInput && in.Who != 0:
		return kindInput
	}
	return kindOther
}

// plainIntent returns a copy of an intent. The copy has only the fields for which a group has columns.
func plainIntent(in *sim.Intent) sim.Intent {
	plain := sim.Intent{Kind: in.Kind, Who: in.Who, AtMS: in.AtMS}
	if in.Kind == sim.IntentClaim {
		plain.Claim = in.Claim
	} else {
		plain.Input = in.Input
	}
	return plain
}

func (p *playerState) acceptClaim(c *move.Claim) {
	p.prev = [2]float32{p.claim.X, p.claim.Z}
	p.claim = *c
}

func flagBits(a, b bool) (v uint8) {
	if a {
		v = 1
	}
	if b {
		v |= 2
	}
	return v
}

// floatColumns encodes or decodes the floats of claims and inputs as differences to a prediction. One of the fields write
// and read is set, so the same list of floats serves both directions.
type floatColumns struct {
	write *groupWriter
	read  *groupReader
}

// field encodes the float *v, or decodes it into *v, as its difference to the parameter predicted. Each float of a claim or input
// has columns of its own; the parameter n is its number among these floats.
func (f floatColumns) field(n int, v *float32, predicted float32) {
	column := colFloats + 4*n
	base := math.Float32bits(predicted)
	if f.write != nil {
		d := int32(math.Float32bits(*v) - base)
		zigzag := uint32(d)<<1 ^ uint32(d>>31)
		for i := range 4 {
			f.write.columns[column+i] = append(f.write.columns[column+i], byte(zigzag>>(8*i)))
		}
		return
	}
	var zigzag uint32
	for i := range 4 {
		zigzag |= uint32(f.read.columns[column+i].u8()) << (8 * i)
	}
	*v = math.Float32frombits(base + (zigzag>>1 ^ -(zigzag & 1)))
}

func (f floatColumns) claim(p *playerState, c *move.Claim) {
	old := &p.claim
	f.field(0, &c.X, extrapolate(p.prev[0], old.X))
	f.field(1, &c.Y, old.Y)
	f.field(2, &c.Z, extrapolate(p.prev[1], old.Z))
	f.field(3, &c.DestX, old.DestX)
	f.field(4, &c.DestZ, old.DestZ)
}

func (f floatColumns) input(p *playerState, in *move.Input) {
	old := &p.input
	f.field(5, &in.Pitch, old.Pitch)
	f.field(6, &in.Yaw, old.Yaw)
	f.field(7, &in.HeadYaw, in.Yaw)
	f.field(8, &in.Move[0], old.Move[0])
	f.field(9, &in.Move[1], old.Move[1])
	f.field(10, &in.VehicleYaw, old.VehicleYaw)
	f.field(11, &in.Delta.X, old.Delta.X)
	f.field(12, &in.Delta.Y, old.Delta.Y)
	f.field(13, &in.Delta.Z, old.Delta.Z)
	f.field(14, &in.Pos.X, sum(in.Delta.X, old.Pos.X))
	f.field(15, &in.Pos.Y, old.Pos.Y)
	f.field(16, &in.Pos.Z, sum(in.Delta.Z, old.Pos.Z))
}

// extrapolate predicts the next value of a coordinate: the last value plus the difference between the last two values.
func extrapolate(before, last float32) float32 {
	return sum(last, definite(float32(last-before), last, before))
}

// sum returns a + b. The result has the same bits on every processor, even if it is a NaN.
func sum(a, b float32) float32 { return definite(float32(a+b), a, b) }

// definite returns v, which is the sum or difference of a and b, with the same bits on every processor; a tape must be readable
// on all of them. Processors and compilers differ in the NaN that they compute, and NaNs occur because a client may claim any
// floats. If v is a NaN, definite returns the one that amd64 computes: the first operand that is a NaN, made quiet, or
// 0xffc00000 if neither is a NaN (the difference of two infinities).
func definite(v, a, b float32) float32 {
	const quiet = 1 << 22 // the bit that is 1 in a quiet NaN and 0 in a signaling NaN
	switch {
	case v == v:
		return v
	case a != a:
		return math.Float32frombits(math.Float32bits(a) | quiet)
	case b != b:
		return math.Float32frombits(math.Float32bits(b) | quiet)
	}
	return math.Float32frombits(0xffc00000)
}

// groupReader decodes the ticks of a group that a groupWriter has encoded.
type groupReader struct {
	columns [numColumns]cursor
	players playerTable

	tick         sim.Tick // number of the next tick
	left         int      // number of ticks that are not read yet
	chain, after uint64
	wall, step   int64
	saved        sim.Tick
	at           int64

	writer groupWriter // used to encode intents again for kindOf
	record []byte
}

// next decodes the next tick into t, and reuses the memory of t.Intents. After the last tick it returns io.EOF.
func (g *groupReader) next(t *Tick) error {
	if g.left == 0 {
		return g.end()
	}
	g.left--
	g.step += g.columns[colWall].varint()
	g.wall += g.step
	g.saved += sim.Tick(g.columns[colSaved].varint())
	clear(t.Intents)
	*t = Tick{Tick: g.tick, WallMS: g.wall, PrevHash: g.columns[colHash].u64(), Saved: g.saved, Intents: t.Intents[:0]}
	g.tick++
	n := g.columns[colCount].uvarint()
	if n > maxIntents {
		return errDamaged
	}
	for range n {
		if err := g.readIntent(t); err != nil {
			return err
		}
	}
	for i := range g.columns {
		if g.columns[i].failed {
			return errDamaged
		}
	}
	g.record = appendRecord(g.record[:0], recordTick, t)
	g.chain = sealRecord(g.record, g.chain)
	t.chain = g.chain
	return nil
}

// end checks that every column was read completely. It also checks that the hash over the decoded ticks (chain value)
// equals the recorded one.
func (g *groupReader) end() error {
	for i := range g.columns {
		if len(g.columns[i].b) > 0 {
			return errDamaged
		}
	}
	if g.chain != g.after {
		return errors.New("the tape file is damaged: the hash chain computed from its ticks differs from the recorded one")
	}
	return io.EOF
}

func (g *groupReader) readIntent(t *Tick) error {
	kind := g.columns[colKind].u8()
	if g.columns[colKind].failed || kind > kindInput {
		return errDamaged
	}
	if kind == kindOther {
		return g.readOther(t)
	}
	p := g.readPlayer()
	if p == nil {
		return errDamaged
	}
	g.at += g.columns[colAt].varint()
	in := sim.Intent{Kind: sim.IntentClaim, Who: p.id, AtMS: g.at}
	f := floatColumns{read: g}
	if kind == kindClaim {
		flags := g.columns[colClaim].u8()
		if flags > 3 {
			return errDamaged
		}
		in.Claim.Running, in.Claim.Backward = flags&1 != 0, flags&2 != 0
		f.claim(p, &in.Claim)
		p.acceptClaim(&in.Claim)
	} else {
		in.Kind = sim.IntentInput
		in.Input.Tick = p.input.Tick + 1 + uint64(g.columns[colTick].varint())
		in.Input.Flags = p.input.Flags ^ move.InputFlags(g.columns[colFlags].uvarint())
		rtt := int64(p.input.RTT) + g.columns[colRTT].varint()
		if rtt != int64(uint16(rtt)) {
			return errDamaged
		}
		in.Input.RTT = uint16(rtt)
		in.Input.Vehicle = p.input.Vehicle ^ g.columns[colRide].uvarint()
		f.input(p, &in.Input)
		p.input = in.Input
	}
	t.Intents = append(t.Intents, in)
	return nil
}

// readOther decodes an intent from colOther. It rejects an intent that the columns of claims or inputs could store, so
// that every group has exactly one encoding.
func (g *groupReader) readOther(t *Tick) error {
	c := &g.columns[colOther]
	n := c.uvarint()
	if n > uint64(len(c.b)) {
		return errDamaged
	}
	before := len(t.Intents)
	var err error
	if t.Intents, err = parseIntents(t.Intents, c.take(int(n))); err != nil {
		return err
	}
	if len(t.Intents) != before+1 || g.writer.kindOf(&t.Intents[before]) != kindOther {
		return errDamaged
	}
	return nil
}

func (g *groupReader) readPlayer() *playerState {
	t, c := &g.players, &g.columns[colWho]
	i := int(min(c.uvarint(), math.MaxInt32))
	next := t.list[t.last].next
	switch {
	case c.failed || i > len(t.list):
		return nil
	case i == 0:
		if next == 0 {
			return nil
		}
		i = next
	case i == len(t.list):
		id := sim.EntityID(c.uvarint())
		if _, known := t.index[id]; known || id == 0 || c.failed {
			return nil
		}
		i = t.add(id)
	case i == next:
		return nil
	}
	return t.follow(i)
}
