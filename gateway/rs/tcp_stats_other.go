//go:build !linux

package rs

import (
	"net"

	"github.com/truestep-io/truestep/session"
)

// tcpStats would measure a connection. The protocol does not, and this system's kernel is not asked.
type tcpStats struct{}

func (*tcpStats) store(net.Conn, *session.Link) {}
