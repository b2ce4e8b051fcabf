//go:build !linux

package rcce

import "net"

const maxDatagram = 2048 // bytes; we ask the server for datagrams of 1400 at most

// newSocket prepares a connected socket. There is no GRO here.
func newSocket(conn *net.UDPConn, _ bool) (datagramSocket, error) { return newPlainSocket(conn), nil }
