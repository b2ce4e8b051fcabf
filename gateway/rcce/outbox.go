package rcce

import (
	"net"
	"net/netip"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/telemetry"
)

const (
	maxSegments = 64    // of one send; the kernel's UDP_MAX_SEGMENTS
	maxBurst    = 65000 // bytes of one send; a UDP datagram's payload ends at 65507
)

// outbox hands datagrams to the kernel. A broadcast is a row of full datagrams to one client: those go in one system
// call, which the kernel cuts into datagrams again (UDP generic segmentation offload), where it can do so.
// Measured: docs/benchmarks/rcce.md, sends.
type outbox struct {
	conn     *net.UDPConn
	door     *telemetry.Door
	homes    gateway.Homes
	to       netip.AddrPort
	buf      []byte // datagrams back to back, all of size bytes but the last
	size     int
	last     int // bytes of the last datagram
	count    int
	single   bool // this system does not segment
	segments bool // it has segmented at least once
}

// add takes a finished datagram, which is borrowed during the call. It may be sent later: see flush.
func (o *outbox) add(to netip.AddrPort, b []byte) {
	if o.count > 0 && (to != o.to || len(b) > o.size || o.last < o.size || o.count == maxSegments || len(o.buf)+len(b) > maxBurst) {
		o.flush()
	}
	if o.count == 0 {
		o.to, o.size = to, len(b)
	}
	o.buf = append(o.buf, b...)
	o.last = len(b)
	o.count++
}

// flush sends what was added since the last flush. What a full socket does not take is lost, as on a network.
func (o *outbox) flush() {
	if o.count == 0 {
		return
	}
	o.door.PacketsOut.Add(o.count)
	o.door.BytesOut.Add(len(o.buf))
	if o.count == 1 || o.single || !o.sendSegmented() {
		o.sendSingly()
	}
	o.buf, o.count = o.buf[:0], 0
}

func (o *outbox) sendSingly() {
	for b := o.buf; len(b) > 0; {
		n := min(o.size, len(b))
		if err := o.homes.Send(o.conn, b[:n], o.to); err != nil {
			o.door.Bad.With("write").Inc()
		}
		b = b[n:]
	}
}
