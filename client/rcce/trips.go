package rcce

import (
	"encoding/binary"
	"time"
)

// trips measures round trips from the bytes of datagrams. ENet itself counts in whole ms and smooths in integers, so that
// its value never comes within 8 ms of a short trip; here it is the time from a datagram that wants acknowledgements to
// the first one that has them, in ns.
//
//	header      session[4] peer u16 [sent u16]   bit 15 of peer: sent is there
//	acknowledge 0x01 channel u8 - u16 sequence u16 sent u16   at the front of a datagram
//
// Source: docs/wire/rcce.md, datagrams and commands (big-endian).
type trips struct {
	ring [maxPendingTrips]trip // by sent modulo the length
}

// tripsUnderWay is how many datagrams may wait for their acknowledgement; older ones are not measured.
const maxPendingTrips = 32

type trip struct {
	at    int64 // ns since 1970; 0: answered, or never sent
	stamp uint16
}

const (
	peerAt      = 4 // offsets in a datagram
	sentAt      = 6
	flagSent    = 0x8000
	commandsAt  = 8 // with sent; 6 without
	ackSize     = 8
	ackKind     = 0x01
	ackStampOff = 6
)

func (t *trips) sent(datagram []byte, now int64) {
	if len(datagram) < commandsAt || binary.BigEndian.Uint16(datagram[peerAt:])&flagSent == 0 {
		return
	}
	stamp := binary.BigEndian.Uint16(datagram[sentAt:])
	if at := &t.ring[stamp%maxPendingTrips]; at.at == 0 || at.stamp != stamp { // of several in one ms, the first counts
		*at = trip{now, stamp}
	}
}

// received reports the trips that a datagram ends.
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
