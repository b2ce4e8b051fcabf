package gateway

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"syscall"
)

// UDPAddr returns the local address of a UDP socket, or the zero value if conn is nil.
func UDPAddr(conn Conn) netip.AddrPort {
	if conn == nil {
		return netip.AddrPort{}
	}
	return conn.LocalAddr().(*net.UDPAddr).AddrPort()
}

// TCPAddr returns the address of a TCP listener, or the zero value if l is nil.
func TCPAddr(l net.Listener) netip.AddrPort {
	if l == nil {
		return netip.AddrPort{}
	}
	return l.Addr().(*net.TCPAddr).AddrPort()
}

// CloseOnce closes a socket or file. It returns nil if c is already closed.
func CloseOnce(c io.Closer) error {
	if err := c.Close(); !errors.Is(err, net.ErrClosed) && !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}

// LocalAddr returns an address at which programs on this machine can connect to a socket that is bound to the address in the
// parameter at. The result is the same address or, if the socket is bound to all interfaces (0.0.0.0 or ::), 127.0.0.1 with
// the same port.
func LocalAddr(at netip.AddrPort) netip.AddrPort {
	a := at.Addr().Unmap()
	if a.IsUnspecified() {
		a = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	return netip.AddrPortFrom(a, at.Port())
}

// DisplayAddr returns the address at in the form that operators are shown: 0.0.0.0 with the same port if the socket is
// bound to all interfaces (IPv4 and IPv6).
func DisplayAddr(at netip.AddrPort) netip.AddrPort {
	a := at.Addr().Unmap()
	if a.IsUnspecified() {
		a = netip.IPv4Unspecified()
	}
	return netip.AddrPortFrom(a, at.Port())
}

// AddrFlags returns the command line flag with which a client program on this machine connects to a socket. The parameter at is
// the socket's address, and flag is the name of the flag. The result is nil if the program connects there without the flag: to
// 127.0.0.1 and the default port.
func AddrFlags(flag string, at netip.AddrPort, defaultPort int) []string {
	local := LocalAddr(at).String()
	if local == fmt.Sprintf("127.0.0.1:%d", defaultPort) {
		return nil
	}
	return []string{flag + " " + local}
}

// maxMachineAddrs limits the result of MachineAddrs, because a machine that runs containers has many interfaces.
const maxMachineAddrs = 3

// MachineAddrs returns up to 3 IPv4 addresses of this machine that other machines may be able to reach.
func MachineAddrs() []netip.Addr {
	all, _ := net.InterfaceAddrs() // after an error, all is empty
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

// ShortError returns the cause in an error of package net, such as "address already in use", without the operation and the
// address. Callers name these in their own messages.
func ShortError(err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		err = op.Err
	}
	if bad, ok := errors.AsType[*net.AddrError](err); ok {
		err = errors.New(bad.Err)
	}
	return err
}

// ListenError returns an error that says why a socket cannot be opened and how to fix this. The parameter setting is the
// name of the flag that sets the socket's address. The parameter address is HOST:PORT, for doors with the network appended,
// as in 127.0.0.1:80/tcp.
func ListenError(setting, address string, err error) error {
	return listenError(setting, address, ", or off", err)
}

// RequiredListenError returns the error of ListenError for a socket that the server cannot run without: it does not advise
// operators to set the address to "off".
func RequiredListenError(setting, address string, err error) error {
	return listenError(setting, address, "", err)
}

func listenError(setting, address, orOff string, err error) error {
	fix := "choose another address with --" + setting + " HOST:PORT" + orOff
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		fix = "another program may have the port: " + fix
	case errors.Is(err, syscall.EACCES):
		fix = "ports below 1024 need a privilege (CAP_NET_BIND_SERVICE; docs/deploy.md has the lines for the systemd unit): " + fix
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		fix = "no interface of this machine has that address: name one of its own, or none for all, with --" + setting + " HOST:PORT"
	}
	return fmt.Errorf("%s: cannot listen on %s: %w; %s", setting, address, ShortError(err), fix)
}
