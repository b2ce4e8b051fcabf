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

// A link is one TCP connection between two nodes. Each frame on it is the length of what follows (u32 LE), the area (u16 LE)
// and the body. The first frame of the dialling side has its own number as area and no body.
const (
	frameHead    = 6
	maxFrame     = 64 << 20
	maxQueue     = 64 << 20 // maximum number of bytes queued for a node that does not read; further messages to the node are dropped
	redialPause  = 50 * time.Millisecond
	linkBuffered = 256 << 10
)

// link sends frames to one other node. Frames that are queued during a write are sent together with the next write.
type link struct {
	peer int

	mu    sync.Mutex
	conn  net.Conn // current connection; nil if there is none
	queue []byte
	spare []byte
	wake  chan struct{}
}

func newLink(peer int) *link {
	return &link{peer: peer, wake: make(chan struct{}, 1)}
}

// send appends a frame whose body encode appends. It never blocks.
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

// flush makes the writer of the link write all frames that were sent.
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

// use sets the connection to which frames are written.
func (l *link) use(c net.Conn) {
	l.mu.Lock()
	l.conn, l.queue = c, l.queue[:0]
	l.mu.Unlock()
	go l.write(c)
}

// drop ends the use of a connection and reports whether it was in use.
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
				l.signal() // it may have been for the writer of the next connection
			}
			return
		}
		b := l.queue
		l.queue, l.spare = l.spare[:0], nil
		l.mu.Unlock()
		if len(b) > 0 {
			if _, err := c.Write(b); err != nil {
				c.Close() // the reader of the connection reports it
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
	links []*link // nil for the node itself
	on    func(peer, area int, body []byte)
	batch func()                  // called when the frames that were read together have been passed on
	state func(peer int, up bool) // called when the link to a peer is established (up) or broken
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

// start accepts links from nodes with greater numbers and dials those with smaller ones, again after each break.
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

var errFrame = errors.New("the length of a frame is out of range")

// readFrame returns the area and the body of the next frame. The body is new memory.
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

// flush makes the writers of all links write all frames that were sent.
func (m *mesh) flush() {
	for _, l := range m.links {
		if l != nil {
			l.flush()
		}
	}
}
