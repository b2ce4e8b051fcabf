package pcap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
)

// Link is a link-layer type, numbered as in capture files.
type Link uint32

// Values of Link: the supported link layers of captures.
const (
	LinkNull     Link = 0   // BSD loopback: address family in the byte order of the capturing host, then IP
	LinkEthernet Link = 1   // Ethernet with up to two VLAN tags
	LinkRaw      Link = 101 // IP packets; their first four bits are the version
	LinkRawBSD   Link = 12  // the format of LinkRaw under another number
	LinkLoop     Link = 108 // OpenBSD loopback: as LinkNull, big-endian
	LinkSLL      Link = 113 // "any" device of Linux, version 1
	LinkIPv4     Link = 228 // IPv4 packets
	LinkIPv6     Link = 229 // IPv6 packets
	LinkSLL2     Link = 276 // "any" device of Linux, version 2
)

// Errors of the function UDP: reasons why a captured frame contains no complete UDP datagram.
var (
	ErrLink     = errors.New("the link layer of the capture file is not supported")
	ErrNotUDP   = errors.New("the captured packet is not UDP")
	ErrFragment = errors.New("the captured packet is a fragment of an IP packet")
	ErrShort    = errors.New("the captured packet is too short for its headers")
)

// Datagram is a captured UDP datagram: its payload, and the addresses of sender and receiver.
type Datagram struct {
	From, To netip.AddrPort
	Payload  []byte // refers to the memory of the frame
	Length   int    // length of the payload on the wire in bytes; greater than len(Payload) if the capture truncated the packet
}

const (
	etherIPv4 = 0x0800
	etherIPv6 = 0x86dd
	protoUDP  = 17
)

// UDP extracts the UDP datagram of a captured frame. The result refers to the memory of frame. Errors wrap ErrLink,
// ErrNotUDP, ErrFragment or ErrShort.
func UDP(link Link, frame []byte) (Datagram, error) {
	ether, ip, err := stripLink(link, frame)
	if err != nil {
		return Datagram{}, err
	}
	switch ether {
	case etherIPv4:
		return parseIPv4(ip)
	case etherIPv6:
		return parseIPv6(ip)
	}
	return Datagram{}, ErrNotUDP
}

// stripLink removes the header of the link layer from a captured frame. It returns the packet after the header (ip), and
// the EtherType that identifies the protocol of that packet (ether).
func stripLink(link Link, b []byte) (ether uint16, ip []byte, err error) {
	switch link {
	case LinkEthernet:
		return parseEthernet(b)
	case LinkSLL:
		if len(b) < 16 {
			return 0, nil, ErrShort
		}
		return binary.BigEndian.Uint16(b[14:]), b[16:], nil
	case LinkSLL2:
		if len(b) < 20 {
			return 0, nil, ErrShort
		}
		return binary.BigEndian.Uint16(b), b[20:], nil
	case LinkNull, LinkLoop:
		if len(b) < 4 {
			return 0, nil, ErrShort
		}
		return ipVersion(b[4:])
	case LinkRaw, LinkRawBSD, LinkIPv4, LinkIPv6:
		return ipVersion(b)
	}
	return 0, nil, fmt.Errorf("%w: link type %d", ErrLink, link)
}

func parseEthernet(b []byte) (uint16, []byte, error) {
	for at, tags := 12, 0; tags <= 2; at, tags = at+4, tags+1 {
		if len(b) < at+2 {
			return 0, nil, ErrShort
		}
		ether := binary.BigEndian.Uint16(b[at:])
		if ether != 0x8100 && ether != 0x88a8 {
			return ether, b[at+2:], nil
		}
	}
	return 0, nil, ErrNotUDP
}

// ipVersion returns the EtherType of an IP packet by the version in the packet itself. Some link layers identify the protocol
// only by the number of an address family, and these numbers differ between operating systems.
func ipVersion(b []byte) (uint16, []byte, error) {
	if len(b) == 0 {
		return 0, nil, ErrShort
	}
	switch b[0] >> 4 {
	case 4:
		return etherIPv4, b, nil
	case 6:
		return etherIPv6, b, nil
	}
	return 0, nil, ErrNotUDP
}

func parseIPv4(b []byte) (Datagram, error) {
	if len(b) < 20 {
		return Datagram{}, ErrShort
	}
	head := int(b[0]&15) * 4
	if head < 20 || len(b) < head {
		return Datagram{}, ErrShort
	}
	if b[9] != protoUDP {
		return Datagram{}, ErrNotUDP
	}
	if binary.BigEndian.Uint16(b[6:])&0x3fff != 0 { // the packet has more fragments or is not the first one
		return Datagram{}, ErrFragment
	}
	from, to := netip.AddrFrom4([4]byte(b[12:16])), netip.AddrFrom4([4]byte(b[16:20]))
	return parseUDP(from, to, b[head:])
}

func parseIPv6(b []byte) (Datagram, error) {
	if len(b) < 40 {
		return Datagram{}, ErrShort
	}
	from, to := netip.AddrFrom16([16]byte(b[8:24])), netip.AddrFrom16([16]byte(b[24:40]))
	next, rest := b[6], b[40:]
	for range 8 { // packets with more extension headers are refused
		switch next {
		case protoUDP:
			return parseUDP(from, to, rest)
		case 44:
			return Datagram{}, ErrFragment
		case 0, 43, 60: // hop-by-hop, routing, destination options: next header, then the length in units of 8 bytes beyond the first 8
			if len(rest) < 8 {
				return Datagram{}, ErrShort
			}
			size := (int(rest[1]) + 1) * 8
			if len(rest) < size {
				return Datagram{}, ErrShort
			}
			next, rest = rest[0], rest[size:]
		default:
			return Datagram{}, ErrNotUDP
		}
	}
	return Datagram{}, ErrNotUDP
}

func parseUDP(from, to netip.Addr, b []byte) (Datagram, error) {
	if len(b) < 8 {
		return Datagram{}, ErrShort
	}
	length := int(binary.BigEndian.Uint16(b[4:]))
	if length < 8 {
		return Datagram{}, ErrShort
	}
	return Datagram{
		From:    netip.AddrPortFrom(from, binary.BigEndian.Uint16(b)),
		To:      netip.AddrPortFrom(to, binary.BigEndian.Uint16(b[2:])),
		Payload: b[8:min(length, len(b))], // bytes after the datagram are link-layer padding
		Length:  length - 8,
	}, nil
}
