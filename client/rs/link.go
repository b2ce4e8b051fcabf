package rs

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// What clients do about silence. Source: docs/wire/rs.md, session transport.
const (
	keepAlive = time.Second      // without a write, after which NO_TIMEOUT is sent: 50 client ticks
	silence   = 15 * time.Second // without a byte, after which the connection is given up: 750 client ticks
	writeFor  = 10 * time.Second // guess: a server that does not read so long has lost its client
)

const smallBuffer = 8 << 10 // bytes: room for the first map, and for most packets

// link is one connection. A client has one after the other. Reading belongs to the client's goroutine.
type link struct {
	conn  net.Conn
	count *traffic

	frames   *proto.FrameReader // nil before the login
	buf      []byte
	from, to int       // buf[from:to] is read and not used
	heard    time.Time // when the last bytes came

	wrote atomic.Int64 // ns since 1970, when the last write began

	writing sync.Mutex // guards what follows
	out     *proto.FrameWriter
	scratch []byte
}

func newLink(conn net.Conn, count *traffic) *link {
	l := &link{conn: conn, count: count, buf: make([]byte, smallBuffer), heard: time.Now()}
	l.wrote.Store(l.heard.UnixNano())
	return l
}

// secure begins the frames of both directions.
func (l *link) secure(client, server *proto.ISAAC) {
	l.frames = proto.NewFrameReader(proto.S2C, server)
	l.out = proto.NewFrameWriter(proto.C2S, client)
}

// unread are the bytes that nobody has used yet.
func (l *link) unread() []byte { return l.buf[l.from:l.to] }

// next waits for a frame, whose body is borrowed until the next call, and says NO_TIMEOUT meanwhile. The error is a
// LostError, or says what no client can read.
func (l *link) next() (proto.Frame, error) {
	for {
		f, n, err := l.frames.Next(l.unread())
		if err != nil {
			return f, fmt.Errorf("server stream: %w", err)
		}
		if n > 0 {
			l.from += n
			return f, nil
		}
		if err := l.await(); err != nil {
			return f, &LostError{err}
		}
	}
}

// await reads more, and keeps the connection alive while there is none.
func (l *link) await() error {
	for {
		if err := l.stayAlive(); err != nil {
			return err
		}
		until := l.due()
		if now := time.Now(); !until.After(now) { // somebody has been writing all the while
			until = now.Add(keepAlive)
		}
		_ = l.conn.SetReadDeadline(until)
		if err := l.fill(); !errors.Is(err, os.ErrDeadlineExceeded) {
			return err
		}
		if time.Since(l.heard) >= silence {
			return ErrSilent
		}
	}
}

// fill reads once, behind what is unread.
func (l *link) fill() error {
	if l.from > 0 {
		l.to = copy(l.buf, l.unread())
		l.from = 0
	}
	if l.to == len(l.buf) { // a frame is never longer than MaxServerFrame, so this happens once at most
		l.buf = append(l.buf, make([]byte, proto.MaxServerFrame-len(l.buf))...)
	}
	n, err := l.conn.Read(l.buf[l.to:])
	l.to += n
	l.count.in.Add(uint64(n))
	if n > 0 {
		l.heard = time.Now()
		return nil // an error comes again
	}
	return err
}

// due is when NO_TIMEOUT is to be said.
func (l *link) due() time.Time { return time.Unix(0, l.wrote.Load()).Add(keepAlive) }

// stayAlive says NO_TIMEOUT if it is time. Whoever is writing at the moment makes it needless.
func (l *link) stayAlive() error {
	if time.Now().Before(l.due()) || !l.writing.TryLock() {
		return nil
	}
	defer l.writing.Unlock()
	l.count.alive.Add(1)
	return l.write(proto.NoTimeout{})
}

// send writes a packet at once.
func (l *link) send(p proto.Packet) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	return l.write(p)
}

// write needs the lock. After a packet that could not be written whole the stream is of no use.
func (l *link) write(p proto.Packet) error {
	b, err := l.out.AppendPacket(l.scratch[:0], p)
	l.scratch = b
	if err != nil {
		return err
	}
	return l.raw(b)
}

// raw writes bytes. It needs the lock, or a link that nobody else knows yet.
func (l *link) raw(b []byte) error {
	now := time.Now()
	l.wrote.Store(now.UnixNano())
	_ = l.conn.SetWriteDeadline(now.Add(writeFor))
	n, err := l.conn.Write(b)
	l.count.out.Add(uint64(n))
	if err != nil {
		l.conn.Close()
	}
	return err
}

// drop closes the connection with a TCP reset instead of an orderly end.
func (l *link) drop() {
	if t, ok := l.conn.(interface{ SetLinger(sec int) error }); ok {
		_ = t.SetLinger(0)
	}
	l.conn.Close()
}
