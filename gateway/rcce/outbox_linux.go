package rcce

import (
	"encoding/binary"
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/truestep-io/truestep/gateway"
)

// segmentControl is the control message that says how long each datagram of a burst is (udp(7), UDP_SEGMENT).
var segmentControl = func() []byte {
	b := make([]byte, unix.CmsgSpace(2))
	h := (*unix.Cmsghdr)(unsafe.Pointer(&b[0]))
	h.Level, h.Type = unix.IPPROTO_UDP, unix.UDP_SEGMENT
	h.SetLen(unix.CmsgLen(2))
	return b
}()

// sendSegmented sends the burst in one call; false if nothing was sent and the datagrams must go one by one.
func (o *outbox) sendSegmented() bool {
	var room [32 + gateway.ControlRoom]byte
	control := append(room[:0], segmentControl...)
	binary.NativeEndian.PutUint16(control[unix.CmsgLen(0):], uint16(o.size))
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
