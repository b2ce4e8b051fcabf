package rcce

// FieldKind says how a field in a trace is encoded.
type FieldKind uint8

// Values of Field.Kind: how a field in a trace is encoded. The bytes of an array contain several values of this kind, one after
// the other.
const (
	KindU8     FieldKind = iota // unsigned byte
	KindU16                     // unsigned 16-bit number, little-endian
	KindU32                     // unsigned 32-bit number, little-endian
	KindI16                     // signed 16-bit number, little-endian
	KindI32                     // signed 32-bit number, little-endian
	KindF32                     // IEEE 754 single precision, little-endian
	KindBiased                  // u16 that is the value plus 5000, little-endian
	KindChar                    // letter of one byte
	KindStr8                    // one byte that is the length, then the text
	KindStr16                   // two bytes that are the length, then the text
	KindEmail                   // one byte that is the length, then an address encoded by EncodeEmail
	KindText                    // text without a length before it
)

// Width returns the size in bytes of one value of the kind k, or 0 if the size varies.
func (k FieldKind) Width() int {
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

// Field is a field of a payload with its name and its bytes, for dissectors.
type Field struct {
	Name string    // name of the struct field; for a field of a list element, the path such as "Slots[3].Amount"
	Off  int       // offset from the start of the payload, bytes
	Raw  []byte    // bytes of the field, borrowed from the payload
	Kind FieldKind // how Raw encodes the value
}

// tracer collects the list of fields that Format.Trace returns.
type tracer struct {
	payload []byte
	prefix  string // prefix of the names of fields, for example "Slots[3]."; "" outside a list
	fields  []Field
}

func (t *tracer) add(name string, kind FieldKind, from, to int) {
	if from == to && kind != KindText {
		return
	}
	t.fields = append(t.fields, Field{Name: t.prefix + name, Off: from, Raw: t.payload[from:to], Kind: kind})
}
