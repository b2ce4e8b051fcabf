//go:build !unix

package admission

import "net"

// hasInput always returns false on this system, which has no call that detects unread bytes of a socket.
func hasInput(net.Conn) bool { return false }
