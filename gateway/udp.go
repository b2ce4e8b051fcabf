package gateway

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/truestep-io/truestep/telemetry"
)

// socketBuffer is asked of the kernel, both ways: small ones lose the bursts of a full area.
const socketBuffer = 4 << 20 // bytes

// readPause is how long the reader rests after an error that is not the end.
const readPause = time.Millisecond

// maxDatagram is the largest that any door takes: the most of ENet 1.1.
const maxDatagram = 4096 // bytes

// BindUDP opens the socket of a door. addr is host:port; "" is all interfaces at the door's own port. Errors name the
// address and the door's flag, --NAME, to choose another with.
func BindUDP(door, addr string, port int) (*net.UDPConn, error) {
	if addr == "" {
		addr = fmt.Sprintf(":%d", port)
	}
	at, err := net.ResolveUDPAddr("udp", addr)
	if bad, ok := errors.AsType[*net.AddrError](err); ok {
		err = errors.New(bad.Err) // without the address once more
	}
	if err != nil {
		return nil, fmt.Errorf("%s: address %q: %w; give it as host:port, for example 127.0.0.1:%d", door, addr, err, port)
	}
	conn, err := net.ListenUDP("udp", at)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot listen on %s/udp: %w; another program may have the port: choose one with --%s HOST:PORT, or 0 as port for any", door, addr, err, door)
	}
	return conn, nil
}

// Prepare asks the kernel for room in the socket and, of one of all interfaces, to tell where datagrams come in. Where the
// system allows less, less it is.
func Prepare(conn *net.UDPConn) {
	_ = conn.SetReadBuffer(socketBuffer)
	_ = conn.SetWriteBuffer(socketBuffer)
	tellHomes(conn)
}

// Datagram is one read of a socket, on its way to a worker. Whoever has it last gives it back with Release.
type Datagram struct {
	From netip.AddrPort
	To   netip.Addr // of this machine, where it came in, if the socket is of all interfaces and the system tells
	N    int        // bytes of Buf that came
	Buf  [maxDatagram]byte
}

var datagrams = sync.Pool{New: func() any { return new(Datagram) }}

// NewDatagram is one from the pool, with whatever was in it.
func NewDatagram() *Datagram { return datagrams.Get().(*Datagram) }

// Bytes is what came, until Release.
func (d *Datagram) Bytes() []byte { return d.Buf[:d.N] }

// Release gives the datagram back to the pool.
func (d *Datagram) Release() { datagrams.Put(d) }

// ReadUDP reads the socket until it is closed, counts what comes, and gives each datagram to deal, which owns it then. The
// error wraps net.ErrClosed.
func ReadUDP(conn *net.UDPConn, door *telemetry.Door, deal func(*Datagram)) error {
	for {
		d := NewDatagram()
		if err := readDatagram(conn, d); err != nil {
			d.Release()
			if errors.Is(err, net.ErrClosed) {
				return err
			}
			// An ICMP error of some client's port, and the socket is fine; or it is not, and must not cost a core.
			door.Bad.With("read").Inc()
			time.Sleep(readPause)
			continue
		}
		door.PacketsIn.Inc()
		door.BytesIn.Add(d.N)
		deal(d)
	}
}

// Spread is a number for an address by which workers share the world out (FNV-1a).
func Spread(a netip.AddrPort) uint32 {
	h := uint32(2166136261)
	b := a.Addr().As16()
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	h = (h ^ uint32(a.Port()&0xff)) * 16777619
	return (h ^ uint32(a.Port()>>8)) * 16777619
}

// Drain hands over a datagram and those that wait behind it, at most more of them, and gives each back to the pool.
func Drain(d *Datagram, in <-chan *Datagram, more int, take func(*Datagram)) {
	for range more {
		take(d)
		d.Release()
		select {
		case d = <-in:
		default:
			return
		}
	}
	take(d)
	d.Release()
}

// Serve runs the workers of a door and reads its socket for them. It ends with ctx, when a worker ends, as it does when
// the world stops, or, with its error, when one breaks; the workers have said good-bye then and the socket is closed. name
// is the door's, for errors.
func Serve(ctx context.Context, name string, conn *net.UDPConn, door *telemetry.Door, deal func(*Datagram), workers []func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all sync.WaitGroup
	broken := make(chan error, len(workers))
	for _, run := range workers {
		all.Go(func() {
			defer cancel() // a worker ends when the world does
			if err := run(ctx); err != nil {
				broken <- err
			}
		})
	}
	read := make(chan error, 1)
	go func() { read <- ReadUDP(conn, door, deal) }()
	<-ctx.Done()
	all.Wait()
	conn.Close()
	if err := <-read; !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("%s: read: %w", name, err)
	}
	select {
	case err := <-broken:
		return err
	default:
		return nil
	}
}
