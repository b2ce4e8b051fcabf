package web

import (
	"context"
	"sync"

	proto "github.com/truestep-io/truestep/proto/web"
)

// maxControl is the maximum number of bytes of control messages that wait to be sent to one client. A client for which more
// bytes would wait is disconnected.
const maxControl = 64 << 10

// link is the connection of one client, over WebSocket or WebTransport. Its methods are safe for concurrent use.
type link interface {
	// receive returns the next message or datagram of the client, which is valid until the next call. Only one goroutine calls receive.
	receive(ctx context.Context) ([]byte, error)
	// control queues a control message. It returns false, and queues nothing, if maxControl bytes already wait.
	control(m proto.Message) bool
	// controlLast discards the waiting control messages and queues m, after which the connection is closed.
	controlLast(m proto.Message)
	// ready reports whether a snapshot would be sent immediately. If it would not, the caller makes no snapshot.
	ready() bool
	// snapshot sends a snapshot, which may be lost.
	snapshot(b []byte)
	// ordered reports whether snapshots and control messages arrive in order and are not lost.
	ordered() bool
	// close closes the connection when the queued messages have been sent, but after at most one second.
	close()
}

// sendQueue holds the messages that the writing goroutine of a connection has not taken yet. The length of each message
// precedes it. Its methods are safe for concurrent use.
type sendQueue struct {
	mu      sync.Mutex
	bytes   []byte // waiting messages
	spare   []byte // memory for the next bytes slice
	writing bool   // the writer has taken messages that it has not sent yet
	closed  bool
	wake    chan struct{} // has capacity 1; is full while messages wait or the queue is closed
}

func newSendQueue() *sendQueue { return &sendQueue{wake: make(chan struct{}, 1)} }

// idle reports whether the queue is empty and the writer has sent all messages that it has taken.
func (q *sendQueue) idle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.bytes) == 0 && !q.writing && !q.closed
}

// add calls appendTo, which appends messages to the queue. It returns false, and does not call appendTo, if the queue already
// has limit bytes. If the queue is closed, it does nothing and returns true.
func (q *sendQueue) add(limit int, appendTo func(b []byte) []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return true
	}
	if len(q.bytes) >= limit {
		return false
	}
	q.bytes = appendTo(q.bytes)
	q.signal()
	return true
}

// replace discards the queued messages and calls appendTo, which appends others.
func (q *sendQueue) replace(appendTo func(b []byte) []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return
	}
	q.bytes = appendTo(q.bytes[:0])
	q.signal()
}

func (q *sendQueue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// close closes the queue. When the writer has taken the remaining messages, take returns false.
func (q *sendQueue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.signal()
}

// take waits until the queue has messages, removes all of them and returns them. b is valid until the next call. ok is false if
// the queue is closed and empty, or if ctx has ended.
func (q *sendQueue) take(ctx context.Context) (b []byte, ok bool) {
	for {
		q.mu.Lock()
		q.writing = false
		if len(q.bytes) > 0 {
			b, q.bytes, q.spare = q.bytes, q.spare[:0], q.bytes
			q.writing = true
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
