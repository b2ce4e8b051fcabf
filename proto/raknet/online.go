package raknet

import (
	"encoding/binary"
	"net/netip"
)

// Ids of RakNet's own messages inside of a connection: the first byte of a frame's body. Ids from 0x80 are for the
// application.
const (
	idConnectedPing      = 0x00
	idConnectedPong      = 0x03
	idConnectionRequest  = 0x09
	idConnectionAccepted = 0x10
	idNewConnection      = 0x13
	idDisconnect         = 0x15

	idUser = 0x80 // lowest id of application messages
)

// emptySystemAddrs replaces the list of interface addresses in the handshake messages that this package sends. It contains the
// address 0.0.0.0:0 twenty times, because no known receiver uses the list. Other implementations send 10 addresses; the message
// does not state their number.
const emptySystemAddrs = fourEmptyAddrs + fourEmptyAddrs + fourEmptyAddrs + fourEmptyAddrs + fourEmptyAddrs

const fourEmptyAddrs = "\x04\xff\xff\xff\xff\x00\x00\x04\xff\xff\xff\xff\x00\x00\x04\xff\xff\xff\xff\x00\x00\x04\xff\xff\xff\xff\x00\x00"

// connectionRequest is the first message of a client inside of a connection. Id 0x09.
type connectionRequest struct {
	guid uint64
	time uint64
}

func (m connectionRequest) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint64(append(b, idConnectionRequest), m.guid)
	return append(binary.BigEndian.AppendUint64(b, m.time), 0)
}

func parseConnectionRequest(b []byte) (m connectionRequest, ok bool) {
	if len(b) != 1+8+8+1 || b[0] != idConnectionRequest || b[17] != 0 {
		return connectionRequest{}, false
	}
	return connectionRequest{guid: binary.BigEndian.Uint64(b[1:]), time: binary.BigEndian.Uint64(b[9:])}, true
}

// connectionAccepted is "connection request accepted", the server's answer to connectionRequest. Id 0x10.
type connectionAccepted struct {
	addr   netip.AddrPort // address of the client as the server sees it
	index  uint16         // always 0
	system []byte         // interface addresses in wire format; borrowed
	echo   uint64         // time field of the client's connection request
	time   uint64         // time of the server
}

func (m connectionAccepted) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint16(appendAddr(append(b, idConnectionAccepted), m.addr), m.index)
	return appendTimes(append(b, m.system...), m.echo, m.time)
}

func parseConnectionAccepted(b []byte) (m connectionAccepted, ok bool) {
	if len(b) == 0 || b[0] != idConnectionAccepted {
		return connectionAccepted{}, false
	}
	if m.addr, b, ok = parseAddr(b[1:]); !ok || len(b) < 2 {
		return connectionAccepted{}, false
	}
	m.index = binary.BigEndian.Uint16(b)
	if m.system, b, ok = cutSystemAddrs(b[2:]); !ok {
		return connectionAccepted{}, false
	}
	m.echo, m.time = binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])
	return m, true
}

// newConnection is the client's "new incoming connection", which completes the handshake. Id 0x13.
type newConnection struct {
	addr   netip.AddrPort // address of the server as the client sees it
	system []byte         // interface addresses in wire format; borrowed
	echo   uint64         // time field of the server's connectionAccepted
	time   uint64         // time of the client
}

func (m newConnection) append(b []byte) []byte {
	b = appendAddr(append(b, idNewConnection), m.addr)
	return appendTimes(append(b, m.system...), m.echo, m.time)
}

func parseNewConnection(b []byte) (m newConnection, ok bool) {
	if len(b) == 0 || b[0] != idNewConnection {
		return newConnection{}, false
	}
	if m.addr, b, ok = parseAddr(b[1:]); !ok {
		return newConnection{}, false
	}
	if m.system, b, ok = cutSystemAddrs(b); !ok {
		return newConnection{}, false
	}
	m.echo, m.time = binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])
	return m, true
}

// cutSystemAddrs splits the end of a handshake message into a list of interface addresses and two times of 8 bytes each. The
// message does not state the number of addresses, so all bytes before the times are addresses.
func cutSystemAddrs(b []byte) (system, times []byte, ok bool) {
	times = b
	for len(times) > 16 {
		if _, times, ok = parseAddr(times); !ok {
			return nil, nil, false
		}
	}
	return b[:len(b)-len(times)], times, len(times) == 16
}

func appendTimes(b []byte, echo, time uint64) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, echo), time)
}

// connectedPing asks for a connectedPong. Id 0x00.
type connectedPing struct{ time uint64 }

func (m connectedPing) append(b []byte) []byte {
	return binary.BigEndian.AppendUint64(append(b, idConnectedPing), m.time)
}

func parseConnectedPing(b []byte) (m connectedPing, ok bool) {
	if len(b) != 1+8 || b[0] != idConnectedPing {
		return connectedPing{}, false
	}
	return connectedPing{time: binary.BigEndian.Uint64(b[1:])}, true
}

// connectedPong answers a connectedPing. Id 0x03.
type connectedPong struct {
	echo uint64 // time field of the ping
	time uint64
}

func (m connectedPong) append(b []byte) []byte {
	return appendTimes(append(b, idConnectedPong), m.echo, m.time)
}

func parseConnectedPong(b []byte) (m connectedPong, ok bool) {
	if len(b) != 1+8+8 || b[0] != idConnectedPong {
		return connectedPong{}, false
	}
	return connectedPong{echo: binary.BigEndian.Uint64(b[1:]), time: binary.BigEndian.Uint64(b[9:])}, true
}
