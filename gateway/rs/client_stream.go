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
	writeTimeout   = 20 * time.Second // a client reads nothing while it builds a map, which takes seconds
	maxBacklog     = 256 << 10        // bytes that wait for a client before it is given up
	maxSpareBuffer = 64 << 10         // bytes of a buffer that are worth keeping
)

// outlet is the ordered stream to one client. Whoever has appended to it has sent: nothing is dropped or replaced
// afterwards, so what a viewer was told may be committed. One goroutine writes it to the socket.
type clientStream struct {
	conn       net.Conn
	countBytes func(n int) // counts bytes
	link       *session.Link
	tcpStats   tcpStats // the writer's

	mu       sync.Mutex
	frames   *proto.FrameWriter // nil before the login
	buf      []byte             // waits for the writer
	inFlight int                // bytes that the writer has taken and not written yet
	closing  bool               // nothing more will be appended: close when all is written
	aborted  bool               // the socket is gone, or the backlog was too long
	wake     chan struct{}      // cap 1
}

func newClientStream(c net.Conn, l *session.Link, moved func(n int)) *clientStream {
	return &clientStream{conn: c, link: l, countBytes: moved, wake: make(chan struct{}, 1)}
}

// backlog is how many bytes the client has not taken yet, as far as this side of the kernel knows.
func (o *clientStream) backlog() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.buf) + o.inFlight
}

// raw appends bytes outside of any frame: login answers.
func (o *clientStream) appendRaw(b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.canAppend() {
		o.buf = append(o.buf, b...)
		o.wakeWriter()
	}
}

// frame appends a frame. False: it is not in the stream, for the client is gone or has fallen too far behind.
func (o *clientStream) appendFrame(op proto.Opcode, body []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.canAppend() {
		return false
	}
	b, err := o.frames.Append(o.buf, op, body)
	o.buf = b
	o.link.PacketsOut.Add(1)
	if err != nil {
		panic(err) // a packet of ours that no client could read
	}
	o.wakeWriter()
	return true
}

// packet is frame with a packet that is not in bytes yet.
func (o *clientStream) appendPacket(p proto.Packet) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.canAppend() {
		return false
	}
	b, err := o.frames.AppendPacket(o.buf, p)
	o.buf = b
	o.link.PacketsOut.Add(1)
	if err != nil {
		panic(err)
	}
	o.wakeWriter()
	return true
}

// open tells whether anything may be appended. A client with too long a backlog is cut off here. It needs the lock.
func (o *clientStream) canAppend() bool {
	if o.aborted || o.closing {
		return false
	}
	if len(o.buf)+o.inFlight > maxBacklog {
		o.aborted = true
		o.conn.Close()
		return false
	}
	return true
}

// kick wakes the writer. It needs the lock.
func (o *clientStream) wakeWriter() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// end closes the connection after what has been appended.
func (o *clientStream) closeAfterWrite() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closing = true
	o.wakeWriter()
}

// run writes until the stream ends or the socket does, and closes it.
func (o *clientStream) run() {
	defer o.conn.Close()
	var spare []byte
	for {
		<-o.wake
		o.mu.Lock()
		b := o.buf
		o.buf, o.inFlight = spare[:0], len(b)
		over := o.aborted || o.closing && len(b) == 0
		o.mu.Unlock()
		if over {
			return
		}
		if !o.write(b) {
			return
		}
		o.tcpStats.store(o.conn, o.link)
		if spare = b; cap(spare) > maxSpareBuffer {
			spare = nil
		}
	}
}

// write writes to the socket and notes that it did.
func (o *clientStream) write(b []byte) bool {
	_ = o.conn.SetWriteDeadline(time.Now().Add(writeTimeout))
	_, err := o.conn.Write(b)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.inFlight = 0
	if err != nil {
		o.aborted = true
		return false
	}
	o.countBytes(len(b))
	o.link.BytesOut.Add(uint64(len(b)))
	if o.closing { // look once more, and find nothing left
		o.wakeWriter()
	}
	return true
}

// cut ends the stream at once, with what is still in it.
func (o *clientStream) abort() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.aborted = true
	o.conn.Close()
	o.wakeWriter()
}
