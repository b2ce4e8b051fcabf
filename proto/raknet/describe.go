package raknet

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Description describes one of RakNet's own messages as text, for programs that display traffic.
type Description struct {
	Name   string // lower-case name of the message
	Fields string // name=value pairs, separated by spaces; "" if there are none
}

// String returns the name and the fields, separated by a space.
func (d Description) String() string { return strings.TrimSpace(d.Name + " " + d.Fields) }

// FromClient reports whether a datagram begins as a ping or a request does. Only clients send these, outside of a connection. For
// a datagram of an established connection, FromClient and FromServer return false.
func FromClient(datagram []byte) bool { return len(datagram) > 0 && idIn(datagram[0], clientIDs) }

// FromServer reports whether a datagram begins as a reply, a refusal or a pong does. Only servers send these, outside of a
// connection.
func FromServer(datagram []byte) bool { return len(datagram) > 0 && idIn(datagram[0], serverIDs) }

const (
	clientIDs = "\x01\x02\x05\x07"     // first bytes of pings and requests
	serverIDs = "\x06\x08\x14\x19\x1c" // first bytes of replies, refusals and the pong
)

func idIn(id byte, ids string) bool { return strings.IndexByte(ids, id) >= 0 }

// OpensConnection reports whether a datagram is Open Connection Reply 2, after which the connection begins.
func OpensConnection(datagram []byte) bool { return len(datagram) > 0 && datagram[0] == idReply2 }

// DescribeOffline describes the datagram b, a message outside of a connection. If b is malformed or no RakNet message, ok is
// false, and d.Name is the name of the type that the first byte of b stands for, or "".
func DescribeOffline(b []byte) (d Description, ok bool) {
	if len(b) == 0 {
		return Description{}, false
	}
	switch b[0] {
	case idPing, idPingOpen:
		m, ok := parsePing(b)
		return describe(ok, "unconnected ping", "time=%d guid=%016x", m.time, m.guid)
	case idPong:
		m, ok := parsePong(b)
		return describe(ok, "unconnected pong", "time=%d guid=%016x text=%q", m.time, m.guid, m.text)
	case idRequest1:
		m, ok := parseRequest1(b)
		return describe(ok, "open connection request 1", "raknet=%d mtu=%d", m.protocol, m.size+overhead4)
	case idReply1:
		m, ok := parseReply1(b)
		return describe(ok, "open connection reply 1", "guid=%016x mtu=%d%s", m.guid, m.mtu, cookieText(m.secure, m.cookie))
	case idRequest2:
		m, ok := parseRequest2(b, false)
		if !ok { // only the length of the datagram shows whether it contains a cookie
			m, ok = parseRequest2(b, true)
		}
		return describe(ok, "open connection request 2", "server=%v mtu=%d guid=%016x%s", m.addr, m.mtu, m.guid, cookieText(m.secure, m.cookie))
	case idReply2:
		m, ok := parseReply2(b)
		return describe(ok, "open connection reply 2", "guid=%016x client=%v mtu=%d", m.guid, m.addr, m.mtu)
	case idIncompatible:
		m, ok := parseIncompatible(b)
		return describe(ok, "incompatible RakNet protocol", "raknet=%d guid=%016x", m.protocol, m.guid)
	case idNoFree:
		m, ok := parseNoFree(b)
		return describe(ok, "no free incoming connections", "guid=%016x", m.guid)
	}
	return Description{}, false
}

// DescribeMessage describes one of RakNet's own messages inside of a connection. The parameter b is the body of a frame; its
// first byte is below 0x80. ok is false if the message is unknown or malformed. d.Name is then the name of the type that the
// first byte of b stands for, or "".
func DescribeMessage(b []byte) (d Description, ok bool) {
	if len(b) == 0 {
		return Description{}, false
	}
	switch b[0] {
	case idConnectedPing:
		m, ok := parseConnectedPing(b)
		return describe(ok, "connected ping", "time=%d", m.time)
	case idConnectedPong:
		m, ok := parseConnectedPong(b)
		return describe(ok, "connected pong", "echo=%d time=%d", m.echo, m.time)
	case idConnectionRequest:
		m, ok := parseConnectionRequest(b)
		return describe(ok, "connection request", "guid=%016x time=%d", m.guid, m.time)
	case idConnectionAccepted:
		m, ok := parseConnectionAccepted(b)
		return describe(ok, "connection request accepted", "client=%v echo=%d time=%d", m.addr, m.echo, m.time)
	case idNewConnection:
		m, ok := parseNewConnection(b)
		return describe(ok, "new incoming connection", "server=%v echo=%d time=%d", m.addr, m.echo, m.time)
	case idDisconnect:
		return describe(true, "disconnect", "")
	}
	return Description{}, false
}

// IsUserMessage reports whether the body of a frame is an application message, as opposed to one of RakNet's own.
func IsUserMessage(body []byte) bool { return len(body) > 0 && body[0] >= idUser }

func describe(ok bool, name, format string, args ...any) (Description, bool) {
	if !ok {
		return Description{Name: name}, false
	}
	return Description{Name: name, Fields: fmt.Sprintf(format, args...)}, true
}

func cookieText(secure bool, cookie uint32) string {
	if !secure {
		return ""
	}
	return fmt.Sprintf(" cookie=%x", binary.BigEndian.AppendUint32(nil, cookie))
}
