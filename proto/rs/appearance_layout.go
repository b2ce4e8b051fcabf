package rs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// look is how a profile lays out an appearance: parts one behind the other, each a row of the table.
//
//	look fields flags:u8 title:s8 ...             values, as in a block
//	look worn kit=0x100 object=0x8000 npc:u16     what is worn; the fields are those of an NPC's form
//	look kits kit=0x100 object=0x800              what is under it
//	look custom human objects wear:u32 recolour:u8 ...
//
// A worn position is one byte 0 if nothing is there, else a u16: an id plus kit, or an id plus object. An NPC's form
// takes the place of all of them: ffff, then its fields.
//
// Custom is a u16 with a bit for every customised position, then for each of them, by position, a byte of flags and
// the values of the flags: the first named has bit 0, and so on. Wear and head are pairs of models, "+" behind the
// token where the number of pairs depends on the object; recolour and retexture are indices, a nibble each, low
// first and 15 for an unused one, then a u16 for each used. "human" leaves all of it out of an NPC's form; "objects"
// allows only positions with a worn object; "bits=" lists the bit of each worn position, else those with Wear 0 count
// up from bit 0; "refresh=" is the bit of Appearance.Refresh.
type appearanceLayout []appearancePart

type partKind uint8

const (
	partFields partKind = iota
	partWorn
	partKits
	partCustom
)

type appearancePart struct {
	kind       partKind
	fields     program
	slots      []uint8 // worn positions on the wire, ascending
	kitBase    uint32
	objectBase uint32
	custom     customisationLayout
}

// customForm is the layout of customisations.
type customisationLayout struct {
	humanOnly   bool
	objectsOnly bool
	bits        []uint32 // mask bit by worn position, 0 for none
	all         uint32   // all of bits
	refresh     uint32
	values      []customisationField // by flag bit
}

type customisationField struct {
	kind      customisationKind
	tok       token
	perObject bool // the number of pairs depends on the object
}

type customisationKind uint8

const (
	customWear customisationKind = iota
	customHead
	customRecolour
	customRetexture
)

var customisationNames = []string{"wear", "head", "recolour", "retexture"} // by customWhat

// addPart reads a row that began with "look".
func (l *appearanceLayout) addPart(words []string, wear []uint8) error {
	if len(words) == 0 {
		return errors.New("look of what")
	}
	form := slices.Index([]string{"fields", "worn", "kits", "custom"}, words[0])
	part := appearancePart{kind: partKind(form)}
	var err error
	switch {
	case form < 0:
		return fmt.Errorf("no part %q", words[0])
	case part.kind == partCustom:
		part.custom, err = parseCustomisationRow(words[1:], wear)
	case part.kind == partFields:
		part.fields, err = compilePartFields(words[1:])
	default:
		err = part.parseWornRow(words[1:], wear)
	}
	*l = append(*l, part)
	return err
}

func compilePartFields(words []string) (program, error) {
	c := rowCompiler{words: words, slots: strings.Fields(appearanceFields), bytesNames: strings.Fields(appearanceTexts)}
	return c.fields("")
}

func (part *appearancePart) parseWornRow(words []string, wear []uint8) error {
	for pos, kind := range wear {
		if kind != 1 {
			part.slots = append(part.slots, uint8(pos))
		}
	}
	for len(words) > 0 {
		key, value, found := strings.Cut(words[0], "=")
		if !found {
			break
		}
		n, err := parseNumber(value)
		switch {
		case err != nil:
			return err
		case key == "kit":
			part.kitBase = n
		case key == "object":
			part.objectBase = n
		default:
			return fmt.Errorf("no figure %q", key)
		}
		words = words[1:]
	}
	if part.kitBase < 0x100 || part.objectBase <= part.kitBase || part.objectBase > 0xffff {
		return errors.New("want 0x100 <= kit < object <= 0xffff")
	}
	var err error
	part.fields, err = compilePartFields(words)
	return err
}

func parseCustomisationRow(words []string, wear []uint8) (customisationLayout, error) {
	var f customisationLayout
	for _, word := range words {
		if err := f.setWord(word); err != nil {
			return f, fmt.Errorf("%q: %w", word, err)
		}
	}
	if f.bits == nil {
		f.bits = sequentialBits(wear)
	}
	for _, bit := range f.bits {
		f.all |= bit
	}
	if len(f.bits) > len(wear) || f.all > 0xffff || len(f.values) > 8 {
		return f, errors.New("more bits than a mask has")
	}
	return f, nil
}

// countedBits gives a bit to every position that can be customised.
func sequentialBits(wear []uint8) []uint32 {
	bits, next := make([]uint32, len(wear)), uint32(1)
	for pos, kind := range wear {
		if kind == 0 {
			bits[pos] = next
			next <<= 1
		}
	}
	return bits
}

func (f *customisationLayout) setWord(word string) error {
	key, value, _ := strings.Cut(word, "=")
	switch key {
	case "human":
		f.humanOnly = true
		return nil
	case "objects":
		f.objectsOnly = true
		return nil
	case "bits", "refresh":
		return f.setBits(key, value)
	}
	name, kind, _ := strings.Cut(word, ":")
	kind, open := strings.CutSuffix(kind, "+")
	what, tok := slices.Index(customisationNames, name), tokens[kind]
	if what < 0 || tok == tokNone {
		return errors.New("no such value or token")
	}
	f.values = append(f.values, customisationField{customisationKind(what), tok, open})
	return nil
}

func (f *customisationLayout) setBits(key, value string) error {
	list, err := parseNumbers(value)
	if err != nil {
		return err
	}
	for _, n := range list {
		if n > 15 {
			return fmt.Errorf("bit %d", n)
		}
		if key == "refresh" {
			f.refresh = 1 << n
		} else {
			f.bits = append(f.bits, 1<<n)
		}
	}
	return nil
}
