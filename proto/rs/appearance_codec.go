package rs

import (
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// AppendAppearance encodes a as the bytes of Info.Appearance, appends them to b and returns the longer slice. The caller ensures
// that the fields of a are within their ranges and that the encoding has at most 255 bytes, the maximum of an APPEARANCE block.
func (p *Profile) AppendAppearance(b []byte, a *Appearance) []byte {
	v := a.slots()
	runs := [4][]byte{a.Name, a.Affixes[0], a.Affixes[1], a.Affixes[2]}
	for i := range p.appearance {
		switch part := &p.appearance[i]; part.kind {
		case partFields:
			b = part.fields.append(b, v[:], runs[:])
		case partWorn:
			if a.NPC != nil {
				b = part.fields.append(append(b, 0xff, 0xff), v[:], runs[:])
			} else {
				b = part.appendWorn(b, &a.Worn)
			}
		case partKits:
			b = part.appendWorn(b, &a.Kits)
		case partCustom:
			if a.NPC == nil || !part.custom.humanOnly {
				b = part.custom.append(b, a)
			}
		}
	}
	return b
}

func (part *appearancePart) appendWorn(b []byte, worn *[maxWornSlots]Worn) []byte {
	for _, pos := range part.slots {
		w := worn[pos]
		switch w.Kind {
		case WornKit:
			b = appendEncoded(b, encU16, uint32(w.ID)+part.kitBase)
		case WornObject:
			b = appendEncoded(b, encU16, uint32(w.ID)+part.objectBase)
		default:
			b = append(b, 0)
		}
	}
	return b
}

func (f *customisationLayout) append(b []byte, a *Appearance) []byte {
	var mask uint32
	if a.ForceRebuild {
		mask = f.refresh
	}
	for i := range a.Customisations {
		mask |= f.bit(a.Customisations[i].Slot)
	}
	b = appendEncoded(b, encU16, mask)
	for i := range a.Customisations {
		if c := &a.Customisations[i]; f.bit(c.Slot) != 0 {
			b = f.appendPosition(b, c)
		}
	}
	return b
}

// bit returns the mask bit of the worn position pos, or 0 if that position cannot be customised in this revision.
func (f *customisationLayout) bit(pos uint8) uint32 {
	if int(pos) >= len(f.bits) {
		return 0
	}
	return f.bits[pos]
}

func (f *customisationLayout) appendPosition(b []byte, c *Customisation) []byte {
	at := len(b)
	b = append(b, 0)
	for i, val := range f.values {
		before := len(b)
		switch val.kind {
		case customWear:
			b = val.appendModels(b, c.WornModels)
		case customHead:
			b = val.appendModels(b, c.HeadModels)
		case customRecolour:
			b = appendSubstitutions(b, val.enc, c.Recolour[:])
		case customRetexture:
			b = appendSubstitutions(b, val.enc, c.Retexture[:])
		}
		if len(b) > before {
			b[at] |= 1 << i
		}
	}
	return b
}

func (val customisationField) appendModels(b []byte, models []ModelPair) []byte {
	if !val.perObject {
		models = models[:min(len(models), 1)]
	}
	for _, m := range models {
		b = appendEncoded(appendEncoded(b, val.enc, uint32(m.Male)), val.enc, uint32(m.Female))
	}
	return b
}

// unusedNibble is written in place of the 4-bit index of a substitution that is not used.
const unusedNibble = 15

// appendSubstitutions appends the used elements of swaps, which are changes of colours or textures. First it appends one value,
// encoded by t, that contains an index of 4 bits for each element of swaps. Then it appends the new colours or textures. It appends
// nothing if no element is used.
func appendSubstitutions(b []byte, t encoding, swaps []Substitution) []byte {
	swaps = swaps[:min(len(swaps), 2*t.minSize())]
	packed, used := uint32(0), false
	for i, s := range swaps {
		nibble := uint32(unusedNibble)
		if s.Used {
			nibble, used = uint32(s.Index)&15, true
		}
		packed |= nibble << (4 * i)
	}
	if !used {
		return b
	}
	b = appendEncoded(b, t, packed)
	for _, s := range swaps {
		if s.Used {
			b = appendEncoded(b, encU16, uint32(s.Value))
		}
	}
	return b
}

// ParseAppearance parses an appearance, which must take all of b. The result keeps no reference to b. Errors wrap wire.ErrShort,
// wire.ErrRange, wire.ErrTrailing or ErrNeedsCache. For an appearance without an error, AppendAppearance writes the bytes of b
// again.
func (p *Profile) ParseAppearance(b []byte) (Appearance, error) {
	var a Appearance
	var v appearanceSlots
	var runs [4][]byte
	r := wire.NewReader(b)
	for i := range p.appearance {
		part := &p.appearance[i]
		switch part.kind {
		case partFields:
			part.fields.parse(&r, v[:], runs[:])
		case partWorn:
			if part.parseWorn(&r, &a.Worn, true) {
				a.NPC = &NPCForm{}
				part.fields.parse(&r, v[:], runs[:])
			}
		case partKits:
			part.parseWorn(&r, &a.Kits, false)
		case partCustom:
			if a.NPC == nil || !part.custom.humanOnly {
				part.custom.parse(&r, &a)
			}
		}
	}
	a.setSlots(&v)
	a.Name, a.Affixes = runs[0], [3][]byte{runs[1], runs[2], runs[3]}
	if err := r.Done("appearance " + p.Name); err != nil {
		return Appearance{}, err
	}
	return a, nil
}

// parseWorn reads what is in each worn position into worn. The parameter outer is true for the objects that an avatar wears,
// false for the body parts under them (OSRS only), which cannot be objects. In place of the worn objects there may be a marker
// that says that the avatar looks like an NPC. The result npc is true if the marker was read.
func (part *appearancePart) parseWorn(r *wire.Reader, worn *[maxWornSlots]Worn, outer bool) (npc bool) {
	for _, pos := range part.slots {
		high := uint32(r.U8())
		if high == 0 {
			continue
		}
		v := high<<8 | uint32(r.U8())
		switch {
		case outer && pos == 0 && v == 0xffff:
			return true
		case outer && v >= part.objectBase:
			worn[pos] = Worn{WornObject, uint16(v - part.objectBase)}
		case v >= part.kitBase && v < part.objectBase:
			worn[pos] = Worn{WornKit, uint16(v - part.kitBase)}
		default:
			r.Fail(errValue)
		}
	}
	return false
}

func (f *customisationLayout) parse(r *wire.Reader, a *Appearance) {
	mask := readEncoded(r, encU16)
	if mask&^(f.all|f.refresh) != 0 {
		r.Fail(fmt.Errorf("%w: mask of customised equipment slots has bits %#x that belong to no slot", wire.ErrRange, mask&^(f.all|f.refresh)))
	}
	a.ForceRebuild = mask&f.refresh != 0
	for pos, bit := range f.bits {
		if mask&bit == 0 || r.Err() != nil {
			continue
		}
		if f.objectsOnly && a.Worn[pos].Kind != WornObject {
			r.Fail(fmt.Errorf("%w: equipment slot %d is customised but has no object", wire.ErrRange, pos))
		}
		a.Customisations = append(a.Customisations, f.parsePosition(r, uint8(pos)))
	}
}

func (f *customisationLayout) parsePosition(r *wire.Reader, pos uint8) Customisation {
	c := Customisation{Slot: pos}
	flags := r.U8()
	if flags>>len(f.values) != 0 {
		r.Fail(fmt.Errorf("%w: customisation flags %#x have unknown bits", wire.ErrRange, flags))
	}
	for i, val := range f.values {
		if flags>>i&1 == 0 {
			continue
		}
		if val.perObject {
			r.Fail(ErrNeedsCache)
		}
		switch val.kind {
		case customWear:
			c.WornModels = readModels(r, val.enc)
		case customHead:
			c.HeadModels = readModels(r, val.enc)
		case customRecolour:
			readSubstitutions(r, val.enc, c.Recolour[:])
		case customRetexture:
			readSubstitutions(r, val.enc, c.Retexture[:])
		}
	}
	return c
}

func readModels(r *wire.Reader, t encoding) []ModelPair {
	man := int32(readEncoded(r, t))
	return []ModelPair{{Male: man, Female: int32(readEncoded(r, t))}}
}

// readSubstitutions reads the changes that appendSubstitutions has written. A set in which no change is used is an error, because
// the encoder does not write such a set.
func readSubstitutions(r *wire.Reader, t encoding, swaps []Substitution) {
	swaps = swaps[:min(len(swaps), 2*t.minSize())]
	packed := readEncoded(r, t)
	if packed == 1<<(4*len(swaps))-1 {
		r.Fail(errLongForm)
	}
	for i := range swaps {
		if nibble := packed >> (4 * i) & 15; nibble != unusedNibble {
			swaps[i] = Substitution{Used: true, Index: uint8(nibble), Value: uint16(readEncoded(r, encU16))}
		}
	}
}
