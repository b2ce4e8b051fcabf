package raknet

import "encoding/binary"

// Bits of the first byte of a datagram of an established connection.
const (
	flagValid = 0x80
	flagAck   = 0x40
	flagNack  = 0x20

	dataFlags = flagValid | 0x04 // flags of data datagrams as all known servers write them; receivers ignore the low bits
)

const (
	headerSize = 4 // size of the header of a data datagram: flags 1, number 3

	frameSize = 10 // size of a reliable ordered frame before its body
	splitSize = 10 // additional bytes in the frame of one part of a split message

	maxChannels = 32 // number of ordering channels
)

// Reliability is the delivery guarantee of a message.
type Reliability uint8

// Values of Reliability: the delivery guarantee of a message. All game traffic is ReliableOrdered.
const (
	Unreliable          Reliability = iota // may be lost, duplicated or reordered
	UnreliableSequenced                    // may be lost; messages older than the newest delivered one are dropped
	Reliable                               // delivered once, in any order
	ReliableOrdered                        // delivered once, in order
	ReliableSequenced                      // retransmitted until acknowledged; messages older than the newest delivered one are dropped
)

func (r Reliability) reliable() bool  { return r >= Reliable }
func (r Reliability) sequenced() bool { return r == UnreliableSequenced || r == ReliableSequenced }
func (r Reliability) ordered() bool   { return r == ReliableOrdered || r.sequenced() } // reports whether the frame has the fields order and channel

// headerSize returns the number of bytes of a frame with reliability r before its body. The additional fields of a part of
// a split message are not included.
func (r Reliability) headerSize() int {
	n := 3
	if r.reliable() {
		n += 3
	}
	if r.sequenced() {
		n += 3
	}
	if r.ordered() {
		n += 4
	}
	return n
}

// frame is one message, or one part of a split message, in a datagram.
//
//	size  field
//	1     kind       bits 5-7 reliability, bit 4: the body is a part of a split message
//	2     length     big-endian, length of the body in bits
//	3     message    u24, if reliable
//	3     sequence   u24, if sequenced
//	3     order      u24, if ordered or sequenced
//	1     channel    if ordered or sequenced
//	4     count      big-endian, parts of the message, if a part
//	2     id         big-endian, the same for all parts
//	4     index      big-endian, 0..count-1
//	n     body
//
// A u24 is little-endian. Source: docs/wire/bedrock.md, RakNet datagrams.
type frame struct {
	kind                     Reliability
	split                    bool
	message, sequence, order uint32 // 24-bit indices; the reliability determines which of them are sent
	channel                  uint8  // ordering channel; 0 if the frame has none
	count, index             uint32 // number of parts of a split message, and index of this part
	id                       uint16 // number of the split message
	body                     []byte // body of the message or part, borrowed from the datagram, never empty
}

// withoutReceipt maps each value of Reliability on the wire to one that this package supports. The last three values demand a
// receipt as well: RakNet then tells the sender's application that its message has arrived. This package gives the same delivery
// guarantee, without a receipt.
var withoutReceipt = [8]Reliability{0, 1, 2, 3, 4, Unreliable, Reliable, ReliableOrdered}

// parseFrame reads the frame at the start of b. It does not check whether the fields count, index and channel are valid.
func parseFrame(b []byte) (f frame, rest []byte, ok bool) {
	if len(b) < 3 {
		return frame{}, nil, false
	}
	f.kind = withoutReceipt[b[0]>>5]
	f.split = b[0]&0x10 != 0
	bits := int(binary.BigEndian.Uint16(b[1:]))
	head, size := f.kind.headerSize(), bits/8
	if f.split {
		head += splitSize
	}
	if size == 0 || bits%8 != 0 || len(b) < head+size {
		return frame{}, nil, false
	}
	f.body, rest = b[head:head+size], b[head+size:]
	b = b[3:]
	if f.kind.reliable() {
		f.message, b = u24(b), b[3:]
	}
	if f.kind.sequenced() {
		f.sequence, b = u24(b), b[3:]
	}
	if f.kind.ordered() {
		f.order, f.channel, b = u24(b), b[3], b[4:]
	}
	if f.split {
		f.count = binary.BigEndian.Uint32(b)
		f.id = binary.BigEndian.Uint16(b[4:])
		f.index = binary.BigEndian.Uint32(b[6:])
	}
	return f, rest, true
}

// append appends the encoded frame to b. The body must have at most 8191 bytes.
func (f *frame) append(b []byte) []byte {
	kind := byte(f.kind) << 5
	if f.split {
		kind |= 0x10
	}
	b = binary.BigEndian.AppendUint16(append(b, kind), uint16(len(f.body)*8))
	if f.kind.reliable() {
		b = appendU24(b, f.message)
	}
	if f.kind.sequenced() {
		b = appendU24(b, f.sequence)
	}
	if f.kind.ordered() {
		b = append(appendU24(b, f.order), f.channel)
	}
	if f.split {
		b = binary.BigEndian.AppendUint32(b, f.count)
		b = binary.BigEndian.AppendUint16(b, f.id)
		b = binary.BigEndian.AppendUint32(b, f.index)
	}
	return append(b, f.body...)
}

func u24(b []byte) uint32 { return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 }

func appendU24(b []byte, v uint32) []byte { return append(b, byte(v), byte(v>>8), byte(v>>16)) }

// extend restores a number from its low 24 bits v, which are all that a datagram contains. Of all numbers with these low bits
// it returns the one nearest to the parameter near. Inside this package the numbers of datagrams and messages do not wrap at 24
// bits.
func extend(v uint32, near int64) int64 {
	return near + int64(int32((v-uint32(near))<<8)>>8)
}
