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

// Timeouts of a connection. Source: docs/wire/rs.md, session transport.
const (
	keepAlive    = time.Second      // time without a write after which NO_TIMEOUT is sent: 50 client ticks
	readTimeout  = 15 * time.Second // time without received bytes after which the connection is closed: 750 client ticks
	writeTimeout = 10 * time.Second // maximum duration of a write; chosen without measurements
)

const smallBuffer = 8 << 10 // initial size of the receive buffer in bytes, enough for the first map and most packets

// link is one connection of a client. Only the client's goroutine reads.
type link struct {
	conn  net.Conn // TCP connection
	count *traffic // the client's traffic counters

	frames   *proto.FrameReader // reads frames from the server; nil before the login
	buf      []byte             // receive buffer
	from, to int                // buf[from:to] has been received but not consumed
	lastRead time.Time          // time of the last read

	lastWrite atomic.Int64 // start time of the last write in ns since 1970

	writing sync.Mutex         // guards the fields below
	out     *proto.FrameWriter // writes frames to the server; nil before the login
	scratch []byte             // reused memory for the frame to write
}

func newLink(conn net.Conn, count *traffic) *link {
	l := &link{conn: conn, count: count, buf: make([]byte, smallBuffer), lastRead: time.Now()}
	l.lastWrite.Store(l.lastRead.UnixNano())
	return l
}

// startFrames makes the link send and receive packets (proto.Frame), as both sides do after the login. The cipher named client
// masks the opcodes of sent packets, the cipher named server those of received packets.
func (l *link) startFrames(client, server *proto.ISAAC) {
	l.frames = proto.NewFrameReader(proto.S2C, server)
	l.out = proto.NewFrameWriter(proto.C2S, client)
}

// buffered returns the bytes that have been received but not parsed.
func (l *link) buffered() []byte { return l.buf[l.from:l.to] }

// next waits for the next packet of the server, and sends NO_TIMEOUT packets while it waits. The body of the packet is valid
// until the next call. The error is a LostError, or says that the server has sent an invalid packet.
func (l *link) next() (proto.Frame, error) {
	for {
		f, n, err := l.frames.Next(l.buffered())
		if err != nil {
			return f, fmt.Errorf("invalid packet from the server: %w", err)
		}
		if n > 0 {
			l.from += n
			return f, nil
		}
		if err := l.readMore(); err != nil {
			return f, &LostError{err}
		}
	}
}

// readMore waits until bytes arrive and appends them to the receive buffer. While it waits, it sends keep-alives. If no bytes
// arrive for readTimeout, it returns ErrSilent.
func (l *link) readMore() error {
	for {
		if err := l.sendKeepAlive(); err != nil {
			return err
		}
		until := l.keepAliveDue()
		if now := time.Now(); !until.After(now) { // another goroutine is writing
			until = now.Add(keepAlive)
		}
		_ = l.conn.SetReadDeadline(until)
		if err := l.fill(); !errors.Is(err, os.ErrDeadlineExceeded) {
			return err
		}
		if time.Since(l.lastRead) >= readTimeout {
			return ErrSilent
		}
	}
}

// fill reads from the connection once and appends the bytes to the receive buffer.
func (l *link) fill() error {
	if l.from > 0 {
		l.to = copy(l.buf, l.buffered())
		l.from = 0
	}
	if l.to == len(l.buf) { // the buffer grows at most once, because no frame is longer than MaxServerFrame
		l.buf = append(l.buf, make([]byte, proto.MaxServerFrame-len(l.buf))...)
	}
	n, err := l.conn.Read(l.buf[l.to:])
	l.to += n
	l.count.in.Add(uint64(n))
	if n > 0 {
		l.lastRead = time.Now()
		return nil // if the read also returned an error, the next read returns it again
	}
	return err
}

// keepAliveDue returns the time at which the next NO_TIMEOUT must be sent: keepAlive after the last write.
func (l *link) keepAliveDue() time.Time { return time.Unix(0, l.lastWrite.Load()).Add(keepAlive) }

// sendKeepAlive sends NO_TIMEOUT if it is due and no other goroutine is writing.
func (l *link) sendKeepAlive() error {
	if time.Now().Before(l.keepAliveDue()) || !l.writing.TryLock() {
		return nil
	}
	defer l.writing.Unlock()
	l.count.alive.Add(1)
	return l.write(proto.NoTimeout{})
}

// send writes a packet immediately. It may be called from any goroutine.
func (l *link) send(p proto.Packet) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	return l.write(p)
}

// write encodes and writes a packet. The caller must hold l.writing. A failed write closes the connection, because the server may
// have received a part of the packet.
func (l *link) write(p proto.Packet) error {
	b, err := l.out.AppendPacket(l.scratch[:0], p)
	l.scratch = b
	if err != nil {
		return err
	}
	return l.writeBytes(b)
}

// writeBytes writes b. The caller must hold l.writing, unless no other goroutine uses the link yet. If writing fails, writeBytes
// closes the connection.
func (l *link) writeBytes(b []byte) error {
	now := time.Now()
	l.lastWrite.Store(now.UnixNano())
	_ = l.conn.SetWriteDeadline(now.Add(writeTimeout))
	n, err := l.conn.Write(b)
	l.count.out.Add(uint64(n))
	if err != nil {
		l.conn.Close()
	}
	return err
}

// reset closes the connection with a TCP reset instead of an orderly end.
func (l *link) reset() {
	if t, ok := l.conn.(interface{ SetLinger(sec int) error }); ok {
		_ = t.SetLinger(0)
	}
	l.conn.Close()
}
