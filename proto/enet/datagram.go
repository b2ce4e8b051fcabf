package enet

import "encoding/binary"

const (
	maxHeader   = 8      // bytes of the full header: session 4, peer 2, sent 2
	shortHeader = 6      // bytes of the header without the field sent
	noPeer      = 0x7fff // peer number in a datagram before the receiver has assigned one
	flagSent    = 0x8000 // bit of the peer field: the header has the field sent

	// minDatagram is the minimum length of a datagram in bytes. Libenet 1.1 drops shorter datagrams. A datagram that consists
	// only of a header without the field sent, for example, has 6 bytes and is dropped.
	minDatagram = 8
	maxDatagram = 4096 // maximum length of a datagram in bytes: the receive buffer of libenet 1.1
)

// header holds the fields before the commands of a datagram.
type header struct {
	session [4]byte // id that the client chose in CONNECT
	peer    uint16  // peer number of the receiver, or noPeer
	hasSent bool    // the header has the field sent
	sent    uint16  // low 16 bits of the sender's clock, ms; 0 unless hasSent
}

// parseHeader splits a datagram into its header and its commands. ok is false for a datagram that libenet 1.1 would discard.
func parseHeader(b []byte) (h header, commands []byte, ok bool) {
	if len(b) < minDatagram || len(b) > maxDatagram {
		return h, nil, false
	}
	copy(h.session[:], b)
	id := binary.BigEndian.Uint16(b[4:])
	h.peer = id &^ flagSent
	if id&flagSent == 0 {
		return h, b[shortHeader:], true
	}
	h.hasSent = true
	h.sent = binary.BigEndian.Uint16(b[6:])
	return h, b[maxHeader:], true
}

// PeerIDOf returns the peer number in the header of a datagram, so that a caller can dispatch the datagram to one of
// several hosts. For a connection request, connect is true and id is meaningless. ok is false for a datagram that every
// host would discard.
//
// If several hosts share a socket, the repetitions of a CONNECT must reach the same host as the first. The caller can
// choose the host by a hash of the sender's address and port.
func PeerIDOf(datagram []byte) (id int, connect bool, ok bool) {
	h, commands, ok := parseHeader(datagram)
	if !ok || len(commands) < commandHeader {
		return 0, false, false
	}
	if h.peer == noPeer {
		connect = commands[0]&cmdMask == cmdConnect
		return noPeer, connect, connect
	}
	return int(h.peer), false, true
}

// closeDatagram writes the header of a datagram in front of its commands, and returns the datagram, which is a part of b. The
// parameter b consists of maxHeader unused bytes and the commands. The header contains the field sent only if withSent is true.
func (p *Peer) closeDatagram(b []byte, now uint32, withSent bool) []byte {
	if withSent {
		copy(b, p.session[:])
		binary.BigEndian.PutUint16(b[4:], p.remoteID|flagSent)
		binary.BigEndian.PutUint16(b[6:], p.clock(now))
		return b
	}
	b = b[maxHeader-shortHeader:]
	copy(b, p.session[:])
	binary.BigEndian.PutUint16(b[4:], p.remoteID)
	return b
}

// clock returns the timestamp for the field "sent" of a datagram's header: the parameter now, in ms, plus a random offset of the
// peer, modulo 65536.
func (p *Peer) clock(now uint32) uint16 { return uint16(now) + p.clockOffset }

// appendControl appends a datagram with a single command, for which the receiver must send an acknowledgement. The parameter
// sent is the header field of that name. The command is on the control channel and has no fields after its header.
func appendControl(b []byte, session [4]byte, peer, sent uint16, kind uint8, seq uint16) []byte {
	b = append(b, session[:]...)
	b = binary.BigEndian.AppendUint16(b, peer|flagSent)
	b = binary.BigEndian.AppendUint16(b, sent)
	return appendHeader(b, kind|flagAck, controlChannel, seq)
}
