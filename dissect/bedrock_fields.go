package dissect

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/truestep-io/truestep/proto/bedrock"
)

// bedrockField is the name and the value of a packet's field as text.
type bedrockField struct{ name, value string }

// Limits of what is printed of a packet, which do not apply with the option Full.
const (
	manyFields   = 12  // number of fields above which fields that are zero are not printed
	shownText    = 60  // maximum number of bytes of a text that are printed
	shownMembers = 4   // maximum number of elements of a list that are printed
	shownLine    = 400 // maximum length of a line in bytes
	fieldDepth   = 8   // maximum nesting of structures that is printed, also with the option Full
)

// usualInput lists the fields of a PlayerAuthInput about movement, which are printed first, in this order.
var usualInput = []string{"Tick", "Position", "Delta", "MoveVector", "Pitch", "Yaw", "HeadYaw", "Input"}

// packetFields returns the fields of a packet that are printed. In a PlayerAuthInput, the fields in usualInput come first; in
// any other packet, the tick. The other fields follow in the order of the packet.
func (p *bedrockPrinter) packetFields(packet bedrock.Packet) []bedrockField {
	v := reflect.ValueOf(packet)
	if v.Kind() != reflect.Struct {
		return nil
	}
	var first, out []bedrockField
	var usual []string
	if _, ok := packet.(bedrock.PlayerAuthInput); ok {
		usual = usualInput
	}
	for _, name := range usual {
		out = append(out, bedrockField{name, p.fieldText(v.FieldByName(name), 0)})
	}
	sparse := !p.full && v.NumField() > manyFields
	left := 0
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case !f.IsExported() || contains(usual, f.Name):
		case sparse && canOmit(usual, f.Name, v.Field(i)):
			left++
		case f.Name == "Tick":
			first = append(first, bedrockField{f.Name, p.fieldText(v.Field(i), 0)})
		default:
			out = append(out, bedrockField{f.Name, p.fieldText(v.Field(i), 0)})
		}
	}
	if left > 0 && usual == nil {
		out = append(out, bedrockField{"", fmt.Sprintf("(%d fields are zero)", left)})
	}
	return append(first, out...)
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// canOmit reports whether a packet with many fields is printed without the field called name, whose value is v. The parameter
// usual is nil unless the packet is a PlayerAuthInput. In other packets, only fields that are zero are left out. In a
// PlayerAuthInput all fields are left out, except nonzero ones about items, blocks and vehicles.
func canOmit(usual []string, name string, v reflect.Value) bool {
	if usual == nil {
		return v.IsZero()
	}
	switch name {
	case "Transaction", "StackRequest", "BlockActions", "PredictedVehicle", "VehicleRotation":
		return v.IsZero()
	}
	return true
}

// fieldText formats the value of a field. The parameter depth is the number of structures around the value; values nested deeper
// than fieldDepth are printed as "...".
func (p *bedrockPrinter) fieldText(v reflect.Value, depth int) string {
	if depth > fieldDepth {
		return "..."
	}
	if text, ok := p.knownText(v, depth); ok {
		return text
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32:
		return strconv.FormatFloat(v.Float(), 'g', -1, 32)
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case reflect.String:
		return p.text(v.String())
	case reflect.Pointer:
		if v.IsNil() {
			return "none"
		}
		return p.fieldText(v.Elem(), depth)
	case reflect.Array:
		return p.numberText(v, depth)
	case reflect.Slice:
		return p.listText(v, depth)
	case reflect.Struct:
		return p.structText(v, depth)
	}
	return "?"
}

// knownText formats a value whose type has a text form of its own, such as a set of flags. For values of all other types it
// returns false, and also for unexported fields, whose values package reflect does not return.
func (p *bedrockPrinter) knownText(v reflect.Value, depth int) (string, bool) {
	if !v.CanInterface() {
		return "", false
	}
	switch x := v.Interface().(type) {
	case bedrock.InputData:
		var names []string
		x.Each(func(f bedrock.InputFlag) { names = append(names, f.String()) })
		return orNone(names), true
	case bedrock.ActorFlags:
		return actorFlagsText(x), true
	case bedrock.Metadata:
		return p.metadataText(x, depth), true
	case fmt.Stringer:
		if v.Kind() != reflect.Pointer || !v.IsNil() {
			return x.String(), true
		}
	}
	return "", false
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ",")
}

func actorFlagsText(s bedrock.ActorFlags) string {
	var names []string
	for f := range 128 {
		if s.Has(bedrock.ActorFlag(f)) {
			names = append(names, strings.ReplaceAll(bedrock.ActorFlag(f).String(), "flag ", ""))
		}
	}
	return orNone(names)
}

// metadataText formats the metadata of an actor, with flags by name and other values by key.
func (p *bedrockPrinter) metadataText(m bedrock.Metadata, depth int) string {
	parts := make([]string, 0, len(m))
	for i := range m {
		e := &m[i]
		value := ""
		switch e.Type {
		case bedrock.MetaFloat:
			value = p.fieldText(reflect.ValueOf(e.Float), depth+1)
		case bedrock.MetaString:
			value = p.text(e.Text)
		case bedrock.MetaNBT:
			value = p.fieldText(reflect.ValueOf([]byte(e.Tag)), depth+1)
		case bedrock.MetaBlock:
			value = p.fieldText(reflect.ValueOf(e.Block), depth+1)
		case bedrock.MetaVec3:
			value = p.fieldText(reflect.ValueOf(e.Vec), depth+1)
		default:
			value = strconv.FormatInt(e.Int, 10)
		}
		switch e.Key {
		case bedrock.MetaFlags:
			value = actorFlagsText(bedrock.ActorFlags{uint64(e.Int), 0})
		case bedrock.MetaFlags2:
			value = actorFlagsText(bedrock.ActorFlags{0, uint64(e.Int)})
		}
		parts = append(parts, strings.ReplaceAll(e.Key.String(), "key ", "")+"="+value)
	}
	return "{" + strings.Join(parts, " ") + "}"
}

// text quotes a string, so that terminal control sequences in it have no effect, and shortens it.
func (p *bedrockPrinter) text(s string) string {
	if len(s) > shownText && !p.full {
		return fmt.Sprintf("%s...(%d bytes)", strconv.Quote(strings.ToValidUTF8(s[:shownText], "")), len(s))
	}
	return strconv.Quote(s)
}

// numberText formats an array, such as a vector, as numbers separated by commas.
func (p *bedrockPrinter) numberText(v reflect.Value, depth int) string {
	parts := make([]string, v.Len())
	for i := range parts {
		parts[i] = p.fieldText(v.Index(i), depth+1)
	}
	return strings.Join(parts, ",")
}

// listText formats bytes as hex digits. Of other lists it formats the first elements.
func (p *bedrockPrinter) listText(v reflect.Value, depth int) string {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		b := v.Bytes()
		if len(b) == 0 {
			return "(0 bytes)"
		}
		return fmt.Sprintf("(%d bytes) %s", len(b), p.hex(b))
	}
	var s strings.Builder
	s.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			s.WriteByte(' ')
		}
		if i == shownMembers && !p.full {
			fmt.Fprintf(&s, "... %d in all", v.Len())
			break
		}
		s.WriteString(p.fieldText(v.Index(i), depth+1))
	}
	s.WriteByte(']')
	return s.String()
}

// structText formats the fields of a structure that are not zero, or all fields with the option Full. For an optional value
// (bedrock.Opt) it formats the contained value.
func (p *bedrockPrinter) structText(v reflect.Value, depth int) string {
	if has := v.FieldByName("Has"); has.IsValid() && v.NumField() == 2 && has.Kind() == reflect.Bool {
		if !has.Bool() {
			return "none"
		}
		return p.fieldText(v.FieldByName("V"), depth)
	}
	var parts []string
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.IsExported() && (p.full || !v.Field(i).IsZero()) {
			parts = append(parts, f.Name+"="+p.fieldText(v.Field(i), depth+1))
		}
	}
	return "{" + strings.Join(parts, " ") + "}"
}
