package netsim

import (
	"container/heap"
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxDatagram = 64 << 10         // maximum size of a UDP datagram in bytes
	flowIdle    = 60 * time.Second // time without a datagram after which a client's flow is removed
	inboxSize   = 4096             // maximum number of datagrams queued for the loop; further ones are dropped, as by a full router queue
	readBuffer  = 4 << 20          // size in bytes of the receive buffer of the socket to which all clients send; the system may limit it
)

// Relay is a UDP relay between clients and a target. It impairs both directions. Clients send to Addr. Each client has an
// upstream socket of its own, so the target sees one port per client. One goroutine owns all state; each socket has one reading
// goroutine.
type Relay struct {
	front  *net.UDPConn // socket to which clients send
	target netip.AddrPort
	up     Impairment // impairment of datagrams from clients to the target
	down   Impairment // impairment of datagrams from the target to clients
	seed   uint64
	start  time.Time // origin of the paths' clock

	inbox  chan received
	rebind chan struct{}
	flows  map[netip.AddrPort]*flow // by client address
	opened uint64                   // number of flows opened so far, from which the seed of the next flow is derived
	due    wakes                    // times at which paths have datagrams to deliver
	swept  time.Time                // time at which idle flows were last removed
	cancel context.CancelFunc
	ctx    context.Context
	group  sync.WaitGroup
	lost   atomic.Uint64 // number of dropped datagrams
}

// flow holds the upstream socket and the impaired paths of one client of the relay.
type flow struct {
	client   netip.AddrPort
	back     *net.UDPConn // upstream socket, which exchanges datagrams with the target
	up, down *Path
	heard    time.Time // time at which the client sent its last datagram
}

// wake is a time at which a datagram on a path is due, so that Relay.loop must look at the path.
type wake struct {
	at   uint32
	flow *flow
	path *Path
}

// wakes is a heap of wake times, the earliest first.
type wakes []wake

// Len returns the number of wake times. It implements heap.Interface.
func (w wakes) Len() int { return len(w) }

// Less reports whether element i is earlier than element j. The clock may wrap around. It implements heap.Interface.
func (w wakes) Less(i, j int) bool { return int32(w[i].at-w[j].at) < 0 }

// Swap exchanges two elements. It implements heap.Interface.
func (w wakes) Swap(i, j int) { w[i], w[j] = w[j], w[i] }

// Push appends an element for package heap. It implements heap.Interface.
func (w *wakes) Push(v any) { *w = append(*w, v.(wake)) }

// Pop removes the last element and returns it, for package heap. It implements heap.Interface.
func (w *wakes) Pop() any {
	last := len(*w) - 1
	v := (*w)[last]
	(*w)[last] = wake{}
	*w = (*w)[:last]
	return v
}

// received is a datagram that a reading goroutine of a Relay passes to Relay.loop.
type received struct {
	client netip.AddrPort
	down   bool // true: the datagram comes from the target; false: from the client
	data   []byte
}

// NewRelay starts a relay on a free port of 127.0.0.1. The parameter up impairs the datagrams from clients to the target, and
// down impairs those in the other direction. The random numbers of the n-th client depend on seed and n. The relay ends when ctx
// ends or Close is called. NewRelay returns an error if it cannot open the socket.
func NewRelay(ctx context.Context, target netip.AddrPort, up, down Impairment, seed uint64) (*Relay, error) {
	front, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, err
	}
	r := &Relay{
		front: front, target: target, up: up, down: down, seed: seed, start: time.Now(),
		inbox: make(chan received, inboxSize), rebind: make(chan struct{}), flows: map[netip.AddrPort]*flow{},
	}
	_ = front.SetReadBuffer(readBuffer) // the system's default is full after 0.2 s in which a busy machine does not run the relay
	r.ctx, r.cancel = context.WithCancel(ctx)
	r.group.Go(r.loop)
	r.group.Go(func() { r.read(front, netip.AddrPort{}) })
	return r, nil
}

// Addr returns the address to which clients send.
func (r *Relay) Addr() netip.AddrPort { return r.front.LocalAddr().(*net.UDPAddr).AddrPort() }

// Lost returns the number of datagrams that the relay has dropped so far, in both directions. It may be called from any
// goroutine.
func (r *Relay) Lost() uint64 { return r.lost.Load() }

// Close ends the relay and waits for its goroutines.
func (r *Relay) Close() {
	r.cancel()
	r.group.Wait()
}

// Rebind replaces the upstream socket of every client, so the target sees all clients at new ports, as after a restart of a NAT
// router.
func (r *Relay) Rebind() {
	select {
	case r.rebind <- struct{}{}:
	case <-r.ctx.Done():
	}
}

// loop is the goroutine that owns the state of all clients. It delivers the datagrams that are due, and passes received datagrams
// to the impaired paths.
func (r *Relay) loop() {
	defer r.closeAll()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		timer.Reset(r.deliver())
		select {
		case <-r.ctx.Done():
			return
		case in := <-r.inbox:
			r.forward(in)
		case <-r.rebind:
			for _, f := range r.flows {
				back := r.dial(f.client) // opened before the old socket is closed, so that the port differs
				f.back.Close()
				if back != nil { // else the flow has only its closed socket, and its writes fail until the flow is removed
					f.back = back
				}
			}
		case <-timer.C:
		}
	}
}

func (r *Relay) now() uint32 { return uint32(time.Since(r.start).Milliseconds()) }

// forward passes a received datagram to the impaired path toward its destination.
func (r *Relay) forward(in received) {
	f := r.flows[in.client]
	if f == nil {
		if in.down {
			return
		}
		if f = r.open(in.client); f == nil {
			return
		}
	}
	path := f.down
	if !in.down {
		f.heard = time.Now()
		path = f.up
	}
	before := path.Counts().Lost
	path.Send(r.now(), in.data)
	r.lost.Add(path.Counts().Lost - before)
	r.wakeFor(f, path)
}

// wakeFor makes Relay.loop look at the path of the flow f when the next datagram on this path is due.
func (r *Relay) wakeFor(f *flow, path *Path) {
	if at, ok := path.NextAt(); ok {
		heap.Push(&r.due, wake{at: at, flow: f, path: path})
	}
}

func (r *Relay) open(client netip.AddrPort) *flow {
	back := r.dial(client)
	if back == nil {
		return nil
	}
	n := r.seed + r.opened<<32
	r.opened++
	f := &flow{client: client, back: back, up: NewPath(r.up, n), down: NewPath(r.down, ^n)}
	r.flows[client] = f
	return f
}

// dial opens an upstream socket and starts its reader. It returns nil if the system cannot open another socket.
func (r *Relay) dial(client netip.AddrPort) *net.UDPConn {
	back, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(r.target))
	if err != nil {
		return nil
	}
	r.group.Go(func() { r.read(back, client) })
	return back
}

// deliver sends the datagrams whose arrival time has come and returns the time until the next one is due.
func (r *Relay) deliver() time.Duration {
	now := r.now()
	for len(r.due) > 0 && int32(now-r.due[0].at) >= 0 {
		w := heap.Pop(&r.due).(wake)
		f := w.flow
		for d, ok := w.path.Receive(now); ok; d, ok = w.path.Receive(now) {
			if w.path == f.up {
				f.back.Write(d) // after an error the datagram is lost, as in a network
			} else {
				r.front.WriteToUDPAddrPort(d, f.client)
			}
		}
		r.wakeFor(f, w.path)
	}
	r.sweep()
	if len(r.due) == 0 {
		return time.Second
	}
	return time.Duration(int32(r.due[0].at-now)) * time.Millisecond
}

// sweep removes the state of clients that have sent nothing for some time. It looks for them at most once a second.
func (r *Relay) sweep() {
	if time.Since(r.swept) < time.Second {
		return
	}
	r.swept = time.Now()
	for client, f := range r.flows {
		if time.Since(f.heard) > flowIdle {
			f.back.Close()
			delete(r.flows, client)
		}
	}
}

func (r *Relay) closeAll() {
	r.cancel()
	r.front.Close()
	for _, f := range r.flows {
		f.back.Close()
	}
}

// read passes received datagrams to the loop until the socket is closed. The parameter client is the client to which an upstream
// socket belongs. It is the zero AddrPort for the socket to which all clients send.
func (r *Relay) read(conn *net.UDPConn, client netip.AddrPort) {
	down := client.IsValid()
	buf := make([]byte, maxDatagram)
	for {
		n, from, err := conn.ReadFromUDPAddrPort(buf)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue // ECONNREFUSED: the target does not listen, so clients get no answer
		}
		in := received{client: client, down: down, data: append([]byte(nil), buf[:n]...)}
		if !down {
			in.client = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
		}
		select {
		case r.inbox <- in:
		default:
		}
	}
}
