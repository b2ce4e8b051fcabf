package web

import (
	"context"
	"fmt"
	"sync"

	proto "github.com/truestep-io/truestep/proto/web"
)

// maxControl is the number of bytes in a client's send queue from which on no control message can be added. The client is then
// disconnected, because it reads too slowly.
const maxControl = 64 << 10

// errBadDatagram reports a datagram that contains neither an input nor an acknowledgement. Such a datagram of a connected client
// is dropped like a damaged one; before the Hello message, it ends the connection.
var errBadDatagram = fmt.Errorf("%w: a datagram is neither an input nor an acknowledgement", errMalformed)

// link is the connection of one client, over WebSocket or WebTransport. Its methods are safe for concurrent use, except receive.
type link interface {
	// receive returns the next message or datagram from the client. The result is valid until the next call. Only one goroutine
	// may call receive. After errBadDatagram, it may be called again.
	receive(ctx context.Context) ([]byte, error)
	// control queues a control message and returns its length on the connection. If maxControl bytes are already queued, it queues
	// nothing and returns false.
	control(m proto.Message) (length int, ok bool)
	// controlLast queues m as the last message of the connection. It discards all messages that are still queued.
	controlLast(m proto.Message)
	// ready reports whether the last snapshot was sent. If not, the worker encodes no new one, because it would be outdated when sent.
	ready() bool
	// snapshot sends a snapshot. It may be lost, for example if the connection is too slow.
	snapshot(b []byte)
	// ordered reports whether snapshots and control messages arrive in the order of sending, without losses.
	ordered() bool
	// headers returns how many bytes lower layers add to a snapshot.
	headers() int
	// close lets the queued messages be sent, for at most closeWait, and then closes the connection. It does not block.
	close()
}

// sendQueue is the queue of messages that the writing goroutine of a connection sends. In its buffer, the length of each message
// precedes the message. The methods are safe for concurrent use.
type sendQueue struct {
	mu       sync.Mutex
	bytes    []byte        // queued messages
	spare    []byte        // buffer that the field bytes will use after the next call of the method next
	snapshot bool          // the field bytes contains a snapshot
	writing  bool          // the writer has removed a snapshot that it has not sent yet
	closed   bool          // no further messages may be queued
	wake     chan struct{} // has capacity 1; an element means that messages are queued or the queue is closed
}

func newSendQueue() *sendQueue { return &sendQueue{wake: make(chan struct{}, 1)} }

// takesSnapshot reports whether the last snapshot was sent and another one may be added. A snapshot that the writing goroutine has
// removed counts as sent only when that goroutine asks for the next messages. Control messages do not count: those of a frame are
// queued immediately before its snapshot.
func (q *sendQueue) takesSnapshot() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return !q.snapshot && !q.writing && !q.closed
}

// addSnapshot queues a snapshot if fewer than limit bytes are queued.
func (q *sendQueue) addSnapshot(limit int, s []byte) {
	q.add(limit, func(b []byte) []byte {
		q.snapshot = true
		return proto.AppendFrame(b, s)
	})
}

// add calls the function appendTo, which appends messages to the queue, and returns the number of bytes that they have. It returns
// ok = false, without a call, if the queue already has limit bytes. If the queue is closed, it does nothing and returns ok = true,
// because the connection ends anyway.
func (q *sendQueue) add(limit int, appendTo func(b []byte) []byte) (added int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return 0, true
	}
	before := len(q.bytes)
	if before >= limit {
		return 0, false
	}
	q.bytes = appendTo(q.bytes)
	q.signal()
	return len(q.bytes) - before, true
}

// replace discards the queued messages and calls appendTo to append others. It does nothing if the queue is closed.
func (q *sendQueue) replace(appendTo func(b []byte) []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return
	}
	q.bytes, q.snapshot = appendTo(q.bytes[:0]), false
	q.signal()
}

// signal wakes the writing goroutine if it waits in the method next.
func (q *sendQueue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// close closes the queue: no more messages can be added. The method next then returns the remaining messages once, and after that
// ok = false.
func (q *sendQueue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.signal()
}

// next waits until there are messages and removes all of them from the queue. The result b contains them and is valid until the
// next call. ok is false if ctx has ended, or if the queue is closed and empty.
func (q *sendQueue) next(ctx context.Context) (b []byte, ok bool) {
	for {
		q.mu.Lock()
		q.writing = false
		if len(q.bytes) > 0 {
			b, q.bytes, q.spare = q.bytes, q.spare[:0], q.bytes
			q.writing, q.snapshot = q.snapshot, false
			q.mu.Unlock()
			return b, true
		}
		closed := q.closed
		q.mu.Unlock()
		if closed {
			return nil, false
		}
		select {
		case <-q.wake:
		case <-ctx.Done():
			return nil, false
		}
	}
}
