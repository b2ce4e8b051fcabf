package rs

import (
	"net"
	"time"

	"golang.org/x/sys/unix"

	"github.com/truestep-io/truestep/session"
)

// tcpStatsEvery is the interval between two readings of the kernel's statistics of a connection.
const tcpStatsEvery = time.Second

// tcpStats reads the statistics of a connection from the kernel: the round-trip time and the number of retransmitted segments,
// which the protocol does not measure. Only the goroutine that writes to the connection uses it.
type tcpStats struct {
	storedAt time.Time
	loss     session.Loss
}

// store copies the kernel's statistics to the session, at most once per tcpStatsEvery. It does nothing if the connection is
// not a TCP socket.
func (t *tcpStats) store(c net.Conn, l *session.Link) {
	tcp, ok := c.(*net.TCPConn)
	now := time.Now()
	if !ok || now.Sub(t.storedAt) < tcpStatsEvery {
		return
	}
	t.storedAt = now
	raw, err := tcp.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		info, err := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO)
		if err != nil {
			return
		}
		l.RTT.Store(int32(info.Rtt / 1000))
		again := uint64(info.Total_retrans)
		l.Loss.Store(t.loss.Update(max(uint64(info.Segs_out), again)-again, again))
	})
}
