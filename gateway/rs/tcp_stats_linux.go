package rs

import (
	"net"
	"time"

	"golang.org/x/sys/unix"

	"github.com/truestep-io/truestep/session"
)

// lookEvery is the time between two looks at what the kernel knows of a connection.
const tcpStatsEvery = time.Second

// tcpLook asks the kernel for the round trip of a connection and how many segments it had to send again: the protocol
// itself measures neither. It belongs to the goroutine that writes to the connection.
type tcpStats struct {
	storedAt time.Time
	loss     session.Loss
}

// measure writes the figures down, if it is time to and the connection is one of the kernel's.
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
		l.Loss.Store(t.loss.Look(max(uint64(info.Segs_out), again)-again, again))
	})
}
