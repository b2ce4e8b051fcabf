package rs

import (
	"errors"
	"net"
	"os"
	"time"
)

// maxEarlyBytes is the maximum number of bytes that a client may send between its login request and the server's answer.
// Known clients send none.
const maxEarlyBytes = 4 << 10

// connWatch reads from a connection while its client waits for the answer to a login. It thus detects that the client
// disconnects.
type connWatch struct {
	conn net.Conn
	read []byte        // bytes from the client; may be read after done is closed
	done chan struct{} // closed when the reading goroutine has ended
}

// watchConn starts a connWatch. The parameter rest contains the bytes that the client has sent before. If the client closes the
// connection or sends too much (maxEarlyBytes) before the method end is called, connWatch calls the function gone.
func watchConn(c net.Conn, gone func(), rest []byte) *connWatch {
	w := &connWatch{conn: c, read: append(make([]byte, 0, len(rest)+maxEarlyBytes), rest...), done: make(chan struct{})}
	_ = c.SetReadDeadline(time.Time{})
	go func() {
		defer close(w.done)
		for len(w.read) < cap(w.read) {
			n, err := c.Read(w.read[len(w.read):cap(w.read)])
			w.read = w.read[:len(w.read)+n]
			if errors.Is(err, os.ErrDeadlineExceeded) {
				return // end was called
			}
			if err != nil {
				break
			}
		}
		gone()
	}()
	return w
}

// end stops reading and returns all bytes that the client has sent, including those that watchConn got in its parameter rest.
// Afterwards, the connection has no read deadline.
func (w *connWatch) end() []byte {
	_ = w.conn.SetReadDeadline(time.Unix(1, 0))
	<-w.done
	_ = w.conn.SetReadDeadline(time.Time{})
	return w.read
}
