package webscene

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"io"

	"github.com/truestep-io/truestep/proto/web"
)

// Line is a line of the vectors: one of its fields is set. A decoder that reads the lines in order must find the same states.
type Line struct {
	Schema   *web.Schema `json:"schema,omitempty"`   // first line: the kinds of actors and their fields
	Enter    *EnterLine  `json:"enter,omitempty"`    // an actor is introduced
	Snapshot *SnapLine   `json:"snapshot,omitempty"` // a snapshot has arrived
}

// EnterLine is what the message Enter says of an actor's fields.
type EnterLine struct {
	Handle uint16  `json:"handle"`
	Kind   uint8   `json:"kind"`
	Values []int32 `json:"values"`
}

// SnapLine is a snapshot and what it means.
type SnapLine struct {
	Hex    string    `json:"hex"`
	Taken  bool      `json:"taken"`  // false: it is older than one that was taken, or its base is not known, and it is ignored
	States [][]int32 `json:"states"` // handle and values of each actor that it tells, in its order
	Ack    string    `json:"ack"`    // the acknowledgement after it, in hexadecimal
}

// WriteLines writes a run as JSON lines.
func WriteLines(w io.Writer, c Config) error {
	r, err := New(c)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	lines := json.NewEncoder(out)
	err = lines.Encode(Line{Schema: r.Schema()})
	for _, s := range r.Entered() {
		if err == nil {
			err = lines.Encode(Line{Enter: &EnterLine{Handle: s.Handle, Values: s.Values}})
		}
	}
	for tick := 0; tick < c.Ticks && err == nil; tick++ {
		failed := r.Step(func(a *Arrival) {
			s := SnapLine{Hex: hex.EncodeToString(a.Snapshot), Taken: a.Taken, Ack: hex.EncodeToString(a.Ack), States: [][]int32{}}
			for _, x := range a.States {
				s.States = append(s.States, append([]int32{int32(x.Handle)}, x.Values...))
			}
			if err == nil {
				err = lines.Encode(Line{Snapshot: &s})
			}
		})
		if err == nil {
			err = failed
		}
	}
	if err != nil {
		return err
	}
	return out.Flush()
}
