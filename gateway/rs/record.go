package rs

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/telemetry"
)

// recorder writes a file of the packets to one client, with the true positions of the actors in them. "truestep decode rs"
// reads such a file; its format is that of "truestep vectors rs". A nil recorder records nothing.
type recorder struct {
	file       *os.File
	w          *bufio.Writer
	farSquares map[proto.Index]proto.MapSquare // map squares of players that the client no longer displays
	localTiles map[proto.Index]proto.Tile      // tiles of players that the client displays
	encoder    *json.Encoder
}

// newRecorder creates the recording file of a login. It returns nil if recording is off or the file cannot be created.
func newRecorder(p *player, placement []byte) *recorder {
	dir := p.w.g.opt.RecordDir
	if dir == "" {
		return nil
	}
	name := filepath.Join(dir, fmt.Sprintf("%s-%d.jsonl", fileName(p.session.Login.Name), p.link.serial))
	f, err := createPrivate(name)
	if err != nil {
		p.w.g.log.Warn("cannot create the recording of a client; check the folder of --rs-record", append(p.logFields(), telemetry.FieldErr, err)...)
		return nil
	}
	r := &recorder{file: f, w: bufio.NewWriter(f), farSquares: map[proto.Index]proto.MapSquare{}, localTiles: map[proto.Index]proto.Tile{}}
	r.encoder = json.NewEncoder(r.w)
	r.writeLine(p, map[string]any{"t": "init", "self": p.index, "bytes": hex.EncodeToString(placement)})
	return r
}

// createPrivate creates or truncates a file that only its owner may read, because a recording contains chat.
func createPrivate(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	if err := f.Chmod(0o600); err != nil { // the file may have existed with another mode
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// fileName returns an account name as a part of a file name. Accounts of other doors may contain characters that have a meaning
// in paths, so each character but letters, digits and underscores is replaced.
func fileName(account string) string {
	return strings.Map(func(r rune) rune {
		if isPlainRune(r) {
			return r
		}
		return '-'
	}, account)
}

// writeCycle records a packet and the true positions of the players in it. Of a player that a client no longer displays, the
// client remembers only the map square in which it last displayed the player. For such players, this square is recorded instead
// of the position.
func (r *recorder) writeCycle(p *player, payload []byte) {
	if r == nil {
		return
	}
	previous := r.localTiles
	r.localTiles = map[proto.Index]proto.Tile{}
	local := map[string][3]uint16{}
	for _, row := range p.shownRows {
		i := p.viewer.Index(int(row))
		if i == 0 || !p.viewer.IsLocal(i) {
			continue
		}
		t := p.w.actors.rowStates[row].tile
		r.localTiles[i] = t
		delete(r.farSquares, i)
		delete(previous, i)
		local[strconv.Itoa(int(i))] = [3]uint16{t.X, t.Z, uint16(t.Plane)}
	}
	for i, t := range previous {
		r.farSquares[i] = proto.SquareOf(t, proto.Profile667.SquareShift)
	}
	squares := map[string][3]uint16{}
	for i, s := range r.farSquares {
		if s != 0 {
			squares[strconv.Itoa(int(i))] = [3]uint16{uint16(s.Plane()), uint16(s.X()), uint16(s.Z())}
		}
	}
	r.writeLine(p, map[string]any{"t": "cycle", "bytes": hex.EncodeToString(payload), "truth": map[string]any{"local": local, "lowres": squares}})
}

// writeLine writes one JSON line. After an error, the recording ends.
func (r *recorder) writeLine(p *player, v any) {
	if err := r.encoder.Encode(v); err == nil && r.w.Flush() == nil {
		return
	}
	p.w.g.log.Warn("cannot write the recording of a client (--rs-record); the recording ends", p.logFields()...)
	r.encoder = json.NewEncoder(io.Discard)
}

func (r *recorder) close() {
	if r != nil {
		r.file.Close()
	}
}
