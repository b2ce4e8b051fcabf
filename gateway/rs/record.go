package rs

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/telemetry"
)

// recorder writes down what one client is sent and what is true, in the lines that "truestep decode rs" reads and
// "truestep vectors rs" writes. nil records nothing.
type recorder struct {
	file *os.File
	w    *bufio.Writer
	far  map[proto.Index]proto.Square // where those were whom the client has seen and does not see
	near map[proto.Index]proto.Tile
	out  *json.Encoder
}

// newRecorder begins the file of a login.
func newRecorder(p *player, placement []byte) *recorder {
	dir := p.w.g.opt.RecordDir
	if dir == "" {
		return nil
	}
	name := filepath.Join(dir, fmt.Sprintf("%s-%d.jsonl", fileName(p.session.Login.Name), p.link.serial))
	f, err := os.Create(name)
	if err != nil {
		p.w.g.log.Warn("nothing is recorded of a client", append(p.log(), telemetry.FieldErr, err)...)
		return nil
	}
	r := &recorder{file: f, w: bufio.NewWriter(f), far: map[proto.Index]proto.Square{}, near: map[proto.Index]proto.Tile{}}
	r.out = json.NewEncoder(r.w)
	r.line(p, map[string]any{"t": "init", "self": p.own, "bytes": hex.EncodeToString(placement)})
	return r
}

// fileName is an account's name without what a path might make something of: other doors take more than letters.
func fileName(account string) string {
	return strings.Map(func(r rune) rune {
		if isPlain(r) {
			return r
		}
		return '-'
	}, account)
}

// cycle writes a packet that is in the client's stream, and where those are in the world whom it shows. Whom the client
// does not see any more it believes where it saw him last.
func (r *recorder) cycle(p *player, payload []byte) {
	if r == nil {
		return
	}
	was := r.near
	r.near = map[proto.Index]proto.Tile{}
	local := map[string][3]uint16{}
	for _, row := range p.shown {
		i := p.viewer.Index(int(row))
		if i == 0 || !p.viewer.IsLocal(i) {
			continue
		}
		t := p.w.crowd.figures[row].tile
		r.near[i] = t
		delete(r.far, i)
		delete(was, i)
		local[strconv.Itoa(int(i))] = [3]uint16{t.X, t.Z, uint16(t.Plane)}
	}
	for i, t := range was {
		r.far[i] = proto.SquareOf(t, proto.Profile667.SquareShift)
	}
	low := map[string][3]uint16{}
	for i, s := range r.far {
		if s != 0 {
			low[strconv.Itoa(int(i))] = [3]uint16{uint16(s.Plane()), uint16(s.X()), uint16(s.Z())}
		}
	}
	r.line(p, map[string]any{"t": "cycle", "bytes": hex.EncodeToString(payload), "truth": map[string]any{"local": local, "lowres": low}})
}

func (r *recorder) line(p *player, v any) {
	if err := r.out.Encode(v); err == nil && r.w.Flush() == nil {
		return
	}
	p.w.g.log.Warn("the record of a client ends here", p.log()...)
	r.out = json.NewEncoder(nowhere{})
}

// nowhere takes what cannot be written any more.
type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }

func (r *recorder) close() {
	if r != nil {
		r.file.Close()
	}
}
