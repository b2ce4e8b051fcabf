package store

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/truestep-io/truestep/sim"
)

// recordsMark is the first line of a file of records, by which ReadRecords recognizes it.
const recordsMark = `{"truestep_records":1}`

// record is one character as a JSON line of a file that WriteRecords writes.
type record struct {
	ID    sim.CharacterID `json:"id"`    // id of the character in the store
	Name  string          `json:"name"`  // name of the character
	Sheet json.RawMessage `json:"sheet"` // all else about the character, as EncodeSheet encodes it
}

// WriteRecords writes characters as JSON lines. A server writes such a file if it cannot save records when it stops.
//
//	{"truestep_records":1}
//	{"id":7,"name":"Ada","sheet":{"level":3,...}}
func WriteRecords(w io.Writer, list []*sim.Character) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, recordsMark)
	for _, c := range list {
		sheet, err := EncodeSheet(c)
		if err != nil {
			return fmt.Errorf("encode character %d: %w", c.ID, err)
		}
		line, err := json.Marshal(record{c.ID, c.Name, sheet})
		if err != nil {
			return fmt.Errorf("encode character %d: %w", c.ID, err)
		}
		b.Write(append(line, '\n'))
	}
	return b.Flush()
}

// ReadRecords reads a file that WriteRecords has written. Errors: ErrNotFound if the file is of another kind,
// ErrCorrupt with the number of the damaged line.
func ReadRecords(r io.Reader) ([]*sim.Character, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	if !lines.Scan() || lines.Text() != recordsMark {
		return nil, ErrNotFound
	}
	var list []*sim.Character
	for n := 2; lines.Scan(); n++ {
		var in record
		if err := json.Unmarshal(lines.Bytes(), &in); err != nil {
			return nil, fmt.Errorf("read line %d of the file of player records: %v: %w", n, err, ErrCorrupt)
		}
		c, err := DecodeSheet(in.Sheet)
		if err != nil {
			return nil, fmt.Errorf("read line %d of the file of player records: %w", n, err)
		}
		c.ID, c.Name = in.ID, in.Name
		list = append(list, c)
	}
	return list, lines.Err()
}
