package rcce

// Kind is the encoding of a Field.
type Kind uint8

// Kinds of fields. A number field longer than one value is a list of values.
const (
	KindU8     Kind = iota // unsigned
	KindU16                // unsigned, little-endian
	KindU32                // unsigned, little-endian
	KindI16                // signed, little-endian
	KindI32                // signed, little-endian
	KindF32                // IEEE-754 single, little-endian
	KindBiased             // u16, the value plus 5000
	KindChar               // one letter
	KindStr8               // count u8, then text
	KindStr16              // count u16, then text
	KindEmail              // count u8, then an address encoded by EncodeEmail
	KindText               // text without a count
)

// Width returns the size of one value of k in bytes; 0 if it varies.
func (k Kind) Width() int {
	switch k {
	case KindU8, KindChar:
		return 1
	case KindU16, KindI16, KindBiased:
		return 2
	case KindU32, KindI32, KindF32:
		return 4
	default:
		return 0
	}
}

// Field is one named field of a payload, for dissectors.
type Field struct {
	Name string // the struct field's name, with [n]. before it inside a list
	Off  int    // bytes from the start of the payload
	Raw  []byte // borrowed from the payload
	Kind Kind
}

// tracer collects the fields that a reader reads.
type tracer struct {
	payload []byte
	prefix  string
	fields  []Field
}

func (t *tracer) add(name string, kind Kind, from, to int) {
	if from == to && kind != KindText {
		return
	}
	t.fields = append(t.fields, Field{Name: t.prefix + name, Off: from, Raw: t.payload[from:to], Kind: kind})
}
