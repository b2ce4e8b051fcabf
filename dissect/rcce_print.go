package dissect

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/truestep-io/truestep/internal/cp1252"
	"github.com/truestep-io/truestep/proto/rcce"
)

// printer writes lines to w. Write errors are not reported before w.Flush, which returns the first one.
type printer struct {
	w       *bufio.Writer
	full    bool // do not shorten long fields
	secrets bool // print the hashes of passwords
}

// Limits of what is printed of a long field, which do not apply with the option Full.
const (
	shownValues = 8  // maximum number of elements of a list that are printed
	shownBytes  = 16 // maximum number of bytes that are printed in hex
)

func (p *printer) line(format string, args ...any) {
	fmt.Fprintf(p.w, format+"\n", args...)
}

// datagram prints the header of an ENet datagram. The parameter err is the error at which parsing has ended, or nil.
func (p *printer) datagram(d enetDatagram, err error) {
	sent := "no sent time"
	if d.hasSent {
		sent = fmt.Sprintf("sent 0x%04x", d.sent)
	}
	peer := strconv.Itoa(int(d.peer))
	if d.peer == 0x7fff {
		peer = "none"
	}
	p.line("  @0    header session %x peer %s %s", d.session, peer, sent)
	if err != nil && len(d.commands) == 0 {
		p.line("  error: %v", err)
	}
}

// command prints an ENet command and the message that it contains.
func (p *printer) command(c *enetCommand, from Sender) error {
	p.line("  @%-4d %s", c.off, c.describe())
	switch c.kind {
	case enetReliable, enetUnrel, enetUnseq:
		if len(c.data) == 0 {
			p.line("  @%-4d   empty, which is no message", c.dataOff)
			return nil
		}
		return p.message(c.data, from, c.dataOff)
	case enetFragment:
		p.line("  @%-4d   part of a message: %s", c.dataOff, p.hex(c.data))
	}
	return nil
}

// message prints one message. The parameter at is the offset of its type byte in the input. If the sender is unknown, the message
// is printed for every direction in which it can be parsed. If it can be parsed in neither direction, it is printed with an error
// for each direction in which messages of this type are sent.
func (p *printer) message(msg []byte, from Sender, at int) error {
	row, ok := rcce.Lookup(rcce.PacketType(msg[0]))
	if !ok {
		p.line("  @%-4d   type %d: %s", at, msg[0], p.hex(msg[1:]))
		err := fmt.Errorf("type %d: %w", msg[0], rcce.ErrUnknown)
		p.line("          error: %v", err)
		return err
	}
	directions := []rcce.Direction{rcce.C2S, rcce.S2C}
	if from != UnknownSide {
		directions = []rcce.Direction{from.direction()}
	} else if good := parseable(row, msg[1:]); len(good) > 0 {
		directions = good
	} else if known := defined(row); len(known) > 0 {
		directions = known
	}
	if len(directions) > 1 && len(parseable(row, msg[1:])) > 1 {
		p.line("  @%-4d   both directions parse; --dir c2s or --dir s2c shows one", at)
	}
	var firstErr error
	for _, dir := range directions {
		if err := p.form(row, dir, msg, at); err != nil && firstErr == nil {
			firstErr = err
		}
	}
	return firstErr
}

// direction returns the direction of the messages that the side s sends. UnknownSide is not allowed.
func (s Sender) direction() rcce.Direction {
	if s == ServerSide {
		return rcce.S2C
	}
	return rcce.C2S
}

// parseable returns the directions in which payload would be valid, as a packet of the type that row describes.
func parseable(row *rcce.PacketDef, payload []byte) (good []rcce.Direction) {
	for _, dir := range []rcce.Direction{rcce.C2S, rcce.S2C} {
		if f := row.FormatFor(dir); f != nil {
			if _, err := f.Parse(payload); err == nil {
				good = append(good, dir)
			}
		}
	}
	return good
}

// defined returns the directions in which the protocol sends packets of the type that row describes.
func defined(row *rcce.PacketDef) (dirs []rcce.Direction) {
	for _, dir := range []rcce.Direction{rcce.C2S, rcce.S2C} {
		if row.FormatFor(dir) != nil {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// form prints msg as a packet of the type that row describes, sent in the direction dir.
func (p *printer) form(row *rcce.PacketDef, dir rcce.Direction, msg []byte, at int) error {
	p.line("  @%-4d   %s (%d) %v, payload %d bytes", at, row.Name, row.ID, dir, len(msg)-1)
	f := row.FormatFor(dir)
	if f == nil {
		err := fmt.Errorf("message type %s is not defined for the direction %v: %w", row.Name, dir, rcce.ErrUnknown)
		p.line("          error: %v", err)
		return err
	}
	fields, _, err := f.Trace(msg[1:])
	if errors.Is(err, rcce.ErrUnparsed) {
		p.line("          not parsed: %s", p.hex(msg[1:]))
		return nil
	}
	end := 0
	for i := range fields {
		p.field(f.Name, &fields[i])
		end = fields[i].Off + len(fields[i].Raw)
	}
	if err == nil {
		return nil
	}
	if rest := msg[1+end:]; len(rest) > 0 {
		p.line("          +%-4d %-22s %s", end, "(not parsed)", p.hex(rest))
	}
	p.line("          error: %v", err)
	return err
}

// field prints a field: its offset in the payload, its name, value and bytes.
func (p *printer) field(packet string, f *rcce.Field) {
	value, raw := p.value(packet, f), p.hex(f.Raw)
	if strings.HasSuffix(f.Name, "MD5") && !p.secrets {
		value, raw = fmt.Sprintf("(%d characters)", len(f.Raw)-1), "(shown with --secrets)"
	}
	p.line("          +%-4d %-22s %-24s %s", f.Off, f.Name, value, raw)
}

// value formats the value of a field as readable text.
func (p *printer) value(packet string, f *rcce.Field) string {
	switch f.Kind {
	case rcce.KindChar:
		return fmt.Sprintf("%q", rune(f.Raw[0]))
	case rcce.KindStr8:
		return quote(f.Raw[1:])
	case rcce.KindStr16:
		return quote(f.Raw[2:])
	case rcce.KindText:
		return quote(f.Raw)
	case rcce.KindEmail:
		return quote([]byte(rcce.DecodeEmail(string(f.Raw[1:]))))
	}
	if packet == "AttackActor" && f.Name == "Damage" {
		d := rcce.Damage(binary.LittleEndian.Uint16(f.Raw))
		if d.IsMiss() {
			return "miss"
		}
		return fmt.Sprintf("%d points", d.Points())
	}
	return p.numbers(f)
}

// numbers formats a field that contains one or more numbers.
func (p *printer) numbers(f *rcce.Field) string {
	width := f.Kind.Width()
	if width == 0 {
		return ""
	}
	var s strings.Builder
	for i := 0; i*width < len(f.Raw); i++ {
		if i == shownValues && !p.full {
			fmt.Fprintf(&s, " … %d in all", len(f.Raw)/width)
			break
		}
		if i > 0 {
			s.WriteByte(' ')
		}
		s.WriteString(number(f.Kind, f.Raw[i*width:]))
	}
	return s.String()
}

func number(kind rcce.FieldKind, b []byte) string {
	le := binary.LittleEndian
	switch kind {
	case rcce.KindU16:
		return strconv.Itoa(int(le.Uint16(b)))
	case rcce.KindBiased:
		return strconv.Itoa(int(le.Uint16(b)) - 5000)
	case rcce.KindI16:
		return strconv.Itoa(int(int16(le.Uint16(b))))
	case rcce.KindU32:
		return strconv.FormatUint(uint64(le.Uint32(b)), 10)
	case rcce.KindI32:
		return strconv.Itoa(int(int32(le.Uint32(b))))
	case rcce.KindF32:
		return strconv.FormatFloat(float64(math.Float32frombits(le.Uint32(b))), 'g', -1, 32)
	default:
		return strconv.Itoa(int(b[0]))
	}
}

// quote quotes Windows-1252 bytes as UTF-8 text.
func quote(b []byte) string { return strconv.Quote(cp1252.Decode(string(b))) }

// hex formats bytes as hex digits. Without the option Full, it formats at most shownBytes of them.
func (p *printer) hex(b []byte) string {
	if len(b) > shownBytes && !p.full {
		return fmt.Sprintf("% x … %d bytes", b[:shownBytes], len(b))
	}
	return fmt.Sprintf("% x", b)
}
