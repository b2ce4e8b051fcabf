//go:build !linux

package rs

import (
	"net"

	"github.com/truestep-io/truestep/session"
)

// tcpStats does nothing: only the Linux version reads the kernel's statistics of a connection.
type tcpStats struct{}

func (*tcpStats) store(net.Conn, *session.Link) {}
