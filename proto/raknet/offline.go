package raknet

import (
	"encoding/binary"
	"net/netip"
)

// Message ids outside of a connection: the first byte of a datagram, below 0x80.
const (
	idPing         = 0x01
	idPingOpen     = 0x02 // a ping that a server answers only if the server is not full
	idRequest1     = 0x05
	idReply1       = 0x06
	idRequest2     = 0x07
	idReply2       = 0x08
	idNoFree       = 0x14
	idIncompatible = 0x19
	idPong         = 0x1c
)

// magic is part of every offline message and distinguishes such messages from other traffic on the port.
const magic = "\x00\xff\xff\x00\xfe\xfe\xfe\xfe\xfd\xfd\xfd\xfd\x12\x34\x56\x78"

const (
	pingSize     = 1 + 8 + len(magic) + 8
	request1Size = 1 + len(magic) + 1 // length of Open Connection Request 1 without its padding, in bytes
	reply1Size   = 1 + len(magic) + 8 + 1 + 2
	cookieSize   = 4
)

func hasMagic(b []byte, at int) bool {
	return len(b) >= at+len(magic) && string(b[at:at+len(magic)]) == magic
}

// ping asks a server for its pong. Id 0x01 or 0x02.
type ping struct {
	open bool
	time uint64 // time of the sender, which the pong echoes
	guid uint64 // GUID of the client
}

func (p ping) append(b []byte) []byte {
	id := byte(idPing)
	if p.open {
		id = idPingOpen
	}
	b = binary.BigEndian.AppendUint64(append(b, id), p.time)
	return binary.BigEndian.AppendUint64(append(b, magic...), p.guid)
}

func parsePing(b []byte) (p ping, ok bool) {
	if len(b) != pingSize || b[0] != idPing && b[0] != idPingOpen || !hasMagic(b, 9) {
		return ping{}, false
	}
	return ping{open: b[0] == idPingOpen, time: binary.BigEndian.Uint64(b[1:]), guid: binary.BigEndian.Uint64(b[25:])}, true
}

// pong is the answer to a ping. Id 0x1c. The text shares the memory of the datagram.
type pong struct {
	time uint64
	guid uint64 // GUID of the server
	text []byte
}

func (p pong) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint64(append(b, idPong), p.time)
	b = binary.BigEndian.AppendUint64(b, p.guid)
	b = binary.BigEndian.AppendUint16(append(b, magic...), uint16(len(p.text)))
	return append(b, p.text...)
}

func parsePong(b []byte) (p pong, ok bool) {
	const head = 1 + 8 + 8 + len(magic) + 2
	if len(b) < head || b[0] != idPong || !hasMagic(b, 17) || int(binary.BigEndian.Uint16(b[33:])) != len(b)-head {
		return pong{}, false
	}
	return pong{time: binary.BigEndian.Uint64(b[1:]), guid: binary.BigEndian.Uint64(b[9:]), text: b[head:]}, true
}

// request1 is Open Connection Request 1. It asks whether there is a server, and tests whether a datagram of this size
// reaches it. Id 0x05.
type request1 struct {
	protocol uint8
	size     int // length of the whole datagram in bytes, at least request1Size
}

func (r request1) append(b []byte) []byte {
	b = append(append(append(b, idRequest1), magic...), r.protocol)
	return append(b, make([]byte, r.size-request1Size)...)
}

// parseRequest1 parses Open Connection Request 1. It ignores the padding, which gives the datagram its size.
func parseRequest1(b []byte) (r request1, ok bool) {
	if len(b) < request1Size || b[0] != idRequest1 || !hasMagic(b, 1) {
		return request1{}, false
	}
	return request1{protocol: b[17], size: len(b)}, true
}

// reply1 is Open Connection Reply 1, the answer to request1. Id 0x06.
type reply1 struct {
	guid   uint64 // GUID of the server
	secure bool   // the reply carries a cookie that request 2 must repeat
	cookie uint32
	mtu    uint16 // MTU in bytes, including IP and UDP headers
}

func (r reply1) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint64(append(append(b, idReply1), magic...), r.guid)
	if r.secure {
		b = binary.BigEndian.AppendUint32(append(b, 1), r.cookie)
	} else {
		b = append(b, 0)
	}
	return binary.BigEndian.AppendUint16(b, r.mtu)
}

// parseReply1 parses Open Connection Reply 1. It accepts further bytes at the end, because the library raknet-native pads
// the reply to the size of the request.
func parseReply1(b []byte) (r reply1, ok bool) {
	if len(b) < reply1Size || b[0] != idReply1 || !hasMagic(b, 1) || b[25] > 1 {
		return reply1{}, false
	}
	r = reply1{guid: binary.BigEndian.Uint64(b[17:]), secure: b[25] == 1}
	b = b[26:]
	if r.secure {
		if len(b) < cookieSize+2 {
			return reply1{}, false
		}
		r.cookie = binary.BigEndian.Uint32(b)
		b = b[cookieSize:]
	}
	r.mtu = binary.BigEndian.Uint16(b)
	return r, true
}

// request2 is Open Connection Request 2, which asks for a connection. Id 0x07.
type request2 struct {
	secure bool
	cookie uint32
	addr   netip.AddrPort // address of the server as the client sees it
	mtu    uint16
	guid   uint64 // GUID of the client
}

func (r request2) append(b []byte) []byte {
	b = append(append(b, idRequest2), magic...)
	if r.secure {
		b = append(binary.BigEndian.AppendUint32(b, r.cookie), 0)
	}
	b = binary.BigEndian.AppendUint16(appendAddr(b, r.addr), r.mtu)
	return binary.BigEndian.AppendUint64(b, r.guid)
}

// parseRequest2 parses Open Connection Request 2. The parameter secure says whether the server demands cookies. The
// datagram must contain a cookie if secure is true, and none otherwise; the datagram itself does not say whether it
// contains one.
func parseRequest2(b []byte, secure bool) (r request2, ok bool) {
	if len(b) < 1+len(magic) || b[0] != idRequest2 || !hasMagic(b, 1) {
		return request2{}, false
	}
	b = b[1+len(magic):]
	if r.secure = secure; secure {
		if len(b) < cookieSize+1 || b[cookieSize] != 0 {
			return request2{}, false
		}
		r.cookie = binary.BigEndian.Uint32(b)
		b = b[cookieSize+1:]
	}
	if r.addr, b, ok = parseAddr(b); !ok || len(b) != 2+8 {
		return request2{}, false
	}
	r.mtu = binary.BigEndian.Uint16(b)
	r.guid = binary.BigEndian.Uint64(b[2:])
	return r, true
}

// reply2 is Open Connection Reply 2, which opens the connection. Id 0x08.
type reply2 struct {
	guid uint64         // GUID of the server
	addr netip.AddrPort // address of the client as the server sees it
	mtu  uint16
}

func (r reply2) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint64(append(append(b, idReply2), magic...), r.guid)
	return append(binary.BigEndian.AppendUint16(appendAddr(b, r.addr), r.mtu), 0)
}

// parseReply2 parses Open Connection Reply 2. It refuses a reply that demands RakNet's own encryption, because no client or
// server of the game uses it.
func parseReply2(b []byte) (r reply2, ok bool) {
	if len(b) < 1+len(magic)+8 || b[0] != idReply2 || !hasMagic(b, 1) {
		return reply2{}, false
	}
	r.guid = binary.BigEndian.Uint64(b[17:])
	if r.addr, b, ok = parseAddr(b[25:]); !ok || len(b) != 3 || b[2] != 0 {
		return reply2{}, false
	}
	r.mtu = binary.BigEndian.Uint16(b)
	return r, true
}

// incompatible is the answer to a client whose RakNet protocol version the server does not support. It states the server's
// version. Id 0x19.
type incompatible struct {
	protocol uint8
	guid     uint64
}

func (r incompatible) append(b []byte) []byte {
	b = append(append(b, idIncompatible, r.protocol), magic...)
	return binary.BigEndian.AppendUint64(b, r.guid)
}

func parseIncompatible(b []byte) (r incompatible, ok bool) {
	if len(b) != 2+len(magic)+8 || b[0] != idIncompatible || !hasMagic(b, 2) {
		return incompatible{}, false
	}
	return incompatible{protocol: b[1], guid: binary.BigEndian.Uint64(b[18:])}, true
}

// noFree refuses a request for a connection, because the server has reached a limit of sessions. Id 0x14.
type noFree struct{ guid uint64 }

func (r noFree) append(b []byte) []byte {
	return binary.BigEndian.AppendUint64(append(append(b, idNoFree), magic...), r.guid)
}

func parseNoFree(b []byte) (r noFree, ok bool) {
	if len(b) != 1+len(magic)+8 || b[0] != idNoFree || !hasMagic(b, 1) {
		return noFree{}, false
	}
	return noFree{guid: binary.BigEndian.Uint64(b[17:])}, true
}
