package web

import (
	"context"
	"sync"

	proto "github.com/truestep-io/truestep/proto/web"
)

// maxControl is the maximum number of bytes of control messages that are queued for one client. A client for which more would
// be queued is disconnected.
const maxControl = 64 << 10

// link is the connection of one client, over WebSocket or WebTransport. Its methods are safe for concurrent use.
type link interface {
	// receive returns the next message or datagram of the client. The result is valid until the next call. Only one goroutine
	// may call receive.
	receive(ctx context.Context) ([]byte, error)
	// control queues a control message. It returns false and queues nothing if maxControl bytes are already queued.
	control(m proto.Message) bool
	// controlLast discards the queued control messages and queues m, the last message before the connection is closed.
	controlLast(m proto.Message)
	// ready reports whether a snapshot would be sent at once. If it returns false, the caller does not encode a snapshot.
	ready() bool
	// snapshot sends a snapshot. The snapshot may be lost.
	snapshot(b []byte)
	// ordered reports whether snapshots and control messages arrive in order and are not lost.
	ordered() bool
	// close closes the connection after the queued messages have been sent, or after one second.
	close()
}

// sendQueue is a queue of messages for the writing goroutine of a connection. In its buffer, each message follows its length.
// Its methods are safe for concurrent use.
type sendQueue struct {
	mu      sync.Mutex
	bytes   []byte        // queued messages
	spare   []byte        // memory that bytes will use after the next take
	writing bool          // the writer has removed messages that it has not sent yet
	closed  bool          // no further messages may be queued
	wake    chan struct{} // has capacity 1; an element means that messages are queued or the queue is closed
}

func newSendQueue() *sendQueue { return &sendQueue{wake: make(chan struct{}, 1)} }

// idle reports whether the queue is empty and the writing goroutine has sent all messages that it has removed from the queue.
func (q *sendQueue) idle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.bytes) == 0 && !q.writing && !q.closed
}

// add calls appendTo to append messages to the queue. There are two exceptions: (1) If the queue already has limit bytes, add
// does nothing and returns false. (2) If the queue is closed, add does nothing and returns true.
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

// replace discards the queued messages and calls appendTo to append others in their place.
func (q *sendQueue) replace(appendTo func(b []byte) []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return
	}
	q.bytes = appendTo(q.bytes[:0])
	q.signal()
}

// signal wakes the writer.
func (q *sendQueue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// close closes the queue to further messages. After that, the method take returns the remaining messages, and then false.
func (q *sendQueue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.signal()
}

// take waits for messages, removes all of them from the queue and returns them. b is valid until the next call. ok is false
// if the queue is closed and empty or ctx has ended.
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
