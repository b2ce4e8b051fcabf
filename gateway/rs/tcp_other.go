//go:build !linux

package rs

import (
	"net"

	"github.com/truestep-io/truestep/session"
)

// tcpLook would measure a connection. The protocol does not, and this system's kernel is not asked.
type tcpLook struct{}

func (*tcpLook) measure(net.Conn, *session.Link) {}
