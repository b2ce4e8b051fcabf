package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// Opt is an optional value of a packet. If Has is false, the value is absent and V is the zero value.
type Opt[T any] struct {
	V   T    // value; the zero value of T if Has is false
	Has bool // the value is present
}

// Some returns an Opt that is present and has the value v.
func Some[T any](v T) Opt[T] { return Opt[T]{V: v, Has: true} }

func readOptF32(r *wire.Reader) Opt[float32] {
	if r.Bool() {
		return Some(r.F32())
	}
	return Opt[float32]{}
}

func appendOptF32(b []byte, o Opt[float32]) []byte {
	if !o.Has {
		return append(b, 0)
	}
	return wire.F32(append(b, 1), o.V)
}
