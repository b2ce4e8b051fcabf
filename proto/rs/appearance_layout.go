package rs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// appearanceLayout is the layout of an appearance in a profile: a sequence of parts, each described by a "look" row of the
// profile table.
//
//	look fields flags:u8 title:s8 ...             values, as in a block
//	look worn   kit=0x100 object=0x8000 npc:u16   worn positions; the fields are those of an NPC form
//	look kits   kit=0x100 object=0x800            body parts under the worn objects
//	look custom human objects wear:u32 recolour:u8 ...
//
// A worn position is encoded as one byte 0 if it is empty, else as a u16: the id of a body part plus the option kit, or the id
// of an object plus the option object. An NPC form replaces all positions: ffff, then its fields.
//
// Customisations are a u16 mask with a bit for every customised position. Then, for each of these positions in ascending
// order, follow a byte of flags and the values that the flags announce: bit 0 announces the first value named in the row
// "look custom", bit 1 the second, and so on. The words of that row:
//
//	wear:T head:T           pairs of models; "+" after T if the number of pairs depends on the object
//	recolour:T retexture:T  T holds indices, one nibble each, low nibble first, 15 for unused; then a u16 for each used index
//	human                   an NPC form has no customisations
//	objects                 only positions with a worn object can be customised
//	bits=N,N,...            mask bit of each worn position; by default those with 0 in WornSlots have bits 0, 1, ...
//	refresh=N               mask bit of Appearance.ForceRebuild
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
	slots      []uint8 // worn positions that are on the wire, ascending
	kitBase    uint32
	objectBase uint32
	custom     customisationLayout
}

// customisationLayout describes how a profile encodes Customisations, the changes in how worn objects are drawn.
type customisationLayout struct {
	humanOnly   bool
	objectsOnly bool
	bits        []uint32 // by worn position: mask bit of the position; 0 if the position cannot be customised
	all         uint32   // union of all mask bits
	refresh     uint32
	values      []customisationField // fields of a customisation; the index is the number of the flag bit
}

type customisationField struct {
	kind      customisationKind
	enc       encoding
	perObject bool // the number of model pairs depends on the object
}

type customisationKind uint8

const (
	customWear customisationKind = iota
	customHead
	customRecolour
	customRetexture
)

var customisationNames = []string{"wear", "head", "recolour", "retexture"} // names of customisations in a profile row, by customisationKind

// addPart parses a "look" row of a profile table and appends the part that it describes. The parameter words has the words
// after "look"; wear is Profile.WornSlots.
func (l *appearanceLayout) addPart(words []string, wear []uint8) error {
	if len(words) == 0 {
		return errors.New(`row "look" is incomplete: the next word must be fields, worn, kits or custom`)
	}
	form := slices.Index([]string{"fields", "worn", "kits", "custom"}, words[0])
	part := appearancePart{kind: partKind(form)}
	var err error
	switch {
	case form < 0:
		return fmt.Errorf(`row "look" has the unknown part %q: the word after "look" must be fields, worn, kits or custom`, words[0])
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
			return fmt.Errorf(`unknown option %q in a row "look worn" or "look kits", must be kit or object`, key)
		}
		words = words[1:]
	}
	if part.kitBase < 0x100 || part.objectBase <= part.kitBase || part.objectBase > 0xffff {
		return errors.New(`row "look worn" or "look kits" must have options with 0x100 <= kit < object <= 0xffff`)
	}
	var err error
	part.fields, err = compilePartFields(words)
	return err
}

func parseCustomisationRow(words []string, wear []uint8) (customisationLayout, error) {
	var f customisationLayout
	for _, word := range words {
		if err := f.setWord(word); err != nil {
			return f, fmt.Errorf(`word %q of the row "look custom": %w`, word, err)
		}
	}
	if f.bits == nil {
		f.bits = sequentialBits(wear)
	}
	for _, bit := range f.bits {
		f.all |= bit
	}
	if len(f.bits) > len(wear) || f.all > 0xffff || len(f.values) > 8 {
		return f, errors.New(`row "look custom" has more positions than the option wear of the profile, more than 16 mask bits, or more than 8 values`)
	}
	return f, nil
}

// sequentialBits returns the mask bit of each worn position. Positions that can be customised, with the value 0 in wear, get
// the bits 1, 2, 4 and so on. All others get none (0).
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
	what, enc := slices.Index(customisationNames, name), encodings[kind]
	if what < 0 || enc == encNone {
		return fmt.Errorf("field %q or encoding %q is unknown", name, kind)
	}
	f.values = append(f.values, customisationField{customisationKind(what), enc, open})
	return nil
}

func (f *customisationLayout) setBits(key, value string) error {
	list, err := parseNumbers(value)
	if err != nil {
		return err
	}
	for _, n := range list {
		if n > 15 {
			return fmt.Errorf("bit number %d in the mask of customised positions is not within 0..15", n)
		}
		if key == "refresh" {
			f.refresh = 1 << n
		} else {
			f.bits = append(f.bits, 1<<n)
		}
	}
	return nil
}
