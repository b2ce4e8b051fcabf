package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/coder/websocket"

	proto "github.com/truestep-io/truestep/proto/web"
)

// writeTimeout is the maximum duration of one write to a client. A client that does not read for so long is disconnected.
const writeTimeout = 10 * time.Second

// closeWait is the maximum time for which a connection that is to be closed still sends its queued messages.
const closeWait = time.Second

// wsHeaders is the number of bytes that TCP, IP and WebSocket add to a snapshot, without TLS. Source: web specification, section 1.
const wsHeaders = 56

// wsLink is a link over WebSocket. Each control message, input and snapshot is one binary WebSocket message.
type wsLink struct {
	ws        *websocket.Conn
	out       *sendQueue    // messages and snapshots to send
	in        []byte        // buffer for the last received message
	slow      func()        // called when the client does not read and a write times out
	done      chan struct{} // closed when the writing goroutine has ended
	closeWait time.Duration // maximum time for which close lets queued messages be sent: the constant closeWait; tests set a longer one
}

// newWSLink returns the link for an accepted WebSocket and starts its writing goroutine. If a write takes longer than
// writeTimeout, this goroutine calls the function slow.
func newWSLink(ctx context.Context, ws *websocket.Conn, slow func()) *wsLink {
	ws.SetReadLimit(proto.MaxHello)
	l := &wsLink{ws: ws, out: newSendQueue(), in: make([]byte, proto.MaxHello), slow: slow, done: make(chan struct{}), closeWait: closeWait}
	go l.write(ctx)
	return l
}

// write sends queued messages until the queue is closed, a write fails or a message is too long. It then closes the WebSocket.
func (l *wsLink) write(ctx context.Context) {
	defer close(l.done)
	defer l.ws.CloseNow()
	for {
		b, ok := l.out.next(ctx)
		if !ok {
			break
		}
		for len(b) > 0 {
			message, n, err := proto.NextFrame(b, maxFrame)
			if err != nil || n == 0 { // the message is longer than clients accept, so nothing after it can be read
				return
			}
			if err := l.send(ctx, message); err != nil {
				return
			}
			b = b[n:]
		}
	}
	_ = l.ws.Close(websocket.StatusNormalClosure, "")
}

// maxFrame is the maximum length in bytes of a control message or snapshot in a link's queue.
const maxFrame = max(proto.MaxServer, proto.MaxDatagram)

func (l *wsLink) send(ctx context.Context, b []byte) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	err := l.ws.Write(ctx, websocket.MessageBinary, b)
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		l.slow()
	}
	return err
}

func (l *wsLink) receive(ctx context.Context) ([]byte, error) {
	kind, r, err := l.ws.Reader(ctx)
	if err != nil {
		return nil, err
	}
	if kind != websocket.MessageBinary {
		return nil, fmt.Errorf("%w: messages must be binary, but this one is text", errMalformed)
	}
	n, err := io.ReadFull(r, l.in)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return l.in[:n], nil
	case err != nil:
		return nil, err
	}
	if _, err := r.Read(make([]byte, 1)); !errors.Is(err, io.EOF) { // the message fills the buffer; it is too long if a further byte can be read
		return nil, fmt.Errorf("%w: the message has more than %d bytes", errMalformed, len(l.in))
	}
	return l.in, nil
}

func (l *wsLink) control(m proto.Message) (length int, ok bool) {
	return l.out.add(maxControl, func(b []byte) []byte { return proto.AppendFramed(b, m) })
}

func (l *wsLink) controlLast(m proto.Message) {
	l.out.replace(func(b []byte) []byte { return proto.AppendFramed(b, m) })
}

func (l *wsLink) ready() bool { return l.out.takesSnapshot() }

func (l *wsLink) snapshot(s []byte) { l.out.addSnapshot(maxControl, s) }

func (l *wsLink) headers() int { return wsHeaders }

func (l *wsLink) ordered() bool { return true }

func (l *wsLink) close() {
	l.out.close()
	go func() {
		select {
		case <-l.done:
		case <-time.After(l.closeWait):
			l.ws.CloseNow()
		}
	}()
}
