package rs

import (
	"net"
	"sync"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
)

// Limits of the byte stream to a client.
const (
	writeTimeout   = 20 * time.Second // maximum duration of a write; clients do not read while they build a map, which takes seconds
	maxBacklog     = 256 << 10        // number of queued bytes above which a client is disconnected
	maxSpareBuffer = 64 << 10         // capacity in bytes above which a buffer is not reused
)

// clientStream is the ordered byte stream to one client. As long as the connection is open, appended bytes are never dropped
// or replaced. The caller may therefore assume that the client will decode them. One goroutine writes the stream to the
// socket.
type clientStream struct {
	conn       net.Conn
	countBytes func(n int) // adds written bytes to the metrics
	link       *session.Link
	tcpStats   tcpStats // used by the writing goroutine only

	mu       sync.Mutex
	frames   *proto.FrameWriter // adds opcodes and lengths to packets; nil before the login is answered
	buf      []byte             // bytes that wait for the writing goroutine
	inFlight int                // number of bytes that the writing goroutine is writing to the socket
	closing  bool               // no bytes may be appended, and the connection is closed after all bytes are written
	aborted  bool               // the socket has failed, or the backlog was too long
	wake     chan struct{}      // wakes the writing goroutine; has capacity 1
}

func newClientStream(c net.Conn, l *session.Link, moved func(n int)) *clientStream {
	return &clientStream{conn: c, link: l, countBytes: moved, wake: make(chan struct{}, 1)}
}

// backlog returns the number of appended bytes that have not been passed to the kernel yet.
func (o *clientStream) backlog() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.buf) + o.inFlight
}

// appendRaw appends bytes that are not a packet, such as the answer to a login.
func (o *clientStream) appendRaw(b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.canAppend() {
		o.buf = append(o.buf, b...)
		o.wakeWriter()
	}
}

// appendFrame appends a packet with the opcode op and an encoded body. It returns false and appends nothing if the connection
// is closed or too many bytes wait to be sent.
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
		panic(err) // a packet that clients could not read is a bug
	}
	o.wakeWriter()
	return true
}

// appendPacket encodes and appends a packet. It returns false and appends nothing if the connection is closed or too many
// bytes wait to be sent.
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

// canAppend reports whether bytes may be appended. If more than maxBacklog bytes wait to be sent, it closes the connection and
// returns false. The caller must hold o.mu.
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

// wakeWriter wakes the goroutine that writes the stream. The caller must hold o.mu.
func (o *clientStream) wakeWriter() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// closeAfterWrite closes the connection after all appended bytes are written.
func (o *clientStream) closeAfterWrite() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closing = true
	o.wakeWriter()
}

// run writes the stream to the socket until the stream ends or the socket fails. It then closes the socket.
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

// write writes b to the socket and counts the bytes. It returns false after an error.
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
	if o.closing { // wake the writer once more, so that it closes the connection
		o.wakeWriter()
	}
	return true
}

// abort closes the connection immediately and discards the unwritten bytes.
func (o *clientStream) abort() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.aborted = true
	o.conn.Close()
	o.wakeWriter()
}
