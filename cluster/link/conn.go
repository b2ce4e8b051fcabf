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
	pingEvery = 100 * time.Millisecond
	pingEarly = 10 * time.Millisecond   // by which a ping may come before its time
	silence   = 1500 * time.Millisecond // without a byte read, or a piece written, after which a link is closed

	readBuffer  = 64 << 10 // bytes
	writeBuffer = 64 << 10 // bytes   small frames that are written together
	smallFrame  = 16 << 10 // bytes   larger bodies are written without being copied
	writePiece  = 64 << 10 // bytes   written within the time of silence

	maxBatch = 4096 // count   frames in a queue that is kept for reuse

	frameCost = frameHead + 64 // bytes   that a queued frame counts in addition to its body
)

// Errors that Handler.Down gets, wrapped.
var (
	// ErrClosed is the error after Mesh.Close.
	ErrClosed = errors.New("closed by this node")
	// ErrSilent is the error when nothing arrived, or nothing could be written, for 1.5 s.
	ErrSilent = errors.New("nothing was received or could be sent for 1.5 s")
	// ErrReplaced is the error when the peer has made a new connection.
	ErrReplaced = errors.New("the peer has connected anew")
	// ErrIncarnation is the error after Mesh.SetIncarnation.
	ErrIncarnation = errors.New("this node has a new incarnation")
	// ErrRefused is the error when the peer has refused the link after all. The text of the peer follows.
	ErrRefused = errors.New("refused by the peer")
	// ErrGone is the error when the connection broke or the peer closed it.
	ErrGone = errors.New("connection lost")
)

// conn is an accepted link: a connection on which both nodes have accepted the other's hello.
type conn struct {
	raw   net.Conn
	tls   *tls.Conn
	from  *source
	in    *bufio.Reader // reads from source
	peer  Hello
	own   uint64 // incarnation that this node had in its hello
	first roundTrip
	clock func() time.Time
	since time.Time

	limit  int           // bytes that queue may have
	signal chan struct{} // has an element if queue or answer may have something for the writer; capacity 1
	done   chan struct{} // closed by fail

	mu     sync.Mutex
	queue  []queued
	bytes  int  // sum of the costs of frames that are queued or being written
	answer pong // newest ping to be answered; zero if there is none
	cause  error

	received, sent atomic.Uint64 // bytes with heads
}

// queued is a frame that waits for the writer.
type queued struct {
	kind byte
	body []byte
}

func (q queued) cost() int { return len(q.body) + frameCost }

// send queues a frame. It returns false if the link is closed or the queue is full. A queue that is empty takes any frame.
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

func (c *conn) wake() {
	select {
	case c.signal <- struct{}{}:
	default:
	}
}

// queuedBytes returns the size of the queue.
func (c *conn) queuedBytes() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}

// fail closes the connection. The first cause counts.
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
		c.raw.Close() // without a TLS alert, which could block
	}
}

// why returns the cause of fail.
func (c *conn) why() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cause
}

// write writes the queue, pings and pongs until the link is closed.
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
			c.fail(gone(err))
			return
		}
	}
}

// writer writes frames of a link, small ones together.
type writer struct {
	c      *conn
	buf    []byte
	paid   int       // cost of the frames in buf, taken off conn.bytes when they are written
	batch  []queued  // reused as the queue of conn
	pinged time.Time // when the last ping was sent, not by conn.clock
}

// writeQueue writes what is queued. Pings and pongs pass the queue.
func (w *writer) writeQueue() error {
	c := w.c
	c.mu.Lock()
	w.batch, c.queue = c.queue, w.batch[:0]
	c.mu.Unlock()
	defer func() {
		clear(w.batch) // bodies must not stay in memory
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

// appendControl appends the answer to the newest ping of the peer, and a ping if it is time.
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

// written empties buf and takes its frames off the size of the queue.
func (w *writer) written() {
	w.buf = w.buf[:0]
	w.c.mu.Lock()
	w.c.bytes -= w.paid
	w.c.mu.Unlock()
	w.paid = 0
}

// writePieces writes b, each piece within the time of silence.
func (w *writer) writePieces(b []byte) error {
	for len(b) > 0 {
		piece := b[:min(len(b), writePiece)]
		b = b[len(piece):]
		if err := w.c.tls.SetWriteDeadline(time.Now().Add(silence)); err != nil {
			return err
		}
		if _, err := w.c.tls.Write(piece); err != nil {
			return err
		}
		w.c.sent.Add(uint64(len(piece)))
	}
	return nil
}

// read reads frames until the link is closed, and passes those of the caller to receive. Time in receive is not silence.
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
			c.fail(gone(err))
			return
		}
	}
}

// source reads from a connection. Once timed is set, a read fails if nothing arrives for the time of silence; before, the
// deadline of the handshake counts.
type source struct {
	tls   *tls.Conn
	timed bool
}

// Read implements io.Reader.
func (s *source) Read(b []byte) (int, error) {
	if s.timed {
		if err := s.tls.SetReadDeadline(time.Now().Add(silence)); err != nil {
			return 0, err
		}
	}
	return s.tls.Read(b)
}

// handleControl handles a frame of this package.
func (c *conn) handleControl(observe func(roundTrip), kind byte, body []byte) error {
	now := c.clock()
	switch kind {
	case kindPing:
		asked, err := parsePing(body)
		if err != nil {
			return err
		}
		c.mu.Lock()
		c.answer = pong{asked: asked, received: now} // an older ping needs no answer any more
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
	return fmt.Errorf("unexpected frame of kind %d", kind)
}

// gone returns the error for Handler.Down of an error of the connection.
func gone(err error) error {
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
