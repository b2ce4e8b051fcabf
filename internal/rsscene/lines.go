package rsscene

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/truestep-io/truestep/proto/rs"
)

// Line is one line of a vector file, which is a recording of the packets to one simulated client. Tests of decoders replay it.
// There are two kinds of lines. An init line (LineInit) contains the placement block of a login: the positions of all players.
// A cycle line (LineCycle) contains one player-info packet, and the state that the client must have after it. The first line is
// an init line. A later init line is a reconnect: the client forgets which players were idle in the last packet (all skip flags
// become 0), but keeps the appearances.
//
//	{"t":"init","self":7,"bytes":"0c80…"}
//	{"t":"cycle","bytes":"007ff4","truth":{"local":{"7":[3200,3201,0]},"lowres":{"9":[0,50,49]}}}
//
// bytes is hexadecimal: the placement block (4608 bytes), or the payload of a player-info packet without opcode and size. local
// maps the index of each local player after the cycle, including the client's own, to its tile [x, y, plane], absolute, y to the
// north. lowres maps the index of each other player to its map square [plane, rx, ry], of 64 tiles (OSRS: 8192). A player that is
// in neither map is at plane 0, square 0,0. Keys are decimal indices 1..2047.
type Line struct {
	T     string     `json:"t"`               // kind of the line: LineInit or LineCycle
	Self  rs.Index   `json:"self,omitempty"`  // index of the client's player, in init lines
	Bytes string     `json:"bytes"`           // packet in hexadecimal
	Truth *LineTruth `json:"truth,omitempty"` // state that the client must have after the packet; only in cycle lines
}

// Values of Line.T: what a line contains.
const (
	LineInit  = "init"
	LineCycle = "cycle"
)

// LineTruth is the JSON form of a Truth. Line describes its maps.
type LineTruth struct {
	Local  map[string][3]int `json:"local"`  // tile [x, y, plane] of each local player, by player index
	Lowres map[string][3]int `json:"lowres"` // map square [plane, rx, ry] of each player that is not local, by player index
}

// ErrLine is wrapped by errors about a malformed line of a vector file.
var ErrLine = errors.New("invalid line in a file of RuneScape test vectors")

// WriteInit writes an init line with a placement block, the data that a client receives at a login. The parameter self is the
// index of the client's own player.
func WriteInit(w io.Writer, self rs.Index, placement []byte) error {
	return writeLine(w, &Line{T: LineInit, Self: self, Bytes: hex.EncodeToString(placement)})
}

// WriteCycle writes a cycle line with a packet and the expected state after it.
func WriteCycle(w io.Writer, payload []byte, t *Truth) error {
	truth := &LineTruth{Local: map[string][3]int{}, Lowres: map[string][3]int{}}
	for i := range t.IsLocal {
		key := strconv.Itoa(i)
		if at := t.Tile[i]; t.IsLocal[i] {
			truth.Local[key] = [3]int{int(at.X), int(at.Z), int(at.Plane)}
		} else if at := t.Square[i]; at != 0 {
			truth.Lowres[key] = [3]int{int(at.Plane()), int(at.X()), int(at.Z())}
		}
	}
	return writeLine(w, &Line{T: LineCycle, Bytes: hex.EncodeToString(payload), Truth: truth})
}

func writeLine(w io.Writer, l *Line) error {
	b, err := json.Marshal(l)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// WriteRun simulates a number of cycles of a scene and writes the vector file of its first viewer (see Line): an init line, a cycle
// line for each packet, and another init line at each reconnect.
func WriteRun(w io.Writer, c Config, cycles int) error {
	run, err := New(c)
	if err != nil {
		return err
	}
	v := run.Viewers[0]
	if err := WriteInit(w, v.Self, v.Placement); err != nil {
		return err
	}
	for range cycles {
		if err := run.Step(); err != nil {
			return err
		}
		if v.Placement != nil {
			if err := WriteInit(w, v.Self, v.Placement); err != nil {
				return err
			}
		}
		if v.Packet == nil {
			continue
		}
		if err := WriteCycle(w, v.Packet, v.Truth()); err != nil {
			return err
		}
	}
	return nil
}

// ReadLine parses one line of a vector file (see Line), without its line end.
func ReadLine(b []byte) (*Line, error) {
	l := &Line{}
	if err := json.Unmarshal(b, l); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLine, err)
	}
	switch {
	case l.T != LineInit && l.T != LineCycle:
		return nil, fmt.Errorf("%w: field t is %q, must be init or cycle", ErrLine, l.T)
	case l.T == LineInit && (l.Self < 1 || l.Self > rs.MaxIndex):
		return nil, fmt.Errorf("%w: field self is %d, must be 1..2047", ErrLine, l.Self)
	case l.T == LineCycle && l.Truth == nil:
		return nil, fmt.Errorf(`%w: the cycle line has no field "truth"`, ErrLine)
	}
	return l, nil
}

// Payload returns the bytes in the field Bytes, which is hexadecimal.
func (l *Line) Payload() ([]byte, error) {
	b, err := hex.DecodeString(l.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%w: the field \"bytes\" is not valid hex: %w", ErrLine, err)
	}
	return b, nil
}

// Truth converts t from its JSON form. It returns an error if a position or a player index is out of range.
func (t *LineTruth) Truth() (*Truth, error) {
	truth := &Truth{}
	for key, v := range t.Local {
		i, err := parseIndex(key)
		if err != nil {
			return nil, err
		}
		if !inRange(v[0], rs.MaxCoord) || !inRange(v[1], rs.MaxCoord) || !inRange(v[2], 3) {
			return nil, fmt.Errorf("%w: local player %s is at %v, outside the world", ErrLine, key, v)
		}
		truth.IsLocal[i], truth.Tile[i] = true, rs.Tile{X: uint16(v[0]), Z: uint16(v[1]), Plane: uint8(v[2])}
	}
	for key, v := range t.Lowres {
		i, err := parseIndex(key)
		if err != nil {
			return nil, err
		}
		if truth.IsLocal[i] || !inRange(v[0], 3) || !inRange(v[1], 255) || !inRange(v[2], 255) {
			return nil, fmt.Errorf("%w: field lowres: player %s is in map square %v, which is outside the world, or field local has the player as well", ErrLine, key, v)
		}
		truth.Square[i] = rs.MapSquare(v[0]<<16 | v[1]<<8 | v[2])
	}
	return truth, nil
}

func inRange(v, most int) bool { return v >= 0 && v <= most }

func parseIndex(key string) (rs.Index, error) {
	i, err := strconv.ParseUint(key, 10, 16)
	if err != nil || i < 1 || i > rs.MaxIndex || key != strconv.FormatUint(i, 10) {
		return 0, fmt.Errorf("%w: player index %q is not a decimal number 1..2047", ErrLine, key)
	}
	return rs.Index(i), nil
}
