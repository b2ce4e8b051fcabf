package oneworld

import (
	"math/rand/v2"
	"net"
	"sync"
)

// corrupter corrupts the messages of a client after a random number of messages: it changes, repeats, truncates or extends
// some of them, and may drop all messages from some point on. With an ordinary client it produces malformed packets at every
// stage of the protocol.
type corrupter struct {
	mu    sync.Mutex // a client may have several connections, for example for a ticket and for the session; locked by their methods
	rng   *rand.Rand
	after int // number of messages that pass unchanged
	cut   int // number of the first message that is dropped, with all later ones; 0 if none are dropped
	seen  int
	past  [][]byte
}

// newCorrupter chooses at random the stage of a session at which the corruption begins.
func newCorrupter(rng *rand.Rand) *corrupter {
	s := &corrupter{rng: rng, after: rng.IntN(60)}
	if rng.IntN(3) == 0 {
		s.cut = 1 + rng.IntN(80)
	}
	return s
}

// dead reports whether the corrupter has reached the point from which on it drops all messages.
func (s *corrupter) dead() bool { return s.cut > 0 && s.seen >= s.cut }

// messages returns the messages that are sent instead of b: b itself, a changed form of b, repetitions of b, or none.
func (s *corrupter) messages(b []byte) [][]byte {
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
	switch s.rng.IntN(8) {
	case 0, 1:
		for range 1 + s.rng.IntN(4) {
			bad[s.rng.IntN(len(bad))] = byte(s.rng.Uint32())
		}
		return [][]byte{bad}
	case 2:
		return [][]byte{b, s.past[s.rng.IntN(len(s.past))], b}
	case 3:
		return [][]byte{bad[:s.rng.IntN(len(bad))], b}
	case 4:
		return [][]byte{append(bad, randomBytes(s.rng, s.rng.IntN(1400))...)}
	}
	return [][]byte{b}
}

// randomBytes returns n random bytes.
func randomBytes(rng *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

// corruptingUDP is a UDP connection that corrupts written datagrams. Once the corrupter is dead, it also drops received datagrams.
type corruptingUDP struct {
	net.Conn
	s *corrupter
}

func (c *corruptingUDP) Write(b []byte) (int, error) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	for _, m := range c.s.messages(b) {
		_, _ = c.Conn.Write(m)
	}
	return len(b), nil
}

func (c *corruptingUDP) Read(b []byte) (int, error) {
	for {
		n, err := c.Conn.Read(b)
		c.s.mu.Lock()
		dead := c.s.dead()
		c.s.mu.Unlock()
		if err != nil || !dead {
			return n, err
		}
	}
}

// corruptingTCP is a TCP connection that corrupts written data, and may stop reading.
type corruptingTCP struct {
	net.Conn
	s     *corrupter
	stuck <-chan struct{} // if not nil: once corruption has begun, Read blocks until this channel is closed
}

func (c *corruptingTCP) Write(b []byte) (int, error) {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
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

func (c *corruptingTCP) Read(b []byte) (int, error) {
	c.s.mu.Lock()
	bad := c.s.seen > c.s.after
	c.s.mu.Unlock()
	if c.stuck != nil && bad {
		<-c.stuck
	}
	return c.Conn.Read(b)
}
