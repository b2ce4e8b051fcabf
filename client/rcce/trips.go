package rcce

import (
	"encoding/binary"
	"time"
)

// trips measures round trip times in ns, from the datagram that requests an acknowledgement to the first datagram that
// contains it. ENet's own estimate has a resolution of 1 ms and integer smoothing, so its error reaches 8 ms on a short
// round trip.
//
//	header      session[4] peer u16 [sent u16]   bit 15 of peer: sent is present
//	acknowledge 0x01 channel u8 - u16 sequence u16 sent u16   at the start of a datagram
//
// Source: docs/wire/rcce.md 1.2 and 1.3 (big-endian).
type trips struct {
	ring [maxPendingTrips]trip // indexed by sent modulo the length
}

// maxPendingTrips limits the datagrams that wait for their acknowledgement; older ones are not measured.
const maxPendingTrips = 32

type trip struct {
	at    int64  // send time in ns since 1970; 0: acknowledged, or not used
	stamp uint16 // sent field of the datagram
}

const (
	peerAt      = 4 // offsets in a datagram
	sentAt      = 6
	flagSent    = 0x8000
	commandsAt  = 8 // with a sent field; 6 without
	ackSize     = 8
	ackKind     = 0x01
	ackStampOff = 6
)

// sent records the send time of a datagram that requests an acknowledgement.
func (t *trips) sent(datagram []byte, now int64) {
	if len(datagram) < commandsAt || binary.BigEndian.Uint16(datagram[peerAt:])&flagSent == 0 {
		return
	}
	stamp := binary.BigEndian.Uint16(datagram[sentAt:])
	if at := &t.ring[stamp%maxPendingTrips]; at.at == 0 || at.stamp != stamp { // of several datagrams in one ms, the first is measured
		*at = trip{now, stamp}
	}
}

// received reports the round trips that the acknowledgements in a datagram complete.
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
