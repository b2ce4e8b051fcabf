//go:build !linux

package gateway

import (
	"net"
	"net/netip"
)

// ControlRoom is enough for a control message of Homes, in bytes.
const ControlRoom = 0

// tellHomes: only Linux is asked.
func tellHomes(*net.UDPConn) {}

// readDatagram reads one datagram.
func readDatagram(conn *net.UDPConn, d *Datagram) error {
	n, from, err := conn.ReadFromUDPAddrPort(d.Buf[:])
	d.N, d.From, d.To = n, netip.AddrPortFrom(from.Addr().Unmap(), from.Port()), netip.Addr{}
	return err
}

func appendSource(b []byte, _ netip.Addr) []byte { return b }
