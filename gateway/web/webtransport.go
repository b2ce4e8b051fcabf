package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/quic-go/webtransport-go"

	proto "github.com/truestep-io/truestep/proto/web"
)

// Lengths of the queues of a WebTransport connection.
const (
	datagramQueue = 2  // maximum number of snapshots that wait for QUIC's congestion control; further snapshots are dropped
	inputQueue    = 64 // maximum number of the client's messages and datagrams that wait to be processed; all others wait in QUIC
)

// wtHeaders is the number of bytes that UDP, IP, QUIC and HTTP/3 add to a snapshot. Source: TestQUICAddsAbout24BytesToPacketsFromServer.
const wtHeaders = 52

// wtLink is a link over WebTransport. Control messages are sent on a stream that the client opens; inputs, acknowledgements and
// snapshots are sent in datagrams.
type wtLink struct {
	session   *webtransport.Session
	stream    *webtransport.Stream
	out       *sendQueue
	snapshots chan []byte   // snapshots to send
	free      chan []byte   // buffers of sent snapshots, for reuse
	in        chan []byte   // received messages and datagrams; nil stands for a datagram with a bad kind
	failed    chan error    // first errors of the goroutines that read and write; has capacity 2
	slow      func()        // called when the client does not read the control stream and a write times out
	done      chan struct{} // closed when writeControl has ended
	once      sync.Once
	end       context.CancelFunc // stops the goroutines of the link
}

// newWTLink waits until the client opens the control stream. It then returns the link and starts its goroutines, which read and
// write. They call the function slow if a write to the control stream takes longer than writeTimeout.
func newWTLink(ctx context.Context, s *webtransport.Session, slow func()) (*wtLink, error) {
	stream, err := s.AcceptStream(ctx)
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithCancel(s.Context())
	l := &wtLink{
		session: s, stream: stream, out: newSendQueue(), slow: slow, end: end, done: make(chan struct{}),
		snapshots: make(chan []byte, datagramQueue), free: make(chan []byte, datagramQueue+1),
		in: make(chan []byte, inputQueue), failed: make(chan error, 2),
	}
	go l.readControl(ctx)
	go l.readDatagrams(ctx)
	go l.writeControl(ctx)
	go l.writeDatagrams(ctx)
	return l, nil
}

// readControl reads messages from the control stream. The method receive returns them.
func (l *wtLink) readControl(ctx context.Context) {
	buf := make([]byte, 0, 2*proto.MaxHello)
	for {
		message, n, err := proto.NextFrame(buf, proto.MaxHello)
		if err != nil {
			l.fail(fmt.Errorf("%w: %w", errMalformed, err))
			return
		}
		if n > 0 {
			if !l.deliver(ctx, append([]byte(nil), message...)) {
				return
			}
			buf = append(buf[:0], buf[n:]...)
			continue
		}
		m, err := l.stream.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+m]
		if err != nil {
			l.fail(err)
			return
		}
	}
}

// readDatagrams reads the client's datagrams. The method receive returns them.
func (l *wtLink) readDatagrams(ctx context.Context) {
	for {
		b, err := l.session.ReceiveDatagram(ctx)
		if err != nil {
			l.fail(err)
			return
		}
		if len(b) == 0 || b[0] != proto.KindInput && b[0] != proto.KindAck {
			b = nil // control messages are allowed only on the stream
		}
		if !l.deliver(ctx, b) {
			return
		}
	}
}

// deliver passes the message b to the goroutine that calls the method receive, and waits until there is room. It returns false if
// the link has ended.
func (l *wtLink) deliver(ctx context.Context, b []byte) bool {
	select {
	case l.in <- b:
		return true
	case <-ctx.Done():
		return false
	}
}

// fail stores an error that the method receive will return. It does nothing if two errors are already stored.
func (l *wtLink) fail(err error) {
	select {
	case l.failed <- err:
	default:
	}
}

// writeControl writes queued control messages to the stream until the queue is closed or a write fails.
func (l *wtLink) writeControl(ctx context.Context) {
	defer close(l.done)
	for {
		b, ok := l.out.next(ctx)
		if !ok {
			break
		}
		_ = l.stream.SetWriteDeadline(time.Now().Add(writeTimeout))
		if _, err := l.stream.Write(b); err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				l.slow()
			}
			l.fail(err)
			return
		}
	}
	_ = l.stream.Close()
}

// writeDatagrams sends the snapshots that wait in l.snapshots. It has its own goroutine, because SendDatagram blocks while 32
// datagrams wait in QUIC, and the worker that makes snapshots must not block.
func (l *wtLink) writeDatagrams(ctx context.Context) {
	for {
		select {
		case b := <-l.snapshots:
			_ = l.session.SendDatagram(b) // a datagram that cannot be sent is lost
			select {
			case l.free <- b:
			default:
			}
		case <-ctx.Done():
			return
		}
	}
}

func (l *wtLink) receive(ctx context.Context) ([]byte, error) {
	select {
	case b := <-l.in:
		if b == nil {
			return nil, errBadDatagram
		}
		return b, nil
	case err := <-l.failed:
		return nil, err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-l.session.Context().Done():
		return nil, io.EOF
	}
}

func (l *wtLink) control(m proto.Message) (length int, ok bool) {
	return l.out.add(maxControl, func(b []byte) []byte { return proto.AppendFramed(b, m) })
}

func (l *wtLink) controlLast(m proto.Message) {
	l.out.replace(func(b []byte) []byte { return proto.AppendFramed(b, m) })
}

func (l *wtLink) ready() bool { return true }

func (l *wtLink) snapshot(s []byte) {
	var b []byte
	select {
	case b = <-l.free:
	default:
	}
	select {
	case l.snapshots <- append(b[:0], s...):
	default: // drop the snapshot: the connection is slower than snapshots are made
	}
}

func (l *wtLink) headers() int { return wtHeaders }

func (l *wtLink) ordered() bool { return false }

func (l *wtLink) close() {
	l.out.close()
	l.once.Do(func() {
		go func() {
			select {
			case <-l.done:
				select { // the client closes the session after it has read the last message
				case <-l.session.Context().Done():
				case <-time.After(closeWait):
				}
			case <-time.After(closeWait):
			}
			_ = l.session.CloseWithError(0, "")
			l.end()
		}()
	})
}
