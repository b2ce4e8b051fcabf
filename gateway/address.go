package gateway

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
)

// UDPAddr is the address of a socket; the zero value if there is none.
func UDPAddr(conn Conn) netip.AddrPort {
	if conn == nil {
		return netip.AddrPort{}
	}
	return conn.LocalAddr().(*net.UDPAddr).AddrPort()
}

// TCPAddr is the address of a listener; the zero value if there is none.
func TCPAddr(l net.Listener) netip.AddrPort {
	if l == nil {
		return netip.AddrPort{}
	}
	return l.Addr().(*net.TCPAddr).AddrPort()
}

// CloseOnce closes what may be closed already.
func CloseOnce(c io.Closer) error {
	if err := c.Close(); !errors.Is(err, net.ErrClosed) && !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}

// LocalAddr is the address at which this machine reaches a socket of its own: loopback for a socket of all interfaces.
func LocalAddr(at netip.AddrPort) netip.AddrPort {
	a := at.Addr().Unmap()
	if a.IsUnspecified() {
		a = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	return netip.AddrPortFrom(a, at.Port())
}

// DisplayAddr is the address of a socket as people write it: 0.0.0.0 for all interfaces, of IPv4 and IPv6 alike.
func DisplayAddr(at netip.AddrPort) netip.AddrPort {
	a := at.Addr().Unmap()
	if a.IsUnspecified() {
		a = netip.IPv4Unspecified()
	}
	return netip.AddrPortFrom(a, at.Port())
}

// AddrFlags is the flag with which a command of this machine finds a socket; none if the socket is where the command
// looks by itself, at the default port of loopback.
func AddrFlags(flag string, at netip.AddrPort, defaultPort int) []string {
	local := LocalAddr(at).String()
	if local == fmt.Sprintf("127.0.0.1:%d", defaultPort) {
		return nil
	}
	return []string{flag + " " + local}
}

// maxMachineAddrs bounds MachineAddrs; containers bring many interfaces.
const maxMachineAddrs = 3

// MachineAddrs are IPv4 addresses of this machine that other machines may reach, at most 3.
func MachineAddrs() []netip.Addr {
	all, _ := net.InterfaceAddrs() // without them there is nothing to show
	var list []netip.Addr
	for _, a := range all {
		p, err := netip.ParsePrefix(a.String())
		if err != nil || !p.Addr().Is4() || !p.Addr().IsGlobalUnicast() || len(list) == maxMachineAddrs {
			continue
		}
		list = append(list, p.Addr())
	}
	return list
}

// ShortError leaves out of an error of package net the operation and the address, which the message around it names.
func ShortError(err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		err = op.Err
	}
	if bad, ok := errors.AsType[*net.AddrError](err); ok {
		err = errors.New(bad.Err)
	}
	return err
}
