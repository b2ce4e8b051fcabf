//go:build !linux

package rs

import (
	"net"

	"github.com/truestep-io/truestep/session"
)

// tcpStats stores nothing: on this system the kernel's statistics are not read, and the protocol measures none.
type tcpStats struct{}

func (*tcpStats) store(net.Conn, *session.Link) {}
