package link

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"
)

// formatVersion is the version of the messages that nodes send each other. Nodes of different versions refuse each
// other.
const formatVersion = 4

// helloMagic is the start of a hello in every version of the format. The version follows.
const helloMagic = "TSLK"

// Limits of a hello.
const (
	maxName    = 32  // bytes in the name of a cluster or a node
	maxNodes   = 16  // nodes of a cluster
	maxVersion = 128 // bytes in the formats, the version of the program, that of the rules of the game, and the ID of the database
	maxReason  = 512 // bytes in the text of a refusal
)

// hello is the first frame of each node.
//
//	off  size  field        unit and range
//	0    4     magic        "TSLK"
//	4    2     version      4; what follows is that of this version
//	6    8     node         ID of the sender, 1..
//	14   8     incarnation  of the sender
//	22   8     rules        digest of the world
//	30   8     clock        ns since 1970 by the sender's clock when it was sent
//	38   1+n   cluster      name, length first
//	..   1+n   formats      formats and rules of the program, length first
//	..   1+n   program      version of the program, length first
//	..   1+n   game         version of the rules of the world's game, length first; empty if the world has no game
//	..   1+n   database     ID of the database, length first
//	..   1     nodes        number of nodes of the cluster, 1..16
//	..   1+n   name         of each node in order of IDs, length first
type hello struct {
	Hello
	clock time.Time
	nodes []string
}

// errFormat is the error for a hello in another version of the format than formatVersion.
var errFormat = errors.New("the nodes use different versions of the link format")

var (
	errShort    = errors.New("the message is too short")
	errTrailing = errors.New("the message has bytes after its end")
	errMagic    = errors.New("the message does not begin with " + helloMagic)
)

// append appends the body of a hello. The caller has checked that no text is longer than the format allows.
func (h *hello) append(b []byte) []byte {
	b = append(b, helloMagic...)
	b = binary.BigEndian.AppendUint16(b, formatVersion)
	for _, v := range [...]uint64{h.Node, h.Incarnation, h.Rules, uint64(h.clock.UnixNano())} {
		b = binary.BigEndian.AppendUint64(b, v)
	}
	b = appendString(b, h.Cluster)
	b = appendString(b, h.Formats)
	b = appendString(b, h.Program)
	b = appendString(b, h.Game)
	b = appendString(b, h.Database)
	b = append(b, byte(len(h.nodes)))
	for _, name := range h.nodes {
		b = appendString(b, name)
	}
	return b
}

func appendString(b []byte, s string) []byte { return append(append(b, byte(len(s))), s...) }

// parseHello decodes the body of a hello. If the sender uses another version of the format, the error wraps errFormat.
func parseHello(b []byte) (*hello, error) {
	r := cursor{rest: b}
	h := new(hello)
	if string(r.take(len(helloMagic))) != helloMagic {
		return nil, fmt.Errorf("hello: %w", errMagic)
	}
	if v := r.u16(); r.err == nil && v != formatVersion {
		return nil, fmt.Errorf("hello: %w: the peer has version %d, this node version %d", errFormat, v, formatVersion)
	}
	h.Node, h.Incarnation, h.Rules = r.u64(), r.u64(), r.u64()
	h.clock = time.Unix(0, int64(r.u64()))
	h.Cluster = r.text(maxName)
	h.Formats = r.text(maxVersion)
	h.Program = r.text(maxVersion)
	h.Game = r.text(maxVersion)
	h.Database = r.text(maxVersion)
	n := int(r.u8())
	if r.err == nil && (n == 0 || n > maxNodes) {
		return nil, fmt.Errorf("hello: the sender names %d nodes, 1..%d are allowed", n, maxNodes)
	}
	for range n {
		h.nodes = append(h.nodes, r.text(maxName))
	}
	return h, r.done("hello")
}

// appendTime appends a time as 8 bytes, ns since 1970.
func appendTime(b []byte, t time.Time) []byte {
	return binary.BigEndian.AppendUint64(b, uint64(t.UnixNano()))
}

// parseAccept decodes an accept, which tells a node that the peer has accepted its hello. The body is the clock of the
// sender, 8 bytes, ns since 1970.
func parseAccept(b []byte) (time.Time, error) {
	r := cursor{rest: b}
	t := time.Unix(0, int64(r.u64()))
	return t, r.done("accept")
}

// appendRefusal appends a refusal, which tells the peer why the connection is closed. The body is a text for the log of the peer,
// 1..512 bytes of UTF-8.
func appendRefusal(b []byte, text string) []byte {
	return append(b, text[:min(len(text), maxReason)]...)
}

// parseRefusal returns the text of a refusal, without characters that would change a terminal or break a line.
func parseRefusal(b []byte) (string, error) {
	if len(b) == 0 || len(b) > maxReason {
		return "", fmt.Errorf("refusal: the reason has %d bytes, 1..%d are allowed", len(b), maxReason)
	}
	return printable(string(b)), nil
}

// printable replaces every character that is not printable ASCII by a question mark.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
}

// pong answers the newest ping. All fields are ns since 1970:
//
//	off  size  field
//	0    8     asked     clock of the ping, which the receiver of the pong has sent
//	8    8     received  clock of the sender of the pong when the ping arrived
//	16   8     sent      clock of the sender of the pong when the pong was sent
type pong struct{ asked, received, sent time.Time }

// parsePing decodes a ping, which asks for the peer's clock. The body is the clock of the sender when the ping was
// sent, 8 bytes, ns since 1970.
func parsePing(b []byte) (time.Time, error) {
	r := cursor{rest: b}
	t := time.Unix(0, int64(r.u64()))
	return t, r.done("ping")
}

func (p pong) append(b []byte) []byte {
	return appendTime(appendTime(appendTime(b, p.asked), p.received), p.sent)
}

func parsePong(b []byte) (pong, error) {
	r := cursor{rest: b}
	p := pong{asked: time.Unix(0, int64(r.u64())), received: time.Unix(0, int64(r.u64())), sent: time.Unix(0, int64(r.u64()))}
	return p, r.done("pong")
}

// cursor reads the fields of a message in order. After an error it returns zero values.
type cursor struct {
	rest []byte
	err  error
}

func (r *cursor) take(n int) []byte {
	if r.err != nil || len(r.rest) < n {
		r.err = cmp.Or(r.err, errShort)
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *cursor) u8() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *cursor) u16() uint16 {
	if b := r.take(2); b != nil {
		return binary.BigEndian.Uint16(b)
	}
	return 0
}

func (r *cursor) u64() uint64 {
	if b := r.take(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

// text reads a string of at most limit bytes, which follows its length (1 byte).
func (r *cursor) text(limit int) string {
	n := int(r.u8())
	if r.err == nil && n > limit {
		r.err = fmt.Errorf("a name or version has %d bytes, at most %d are allowed", n, limit)
	}
	return string(r.take(n))
}

// done returns the first error that occurred, or errTrailing if bytes are left. The parameter what is the name of the message,
// with which the text of the error begins.
func (r *cursor) done(what string) error {
	if r.err == nil && len(r.rest) > 0 {
		r.err = errTrailing
	}
	if r.err != nil {
		return fmt.Errorf("%s: %w", what, r.err)
	}
	return nil
}
