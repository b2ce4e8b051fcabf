package rs

import (
	"net"
	"sync"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
)

// Figures of the way to a client.
const (
	writeTimeout = 20 * time.Second // a client reads nothing while it builds a map, which takes seconds
	maxBacklog   = 256 << 10        // bytes that wait for a client before it is given up
	keepBuffer   = 64 << 10         // bytes of a buffer that are worth keeping
)

// outlet is the ordered stream to one client. Whoever has appended to it has sent: nothing is dropped or replaced
// afterwards, so what a viewer was told may be committed. One goroutine writes it to the socket.
type outlet struct {
	conn  net.Conn
	moved func(n int) // counts bytes
	link  *session.Link
	look  tcpLook // the writer's

	mu     sync.Mutex
	frames *proto.FrameWriter // nil before the login
	buf    []byte             // waits for the writer
	flying int                // bytes that the writer has taken and not written yet
	ended  bool               // nothing more will be appended: close when all is written
	dead   bool               // the socket is gone, or the backlog was too long
	wake   chan struct{}      // cap 1
}

func newOutlet(c net.Conn, l *session.Link, moved func(n int)) *outlet {
	return &outlet{conn: c, link: l, moved: moved, wake: make(chan struct{}, 1)}
}

// backlog is how many bytes the client has not taken yet, as far as this side of the kernel knows.
func (o *outlet) backlog() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.buf) + o.flying
}

// raw appends bytes outside of any frame: login answers.
func (o *outlet) raw(b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open() {
		o.buf = append(o.buf, b...)
		o.kick()
	}
}

// frame appends a frame. False: it is not in the stream, for the client is gone or has fallen too far behind.
func (o *outlet) frame(op proto.Opcode, body []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.open() {
		return false
	}
	b, err := o.frames.Append(o.buf, op, body)
	o.buf = b
	o.link.PacketsOut.Add(1)
	if err != nil {
		panic(err) // a packet of ours that no client could read
	}
	o.kick()
	return true
}

// packet is frame with a packet that is not in bytes yet.
func (o *outlet) packet(p proto.Packet) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.open() {
		return false
	}
	b, err := o.frames.AppendPacket(o.buf, p)
	o.buf = b
	o.link.PacketsOut.Add(1)
	if err != nil {
		panic(err)
	}
	o.kick()
	return true
}

// open tells whether anything may be appended. A client with too long a backlog is cut off here. It needs the lock.
func (o *outlet) open() bool {
	if o.dead || o.ended {
		return false
	}
	if len(o.buf)+o.flying > maxBacklog {
		o.dead = true
		o.conn.Close()
		return false
	}
	return true
}

// kick wakes the writer. It needs the lock.
func (o *outlet) kick() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// end closes the connection after what has been appended.
func (o *outlet) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = true
	o.kick()
}

// run writes until the stream ends or the socket does, and closes it.
func (o *outlet) run() {
	defer o.conn.Close()
	var spare []byte
	for {
		<-o.wake
		o.mu.Lock()
		b := o.buf
		o.buf, o.flying = spare[:0], len(b)
		over := o.dead || o.ended && len(b) == 0
		o.mu.Unlock()
		if over {
			return
		}
		if !o.write(b) {
			return
		}
		o.look.measure(o.conn, o.link)
		if spare = b; cap(spare) > keepBuffer {
			spare = nil
		}
	}
}

// write writes to the socket and notes that it did.
func (o *outlet) write(b []byte) bool {
	_ = o.conn.SetWriteDeadline(time.Now().Add(writeTimeout))
	_, err := o.conn.Write(b)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.flying = 0
	if err != nil {
		o.dead = true
		return false
	}
	o.moved(len(b))
	o.link.BytesOut.Add(uint64(len(b)))
	if o.ended { // look once more, and find nothing left
		o.kick()
	}
	return true
}

// cut ends the stream at once, with what is still in it.
func (o *outlet) cut() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.dead = true
	o.conn.Close()
	o.kick()
}
