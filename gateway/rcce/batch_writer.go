package rcce

import (
	"net/netip"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/telemetry"
)

// batchWriter collects datagrams to one client. It writes them with one system call if the socket supports segmentation
// (gateway.SegmentConn). A broadcast sends a series of datagrams of equal size to each client, so this saves many calls
// (measured: docs/benchmarks/rcce.md, sends).
type batchWriter struct {
	sock          *gateway.Socket
	door          *telemetry.DoorMetrics
	locals        gateway.LocalAddrs
	addr          netip.AddrPort // receiver of the queued datagrams
	datagrams     []byte         // queued datagrams, concatenated; all except the last one have datagramBytes bytes
	datagramBytes int            // size of each queued datagram except the last
	lastBytes     int            // size of the last queued datagram
	count         int            // number of queued datagrams
	noSegments    bool           // write datagrams one by one even if the socket supports segmentation
	segmented     bool           // WriteSegments has sent at least one batch
}

// add queues a copy of the datagram b for the address in the parameter "to". The next flush writes it. If b does not fit into the
// batch, add first flushes the batch.
func (o *batchWriter) add(to netip.AddrPort, b []byte) {
	if o.count > 0 && (to != o.addr || len(b) > o.datagramBytes || o.lastBytes < o.datagramBytes || o.count == gateway.MaxSegments || len(o.datagrams)+len(b) > gateway.MaxSegmentBytes) {
		o.flush()
	}
	if o.count == 0 {
		o.addr, o.datagramBytes = to, len(b)
	}
	o.datagrams = append(o.datagrams, b...)
	o.lastBytes = len(b)
	o.count++
}

// flush writes the queued datagrams to the socket. Datagrams that it cannot write, for example because the socket's buffer is
// full, are lost.
func (o *batchWriter) flush() {
	if o.count == 0 {
		return
	}
	o.door.PacketsOut.Add(o.count)
	o.door.BytesOut.Add(len(o.datagrams))
	local := o.locals.Of(o.addr)
	if o.count == 1 || o.noSegments || !o.writeSegments(local) {
		o.writeEach(local)
	}
	o.datagrams, o.count = o.datagrams[:0], 0
}

// writeSegments writes the queued datagrams with one system call. It returns false, and has sent nothing, if the socket does not
// support segmentation.
func (o *batchWriter) writeSegments(local netip.Addr) (sent bool) {
	sent, err := o.sock.WriteSegments(o.datagrams, o.datagramBytes, o.addr, local)
	switch {
	case err != nil:
		o.door.Bad.With("write").Inc()
	case sent:
		o.segmented = true
	}
	return sent
}

// writeEach writes the queued datagrams with one system call each.
func (o *batchWriter) writeEach(local netip.Addr) {
	for b := o.datagrams; len(b) > 0; {
		n := min(o.datagramBytes, len(b))
		if err := o.sock.Write(b[:n], o.addr, local); err != nil {
			o.door.Bad.With("write").Inc()
		}
		b = b[n:]
	}
}
