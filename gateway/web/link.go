package web

import (
	"context"
	"sync"

	proto "github.com/truestep-io/truestep/proto/web"
)

// maxControl is the number of bytes of control messages that may wait for a client. A client that is further behind is disconnected.
const maxControl = 64 << 10

// link is the connection of one client, over WebSocket or WebTransport. Its methods are safe for concurrent use.
type link interface {
	// receive returns the next message or datagram of the client. It is valid until the next call. It is called by one goroutine.
	receive(ctx context.Context) ([]byte, error)
	// control queues a control message. It returns false if more than maxControl bytes wait.
	control(m proto.Message) bool
	// ready reports whether a snapshot would be sent at once. If not, none should be made.
	ready() bool
	// snapshot sends a snapshot. It may be lost.
	snapshot(b []byte)
	// ordered reports whether snapshots and control messages arrive in order and are not lost.
	ordered() bool
	// close closes the connection after what is queued has been sent, or after a second.
	close()
}

// sendQueue is what waits for the writer of a connection: messages, each with its length before it. Its methods are safe for concurrent use.
type sendQueue struct {
	mu      sync.Mutex
	bytes   []byte // waiting messages
	spare   []byte // memory for the next bytes
	writing bool   // the writer has taken messages that it has not sent yet
	closed  bool
	wake    chan struct{} // has capacity 1 and is full while something waits or the queue is closed
}

func newSendQueue() *sendQueue { return &sendQueue{wake: make(chan struct{}, 1)} }

// idle reports whether nothing waits and the writer has sent everything.
func (q *sendQueue) idle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.bytes) == 0 && !q.writing && !q.closed
}

// add calls appendTo to add bytes. It returns false, and adds nothing, if limit bytes wait already.
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

func (q *sendQueue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// close makes take return false after everything that waits was taken.
func (q *sendQueue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.signal()
}

// take waits for bytes and returns all that wait. They are valid until the next call. ok is false when the queue is closed and empty, or ctx has ended.
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
