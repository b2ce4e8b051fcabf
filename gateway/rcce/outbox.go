package rcce

import (
	"net/netip"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/telemetry"
)

// outbox collects datagrams to one client and writes them in one call if the socket segments (gateway.SegmentConn): a
// broadcast is a row of full datagrams to each client. Measured: docs/benchmarks/rcce.md, sends.
type outbox struct {
	sock      *gateway.Socket
	door      *telemetry.Door
	locals    gateway.LocalAddrs
	to        netip.AddrPort
	buf       []byte // datagrams back to back, all of size bytes but the last
	size      int
	last      int // bytes of the last datagram
	count     int
	single    bool // write datagrams one by one even if the socket segments
	segmented bool // WriteSegments has sent at least one burst
}

// add queues a finished datagram, which is borrowed during the call. It is written at the next flush, at the latest.
func (o *outbox) add(to netip.AddrPort, b []byte) {
	if o.count > 0 && (to != o.to || len(b) > o.size || o.last < o.size || o.count == gateway.MaxSegments || len(o.buf)+len(b) > gateway.MaxSegmentBytes) {
		o.flush()
	}
	if o.count == 0 {
		o.to, o.size = to, len(b)
	}
	o.buf = append(o.buf, b...)
	o.last = len(b)
	o.count++
}

// flush writes the queued datagrams. A write that fails, for example on a full socket buffer, loses them, as a network
// might.
func (o *outbox) flush() {
	if o.count == 0 {
		return
	}
	o.door.PacketsOut.Add(o.count)
	o.door.BytesOut.Add(len(o.buf))
	local := o.locals.Of(o.to)
	if o.count == 1 || o.single || !o.writeSegments(local) {
		o.writeSingly(local)
	}
	o.buf, o.count = o.buf[:0], 0
}

// writeSegments writes the queued datagrams in one call; false if nothing was sent.
func (o *outbox) writeSegments(local netip.Addr) (sent bool) {
	sent, err := o.sock.WriteSegments(o.buf, o.size, o.to, local)
	switch {
	case err != nil:
		o.door.Bad.With("write").Inc()
	case sent:
		o.segmented = true
	}
	return sent
}

func (o *outbox) writeSingly(local netip.Addr) {
	for b := o.buf; len(b) > 0; {
		n := min(o.size, len(b))
		if err := o.sock.Write(b[:n], o.to, local); err != nil {
			o.door.Bad.With("write").Inc()
		}
		b = b[n:]
	}
}
