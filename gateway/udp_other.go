//go:build !linux

package gateway

import "net"

// enablePacketInfo does nothing: packet information and segmentation are implemented for Linux only.
func enablePacketInfo(*net.UDPConn) {}
