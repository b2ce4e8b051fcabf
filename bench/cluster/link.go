//go:build linux

package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// A link is one TCP connection between two nodes. A frame on it consists of the length in bytes of all that follows (u32 LE), the
// number of an area (u16 LE) and a body. The node that has dialled sends a first frame without a body, in which its own number
// takes the place of the area.
const (
	frameHead    = 6                     // bytes before the body of a frame
	maxFrame     = 64 << 20              // maximum bytes of a body
	maxQueue     = 64 << 20              // maximum bytes queued for a node that does not read; further messages to that node are dropped
	redialPause  = 50 * time.Millisecond // time from the end of a connection to the next dial
	linkBuffered = 256 << 10             // size in bytes of the read buffer
)

// link sends frames to one other node. The next write sends all frames together that were queued during a write.
type link struct {
	peer int // number of the other node

	mu    sync.Mutex
	conn  net.Conn      // current connection; nil if there is none
	queue []byte        // encoded frames that wait to be written
	spare []byte        // buffer of the last write, which the next queue reuses
	wake  chan struct{} // signals the writer that queue or conn has changed
}

func newLink(peer int) *link {
	return &link{peer: peer, wake: make(chan struct{}, 1)}
}

// send queues a frame about an area and never blocks. The parameter encode is a function that appends the frame's body to the
// bytes that it is given, and returns the longer slice. If the link has no connection or the queue is full, send drops the frame.
func (l *link) send(area int, encode func([]byte) []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == nil || len(l.queue) > maxQueue {
		return
	}
	at := len(l.queue)
	b := append(l.queue, 0, 0, 0, 0, byte(area), byte(area>>8))
	b = encode(b)
	binary.LittleEndian.PutUint32(b[at:], uint32(len(b)-at-4))
	l.queue = b
}

// flush wakes the writer of the link to write all queued frames.
func (l *link) flush() {
	l.mu.Lock()
	any := len(l.queue) > 0
	l.mu.Unlock()
	if any {
		l.signal()
	}
}

func (l *link) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// use makes the link write its frames to connection c from now on, until c breaks or a later call of use replaces c.
func (l *link) use(c net.Conn) {
	l.mu.Lock()
	l.conn, l.queue = c, l.queue[:0]
	l.mu.Unlock()
	go l.write(c)
}

// drop closes connection c. It returns true if the link was using c, which then has no connection; it returns false if the link
// was already using another connection.
func (l *link) drop(c net.Conn) bool {
	c.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != c {
		return false
	}
	l.conn = nil
	l.signal() // ends the writer
	return true
}

func (l *link) write(c net.Conn) {
	for range l.wake {
		l.mu.Lock()
		if l.conn != c {
			other := l.conn != nil
			l.mu.Unlock()
			if other {
				l.signal() // there is a newer connection, and the signal may have been meant for its writer
			}
			return
		}
		b := l.queue
		l.queue, l.spare = l.spare[:0], nil
		l.mu.Unlock()
		if len(b) > 0 {
			if _, err := c.Write(b); err != nil {
				c.Close() // the goroutine that reads from the connection reports its end
				return
			}
		}
		l.mu.Lock()
		l.spare = b[:0]
		l.mu.Unlock()
	}
}

// mesh is the set of links of a node to all other nodes.
type mesh struct {
	self  int
	links []*link                           // links[i] is the link to node i; nil for this node
	on    func(peer, area int, body []byte) // called for each frame that is received
	batch func()                            // called after the last of several frames that were read at once
	state func(peer int, up bool)           // called when the link to a peer is established (up) or broken
}

func newMesh(self, nodes int) *mesh {
	m := &mesh{self: self, links: make([]*link, nodes)}
	for i := range m.links {
		if i != self {
			m.links[i] = newLink(i)
		}
	}
	return m
}

// start accepts connections from the nodes with greater numbers, and dials the nodes with smaller numbers. When a connection
// breaks, the node that dialled it dials again.
func (m *mesh) start(ln net.Listener, addrs []string) {
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go m.accept(c)
		}
	}()
	for peer := range m.self {
		go func() {
			for {
				if c, err := net.Dial("tcp", addrs[peer]); err == nil {
					hello := []byte{2, 0, 0, 0, byte(m.self), 0}
					if _, err := c.Write(hello); err == nil {
						m.read(peer, c, bufio.NewReaderSize(c, linkBuffered))
					}
					c.Close()
				}
				time.Sleep(redialPause)
			}
		}()
	}
}

func (m *mesh) accept(c net.Conn) {
	in := bufio.NewReaderSize(c, linkBuffered)
	peer, body, err := readFrame(in)
	if err != nil || len(body) > 0 || peer <= m.self || peer >= len(m.links) {
		c.Close()
		return
	}
	m.read(peer, c, in)
}

func (m *mesh) read(peer int, c net.Conn, in *bufio.Reader) {
	l := m.links[peer]
	l.use(c)
	m.state(peer, true)
	for {
		area, body, err := readFrame(in)
		if err != nil {
			break
		}
		m.on(peer, area, body)
		if in.Buffered() < frameHead {
			m.batch()
		}
	}
	if l.drop(c) {
		m.state(peer, false)
	}
	m.batch()
}

var errFrame = errors.New("a frame from another node states a length below 2 bytes, or a body above 64 MiB")

// readFrame reads the next frame and returns its area and body. The body is newly allocated.
func readFrame(in *bufio.Reader) (area int, body []byte, err error) {
	var head [frameHead]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return 0, nil, err
	}
	n := int(binary.LittleEndian.Uint32(head[:])) - 2
	if n < 0 || n > maxFrame {
		return 0, nil, errFrame
	}
	body = make([]byte, n)
	_, err = io.ReadFull(in, body)
	return int(binary.LittleEndian.Uint16(head[4:])), body, err
}

// flush wakes the writers of all links to write all queued frames.
func (m *mesh) flush() {
	for _, l := range m.links {
		if l != nil {
			l.flush()
		}
	}
}
