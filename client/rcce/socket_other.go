//go:build !linux

package rcce

import "net"

const maxDatagram = 2048 // longest datagram in bytes; the client offers the server an MTU of 1400

// newSocket prepares a connected socket. GRO is not supported on this system.
func newSocket(conn *net.UDPConn, _ bool) (datagramSocket, error) { return newPlainSocket(conn), nil }
