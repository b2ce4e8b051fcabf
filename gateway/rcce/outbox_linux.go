package rcce

import (
	"encoding/binary"
	"errors"

	"golang.org/x/sys/unix"

	"github.com/truestep-io/truestep/gateway"
)

// sendSegmented sends the burst in one call; false if nothing was sent and the datagrams must go one by one.
func (o *outbox) sendSegmented() bool {
	var room [32 + gateway.ControlRoom]byte
	control, size := gateway.AppendControl(room[:0], unix.IPPROTO_UDP, unix.UDP_SEGMENT, 2) // udp(7): bytes of each datagram
	binary.NativeEndian.PutUint16(size, uint16(o.size))
	n := len(control)
	control = o.homes.Control(control, o.to)
	_, _, err := o.conn.WriteMsgUDPAddrPort(o.buf, control, o.to)
	switch {
	case err == nil:
		o.segments = true
		return true
	case errors.Is(err, unix.EMSGSIZE): // the path to this client has a smaller MTU; one by one the kernel fragments
		return false
	case errors.Is(err, unix.EIO), errors.Is(err, unix.EINVAL), errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENOPROTOOPT):
		o.single = !o.segments && len(control) == n // an old kernel, or a device without checksum offload, not a lost address
		return false
	}
	o.door.Bad.With("write").Inc()
	return true
}
