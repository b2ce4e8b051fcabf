package bedrock

import (
	"encoding/binary"
	"time"
)

// rttMeter measures round-trip times from the bytes of sent and received datagrams. A round-trip time is the time from
// sending a data datagram until the first acknowledgement of its number arrives.
//
//	data  0x80 flags, number u24 LE, ...
//	ack   0xc0, count u16 BE, then count times: 1 number u24 LE | 0 first u24 LE, last u24 LE
//
// The RTT includes the time for which the server delays acknowledgements. Source: docs/wire/bedrock.md, datagrams.
type rttMeter struct {
	ring [maxTracked]trackedDatagram // the datagram with number n is at index n % maxTracked
}

// maxTracked is the number of sent datagrams for which an rttMeter waits for acknowledgements. They are the newest; the
// round-trip times of older datagrams are not measured.
const maxTracked = 64

type trackedDatagram struct {
	sentAt int64  // send time in ns of a monotonic clock
	number uint32 // number of the datagram
	open   bool   // the datagram is not acknowledged yet
}

const (
	flagData  = 0x80
	flagAck   = 0x40
	flagNack  = 0x20
	ackHeader = 3
)

func u24(b []byte) uint32 { return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 }

func (t *rttMeter) sent(datagram []byte, now int64) {
	if len(datagram) < 4 || datagram[0]&(flagData|flagAck|flagNack) != flagData {
		return
	}
	n := u24(datagram[1:])
	t.ring[n%maxTracked] = trackedDatagram{now, n, true}
}

// received measures the RTT of each sent datagram that an ACK datagram acknowledges, and calls the parameter report with it. The
// parameter now is the arrival time of the ACK datagram.
func (t *rttMeter) received(datagram []byte, now int64, report func(time.Duration)) {
	if len(datagram) < ackHeader || datagram[0]&(flagData|flagAck) != flagData|flagAck {
		return
	}
	b := datagram[ackHeader:]
	for n := binary.BigEndian.Uint16(datagram[1:]); n > 0 && len(b) >= 4; n-- {
		first, last := u24(b[1:]), u24(b[1:])
		if b[0] != 0 {
			b = b[4:]
		} else if len(b) >= 7 {
			last, b = u24(b[4:]), b[7:]
		} else {
			return
		}
		for i := range t.ring { // not a loop over first..last: the peer chooses the length of that range
			if w := &t.ring[i]; w.open && w.number >= first && w.number <= last {
				w.open = false
				report(time.Duration(now - w.sentAt))
			}
		}
	}
}
