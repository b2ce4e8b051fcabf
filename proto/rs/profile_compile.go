package rs

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// rowCompiler compiles one row of a profile table into a program, which encodes and decodes the fields that the row describes.
type rowCompiler struct {
	words      []string
	slots      []string // names of the value slots
	anyBytes   bool     // the kind has a single byte string, which a row may name freely
	bytesNames []string // names of the byte strings, if the kind has several
	ops        program
}

// next returns the next word of the row and advances past it. It returns "" at the end of the row.
func (c *rowCompiler) next() string {
	if len(c.words) == 0 {
		return ""
	}
	word := c.words[0]
	c.words = c.words[1:]
	return word
}

// peek reports whether the next word of the row equals word.
func (c *rowCompiler) peek(word string) bool { return len(c.words) > 0 && c.words[0] == word }

// list compiles a row for a list of items, in the form n:encoding *{ fields }. Nothing may follow it in the row. It returns the
// encoding of the number of items, and the program of an item.
func (c *rowCompiler) list() (encoding, program, error) {
	_, name, _ := strings.Cut(c.next(), ":")
	count := encodings[name]
	if count == encNone || count.minSize() != 1 || count == encSmart {
		return 0, nil, fmt.Errorf("count of a list has the encoding %q, but the encoding must take one byte, such as u8", name)
	}
	if c.next() != "*" || c.next() != "{" {
		return 0, nil, errors.New("list must have the form n:encoding *{ fields }")
	}
	ops, err := c.fields("}")
	if err == nil && len(c.words) > 0 {
		err = fmt.Errorf("unexpected %q after the list", c.words[0])
	}
	return count, ops, err
}

// fields compiles the words of the row up to the word end, or up to the end of the row if end is "".
func (c *rowCompiler) fields(end string) (program, error) {
	for {
		word := c.next()
		if word == end {
			return c.ops, nil
		}
		if err := c.field(word); err != nil {
			return nil, fmt.Errorf("compile the field %q: %w", word, err)
		}
	}
}

func (c *rowCompiler) field(word string) error {
	if word == "" {
		return errors.New("row ends before a bracket is closed")
	}
	if word == "(" {
		return c.group()
	}
	name, kind, _ := strings.Cut(word, ":")
	if name == "len" {
		return c.lengthPrefixed(kind)
	}
	if s, ok := byteLayouts[kind]; ok && s == layoutCstr {
		return c.addBytes(name, s, encNone)
	}
	if times, base, found := strings.Cut(name, "*"); found {
		return c.repeated(times, base, kind)
	}
	return c.value(name, kind)
}

// group compiles conditional fields: the text after an opening parenthesis, which is a condition, the fields that depend on it,
// and ")".
func (c *rowCompiler) group() error {
	cond, err := c.condition(c.next())
	if err != nil {
		return err
	}
	at := len(c.ops)
	c.ops = append(c.ops, cond)
	if _, err := c.fields(")"); err != nil {
		return err
	}
	skip := len(c.ops) - at - 1
	if skip > 255 {
		return fmt.Errorf("condition in brackets controls %d fields, at most 255 are allowed", skip)
	}
	c.ops[at].skip = uint8(skip)
	return nil
}

// condition compiles a condition in one of the forms name=v, name=v..w and name&mask=v.
func (c *rowCompiler) condition(word string) (op, error) {
	name, span, _ := strings.Cut(word, "=")
	o := op{code: opIf, mask: 1<<32 - 1}
	if left, mask, found := strings.Cut(name, "&"); found {
		m, err := parseNumber(mask)
		if err != nil {
			return o, err
		}
		name, o.mask = left, m
	}
	low, high, found := strings.Cut(span, "..")
	if !found {
		high = low
	}
	first, err1 := parseNumber(low)
	last, err2 := parseNumber(high)
	slot := slices.Index(c.slots, name)
	if err := errors.Join(err1, err2); err != nil || slot < 0 {
		return o, fmt.Errorf("invalid condition %q, must be NAME=V, NAME=V..W or NAME&MASK=V with the name of a field", word)
	}
	o.slot, o.first, o.last = uint8(slot), int32(first), int32(last)
	return o, nil
}

// lengthPrefixed compiles a byte string that is preceded by its length. The parameter length is the name of the length's
// encoding.
func (c *rowCompiler) lengthPrefixed(length string) error {
	t := encodings[length]
	name, kind, _ := strings.Cut(c.next(), ":")
	s := byteLayouts[kind]
	if t == encNone || t.minSize() != 1 || t == encSmart || s == layoutNone || s == layoutCstr {
		return fmt.Errorf("length encoding %q must have one byte, such as u8, and byte encoding %q must be bytes, rbytes or bytesA", length, kind)
	}
	return c.addBytes(name, s, t)
}

func (c *rowCompiler) addBytes(name string, s byteLayout, t encoding) error {
	slot, least := 0, 1
	if c.bytesNames != nil {
		slot, least = slices.Index(c.bytesNames, name), 0
	} else if !c.anyBytes {
		slot = -1
	}
	if slot < 0 {
		return fmt.Errorf("%q is not the name of a text or byte string that this row can have", name)
	}
	c.ops = append(c.ops, op{code: opBytes, layout: s, enc: t, slot: uint8(slot), minLen: least})
	return nil
}

// repeated compiles fields with equal encodings that a profile writes in a short form: 4*name:encoding stands for name0:encoding to
// name3:encoding.
func (c *rowCompiler) repeated(times, base, kind string) error {
	n, err := strconv.ParseUint(times, 10, 5)
	if err != nil {
		return err
	}
	for i := range n {
		if err := c.value(base+strconv.FormatUint(i, 10), kind); err != nil {
			return err
		}
	}
	return nil
}

// value compiles a field in the form name:encoding or name:encoding<limit. If [name:encoding] follows, a large value is encoded
// as two numbers. The second number is its low half, in the encoding in the brackets.
func (c *rowCompiler) value(name, kind string) error {
	kind, limit, limited := strings.Cut(kind, "<")
	o := op{code: opValue, enc: encodings[kind], signed: strings.HasPrefix(kind, "s8")}
	slot := slices.Index(c.slots, name)
	if slot < 0 || o.enc == encNone {
		return fmt.Errorf("field %q or encoding %q is unknown", name, kind)
	}
	o.slot = uint8(slot)
	if limited {
		below, err := parseNumber(limit)
		if err != nil || o.signed {
			return fmt.Errorf("limit %q is not a number below 1<<31, or it limits a signed field, which cannot have a limit", limit)
		}
		o.limit = below
	}
	if c.peek("[") {
		c.next()
		_, low, _ := strings.Cut(c.next(), ":")
		o.code, o.low = opWide, encodings[low]
		if o.enc.minSize() != 2 || o.low.minSize() != 2 || c.next() != "]" {
			return errors.New("a field with an optional low half must have the form NAME:u16 [NAME:u16]")
		}
	}
	c.ops = append(c.ops, o)
	return nil
}
