package dissect

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// enetDatagram is a parsed ENet 1.1 datagram. The parser accepts more than an ENet host does, because a dissector is needed
// most for invalid datagrams. Source: docs/wire/rcce.md#enet.
type enetDatagram struct {
	session  [4]byte // session id
	peer     uint16  // peer number, the low 15 bits of the header field
	hasSent  bool    // the header contains a sent time
	sent     uint16  // sent time, by the clock of the sender, in ms
	commands []enetCommand
}

// enetCommand is one command of a datagram.
type enetCommand struct {
	off     int // offset of the command in the datagram, in bytes
	kind    uint8
	flags   uint8 // high nibble: 0x80 requests an acknowledgement, 0x40 means unsequenced
	channel uint8
	seq     uint16
	body    []byte // fields of the command after the four bytes that all commands have, without data
	data    []byte // data of a command that sends data
	dataOff int    // offset of data in the datagram, in bytes
}

// Numbers of the ENet commands that need code of their own. The fields of all others are only printed.
const (
	enetAck      = 1
	enetConnect  = 2
	enetVerify   = 3
	enetReliable = 6
	enetUnrel    = 7
	enetFragment = 8
	enetUnseq    = 9
)

// enetKind is the name and the layout of a command.
type enetKind struct {
	name     string
	firsts   string // valid values of the command's first byte, as real peers send them
	size     int    // length of the command in bytes, without data
	lengthAt int    // offset of the field dataLength; 0 if the command has no data
	fields   string // fields of the body as "name:size" pairs separated by blanks
}

var enetKinds = [...]enetKind{
	1:  {"ACKNOWLEDGE", "\x01", 8, 0, "receivedReliableSeq:2 receivedSentTime:2"},
	2:  {"CONNECT", "\x82", 40, 0, enetConnection + " sessionID:raw"},
	3:  {"VERIFY_CONNECT", "\x83", 36, 0, enetConnection},
	4:  {"DISCONNECT", "\x84\x44\x04", 8, 0, "data:4"},
	5:  {"PING", "\x85", 4, 0, ""},
	6:  {"SEND_RELIABLE", "\x86", 6, 4, "dataLength:2"},
	7:  {"SEND_UNRELIABLE", "\x07", 8, 6, "unreliableSeq:2 dataLength:2"},
	8:  {"SEND_FRAGMENT", "\x88", 24, 6, "startSeq:2 dataLength:2 fragmentCount:4 fragmentNumber:4 totalLength:4 fragmentOffset:4"},
	9:  {"SEND_UNSEQUENCED", "\x49", 8, 6, "group:2 dataLength:2"},
	10: {"BANDWIDTH_LIMIT", "\x8a", 12, 0, "in:4 out:4"},
	11: {"THROTTLE_CONFIGURE", "\x8b", 16, 0, "interval:4 acceleration:4 deceleration:4"},
}

const enetConnection = "outgoingPeerID:2 mtu:2 windowSize:4 channelCount:4 inBandwidth:4 outBandwidth:4 " +
	"throttleInterval:4 throttleAcceleration:4 throttleDeceleration:4"

// dissectENet parses a datagram. After an error it also returns what was parsed before the error. b is borrowed.
func dissectENet(b []byte) (enetDatagram, error) {
	var d enetDatagram
	if len(b) < 6 {
		return d, fmt.Errorf("datagram of %d bytes is shorter than an ENet header, which has at least 6", len(b))
	}
	copy(d.session[:], b)
	peer := binary.BigEndian.Uint16(b[4:])
	d.peer, d.hasSent = peer&0x7fff, peer&0x8000 != 0
	off := 6
	if d.hasSent {
		if len(b) < 8 {
			return d, fmt.Errorf("datagram of %d bytes is shorter than an ENet header with a send time, which has 8", len(b))
		}
		d.sent, off = binary.BigEndian.Uint16(b[6:]), 8
	}
	for off < len(b) {
		c, next, err := dissectCommand(b, off)
		if err != nil {
			return d, fmt.Errorf("@%d: %w", off, err)
		}
		d.commands = append(d.commands, c)
		off = next
	}
	return d, nil
}

func dissectCommand(b []byte, off int) (c enetCommand, next int, err error) {
	left := len(b) - off
	id := b[off] & 15
	if int(id) >= len(enetKinds) || id == 0 {
		return c, 0, fmt.Errorf("the low 4 bits of the command byte 0x%02x are not the number of an ENet command", b[off])
	}
	kind := &enetKinds[id]
	if left < kind.size {
		return c, 0, fmt.Errorf("ENet command %s has at least %d bytes, but only %d are left in the datagram", kind.name, kind.size, left)
	}
	next = off + kind.size
	c = enetCommand{
		off: off, kind: id, flags: b[off] &^ 15, channel: b[off+1], seq: binary.BigEndian.Uint16(b[off+2:]),
		body: b[off+4 : next],
	}
	if kind.lengthAt > 0 {
		n := int(binary.BigEndian.Uint16(b[off+kind.lengthAt:]))
		if n > len(b)-next {
			return c, 0, fmt.Errorf("ENet command %s announces %d bytes of data, but only %d are left in the datagram", kind.name, n, len(b)-next)
		}
		c.data, c.dataOff = b[next:next+n], next
		next += n
	}
	return c, next, nil
}

// canonical reports whether the first byte of every command in the datagram is one that real ENet peers send. The test
// distinguishes datagrams from game messages without ENet headers, which rarely pass it.
func (d *enetDatagram) canonical() bool {
	for i := range d.commands {
		c := &d.commands[i]
		if strings.IndexByte(enetKinds[c.kind].firsts, c.kind|c.flags) < 0 {
			return false
		}
	}
	return len(d.commands) > 0
}

// sender returns the side that has sent the datagram, if the datagram contains a command of the handshake.
func (d *enetDatagram) sender() Sender {
	for i := range d.commands {
		switch d.commands[i].kind {
		case enetConnect:
			return ClientSide
		case enetVerify:
			return ServerSide
		}
	}
	return UnknownSide
}

// describe formats the command and its fields, without its data.
func (c *enetCommand) describe() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s channel %d", enetKinds[c.kind].name, c.channel)
	if c.kind != enetAck { // ENet 1.1 does not set this field of an acknowledgement
		fmt.Fprintf(&s, " seq %d", c.seq)
	}
	if c.flags&0x80 != 0 {
		s.WriteString(" wants-ack")
	}
	if c.flags&0x40 != 0 {
		s.WriteString(" unsequenced")
	}
	at := 0
	for field := range strings.FieldsSeq(enetKinds[c.kind].fields) {
		name, size, _ := strings.Cut(field, ":")
		switch size {
		case "2":
			fmt.Fprintf(&s, " %s=%d", name, binary.BigEndian.Uint16(c.body[at:]))
			at += 2
		case "4":
			fmt.Fprintf(&s, " %s=%d", name, binary.BigEndian.Uint32(c.body[at:]))
			at += 4
		default:
			fmt.Fprintf(&s, " %s=%x", name, c.body[at:])
		}
	}
	return s.String()
}

// fragment returns the fields of a SEND_FRAGMENT command: the sequence number of the message's first fragment, the number of
// fragments, the number of this fragment (from 0), the total length of the message in bytes, and the offset of this fragment's
// data in the message.
func (c *enetCommand) fragment() (start uint16, count, number, total, offset uint32) {
	u32 := binary.BigEndian.Uint32
	return binary.BigEndian.Uint16(c.body), u32(c.body[4:]), u32(c.body[8:]), u32(c.body[12:]), u32(c.body[16:])
}
