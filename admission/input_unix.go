//go:build unix

package admission

import (
	"net"
	"syscall"
)

// hasInput reports whether bytes wait to be read from the socket of c. It does not block and reads nothing. It returns
// false for a connection that is not a socket.
func hasInput(c net.Conn) bool {
	s, ok := c.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return false
	}
	n := 0
	err = raw.Control(func(fd uintptr) { // unlike raw.Read, Control does not wait for a concurrent read
		n, _, _ = syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	})
	return err == nil && n > 0
}
