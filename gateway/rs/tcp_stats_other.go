//go:build !linux

package rs

import (
	"net"

	"github.com/truestep-io/truestep/session"
)

// tcpStats does nothing on this system, on which the kernel's statistics of a connection are not read.
type tcpStats struct{}

func (*tcpStats) store(net.Conn, *session.Link) {}
