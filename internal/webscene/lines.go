package webscene

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"io"

	"github.com/truestep-io/truestep/proto/web"
)

// Line is one line of a file of test vectors for decoders of the web protocol. Exactly one of its fields is set. A decoder that
// reads all lines in order must decode the states that the lines contain.
type Line struct {
	Schema   *web.Schema `json:"schema,omitempty"`   // in the first line only: the kinds of actors and their fields
	Enter    *EnterLine  `json:"enter,omitempty"`    // the client has received an Enter message
	Snapshot *SnapLine   `json:"snapshot,omitempty"` // the client has received a snapshot
}

// EnterLine contains the initial values of an actor's fields, which the server sends in an Enter message of the web protocol.
type EnterLine struct {
	Handle uint16  `json:"handle"` // the actor's number on this connection
	Kind   uint8   `json:"kind"`   // index of the actor's kind in the schema
	Values []int32 `json:"values"` // value of each field of the kind, in steps of the field
}

// SnapLine contains a snapshot and the result that decoding it must have.
type SnapLine struct {
	Hex    string    `json:"hex"`    // the snapshot in hexadecimal
	Taken  bool      `json:"taken"`  // false: the client ignores the snapshot, because it has a newer one or lacks its baseline
	States [][]int32 `json:"states"` // handle and field values of each actor in the snapshot, in its order
	Ack    string    `json:"ack"`    // the client's acknowledgement after the snapshot, hexadecimal
}

// WriteLines simulates a run and writes its messages as JSON lines (see Line).
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
