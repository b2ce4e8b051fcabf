//go:build !linux

package gateway

import "net"

// enablePacketInfo does nothing: only the Linux version reports local addresses and supports segmentation.
func enablePacketInfo(*net.UDPConn) {}
