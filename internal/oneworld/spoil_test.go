package oneworld

import (
	"math/rand/v2"
	"net"
	"sync"
)

// spoil is what becomes of what an honest client sends: from some message on, one in a few is changed, said again, cut
// short or grown, and in the end the line may go dead. Whole sessions of random packets are made of it, since a client
// that logged in goes on in good faith.
type spoil struct {
	luck  *rand.Rand
	after int // messages that go through unharmed
	cut   int // the message with which the line goes dead, 0 none
	seen  int
	past  [][]byte
}

// newSpoil draws how a line goes bad, at any stage of a session.
func newSpoil(luck *rand.Rand) *spoil {
	s := &spoil{luck: luck, after: luck.IntN(60)}
	if luck.IntN(3) == 0 {
		s.cut = 1 + luck.IntN(80)
	}
	return s
}

// dead tells whether nothing goes through any more.
func (s *spoil) dead() bool { return s.cut > 0 && s.seen >= s.cut }

// messages is what goes on instead of b.
func (s *spoil) messages(b []byte) [][]byte {
	s.seen++
	if s.dead() {
		return nil
	}
	b = append([]byte(nil), b...)
	if s.past = append(s.past, b); len(s.past) > 50 {
		s.past = s.past[1:]
	}
	if s.seen <= s.after || len(b) == 0 {
		return [][]byte{b}
	}
	bad := append([]byte(nil), b...)
	switch s.luck.IntN(8) {
	case 0, 1:
		for range 1 + s.luck.IntN(4) {
			bad[s.luck.IntN(len(bad))] = byte(s.luck.Uint32())
		}
		return [][]byte{bad}
	case 2:
		return [][]byte{b, s.past[s.luck.IntN(len(s.past))], b}
	case 3:
		return [][]byte{bad[:s.luck.IntN(len(bad))], b}
	case 4:
		return [][]byte{append(bad, noise(s.luck, s.luck.IntN(1400))...)}
	}
	return [][]byte{b}
}

// noise is random bytes.
func noise(luck *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(luck.Uint32())
	}
	return b
}

// badLine is a UDP connection that spoils what is written to it. Once the line is dead, nothing arrives either.
type badLine struct {
	net.Conn
	mu sync.Mutex
	s  *spoil
}

func (c *badLine) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.s.messages(b) {
		_, _ = c.Conn.Write(m)
	}
	return len(b), nil
}

func (c *badLine) Read(b []byte) (int, error) {
	for {
		n, err := c.Conn.Read(b)
		c.mu.Lock()
		dead := c.s.dead()
		c.mu.Unlock()
		if err != nil || !dead {
			return n, err
		}
	}
}

// badConn is a TCP connection that spoils what is written to it, and may stop reading.
type badConn struct {
	net.Conn
	mu    sync.Mutex
	s     *spoil
	stuck <-chan struct{} // while it is open nothing is read any more, once the line has gone bad; nil: it reads
}

func (c *badConn) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.s.messages(b) {
		if _, err := c.Conn.Write(m); err != nil {
			return 0, err
		}
	}
	if c.s.dead() {
		c.Conn.Close()
	}
	return len(b), nil
}

func (c *badConn) Read(b []byte) (int, error) {
	c.mu.Lock()
	bad := c.s.seen > c.s.after
	c.mu.Unlock()
	if c.stuck != nil && bad {
		<-c.stuck
	}
	return c.Conn.Read(b)
}
