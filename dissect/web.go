package dissect

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/truestep-io/truestep/internal/webscene"
	"github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim/reason"
)

// Web prints messages and datagrams of the web protocol in readable form.
type Web struct {
	Quiet bool // print no states; used by PrintLines only
}

// PrintBytes prints one message or datagram, without the length that precedes it in a stream. The first byte determines its kind
// and its sender. Only the header of a snapshot is printed, because its body can be decoded only with earlier snapshots.
func (o Web) PrintBytes(w io.Writer, b []byte) error {
	p := &webPrinter{w: bufio.NewWriter(w)}
	err := p.message(b)
	return errors.Join(err, p.w.Flush())
}

// PrintCapture returns an error, because captures of this protocol are encrypted.
func (o Web) PrintCapture(io.Writer, io.Reader) error {
	return badInput(errors.New("captures of the web protocol cannot be decoded, because WebTransport is encrypted; give messages in hex, or recorded lines with --jsonl"))
}

type webPrinter struct{ w *bufio.Writer }

func (p *webPrinter) message(b []byte) error {
	if len(b) == 0 {
		return badInput(errEmpty)
	}
	switch kind := b[0]; {
	case kind&web.KindSnapshot != 0:
		h, body, err := web.ParseSnapshotHeader(b)
		if err != nil {
			return err
		}
		p.title("Snapshot", ServerSide, b)
		p.fields(reflect.ValueOf(h))
		p.field("Body", fmt.Sprintf("%s, range coded against snapshots that the client has taken: decode the stream with --jsonl", plural(len(body), "byte")))
		return nil
	case kind == web.KindInput:
		m, err := web.ParseInput(b)
		return p.parsed("Input", ClientSide, b, m, err)
	case kind == web.KindAck:
		m, err := web.ParseAck(b)
		return p.parsed("Ack", ClientSide, b, m, err)
	case kind < byte(web.CodeWelcome):
		m, err := web.ParseClientMessage(b)
		return p.parsed("", ClientSide, b, m, err)
	}
	m, err := web.ParseServerMessage(b)
	return p.parsed("", ServerSide, b, m, err)
}

// parsed prints a parsed message, or returns err if parsing has failed.
func (p *webPrinter) parsed(name string, from Sender, b []byte, m any, err error) error {
	if err != nil {
		return err
	}
	v := reflect.Indirect(reflect.ValueOf(m))
	if name == "" {
		name = v.Type().Name()
	}
	p.title(name, from, b)
	p.fields(v)
	return nil
}

func (p *webPrinter) title(name string, from Sender, b []byte) {
	by := "client"
	if from == ServerSide {
		by = "server"
	}
	fmt.Fprintf(p.w, "%s (%02x) of the %s, %s\n", name, b[0], by, plural(len(b), "byte"))
}

func (p *webPrinter) field(name, value string) { fmt.Fprintf(p.w, "  %-14s %s\n", name, value) }

// fields prints the exported fields of a struct and of the structs in it.
func (p *webPrinter) fields(v reflect.Value) {
	t := v.Type()
	for i := range v.NumField() {
		f, x := t.Field(i), v.Field(i)
		if list, ok := x.Interface().([web.MaxEntries]web.InputEntry); ok {
			n := int(v.FieldByName("N").Int())
			for i := range list[:n] {
				p.field(fmt.Sprintf("Entry %d", i-n+1), webText(reflect.ValueOf(list[i])))
			}
			continue
		}
		switch {
		case !f.IsExported():
		case f.Name == "Reason" && x.Type() == reflect.TypeFor[uint8]():
			p.field(f.Name, reasonText(uint8(x.Uint())))
		case x.Kind() == reflect.Struct:
			p.fields(x)
		default:
			p.field(f.Name, webText(x))
		}
	}
}

// webNames contains, for each enumerated type, the names of its values. names[0] is the name of the value first, names[1] that
// of the next value, and so on.
var webNames = map[reflect.Type]struct {
	first int
	names []string
}{
	reflect.TypeFor[web.ActVerb]():       {1, []string{"attack", "say", "wake", "use", "leave", "command"}},
	reflect.TypeFor[web.RefusedReason](): {1, []string{"ticket", "full", "busy", "online", "banned", "closed", "version", "schema", "internal"}},
	reflect.TypeFor[web.LeaveReason]():   {1, []string{"out of sight", "gone", "dead"}},
	reflect.TypeFor[web.EventKind]():     {1, []string{"struck", "shot", "died", "said", "told", "jumped", "experience", "respawned"}},
	reflect.TypeFor[web.OwnKind]():       {1, []string{"corrected", "knockback", "teleported", "stance"}},
	reflect.TypeFor[web.ByeReason]():     {1, []string{"stopping", "elsewhere", "malformed", "slow", "kicked", "left"}},
}

// webFlags contains, for each bit set type of the web protocol, the names of the bits, beginning with the lowest bit.
var webFlags = map[reflect.Type][]string{
	reflect.TypeFor[web.Keys](): {"JumpDown", "Jumping", "StartJump", "SneakDown", "StartSneak", "StopSneak", "StartSprint", "StopSprint", "StartSwim", "StopSwim",
		"StartGlide", "StopGlide", "WantUp", "WantDown", "HandledTeleport"},
	reflect.TypeFor[web.BodyMask](): {"Door", "Level", "HealthMax", "Height", "Name", "Fields"},
}

// webText formats the value of a field.
func webText(v reflect.Value) string {
	if n, ok := webNames[v.Type()]; ok {
		if i := int(v.Uint()) - n.first; i >= 0 && i < len(n.names) {
			return fmt.Sprintf("%s (%d)", n.names[i], v.Uint())
		}
	}
	if names, ok := webFlags[v.Type()]; ok {
		var set []string
		for i, name := range names {
			if v.Uint()>>i&1 != 0 {
				set = append(set, name)
			}
		}
		return fmt.Sprintf("%#x %s", v.Uint(), strings.Join(set, " "))
	}
	switch x := v.Interface().(type) {
	case web.Hash:
		return hex.EncodeToString(x[:])
	case web.ResumeToken:
		return fmt.Sprintf("(%d bytes)", len(x)) // the token itself is secret: with it, anyone can take over the session
	case web.InputEntry:
		return fmt.Sprintf("keys %s, yaw %.2f, pitch %d, strafe %d, forward %d", webText(reflect.ValueOf(x.Keys)), x.YawDegrees(), x.Pitch, x.Strafe, x.Forward)
	case web.AvatarFlags:
		return fmt.Sprintf("%#x", uint32(x))
	case string:
		return fmt.Sprintf("%q", x)
	}
	return fmt.Sprint(v.Interface())
}

// PrintLines reads the lines of a file from "truestep vectors web", and decodes the snapshots in them. It prints the decoded states
// and compares them with the states in the lines. Errors contain the parameter name, which is the name of the input, and the line
// number.
func (o Web) PrintLines(w io.Writer, name string, r io.Reader) error {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxWebLine)
	out := bufio.NewWriter(w)
	run := webRun{out: out, quiet: o.Quiet}
	var err error
	n := 0
	for err == nil && in.Scan() {
		n++
		if err = run.line(in.Bytes()); err != nil {
			err = fmt.Errorf("%s, line %d: %w", name, n, err)
		}
	}
	if err == nil && in.Err() != nil {
		err = badInput(fmt.Errorf("%s, line %d: %w", name, n+1, in.Err()))
	}
	if err == nil && run.reader == nil {
		err = badInput(fmt.Errorf("%s has no line with a schema, which must be the first; truestep vectors web writes one", name))
	}
	if err == nil {
		fmt.Fprintf(out, "%s: %s, %d not taken, %s told, all as expected\n", name, plural(run.snapshots, "snapshot"), run.missed, plural(run.told, "state"))
	}
	return errors.Join(err, out.Flush())
}

const maxWebLine = 1 << 20 // maximum length of a line in bytes

// webRun is the state of decoding a file of test vectors of the web protocol. The lines of the file are the messages to one client.
type webRun struct {
	out                     io.Writer
	quiet                   bool
	reader                  *web.Reader
	schema                  *web.Schema
	snapshots, missed, told int
}

func (r *webRun) line(text []byte) error {
	var l webscene.Line
	if err := json.Unmarshal(text, &l); err != nil {
		return badInput(err)
	}
	switch {
	case l.Schema != nil:
		if err := l.Schema.Validate(); err != nil {
			return badInput(err)
		}
		r.schema, r.reader = l.Schema, web.NewReader(l.Schema)
		return nil
	case r.reader == nil:
		return badInput(errors.New("the first line must have the key \"schema\""))
	case l.Enter != nil:
		return r.reader.Enter(l.Enter.Handle, l.Enter.Kind, l.Enter.Values)
	case l.Snapshot != nil:
		return r.snapshot(l.Snapshot)
	}
	return badInput(errors.New("the line must have one of the keys \"schema\", \"enter\" and \"snapshot\""))
}

func (r *webRun) snapshot(s *webscene.SnapLine) error {
	b, err := hex.DecodeString(s.Hex)
	if err != nil {
		return badInput(err)
	}
	var states [][]int32
	h, taken, err := r.reader.Read(b, func(handle uint16, values []int32) {
		states = append(states, append([]int32{int32(handle)}, values...))
	})
	if err != nil {
		return err
	}
	r.snapshots++
	r.told += len(states)
	if !taken {
		r.missed++
	}
	if !r.quiet {
		fmt.Fprintf(r.out, "snapshot %d of run %d, tick %d, %s, taken %v\n", h.Seq, h.Run, h.Tick, plural(len(b), "byte"), taken)
		for _, x := range states {
			fmt.Fprintf(r.out, "  actor %-5d %v\n", x[0], x[1:])
		}
	}
	if taken != s.Taken || !slices.EqualFunc(states, s.States, slices.Equal) {
		return fmt.Errorf("decoding the snapshot gives the states %v with \"taken\" %v, but the line expects the states %v with \"taken\" %v", states, taken, s.States, s.Taken)
	}
	ack := web.Ack{ReceivedSnapshots: r.reader.Received()}
	if got := hex.EncodeToString(ack.Append(nil)); s.Ack != "" && got != s.Ack {
		return fmt.Errorf("the acknowledgement of the snapshot is %s, but the line expects %s", got, s.Ack)
	}
	return nil
}

// reasonText names the reason of an Own or Answer message.
func reasonText(r uint8) string { return fmt.Sprintf("%v (%d)", reason.Reason(r), r) }
