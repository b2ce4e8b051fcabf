//go:build linux

package main

import (
	"context"
	"fmt"
	"net"
	"strings"
	"time"
)

// firstOctet is the first octet of the addresses of servers and clients. It is 10 in the test's network namespace. It is 127 if
// the test runs on plain loopback, where the server applies no limits per address and per network.
var firstOctet = 10

// localAddr returns the address firstOctet.b.c.d.
func localAddr(b, c, d int) string { return fmt.Sprintf("%d.%d.%d.%d", firstOctet, b, c, d) }

// serverAddr returns the address at which servers listen. On plain loopback it is not 127.0.0.1, where servers of other programs
// may listen.
func serverAddr() string {
	if firstOctet == 127 {
		return localAddr(77, 0, 1)
	}
	return localAddr(0, 0, 1)
}

// natAddr is the address that all clients behind the test's NAT share: (1) the residents, honest players that stay in the world,
// (2) 30 operators, (3) 30 collectors of metrics, and (4) the attackers of attacks with attack.nat.
func natAddr() string { return localAddr(200, 0, 1) }

// attackerAddr returns the i-th address of the attackers, each in a network /24 of its own.
func attackerAddr(i int) string { return localAddr(20+i/250%100, i%250, 9) }

// crowdAddr returns the address of the i-th attacking player. All other attackers have other addresses, so the attacking
// players are not affected by limits that the other attackers have used up.
func crowdAddr(i int) string { return localAddr(140+i/250%40, i%250, 9) }

// clientAddrs returns the address of the i-th client of an attack. It thereby determines how many clients share one address.
type clientAddrs func(i int) string

// fromMany returns clientAddrs with perAddr clients at each address.
func fromMany(perAddr int) clientAddrs {
	return func(i int) string { return attackerAddr(i / perAddr) }
}

func fromNAT(int) string { return natAddr() }

// dialFrom returns a dial function for connections from a local address. The parameter delay is added to each UDP datagram in
// both directions; TCP connections are not delayed.
func dialFrom(from string, delay time.Duration) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
		if strings.HasPrefix(network, "udp") {
			d.LocalAddr = &net.UDPAddr{IP: net.ParseIP(from)}
		}
		conn, err := d.DialContext(ctx, network, addr)
		if err != nil || delay == 0 {
			return conn, err
		}
		return newDelayedConn(conn, delay), nil
	}
}

func listenUDP(addr string) (*net.UDPConn, error) {
	return net.ListenUDP("udp4", &net.UDPAddr{IP: net.ParseIP(addr)})
}

// wait waits for the duration d, or until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
