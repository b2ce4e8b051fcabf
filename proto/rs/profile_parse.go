package rs

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrProfile is wrapped by every error of ParseProfile.
var ErrProfile = errors.New("invalid profile table")

// ParseProfile parses a table that describes the format of extended player info in one client revision. The table is text with one
// row per line; '#' begins a comment.
//
//	profile 667 revision=667 ext=0x80,0x800 cell=6 maxpayload=15000 wear=12x0,1,1,0
//	8000 WORN_ANIM n:u8 *{seq:u16 delay:u8N slots:u16LA}
//	40 ANIM 4*seq:u16L delay:u8A
//	look worn kit=0x100 object=0x8000 npc:u16 team:u8
//
// The first row has the name and options of the profile. Each row after it is one of two kinds: (1) A row that begins with "look"
// describes a part of the appearance, see appearanceLayout. (2) Any other row describes a block: its mask bit in hexadecimal, its
// InfoKind, and its fields. The blocks are listed in wire order. A field is name:encoding.
//
//	u8 s8 u16 u32        a value, high byte first; s8 is read signed
//	  A N S L LA M2 M3   suffixes: transforms, see docs/wire/rs.md
//	smart smart2or4n     a value in 1 or 2 bytes; in 2 or 4 bytes
//	a:u16<16384          parsing refuses 16384 and above
//	4*a:u16              a0, a1, a2, a3
//	t:u16 [ext:u16]      t is 16 bits; if its two top bits are set, t is the high half of a 32-bit value, and ext is the low half
//	cstr                 text up to a 0 byte
//	len:u8 a:bytes       a length, then the bytes; rbytes is last byte first, bytesA adds 128 to each
//	(a=3..5 b:u8)        b only if a is 3, 4 or 5; (a&0x38=8 b:u8) tests some bits of a
//	n:u8 *{a:u8 b:u8}    a count and that many items; must be the whole row
//
// The row of a block may list the fields of its kind in any order, and omits fields that the revision does not have.
func ParseProfile(table string) (*Profile, error) {
	p := &Profile{}
	for n, line := range strings.Split(table, "\n") {
		line, _, _ = strings.Cut(line, "#")
		words := splitRow(line)
		if len(words) == 0 {
			continue
		}
		if err := p.addRow(words); err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrProfile, n+1, err)
		}
	}
	if err := p.complete(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProfile, err)
	}
	return p, nil
}

// splitRow splits a row into words; each bracket is a word of its own.
func splitRow(line string) []string {
	var spaced strings.Builder
	for _, c := range line {
		if strings.ContainsRune("(){}[]", c) {
			spaced.WriteString(" " + string(c) + " ")
		} else {
			spaced.WriteRune(c)
		}
	}
	return strings.Fields(spaced.String())
}

func (p *Profile) addRow(words []string) error {
	switch {
	case words[0] == "profile":
		return p.addHead(words[1:])
	case p.Name == "":
		return errors.New("the first row must begin with \"profile\"")
	case words[0] == "look":
		return p.appearance.addPart(words[1:], p.WornSlots)
	}
	return p.addBlock(words)
}

// addHead parses the row with the profile's name and options.
func (p *Profile) addHead(words []string) error {
	if len(words) == 0 || p.Name != "" {
		return errors.New("table must have exactly one row of the form: profile NAME options")
	}
	p.Name = words[0]
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		if err := p.setOption(key, value); err != nil {
			return fmt.Errorf("option %q of the profile: %w", key, err)
		}
	}
	return nil
}

func (p *Profile) setOption(key, value string) error {
	list, err := parseNumbers(value)
	if err != nil {
		return err
	}
	switch {
	case key == "wear":
		for _, n := range list {
			p.WornSlots = append(p.WornSlots, uint8(n))
		}
	case key == "ext" && len(list) == 2:
		p.Ext1, p.Ext2 = list[0], list[1]
	case key == "ext":
		return fmt.Errorf("the value must be two numbers, separated by a comma, but has %d", len(list))
	case len(list) != 1:
		return fmt.Errorf("the value must be one number, but has %d", len(list))
	case key == "revision":
		p.Revision = int(list[0])
	case key == "cell":
		p.SquareShift = uint(list[0])
	case key == "maxpayload":
		p.MaxPayload = int(list[0])
	default:
		return errors.New("unknown option, must be revision, cell, maxpayload, ext or wear")
	}
	return nil
}

// parseNumbers parses comma-separated numbers; 12x0 means twelve times 0.
func parseNumbers(s string) ([]uint32, error) {
	var list []uint32
	for part := range strings.SplitSeq(s, ",") {
		times := uint64(1)
		if count, rest, found := strings.Cut(part, "x"); found && count != "0" {
			n, err := strconv.ParseUint(count, 10, 5)
			if err != nil {
				return nil, err
			}
			times, part = n, rest
		}
		v, err := parseNumber(part)
		if err != nil {
			return nil, err
		}
		for range times {
			list = append(list, v)
		}
	}
	return list, nil
}

// parseNumber parses a number of at most 31 bits, decimal or in hexadecimal with 0x.
func parseNumber(s string) (uint32, error) {
	v, err := strconv.ParseUint(s, 0, 31)
	return uint32(v), err
}

// addBlock parses the row of a block and adds the block to the profile.
func (p *Profile) addBlock(words []string) error {
	if len(words) < 3 {
		return errors.New("block row must have the form: BIT KIND fields")
	}
	bit, err := strconv.ParseUint(words[0], 16, 24)
	if err != nil {
		return fmt.Errorf("parse the mask bit of a block: %w", err)
	}
	kind, ok := kindNamed(words[1])
	if !ok {
		return fmt.Errorf("unknown kind of extended info %q", words[1])
	}
	def := &kindTable[kind]
	bl := block{kind: kind, bit: uint32(bit)}
	c := &rowCompiler{words: words[2:], slots: strings.Fields(def.fields), anyBytes: def.bytesField != nil}
	if def.length != nil {
		bl.count, bl.item, err = c.list()
	} else {
		bl.item, err = c.fields("")
	}
	if err != nil {
		return fmt.Errorf("block %s: %w", kind, err)
	}
	bl.minItemSize = bl.item.minSize()
	switch {
	case p.Has(kind):
		return fmt.Errorf("block %s: the table has two rows of this kind", kind)
	case bit&(bit-1) != 0 || bit == 0:
		return fmt.Errorf("block %s: mask %#x must have exactly one bit", kind, bit)
	case (p.known|p.Ext1|p.Ext2)&uint32(bit) != 0:
		return fmt.Errorf("block %s: mask bit %#x is already used by another block or by the option ext", kind, bit)
	}
	p.wireOrder[kind] = uint8(len(p.blocks))
	p.kinds = p.kinds.With(kind)
	p.known |= bl.bit
	p.blocks = append(p.blocks, bl)
	p.Blocks = append(p.Blocks, BlockDef{kind, bl.bit, def.persistent, strings.Join(words[2:], " ")})
	return nil
}

func kindNamed(name string) (InfoKind, bool) {
	for k := range numKinds {
		if kindTable[k].name == name {
			return k, true
		}
	}
	return 0, false
}

// complete validates the profile after the last row: it must have a name and blocks, and its options must be valid.
func (p *Profile) complete() error {
	switch {
	case p.Name == "" || len(p.blocks) == 0:
		return errors.New(`table must have a row "profile" and at least one row of a block`)
	case p.SquareShift != 6 && p.SquareShift != 13:
		return fmt.Errorf("option cell is %d, must be 6 or 13", p.SquareShift)
	case p.MaxPayload <= 0 || p.MaxPayload > 65535:
		return fmt.Errorf("option maxpayload is %d, must be 1..65535", p.MaxPayload)
	case !oneBitOf(p.Ext1, 0xff) || !oneBitOf(p.Ext2, 0xff00):
		return errors.New("option ext must have one bit of the first mask byte and one of the second")
	case len(p.WornSlots) > maxWornSlots:
		return fmt.Errorf("option wear has %d worn positions, at most %d are allowed", len(p.WornSlots), maxWornSlots)
	}
	return nil
}

func oneBitOf(bit, of uint32) bool { return bit != 0 && bit&(bit-1) == 0 && bit&^of == 0 }
