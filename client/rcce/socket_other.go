//go:build !linux

package rcce

import "net"

const maxDatagram = 2048 // longest datagram in bytes; the client offers the server an MTU of 1400

// newSocket returns a datagramSocket that uses conn. This system does not support GRO, so the option is ignored.
func newSocket(conn *net.UDPConn, _ bool) (datagramSocket, error) { return newPlainSocket(conn), nil }
