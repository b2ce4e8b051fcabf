package history

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// A history file begins with a head: the magic, the length and the CRC-32C of a JSON text, and the JSON text, which
// describes the series and rings. The rings follow, the one with the shortest buckets first.
const (
	magic     = "TSHIST1\n"
	maxHead   = 64 << 10 // maximum length of the JSON text in bytes
	maxStored = 1 << 12  // maximum number of series that readFile accepts
	maxSlots  = 1 << 16  // maximum number of buckets per ring that readFile accepts
)

var (
	errNoHistory = errors.New("the file is not a Truestep history file, or its header is damaged")
	errWasLonger = errors.New("the history file is truncated: it is shorter than its header says")
)

// head describes the series and rings of a history file.
type head struct {
	Series []Series   `json:"columns"` // series in the order in which a bucket stores their values
	Rings  []headRing `json:"rings"`   // rings in the order of the file, the one with the shortest buckets first
}

// headRing is the width of a ring's buckets in seconds and the number of its buckets.
type headRing struct {
	Step  int64 `json:"step"`  // width of a bucket in seconds
	Slots int   `json:"slots"` // number of buckets
}

// stored is the decoded content of a history file.
type stored struct {
	head    head
	rings   []*ring
	damaged int // number of records that were skipped because they are damaged
}

// readFile reads a whole history file. Before it allocates memory, it checks that the file is as long as its head (the JSON text
// at its beginning) says.
func readFile(path string) (*stored, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	begin := make([]byte, len(magic)+8)
	if _, err := io.ReadFull(f, begin); err != nil || !bytes.HasPrefix(begin, []byte(magic)) {
		return nil, errNoHistory
	}
	length, sum := binary.LittleEndian.Uint32(begin[len(magic):]), binary.LittleEndian.Uint32(begin[len(magic)+4:])
	if length > maxHead {
		return nil, errNoHistory
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(f, text); err != nil || crc32.Checksum(text, castagnoli) != sum {
		return nil, errNoHistory
	}
	s := &stored{}
	if err := json.Unmarshal(text, &s.head); err != nil || len(s.head.Series) > maxStored || len(s.head.Rings) > 16 {
		return nil, errNoHistory
	}
	size := recordSize(len(s.head.Series))
	need := int64(len(begin)) + int64(length)
	for _, r := range s.head.Rings {
		if r.Step < 1 || r.Slots < 1 || r.Slots > maxSlots {
			return nil, errNoHistory
		}
		need += int64(r.Slots) * int64(size)
	}
	if info.Size() < need-int64(size) { // the last record may be shorter, because a crash may have truncated it
		return nil, errWasLonger
	}
	for _, r := range s.head.Rings {
		g := newRing(resolution{r.Step, r.Slots}, len(s.head.Series))
		raw := make([]byte, r.Slots*size)
		if _, err := io.ReadFull(f, raw); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
			return nil, err
		}
		for i := range g.buckets {
			if b := &g.buckets[i]; !b.parse(raw[i*size:][:size]) || b.at != 0 && (b.at%r.Step != 0 || g.slot(b.at) != i) {
				s.damaged++
				b.at = 0
			}
		}
		s.rings = append(s.rings, g)
	}
	return s, nil
}

// writeFile writes a whole history file to a temporary file and renames it to path.
func writeFile(path string, series []Series, rings []*ring) (err error) {
	text := headText(series, rings)
	if len(text) > maxHead {
		return fmt.Errorf("the names of %d series are too long for the header of a history file", len(series))
	}
	b := appendHead(nil, text)
	for _, g := range rings {
		for i := range g.buckets {
			if g.buckets[i].at == 0 {
				b = append(b, make([]byte, recordSize(len(series)))...)
			} else {
				b = g.buckets[i].appendTo(b)
			}
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // no effect after the file was renamed
	_, err = f.Write(b)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}

func appendHead(b, text []byte) []byte {
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(text, castagnoli))
	return append(b, text...)
}

// sameLayout reports whether the file's head describes exactly these series and rings.
func (h *head) sameLayout(series []Series, rings []*ring) bool {
	if len(h.Series) != len(series) || len(h.Rings) != len(rings) {
		return false
	}
	for i := range series {
		if h.Series[i] != series[i] {
			return false
		}
	}
	for i, g := range rings {
		if h.Rings[i] != (headRing{g.step, g.slots}) {
			return false
		}
	}
	return true
}

// headText returns the JSON text at the beginning of a history file, which describes the series and rings.
func headText(series []Series, rings []*ring) []byte {
	h := head{Series: series}
	for _, g := range rings {
		h.Rings = append(h.Rings, headRing{g.step, g.slots})
	}
	text, err := json.Marshal(h)
	if err != nil {
		panic(err) // cannot happen: h contains only strings and integers
	}
	return text
}

// headLength returns the offset of the first ring in a history file, in bytes: everything before it is the head.
func headLength(series []Series, rings []*ring) int64 {
	return int64(len(appendHead(nil, headText(series, rings))))
}
