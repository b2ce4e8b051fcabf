package sim

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// Field is one value of an area's state or of an event, as text. It is for programs that compare states and print the
// differences.
type Field struct {
	Entity EntityID // actor that the field belongs to; 0 for the area
	Name   string   // path of Go field names and indices, such as pos.X or inv[3].Amount
	Value  string   // number, true, or a string quoted as in Go
}

// derivedFields lists, by type name, the fields that Area.Fields omits. Most are computed from other fields or from the world.
// Two are not: id, which is in Field.Entity, and places (see the comment of Area.Fields).
var derivedFields = map[string][]string{
	"Area":        {"world", "def", "maxSight", "rewindTicks", "places", "byID", "authorityCounts"},
	"actor":       {"id", "bodyStale", "glides", "depthStrider", "body", "digest", "armour", "weapon", "pets"},
	"effectState": {"worn"},
	"departure":   {"digest"},
}

// Fields returns every value of the area's state that is not zero: first the values of the area, then those of each actor in
// order of id. The values of the area, and those of one actor, are in the order of the Go fields. Fields omits the positions of
// actors in earlier ticks, which the area stores for lag compensation: the results of Fields after those ticks contain them.
func (a *Area) Fields() []Field {
	// The fields are read from a restored copy, because the area itself also contains working memory, and old values in the spare
	// capacity of its slices.
	c, err := Restore(a.world, a.Snapshot(nil))
	if err != nil {
		panic(fmt.Sprintf("sim: the snapshot of an area cannot be restored: %v", err))
	}
	l := fieldList{}
	actors := c.actors
	c.actors = nil
	l.add("", reflect.ValueOf(c).Elem())
	for _, x := range actors {
		l.entity = x.id
		l.list = append(l.list, Field{x.id, "tmpl", strconv.Itoa(int(x.tmpl.ID))})
		x.tmpl = nil
		l.list = append(l.list, Field{x.id, "authority.kind", strconv.Itoa(int(x.authority.kind()))})
		l.add("", reflect.ValueOf(x).Elem())
	}
	return l.list
}

// EventFields returns every value of the frame's events that is not zero. The fields have names such as event[0].Kind and
// belong to the actor Event.Who.
func (f *Frame) EventFields() []Field {
	l := fieldList{}
	for i := range f.Events {
		l.entity = f.Events[i].Who
		l.add(fmt.Sprintf("event[%d]", i), reflect.ValueOf(&f.Events[i]).Elem())
	}
	return l.list
}

// fieldList collects the values of a struct, and of the structs and lists within it, as Fields.
type fieldList struct {
	entity EntityID
	list   []Field
}

// add appends v, or the values within v if it has parts. The parameter name is the path to v. Zero values are skipped.
func (l *fieldList) add(name string, v reflect.Value) {
	if v.IsZero() {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		l.addStruct(name, v)
	case reflect.Array, reflect.Slice:
		if v.Kind() == reflect.Slice {
			l.set(name+".len", strconv.Itoa(v.Len()))
		}
		for i := range v.Len() {
			l.add(fmt.Sprintf("%s[%d]", name, i), v.Index(i))
		}
	case reflect.Pointer, reflect.Interface:
		if v.Elem().Kind() == reflect.Struct {
			l.set(name, "set")
		}
		l.add(name, v.Elem())
	case reflect.Bool:
		l.set(name, "true")
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		l.set(name, strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		l.set(name, strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32:
		l.set(name, formatFloat(float32(v.Float())))
	case reflect.String:
		l.set(name, strconv.Quote(v.String()))
	default:
		panic(fmt.Sprintf("sim: the field %s has the type %v, which fields of a state must not have", name, v.Type()))
	}
}

func (l *fieldList) addStruct(name string, v reflect.Value) {
	t := v.Type()
	derived := derivedFields[t.Name()]
next:
	for i := range t.NumField() {
		f := t.Field(i)
		for _, d := range derived {
			if f.Name == d {
				continue next
			}
		}
		switch {
		case f.Anonymous:
			l.add(name, v.Field(i))
		case name == "":
			l.add(f.Name, v.Field(i))
		default:
			l.add(name+"."+f.Name, v.Field(i))
		}
	}
}

func (l *fieldList) set(name, value string) {
	l.list = append(l.list, Field{l.entity, name, value})
}

// formatFloat returns the shortest text that parses to the same float. For a NaN the text is its bits in hexadecimal.
func formatFloat(f float32) string {
	if f != f {
		return fmt.Sprintf("NaN(%#x)", math.Float32bits(f))
	}
	return strconv.FormatFloat(float64(f), 'g', -1, 32)
}
