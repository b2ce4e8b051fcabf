package enet

import "encoding/binary"

// Command numbers: the low four bits of a command's first byte. Source: docs/wire/rcce.md section 1.3.
const (
	cmdAcknowledge    = 1
	cmdConnect        = 2
	cmdVerify         = 3
	cmdDisconnect     = 4
	cmdPing           = 5
	cmdReliable       = 6
	cmdUnreliable     = 7
	cmdFragment       = 8
	cmdUnsequenced    = 9
	cmdBandwidthLimit = 10
	cmdThrottle       = 11

	cmdMask = 0x0f // bits of a command's first byte that hold the command number

	flagAck         = 0x80 // flag in a command's first byte: the sender requests an acknowledgement
	flagUnsequenced = 0x40 // flag in a command's first byte: the command is unsequenced, so it is delivered in any order
)

const (
	commandHeader  = 4    // bytes of the command header: kind 1, channel 1, sequence 2
	controlChannel = 0xff // channel of connection control, whose commands are not ordered by sequence numbers
)

// commandSize contains, by command number, the size in bytes of a command without its data. It is 0 for numbers that are not in
// use.
var commandSize = [16]int{0, 8, 40, 36, 8, 4, 6, 8, 24, 8, 12, 16}

// lengthAt contains, by command number, the offset in the command of the u16 that states the length of its data. It is 0 for
// commands without data.
var lengthAt = [16]int{cmdReliable: 4, cmdUnreliable: 6, cmdFragment: 6, cmdUnsequenced: 6}

// command is one parsed command. The fields fixed and data share the memory of the datagram.
type command struct {
	kind    uint8  // command number, for example cmdAcknowledge
	flags   uint8  // combination of flagAck and flagUnsequenced
	channel uint8  // channel number; controlChannel for connection control
	seq     uint16 // sequence number
	fixed   []byte // header and fixed fields of the command
	data    []byte // message bytes; nil for commands without data
}

func (c *command) u16(off int) uint16 { return binary.BigEndian.Uint16(c.fixed[off:]) }
func (c *command) u32(off int) uint32 { return binary.BigEndian.Uint32(c.fixed[off:]) }

// nextCommand splits the first command off b. ok is false if b does not begin with a complete, known command.
func nextCommand(b []byte) (c command, rest []byte, ok bool) {
	if len(b) < commandHeader {
		return c, nil, false
	}
	kind := b[0] & cmdMask
	size := commandSize[kind]
	if size == 0 || len(b) < size {
		return c, nil, false
	}
	c = command{kind: kind, flags: b[0] &^ cmdMask, channel: b[1], seq: binary.BigEndian.Uint16(b[2:]), fixed: b[:size]}
	rest = b[size:]
	if at := lengthAt[kind]; at > 0 {
		n := int(c.u16(at))
		if n > len(rest) {
			return c, nil, false
		}
		c.data, rest = rest[:n], rest[n:]
	}
	return c, rest, true
}

// appendHeader appends the four bytes with which every command begins.
func appendHeader(b []byte, kind, channel uint8, seq uint16) []byte {
	return append(b, kind, channel, byte(seq>>8), byte(seq))
}

func appendAcknowledge(b []byte, a ack) []byte {
	b = appendHeader(b, cmdAcknowledge, a.channel, a.seq)
	b = binary.BigEndian.AppendUint16(b, a.seq)
	return binary.BigEndian.AppendUint16(b, a.sent)
}

// connectTerms holds the parameters of a connection. The client proposes them in the command CONNECT, and the server
// confirms them in VERIFY.
type connectTerms struct {
	peer     uint16    // peer number that the sender chose for this connection
	mtu      uint16    // MTU in bytes
	window   uint32    // maximum reliable data in flight, bytes
	channels uint32    // number of channels, 1..255
	in, out  uint32    // bandwidth limits in bytes per second, 0 means unlimited
	throttle [3]uint32 // packet throttle: interval, acceleration, deceleration; not used, only sent in CONNECT and echoed in VERIFY
}

func parseTerms(c *command) connectTerms {
	return connectTerms{
		peer:     c.u16(4),
		mtu:      c.u16(6),
		window:   c.u32(8),
		channels: c.u32(12),
		in:       c.u32(16),
		out:      c.u32(20),
		throttle: [3]uint32{c.u32(24), c.u32(28), c.u32(32)},
	}
}

func (t connectTerms) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint16(b, t.peer)
	b = binary.BigEndian.AppendUint16(b, t.mtu)
	for _, v := range [...]uint32{t.window, t.channels, t.in, t.out, t.throttle[0], t.throttle[1], t.throttle[2]} {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	return b
}

// fragment holds the fields of the command SEND_FRAGMENT, which carries a part of a long message. The zero value stands for
// a command that carries a whole message.
type fragment struct {
	start                        uint16 // sequence number of the first fragment of the message
	count, number, total, offset uint32 // number of fragments, index of this fragment, bytes of the message, offset of the fragment in it
}

func parseFragment(c *command) fragment {
	return fragment{start: c.u16(4), count: c.u32(8), number: c.u32(12), total: c.u32(16), offset: c.u32(20)}
}

func (f fragment) append(b []byte, length int) []byte {
	b = binary.BigEndian.AppendUint16(b, f.start)
	b = binary.BigEndian.AppendUint16(b, uint16(length))
	for _, v := range [...]uint32{f.count, f.number, f.total, f.offset} {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	return b
}
