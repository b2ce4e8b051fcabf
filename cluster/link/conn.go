package link

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	pingEvery = 100 * time.Millisecond  // interval of pings
	pingEarly = 10 * time.Millisecond   // how much earlier than pingEvery a ping may be sent
	silence   = 600 * time.Millisecond  // a link is closed if no TLS record arrives for this time   measured: busy machines pause for 386 ms
	lateRead  = 10 * time.Millisecond   // additional time to read data that arrived during a pause of this process, after silence has passed
	stall     = 1500 * time.Millisecond // a link is closed if a piece cannot be written within this time

	readBuffer  = 64 << 10 // size in bytes
	writeBuffer = 64 << 10 // size of the write buffer in bytes; small frames are collected there and written together
	smallFrame  = 16 << 10 // size in bytes; bodies that are larger are written without being copied into the write buffer
	writePiece  = 64 << 10 // number of bytes that must be written within the time stall

	maxBatch = 4096 // maximum number of frames in a queue whose memory is reused

	frameCost = frameHead + 64 // number of bytes by which a queued frame counts in addition to its body
)

// Errors that say why a link was closed. Handler.Down receives one of them, wrapped.
var (
	// ErrClosed is the error after Mesh.Close of this node.
	ErrClosed = errors.New("link closed by this node")
	// ErrSilent is the error if for 600 ms nothing arrived, or for 1.5 s no data could be written.
	ErrSilent = errors.New("link closed because for 600 ms nothing was received, or for 1.5 s nothing could be sent")
	// ErrReplaced is the error if the peer has made a new connection, which replaces the link.
	ErrReplaced = errors.New("link replaced by a new connection from the peer")
	// ErrIncarnation is the error if Mesh.SetIncarnation has closed the link. The link is then made again with the new incarnation of
	// this node.
	ErrIncarnation = errors.New("link closed because this node has begun a new incarnation")
	// ErrRefused is the error if the peer has refused the link after this node accepted the peer's hello. The error that is
	// passed to Down ends with the reason that the peer has sent.
	ErrRefused = errors.New("link refused by the peer")
	// ErrGone is the error if the connection broke or the peer closed it.
	ErrGone = errors.New("connection to the peer lost")
)

// conn is a link: a connection on which both nodes have accepted the other's hello.
type conn struct {
	raw   net.Conn
	tls   *tls.Conn
	from  *source          // reads from tls with a time limit
	in    *bufio.Reader    // buffers from
	peer  Hello            // hello of the peer
	own   uint64           // incarnation in this node's hello
	first roundTrip        // round trip of the handshake
	clock func() time.Time // Config.Clock
	since time.Time        // time at which the link was made, by clock

	limit  int           // maximum of bytes
	stall  time.Duration // time limit for writing a piece: Config.stall
	signal chan struct{} // holds a value if the writer may have something to do; capacity 1
	done   chan struct{} // closed by fail

	mu     sync.Mutex
	queue  []queued // frames for the writer, oldest first
	bytes  int      // sum of the costs of the frames that are queued or being written
	answer pong     // pong to send; zero if there is none
	cause  error    // why the link was closed; nil while it is open

	received, sent atomic.Uint64 // total bytes of frames, heads included
}

// queued is a frame that waits for the writer.
type queued struct {
	kind byte // kind of the frame
	body []byte
}

// cost returns by how many bytes the frame counts towards the limit of the queue (Config.QueueBytes).
func (q queued) cost() int { return len(q.body) + frameCost }

// send queues a frame. It returns false if the link is closed or the queue is full. If the queue is empty, send accepts a frame
// of any size.
func (c *conn) send(kind byte, body []byte) bool {
	f := queued{kind, body}
	c.mu.Lock()
	if c.cause != nil || c.bytes > 0 && c.bytes+f.cost() > c.limit {
		c.mu.Unlock()
		return false
	}
	c.queue = append(c.queue, f)
	c.bytes += f.cost()
	c.mu.Unlock()
	c.wake()
	return true
}

// wake makes the writer check whether frames are queued or a pong is to be sent.
func (c *conn) wake() {
	select {
	case c.signal <- struct{}{}:
	default:
	}
}

// queuedBytes returns the size of the queue in bytes.
func (c *conn) queuedBytes() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}

// fail closes the link because of cause. Only the first call has an effect.
func (c *conn) fail(cause error) {
	c.mu.Lock()
	first := c.cause == nil
	if first {
		c.cause = cause
		c.queue = nil
	}
	c.mu.Unlock()
	if first {
		close(c.done)
		c.raw.Close() // raw skips the alert of a TLS close, which could block
	}
}

// why returns the cause for which the link was closed, or nil while it is open.
func (c *conn) why() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cause
}

// write writes the queued frames, pings and pongs until the link is closed.
func (c *conn) write() {
	ticker := time.NewTicker(pingEvery)
	defer ticker.Stop()
	w := writer{c: c, buf: make([]byte, 0, writeBuffer+smallFrame+frameHead)}
	for {
		select {
		case <-c.done:
			return
		case <-ticker.C:
		case <-c.signal:
		}
		if err := w.writeQueue(); err != nil {
			c.fail(downError(err))
			return
		}
	}
}

// writer writes the frames of a link. It collects small frames and writes them together.
type writer struct {
	c      *conn
	buf    []byte    // collected frames
	paid   int       // sum of the costs of the frames in buf, to be subtracted from conn.bytes once they are written
	batch  []queued  // frames that are being written; its memory becomes the queue of conn again
	pinged time.Time // time at which the last ping was sent, by time.Now
}

// writeQueue writes the queued frames. A due ping or pong is written before the frames and between them.
func (w *writer) writeQueue() error {
	c := w.c
	c.mu.Lock()
	w.batch, c.queue = c.queue, w.batch[:0]
	c.mu.Unlock()
	defer func() {
		clear(w.batch) // release the bodies of the frames
		if cap(w.batch) > maxBatch {
			w.batch = nil
		}
	}()
	w.appendControl()
	for _, f := range w.batch {
		w.buf = appendHead(w.buf, f.kind, len(f.body))
		w.paid += f.cost()
		if len(f.body) <= smallFrame {
			w.buf = append(w.buf, f.body...)
			if len(w.buf) < writeBuffer {
				continue
			}
		}
		err := w.writePieces(w.buf)
		if err == nil && len(f.body) > smallFrame {
			err = w.writePieces(f.body)
		}
		if err != nil {
			return err
		}
		w.written()
		w.appendControl()
	}
	err := w.writePieces(w.buf)
	w.written()
	return err
}

// appendControl appends to buf (1) a pong, if the peer's newest ping has not been answered yet, and (2) a ping, if one is due.
func (w *writer) appendControl() {
	c := w.c
	c.mu.Lock()
	answer := c.answer
	c.answer = pong{}
	c.mu.Unlock()
	if !answer.received.IsZero() {
		answer.sent = c.clock()
		var body [24]byte
		w.buf = appendFrame(w.buf, kindPong, answer.append(body[:0]))
	}
	if now := time.Now(); now.Sub(w.pinged) >= pingEvery-pingEarly {
		w.pinged = now
		var body [8]byte
		w.buf = appendFrame(w.buf, kindPing, appendTime(body[:0], c.clock()))
	}
}

// written empties buf after its content has been written, and subtracts the written frames from the size of the queue.
func (w *writer) written() {
	w.buf = w.buf[:0]
	w.c.mu.Lock()
	w.c.bytes -= w.paid
	w.c.mu.Unlock()
	w.paid = 0
}

// writePieces writes b in pieces of 64 KiB (writePiece), each of which must be written within 1.5 s (stall).
func (w *writer) writePieces(b []byte) error {
	for len(b) > 0 {
		piece := b[:min(len(b), writePiece)]
		b = b[len(piece):]
		if err := w.c.tls.SetWriteDeadline(time.Now().Add(w.c.stall)); err != nil {
			return err
		}
		if _, err := w.c.tls.Write(piece); err != nil {
			return err
		}
		w.c.sent.Add(uint64(len(piece)))
	}
	return nil
}

// read reads frames until the link is closed. It passes the frames of the caller's kinds to receive, and measured round trips to
// observe. The time that receive takes does not count towards the 600 ms after which a silent peer is disconnected.
func (c *conn) read(observe func(roundTrip), receive func(kind byte, body []byte)) {
	for {
		kind, body, err := readFrame(c.in, MaxBody)
		if err == nil {
			c.received.Add(uint64(frameHead + len(body)))
			if kind >= FirstKind {
				if c.why() != nil {
					return
				}
				receive(kind, body)
				continue
			}
			err = c.handleControl(observe, kind, body)
		}
		if err != nil {
			c.fail(downError(err))
			return
		}
	}
}

// source reads from a TLS connection. During the handshake timed is false, because one deadline is set for the whole handshake.
// Afterwards timed is true: each read fails if nothing arrives within 600 ms (silence).
type source struct {
	tls     *tls.Conn
	timed   bool
	silence time.Duration // Config.silence
}

// Read implements io.Reader. It fails if timed is set and nothing arrives within 600 ms (silence). On a busy machine this goroutine
// may wake up only after the deadline. Go then reports a timeout even if bytes have arrived meanwhile. So, after a timeout, Read tries
// once more, with a new deadline.
func (s *source) Read(b []byte) (n int, err error) {
	if !s.timed {
		return s.tls.Read(b)
	}
	for _, limit := range [...]time.Duration{s.silence, lateRead} {
		if err = s.tls.SetReadDeadline(time.Now().Add(limit)); err != nil {
			return 0, err
		}
		if n, err = s.tls.Read(b); n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
	}
	return 0, err
}

// handleControl handles a frame of this package's own kinds: a ping, a pong or a refusal.
func (c *conn) handleControl(observe func(roundTrip), kind byte, body []byte) error {
	now := c.clock()
	switch kind {
	case kindPing:
		asked, err := parsePing(body)
		if err != nil {
			return err
		}
		c.mu.Lock()
		c.answer = pong{asked: asked, received: now} // only the newest ping is answered
		c.mu.Unlock()
		c.wake()
		return nil
	case kindPong:
		p, err := parsePong(body)
		if err != nil {
			return err
		}
		if r, ok := measure(p, now); ok && !p.asked.Before(c.since.Add(-maxRoundTrip)) {
			observe(r)
		}
		return nil
	case kindRefuse:
		text, err := parseRefusal(body)
		if err != nil {
			return err
		}
		return fmt.Errorf("%w: %s", ErrRefused, text)
	}
	return fmt.Errorf("the peer sent a frame of kind %d, but no such frame is allowed after the handshake", kind)
}

// downError converts a connection's error to the error that is passed to Handler.Down.
func downError(err error) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return ErrSilent
	case errors.Is(err, ErrRefused):
		return err
	case err == io.EOF, errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: closed by the peer", ErrGone)
	}
	if e, ok := errors.AsType[*net.OpError](err); ok {
		err = e.Err // without addresses
	}
	return fmt.Errorf("%w: %w", ErrGone, err)
}
