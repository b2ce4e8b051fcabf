package gateway

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/telemetry"
)

// socketBuffer is the size in bytes that a door requests for each kernel buffer of a socket, for receiving and for sending. With
// the default sizes, the buffers overflow when all players of a full area send, or are sent updates, at once.
const socketBuffer = 4 << 20

// readPause is the pause after a failed read of a socket. After the error net.ErrClosed, the reading ends without a pause.
const readPause = time.Millisecond

// maxDatagram is the maximum length in bytes of a datagram of any door. ENet 1.1 has the longest datagrams.
const maxDatagram = 4096

// BindUDP opens the UDP socket of a door. addr is host:port; "" selects all interfaces at the given port. Errors name the address. If
// the socket cannot be opened, they also name the flag that changes the address. The flag has the name of the door: for the door
// "rcce" it is --rcce.
func BindUDP(door, addr string, port int) (*net.UDPConn, error) {
	if addr == "" {
		addr = fmt.Sprintf(":%d", port)
	}
	at, err := net.ResolveUDPAddr("udp", addr)
	if bad, ok := errors.AsType[*net.AddrError](err); ok {
		err = errors.New(bad.Err) // the cause without the address, which is added below
	}
	if err != nil {
		return nil, fmt.Errorf("%s: address %q: %w; give it as host:port, for example 127.0.0.1:%d", door, addr, err, port)
	}
	conn, err := net.ListenUDP("udp", at)
	if err != nil {
		return nil, ListenError(door, addr+"/udp", err)
	}
	return conn, nil
}

// udpConn is a UDP socket of the kernel. On Linux it implements PacketInfoConn and SegmentConn.
type udpConn struct {
	*net.UDPConn
	segmented   atomic.Bool // WriteSegments has succeeded at least once
	unsupported atomic.Bool // the kernel or the network device does not support segmentation
}

// prepareUDP requests larger kernel buffers and, if the socket is bound to all interfaces, packet information. Errors are
// ignored: without these features the socket works, but it may lose more datagrams, or answer from another local address than
// the one to which the client sent.
func prepareUDP(conn *net.UDPConn) *udpConn {
	_ = conn.SetReadBuffer(socketBuffer)
	_ = conn.SetWriteBuffer(socketBuffer)
	enablePacketInfo(conn)
	return &udpConn{UDPConn: conn}
}

// Datagram is one received datagram, which the socket's reader passes to a worker. Its last user must call Release.
type Datagram struct {
	From  netip.AddrPort    // address of the sender; an IPv4 address is not mapped into IPv6
	Local netip.Addr        // local address to which the datagram was sent; not valid if the socket does not report it
	N     int               // length of the payload in Buf, in bytes
	Buf   [maxDatagram]byte // the payload is Buf[:N]
}

// datagrams is a pool of datagrams. It saves the allocation of a buffer of maxDatagram bytes for each received datagram.
var datagrams = sync.Pool{New: func() any { return new(Datagram) }}

// NewDatagram returns a datagram from the pool. Its contents are undefined.
func NewDatagram() *Datagram { return datagrams.Get().(*Datagram) }

// Bytes returns the payload, which is valid until Release.
func (d *Datagram) Bytes() []byte { return d.Buf[:d.N] }

// Release returns the datagram to the pool.
func (d *Datagram) Release() { datagrams.Put(d) }

// readDatagrams reads the socket until it is closed, and counts the traffic. It passes each datagram to the function dispatch,
// which must release the datagram.
func readDatagrams(sock *Socket, door *telemetry.DoorMetrics, dispatch func(*Datagram)) {
	for {
		d := NewDatagram()
		if err := sock.read(d); err != nil {
			d.Release()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			// Usually a read fails because a client has closed its port, which an ICMP message reports. If the socket itself has
			// failed, every read fails at once, and the pause keeps this loop from using a whole core.
			door.Bad.With("read").Inc()
			time.Sleep(readPause)
			continue
		}
		door.PacketsIn.Inc()
		door.BytesIn.Add(d.N)
		dispatch(d)
	}
}

// HashAddr returns the FNV-1a hash of an address and port. Gateways use it to assign clients to workers.
func HashAddr(a netip.AddrPort) uint32 {
	h := uint32(2166136261)
	b := a.Addr().As16()
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	h = (h ^ uint32(a.Port()&0xff)) * 16777619
	return (h ^ uint32(a.Port()>>8)) * 16777619
}

// Drain calls the function receive for the datagram d, and then for up to limit datagrams that wait in the channel in. It
// releases each datagram after the call.
func Drain(d *Datagram, in <-chan *Datagram, limit int, receive func(*Datagram)) {
	for range limit {
		receive(d)
		d.Release()
		select {
		case d = <-in:
		default:
			return
		}
	}
	receive(d)
	d.Release()
}

// Serve runs the workers of a door and passes the datagrams of the door's socket to dispatch. It ends when ctx ends or when a
// worker returns. Workers return when the world stops. It returns the error of a worker. When Serve returns, all workers have
// ended and the socket is closed.
func Serve(ctx context.Context, sock *Socket, door *telemetry.DoorMetrics, dispatch func(*Datagram), workers []func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var running, reading sync.WaitGroup
	failed := make(chan error, len(workers))
	for _, run := range workers {
		running.Go(func() {
			defer cancel() // a worker returns when the world stops, which ends Serve
			if err := run(ctx); err != nil {
				failed <- err
			}
		})
	}
	reading.Go(func() { readDatagrams(sock, door, dispatch) })
	<-ctx.Done()
	running.Wait()
	sock.Close()
	reading.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}
