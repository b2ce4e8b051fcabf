package rcce

import (
	"encoding/binary"
	"time"
)

// trips measures round-trip times in ns: from the sending of a datagram that requests an acknowledgement to the arrival of the
// first datagram that contains this acknowledgement. ENet's own estimate is not used: it counts whole milliseconds and is
// smoothed with integers, so its error reaches 8 ms when the round-trip time is short.
//
//	header      session[4] peer u16 [sent u16]   bit 15 of peer: sent is present
//	acknowledge 0x01 channel u8 - u16 sequence u16 sent u16   at the start of a datagram
//
// Source: docs/wire/rcce.md 1.2 and 1.3 (big-endian).
type trips struct {
	ring [maxPendingTrips]trip // the datagram with send time s is at s % maxPendingTrips
}

// maxPendingTrips is the length of trips.ring. The index of a datagram is its sent field, a time in ms, modulo this number. A
// later datagram with the same index replaces the earlier one, whose round-trip time is then not measured.
const maxPendingTrips = 32

type trip struct {
	at    int64  // send time in ns since 1970; 0 if the entry is unused or acknowledged
	stamp uint16 // value of the datagram's sent field
}

const (
	peerAt      = 4      // offset of the peer field in a datagram
	sentAt      = 6      // offset of the sent field in a datagram
	flagSent    = 0x8000 // bit of the peer field that says that the sent field is present
	commandsAt  = 8      // offset of the first command in a datagram with a sent field
	ackSize     = 8      // size of an acknowledge command in bytes
	ackKind     = 0x01   // type of an acknowledge command
	ackStampOff = 6      // offset in an acknowledge command of the copy of the acknowledged sent field
)

// sent records the send time of a datagram that requests an acknowledgement. The parameter "now" is that time in ns since 1970.
func (t *trips) sent(datagram []byte, now int64) {
	if len(datagram) < commandsAt || binary.BigEndian.Uint16(datagram[peerAt:])&flagSent == 0 {
		return
	}
	stamp := binary.BigEndian.Uint16(datagram[sentAt:])
	if at := &t.ring[stamp%maxPendingTrips]; at.at == 0 || at.stamp != stamp { // only the first datagram of each ms is measured
		*at = trip{now, stamp}
	}
}

// received measures the round-trip time of each recorded datagram that the received datagram acknowledges for the first time, and
// calls the parameter report with it. The parameter "at" is the receive time in ns since 1970.
func (t *trips) received(datagram []byte, at int64, report func(time.Duration)) {
	if len(datagram) < commandsAt {
		return
	}
	b := datagram[sentAt:]
	if binary.BigEndian.Uint16(datagram[peerAt:])&flagSent != 0 {
		b = datagram[commandsAt:]
	}
	for ; len(b) >= ackSize && b[0] == ackKind; b = b[ackSize:] {
		stamp := binary.BigEndian.Uint16(b[ackStampOff:])
		if w := &t.ring[stamp%maxPendingTrips]; w.at != 0 && w.stamp == stamp {
			report(time.Duration(max(0, at-w.at)))
			w.at = 0
		}
	}
}
