// Package testport finds ports for tests that must know an address before a server listens at it, or that start a server again at the same
// address. A test that needs neither lets the system choose the port (port 0).
package testport

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// This package chooses from the ports 10000 to 31999. The systems choose the ports of outgoing connections, and of listeners at port 0, above
// these, Linux from 32768 to 60999. Such a port could be taken before the server listens at it, or while the server is restarted.
const (
	firstTen = 1000 // first of the ports, without the last digit
	numTens  = 2200
)

// Ten returns a loopback address without the last digit of its port, such as "127.0.0.1:1234". The ports that end with 1 to 9 are free, for
// TCP and UDP. Until the test ends no other call returns this address, in any process: a listener occupies the port that ends with 0.
func Ten(t testing.TB) (prefix string) {
	t.Helper()
	for range 1000 {
		prefix = fmt.Sprint("127.0.0.1:", firstTen+rand.IntN(numTens))
		mark, err := net.Listen("tcp", prefix+"0")
		if err != nil {
			continue
		}
		if areFree(prefix) {
			t.Cleanup(func() { _ = mark.Close() })
			return prefix
		}
		_ = mark.Close()
	}
	t.Fatal("found no ten free ports")
	return ""
}

// Addr returns a loopback address whose port is free, for TCP and UDP. No other call returns it until the test ends, in any process.
func Addr(t testing.TB) string {
	t.Helper()
	return Ten(t) + "1"
}

// areFree reports whether the ports 1 to 9 of a ten are free.
func areFree(prefix string) bool {
	for digit := 1; digit <= 9; digit++ {
		addr := fmt.Sprint(prefix, digit)
		tcp, err := net.Listen("tcp", addr)
		if err != nil {
			return false
		}
		_ = tcp.Close()
		udp, err := net.ListenPacket("udp", addr)
		if err != nil {
			return false
		}
		_ = udp.Close()
	}
	return true
}
