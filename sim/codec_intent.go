package sim

import (
	"fmt"
	"math"

	"github.com/truestep-io/truestep/sim/move"
)

// codecVersion is the first byte of every encoding of intents, frames and character records. Every change of their formats
// increments it, unless encodings of the old format are valid in the new format and mean the same.
const codecVersion = 6

// version reads or writes codecVersion. Reading another version is an error. The parameter what names the decoded data in the
// text of the error.
func (c *codec) version(what string) {
	v := uint8(codecVersion)
	if !c.reading {
		c.b = append(c.b, v)
		return
	}
	if len(c.b) == 0 {
		c.fail()
		return
	}
	v, c.b = c.b[0], c.b[1:]
	if v != codecVersion {
		c.fail()
		c.err = fmt.Errorf("the encoded %s have format version %d, but this program reads version %d", what, v, codecVersion)
	}
}

// AppendIntents appends the encoding of the intents of one tick to b and returns the longer slice. It does not allocate
// if b has enough capacity. ParseIntents reads the encoding.
func AppendIntents(b []byte, intents []Intent) []byte {
	c := codec{b: b}
	c.version("intents")
	c.length(len(intents))
	for i := range intents {
		c.intent(&intents[i])
	}
	return c.b
}

// ParseIntents decodes the intents of a tick, appends them to dst and returns the longer slice. The parameter b is read, not
// retained. Memory is allocated only for texts, joins and the growth of dst. If the encoding has another version, is damaged or
// has trailing bytes, ParseIntents returns dst unchanged and an error.
func ParseIntents(dst []Intent, b []byte) ([]Intent, error) {
	return ParseIntentsUpTo(dst, b, math.MaxInt)
}

// ParseIntentsUpTo is ParseIntents, except that more than most intents are an error. An intent takes a hundred times as much memory as
// the three bytes of the shortest encoding.
func ParseIntentsUpTo(dst []Intent, b []byte, most int) ([]Intent, error) {
	c := codec{b: b, reading: true}
	c.version("intents")
	n := c.length(0)
	if n > most {
		return dst, fmt.Errorf("there are %d intents, at most %d are allowed", n, most)
	}
	read := dst
	for range n {
		if c.err != nil {
			break
		}
		read = append(read, Intent{})
		c.intent(&read[len(read)-1])
	}
	if err := c.end("the intents"); err != nil {
		return dst, err
	}
	return read, nil
}

// end returns the error of the finished read. Bytes that were not read are an error, too. The parameter what names the decoded
// value in the text of the error.
func (c *codec) end(what string) error {
	if c.err == errSnapshot {
		return fmt.Errorf("the encoding of %s is truncated or damaged", what)
	}
	if c.err == nil && len(c.b) > 0 {
		return fmt.Errorf("the encoding of %[2]s is followed by %[1]d extra bytes", len(c.b), what)
	}
	return c.err
}

// Bits of the presence mask of an encoded intent: which optional fields follow.
const (
	intentSlots = iota // bit of the fields SlotA, SlotB and Amount
	intentGround
	intentTarget
	intentAt
	intentClaim
	intentInput
	intentSerial
	intentTo
	intentTile
	intentText
	intentJoin
	intentSeq
	intentSeen
	intentArgs
	intentParts
)

func intentMask(in *Intent) uint32 {
	return bit(intentSlots, in.SlotA != 0 || in.SlotB != 0 || in.Amount != 0) |
		bit(intentGround, in.Ground != 0) |
		bit(intentTarget, in.Target != 0) |
		bit(intentAt, in.AtMS != 0) |
		bit(intentClaim, claimIsSet(&in.Claim)) |
		bit(intentInput, inputIsSet(&in.Input)) |
		bit(intentSerial, in.Serial != 0) |
		bit(intentTo, in.To != 0) |
		bit(intentTile, in.Tile != move.Tile{}) |
		bit(intentText, in.Text != "") |
		bit(intentJoin, in.Join != nil) |
		bit(intentSeq, in.Seq != 0) |
		bit(intentSeen, in.Seen != 0) |
		bit(intentArgs, in.Args != nil)
}

// claimIsSet reports whether any field of a claim is not zero. It must be fast, because it runs for every recorded intent. So it
// combines the bits of all floats by OR and compares only the result with zero; inputIsSet does the same.
func claimIsSet(p *move.Claim) bool {
	floats := math.Float32bits(p.X) | math.Float32bits(p.Y) | math.Float32bits(p.Z) | math.Float32bits(p.DestX) | math.Float32bits(p.DestZ)
	return floats != 0 || p.Running || p.Backward
}

func inputIsSet(p *move.Input) bool {
	floats := math.Float32bits(p.Pitch) | math.Float32bits(p.Yaw) | math.Float32bits(p.HeadYaw) | math.Float32bits(p.Move[0]) |
		math.Float32bits(p.Move[1]) | math.Float32bits(p.VehicleYaw) | vecBits(p.Pos) | vecBits(p.Delta)
	return p.Tick|uint64(p.Flags)|uint64(p.RTT)|p.Vehicle|uint64(floats) != 0
}

func (c *codec) intent(in *Intent) {
	num(c, &in.Kind)
	num(c, &in.Who)
	m := c.mask(intentMask(in), intentParts)
	if m&bit(intentSlots, true) != 0 {
		num(c, &in.SlotA)
		num(c, &in.SlotB)
		num(c, &in.Amount)
	}
	if m&bit(intentGround, true) != 0 {
		num(c, &in.Ground)
	}
	if m&bit(intentTarget, true) != 0 {
		num(c, &in.Target)
	}
	if m&bit(intentAt, true) != 0 {
		num(c, &in.AtMS)
	}
	if m&bit(intentClaim, true) != 0 {
		p := &in.Claim
		c.f32(&p.X, &p.Y, &p.Z, &p.DestX, &p.DestZ)
		c.flag(&p.Running, &p.Backward)
	}
	if m&bit(intentInput, true) != 0 {
		codecInput(c, &in.Input)
	}
	if m&bit(intentSerial, true) != 0 {
		num(c, &in.Serial)
	}
	if m&bit(intentTo, true) != 0 {
		num(c, &in.To)
	}
	if m&bit(intentTile, true) != 0 {
		num(c, &in.Tile.X)
		num(c, &in.Tile.Z)
	}
	if m&bit(intentText, true) != 0 {
		c.str(&in.Text)
	}
	if m&bit(intentJoin, true) != 0 {
		if c.reading {
			in.Join = &Join{}
		}
		c.join(in.Join)
	}
	if m&bit(intentSeq, true) != 0 {
		num(c, &in.Seq)
	}
	if m&bit(intentSeen, true) != 0 {
		num(c, &in.Seen)
	}
	if m&bit(intentArgs, true) != 0 {
		c.gameArgs(&in.Args)
	}
	if c.reading && intentMask(in) != m {
		c.fail()
	}
}

// Bits of the mask of an encoded Join, one for each optional part that follows. Encodings older than joinTimers have only the bit
// joinEffects, as a flag. Encodings older than one of the later bits lack that bit.
const (
	joinEffects = iota
	joinTimers
	joinInvitation
	joinPetFields
	joinReplay
	joinParts
)

func (j *Join) mask() uint32 {
	return bit(joinEffects, j.Effects != nil) |
		bit(joinTimers, j.Timers != PlayerTimers{}) |
		bit(joinInvitation, j.Invited != 0) |
		bit(joinPetFields, len(j.PetFields) > 0) |
		bit(joinReplay, j.Predicted != nil && j.Predicted.Teleport.Tick != 0)
}

// join reads or writes a Join, which says how an actor enters an area.
func (c *codec) join(j *Join) {
	hasCharacter, hasMount, hasPredicted := j.Character != nil, j.Mount != nil, j.Predicted != nil
	c.flag(&hasCharacter, &hasMount, &hasPredicted)
	parts := c.mask(j.mask(), joinParts)
	hasEffects, hasTimers := parts&bit(joinEffects, true) != 0, parts&bit(joinTimers, true) != 0
	c.flag(&j.MountIsPet, &j.Login, &j.Frozen, &j.Running)
	if c.reading {
		if hasCharacter {
			j.Character = &Character{}
		}
		if hasMount {
			j.Mount = &Pet{}
		}
		if hasPredicted {
			j.Predicted = &move.PredictState{}
		}
		if hasEffects {
			j.Effects = &ActorEffects{}
		}
	}
	if hasCharacter {
		c.character(j.Character)
	}
	num(c, &j.Party)
	num(c, &j.Health)
	num(c, &j.Portal)
	c.vec(&j.Pos)
	c.f32(&j.Yaw)
	c.petList(&j.Pets)
	if hasMount {
		c.pet(j.Mount)
	}
	num(c, &j.Authority)
	if hasPredicted {
		codecPredictState(c, j.Predicted)
	}
	if hasEffects {
		j.Effects.codec(c)
	}
	num(c, &j.From)
	num(c, &j.Seq)
	c.numbers(&j.Fields)
	if hasTimers {
		j.Timers.codec(c)
	}
	if parts&bit(joinInvitation, true) != 0 {
		num(c, &j.Invited)
		num(c, &j.InvitedFor)
	}
	if parts&bit(joinPetFields, true) != 0 {
		c.numbers(&j.PetFields)
	}
	if parts&bit(joinReplay, true) != 0 && hasPredicted {
		codecReplay(c, &j.Predicted.Teleport)
	}
	if c.reading && c.err == nil && j.mask() != parts {
		c.fail()
	}
}

func (t *PlayerTimers) codec(c *codec) {
	for _, ticks := range [...]*Tick{&t.Combat, &t.Use, &t.Spent, &t.SpentCounts} {
		num(c, ticks)
	}
}

// Append appends the encoding of a character record to b and returns the longer slice. ParseCharacter reads the encoding.
func (p *Character) Append(b []byte) []byte {
	c := codec{b: b}
	c.version("records")
	c.character(p)
	return c.b
}

// ParseCharacter decodes a character record. The parameter b is read, not retained. ParseCharacter returns an error if the
// encoding has another version, is damaged or has trailing bytes.
func ParseCharacter(b []byte) (*Character, error) {
	c := codec{b: b, reading: true}
	c.version("records")
	p := new(Character)
	c.character(p)
	if err := c.end("the record"); err != nil {
		return nil, err
	}
	return p, nil
}
