//go:build !unix

package admission

import "net"

// hasInput is false on this system, where sockets cannot be looked into without reading: a connection has sent something when the server
// has read it.
func hasInput(net.Conn) bool { return false }
