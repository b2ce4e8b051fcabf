package rcce

import (
	"errors"
	"net"
	"os"
	"time"
)

// maxBatch is the maximum number of datagrams that one system call reads.
const maxBatch = 32

// socketBuffer is the size in bytes that is requested for the socket's receive buffer. The RealmCrafter client's ENet uses the
// same size (docs/wire/rcce.md 1.6).
const socketBuffer = 256 << 10

// arrival is one received datagram and its receive time. The method each passes an arrival to a function. The field data is
// valid until that function returns.
type arrival struct {
	data []byte
	at   int64 // receive time in ns since 1970, from the kernel if the kernel provides one
}

// datagramSocket is a UDP socket that exchanges datagrams with one server.
type datagramSocket interface {
	// wait blocks until datagrams are available. It returns os.ErrDeadlineExceeded if none arrived by the deadline, and any other
	// error of the socket unchanged. If the server's port is closed, that error is syscall.ECONNREFUSED.
	wait(deadline time.Time) error
	// each calls the function take with each datagram that wait has received.
	each(take func(arrival))
	// write sends one datagram.
	write(datagram []byte) error
	// overflows returns how many datagrams the kernel dropped because this process did not read them in time.
	overflows() uint64
	close()
}

// newDatagramSocket returns a datagramSocket that uses conn, which is connected to the server. If gro is true, the kernel may
// coalesce datagrams that arrive together (Linux).
func newDatagramSocket(conn net.Conn, gro bool) (datagramSocket, error) {
	u, ok := conn.(*net.UDPConn)
	if !ok {
		return newPlainSocket(conn), nil
	}
	_ = u.SetReadBuffer(socketBuffer) // the system may allow less
	return newSocket(u, gro)
}

// plainSocket reads one datagram per call, with the functions of package net only. It is used on systems other than Linux, and
// for connections that are not *net.UDPConn.
type plainSocket struct {
	conn     net.Conn
	deadline time.Time
	buf      []byte
	got      arrival // datagram that wait has read; data is nil if there is none
}

func newPlainSocket(conn net.Conn) *plainSocket {
	return &plainSocket{conn: conn, buf: make([]byte, maxDatagram)}
}

func (s *plainSocket) wait(deadline time.Time) error {
	if !s.deadline.Equal(deadline) {
		s.deadline = deadline
		if err := s.conn.SetReadDeadline(deadline); err != nil {
			return err
		}
	}
	n, err := s.conn.Read(s.buf)
	if err != nil {
		return err
	}
	s.got = arrival{s.buf[:n], time.Now().UnixNano()}
	return nil
}

func (s *plainSocket) each(take func(arrival)) {
	if a := s.got; a.data != nil {
		s.got.data = nil
		take(a)
	}
}

func (s *plainSocket) write(datagram []byte) error {
	_, err := s.conn.Write(datagram)
	return err
}

func (s *plainSocket) overflows() uint64 { return 0 }

func (s *plainSocket) close() { s.conn.Close() }

// timedOut reports whether err means that no datagram arrived before the deadline of a read.
func timedOut(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }
