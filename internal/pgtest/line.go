package pgtest

import (
	"bytes"
	"net"
	"net/url"
	"sync"
	"testing"
)

// Line carries the connections of clients to a server, and can break at the worst moment: when a transaction is committed and the client
// does not know it yet.
type Line struct {
	server *Server
	accept net.Listener

	mu     sync.Mutex
	losing loss              // what ends instead of the answer to the next commit
	hides  bool              // connections end that ask for the status of a transaction
	lost   int               // see Lost
	broken bool              // the line carries nothing
	ends   map[net.Conn]bool // both ends of all connections
}

// loss says what ends instead of an answer.
type loss uint8

const (
	noLoss        loss = iota
	wholeLine          // all connections, and the line carries nothing
	oneConnection      // the connection of the answer
)

// NewLine returns a line to a server. It is closed at the end of the test.
func NewLine(t testing.TB, s *Server) *Line {
	t.Helper()
	accept, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &Line{server: s, accept: accept, ends: map[net.Conn]bool{}}
	var carrying sync.WaitGroup
	carrying.Go(func() {
		for {
			client, err := accept.Accept()
			if err != nil {
				return
			}
			carrying.Go(func() { l.carry(client) })
		}
	})
	t.Cleanup(func() {
		_ = accept.Close()
		l.breakOff()
		carrying.Wait()
	})
	return l
}

// URL returns the URL of a database of the server for clients that connect over the line.
func (l *Line) URL(t testing.TB, direct string) string {
	t.Helper()
	u, err := url.Parse(direct)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = l.accept.Addr().String()
	return u.String()
}

// LoseAnswer breaks the line before the answer to the next commit. From then on it carries nothing until Restore is called.
func (l *Line) LoseAnswer() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.losing = wholeLine
}

// LoseOneAnswer ends the connection of the next commit before its answer. From then on the line also ends connections that ask for the
// status of a transaction, so that the client cannot learn whether the commit was made. It carries everything else.
func (l *Line) LoseOneAnswer() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.losing, l.hides = oneConnection, true
}

// Lost returns the number of answers that were lost.
func (l *Line) Lost() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost
}

// Restore ends the effects of LoseAnswer and LoseOneAnswer.
func (l *Line) Restore() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.losing, l.hides, l.broken = noLoss, false, false
}

// breakOff closes all connections and refuses new ones.
func (l *Line) breakOff() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = true
	for c := range l.ends {
		_ = c.Close()
	}
}

// lossAfter returns what ends instead of the answer to the message b. The message of a client is in one write.
func (l *Line) lossAfter(b []byte) loss {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.hides && bytes.Contains(b, []byte("pg_xact_status")):
		return oneConnection
	case l.losing != noLoss && bytes.Contains(b, []byte("commit\x00")): // the driver sends COMMIT as a simple query
		l.lost++
		is := l.losing
		l.losing = noLoss
		return is
	}
	return noLoss
}

// add adds both ends of a connection, unless the line is broken.
func (l *Line) add(client, server net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken {
		return false
	}
	l.ends[client], l.ends[server] = true, true
	return true
}

// carry carries a connection until one of its ends is closed.
func (l *Line) carry(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", l.server.Addr())
	if err != nil {
		return
	}
	defer server.Close()
	if !l.add(client, server) {
		return
	}
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.ends, client)
		delete(l.ends, server)
	}()
	var requests sync.WaitGroup
	defer requests.Wait()
	defer client.Close() // ends the goroutine below
	losing := make(chan loss, 1)
	requests.Go(func() {
		defer server.Close()
		b := make([]byte, 64<<10)
		for {
			n, err := client.Read(b)
			if n > 0 {
				if is := l.lossAfter(b[:n]); is != noLoss {
					losing <- is
				}
				if _, err := server.Write(b[:n]); err != nil {
					return
				}
			}
			if err != nil {
				return
			}
		}
	})
	b := make([]byte, 64<<10)
	for {
		n, err := server.Read(b)
		if err != nil {
			return
		}
		select {
		case is := <-losing:
			if is == wholeLine {
				l.breakOff()
			}
			return
		default:
		}
		if _, err := client.Write(b[:n]); err != nil {
			return
		}
	}
}
