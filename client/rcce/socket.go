package rcce

import (
	"errors"
	"net"
	"os"
	"time"
)

// maxBatch is the largest number of datagrams in one read.
const maxBatch = 32

// socketBuffer is the requested receive buffer in bytes, as in the RealmCrafter client's ENet (docs/wire/rcce.md 1.6).
const socketBuffer = 256 << 10

// arrival is one received datagram and its receive time. data is valid until the callback that received it returns.
type arrival struct {
	data []byte
	at   int64 // receive time in ns since 1970, from the kernel if it provides one
}

// datagramSocket is a UDP socket connected to the server.
type datagramSocket interface {
	// wait blocks until datagrams are available. It returns os.ErrDeadlineExceeded if none arrived by the deadline, and other
	// errors as they are; a refused port is syscall.ECONNREFUSED.
	wait(deadline time.Time) error
	// each calls the function take with each datagram that wait found.
	each(take func(arrival))
	// write sends one datagram.
	write(datagram []byte) error
	// overflows returns how many datagrams the kernel dropped because this process did not read them in time.
	overflows() uint64
	close()
}

// newDatagramSocket prepares a connected socket. gro lets the kernel coalesce datagrams that arrive together (Linux).
func newDatagramSocket(conn net.Conn, gro bool) (datagramSocket, error) {
	u, ok := conn.(*net.UDPConn)
	if !ok {
		return newPlainSocket(conn), nil
	}
	_ = u.SetReadBuffer(socketBuffer) // the system may allow less
	return newSocket(u, gro)
}

// plainSocket reads one datagram per call, through package net alone. It serves systems other than Linux, and connections
// that are not kernel sockets.
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

// timedOut reports whether a read ended at its deadline.
func timedOut(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }
