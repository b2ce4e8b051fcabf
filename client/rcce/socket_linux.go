package rcce

import (
	"encoding/binary"
	"net"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	maxDatagram  = 2048     // longest datagram in bytes; the client offers the server an MTU of 1400
	maxCoalesced = 64 << 10 // maximum bytes that the kernel coalesces into one read with GRO
	controlSpace = 128      // size in bytes of the buffer for the control messages of one read: receive time, drop count and segment size
	groBatch     = 4        // number of reads of up to maxCoalesced bytes in one call
)

// batch holds the buffers and results of one recvmmsg call. Batches are large, so all sockets share a pool of them. A socket
// takes a batch for a read and returns it when it has handled the received datagrams.
type batch struct {
	heads [maxBatch]mmsghdr
	iovs  [maxBatch]unix.Iovec
	bytes []byte // all receive buffers, one after another
	ctl   [maxBatch][controlSpace]byte
	n     int // number of receive buffers
	size  int // size of a buffer in bytes
}

// mmsghdr is the kernel's struct mmsghdr.
type mmsghdr struct {
	hdr unix.Msghdr
	n   uint32 // bytes received
}

var (
	batches    = sync.Pool{New: func() any { return newBatch(maxBatch, maxDatagram) }}
	groBatches = sync.Pool{New: func() any { return newBatch(groBatch, maxCoalesced) }}
)

func newBatch(n, size int) *batch {
	b := &batch{bytes: make([]byte, n*size), n: n, size: size}
	for i := range n {
		b.iovs[i].Base = &b.bytes[i*size]
		b.iovs[i].SetLen(size)
		b.heads[i].hdr.Iov = &b.iovs[i]
		b.heads[i].hdr.SetIovlen(1)
		b.heads[i].hdr.Control = &b.ctl[i][0]
	}
	return b
}

// receive reads datagrams from the socket fd into the batch, without blocking. It returns their number.
func (b *batch) receive(fd uintptr) (int, syscall.Errno) {
	for i := range b.n {
		b.heads[i].hdr.SetControllen(controlSpace)
	}
	n, _, errno := unix.Syscall6(unix.SYS_RECVMMSG, fd, uintptr(unsafe.Pointer(&b.heads[0])), uintptr(b.n), unix.MSG_DONTWAIT, 0, 0)
	return int(n), errno
}

// batchSocket reads many datagrams per system call, and the time at which the kernel received each.
type batchSocket struct {
	conn     *net.UDPConn
	raw      syscall.RawConn
	pool     *sync.Pool // pool of batches, with or without GRO
	deadline time.Time  // read deadline that is set on conn
	lost     uint64     // datagrams that the kernel dropped

	// The function poll and its argument and results are fields, so that a read allocates no memory: a new closure for each read
	// would be allocated on the heap.
	poll  func(fd uintptr) bool
	batch *batch
	got   int
	errno syscall.Errno
}

// newSocket returns a datagramSocket that uses conn. If gro is true, it asks the kernel to coalesce datagrams that arrive
// together.
func newSocket(conn *net.UDPConn, gro bool) (datagramSocket, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	s := &batchSocket{conn: conn, raw: raw, pool: &batches}
	if err := raw.Control(func(fd uintptr) {
		// These options make the kernel report the receive time of each datagram, and the number of dropped datagrams. Where an
		// option is not supported, the time after the read is used instead, or drops are not counted.
		_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1)
		_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RXQ_OVFL, 1)
		if gro && unix.SetsockoptInt(int(fd), unix.IPPROTO_UDP, unix.UDP_GRO, 1) == nil {
			s.pool = &groBatches
		}
	}); err != nil {
		return nil, err
	}
	s.poll = func(fd uintptr) bool {
		b := s.pool.Get().(*batch)
		if s.got, s.errno = b.receive(fd); s.errno == 0 {
			s.batch = b
			return true
		}
		s.pool.Put(b)
		return s.errno != unix.EAGAIN
	}
	return s, nil
}

func (s *batchSocket) wait(deadline time.Time) error {
	if !s.deadline.Equal(deadline) {
		s.deadline = deadline
		if err := s.conn.SetReadDeadline(deadline); err != nil {
			return err
		}
	}
	if err := s.raw.Read(s.poll); err != nil {
		return err
	}
	if s.errno != 0 {
		return s.errno
	}
	return nil
}

func (s *batchSocket) each(take func(arrival)) {
	if s.batch == nil {
		return
	}
	for i := range s.got {
		s.split(i, take)
	}
	s.pool.Put(s.batch)
	s.batch = nil
}

// split calls the function take with each datagram in message i of the batch. A message is one datagram, or several that the
// kernel has coalesced.
func (s *batchSocket) split(i int, take func(arrival)) {
	b := s.batch
	data := b.bytes[i*b.size : i*b.size+int(b.heads[i].n)]
	at, segment := s.control(b.ctl[i][:b.heads[i].hdr.Controllen])
	if at == 0 {
		at = time.Now().UnixNano()
	}
	for segment > 0 && len(data) > segment {
		take(arrival{data[:segment], at})
		data = data[segment:]
	}
	take(arrival{data, at})
}

// control reads what the kernel reports about one received message. The result "at" is the receive time in ns since 1970, or 0 if
// it is unknown. The result segment is the size in bytes of each coalesced datagram, or 0 if the message is a single datagram.
func (s *batchSocket) control(b []byte) (at int64, segment int) {
	const head = unix.SizeofCmsghdr
	for len(b) >= head {
		h := (*unix.Cmsghdr)(unsafe.Pointer(&b[0]))
		size := int(h.Len)
		if size < head || size > len(b) {
			return at, segment
		}
		body := b[head:size]
		switch {
		case h.Level == unix.SOL_SOCKET && h.Type == unix.SCM_TIMESTAMPNS && len(body) >= 16:
			at = int64(binary.NativeEndian.Uint64(body))*1e9 + int64(binary.NativeEndian.Uint64(body[8:]))
		case h.Level == unix.SOL_SOCKET && h.Type == unix.SO_RXQ_OVFL && len(body) >= 4:
			s.lost = max(s.lost, uint64(binary.NativeEndian.Uint32(body)))
		case h.Level == unix.IPPROTO_UDP && h.Type == unix.UDP_GRO && len(body) >= 4:
			segment = int(binary.NativeEndian.Uint32(body))
		}
		b = b[min(len(b), unix.CmsgSpace(size-head)):]
	}
	return at, segment
}

func (s *batchSocket) write(datagram []byte) error {
	_, err := s.conn.Write(datagram)
	return err
}

func (s *batchSocket) overflows() uint64 { return s.lost }

func (s *batchSocket) close() { s.conn.Close() }
