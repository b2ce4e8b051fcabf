package rs

import (
	"errors"
	"net"
	"os"
	"time"
)

// maxEarlyBytes is how much a client may send between its login request and the answer. Known clients send nothing.
const maxEarlyBytes = 4 << 10

// connWatch reads from a client that waits for the answer to its login, in order to notice that it has left.
type connWatch struct {
	conn net.Conn
	read []byte // what the client has sent; valid after done is closed
	done chan struct{}
}

// watchConn calls gone if the client closes the connection, or sends far more than clients do, before end is called. rest is
// what it has sent already.
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

// end ends the watch and returns what the client has sent. The connection has no read deadline afterwards.
func (w *connWatch) end() []byte {
	_ = w.conn.SetReadDeadline(time.Unix(1, 0))
	<-w.done
	_ = w.conn.SetReadDeadline(time.Time{})
	return w.read
}
