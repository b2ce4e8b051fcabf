// Package netsim simulates networks with seeded, repeatable delay, jitter, loss, duplication, reordering and a rate limit.
//
// Network is an in-memory network of hosts with UDP sockets, TCP listeners and connections. It uses package time. In a
// testing/synctest bubble a server and its clients use it in virtual time, minutes in milliseconds:
//
//	synctest.Test(t, func(t *testing.T) {
//		network := netsim.New(1) // the seed of all random numbers
//		server, player := network.Host("10.0.0.1"), network.Host("10.0.1.1")
//		bad := netsim.Impairment{DelayMS: 40, JitterMS: 10, Loss: 0.1}
//		network.Impair(server, player, bad, bad)
//		socket, err := server.ListenPacket(":19132") // Options.Conn of a gateway
//		...
//		c, err := client.Dial(ctx, "10.0.0.1:19132", client.Options{Dial: player.Dial})
//		...
//	})
//
// Path is one direction of a link for datagrams. It has no clock and no goroutine; the caller passes the time in milliseconds:
//
//	up := netsim.NewPath(netsim.Impairment{DelayMS: 40, JitterMS: 10, Loss: 0.1}, 1)
//	up.Send(now, datagram)
//	for d, ok := up.Receive(now); ok; d, ok = up.Receive(now) { ... }
//
// Relay is a UDP relay on loopback with the same impairments in real time, for runs of whole programs.
package netsim

import (
	"bytes"
	"container/heap"
	"math/rand/v2"
)

// Impairment describes one direction of a link. The zero value delivers everything immediately, in order.
type Impairment struct {
	DelayMS   uint32  // delay from Send to Receive in milliseconds
	JitterMS  uint32  // maximum extra delay in milliseconds, uniformly distributed; datagrams may be reordered
	Loss      float64 // probability 0..1 that a datagram is dropped
	Duplicate float64 // probability 0..1 that a datagram arrives twice; the jitter of the copy is drawn separately
	Reorder   float64 // probability 0..1 that a datagram is delayed by ReorderMS
	ReorderMS uint32  // delay of a reordered datagram in milliseconds; 0 means 20

	// ByTime makes the random numbers of a datagram depend on the millisecond in which it is sent, and on how many datagrams were
	// sent before it in that millisecond, but not on the datagrams before. Two runs whose traffic differs by a few datagrams then
	// have equal losses and delays in all other milliseconds.
	ByTime bool

	BytesPerSecond int // rate limit in bytes per second; 0 means unlimited
	QueueMS        int // maximum wait for the rate limit in milliseconds, beyond which a datagram is dropped; 0 means 200
}

// Counts holds numbers of datagrams by what happened to them. Held is the number that Impairment.Reorder has delayed, and
// Overflowed the number that the rate limit has dropped.
type Counts struct{ Sent, Lost, Duplicated, Held, Overflowed, Delivered uint64 }

// Path is one direction of a link. It is not safe for concurrent use.
type Path struct {
	imp    Impairment
	seed   uint64
	pcg    *rand.PCG // source of rng
	rng    *rand.Rand
	keyed  bool     // pcg is seeded for the millisecond in keyAt
	keyAt  uint32   // with Impairment.ByTime: the millisecond for which pcg is seeded
	flight arrivals // datagrams in transit
	next   uint64   // number of the next datagram, which orders datagrams with equal arrival times
	free   uint32   // time in ms at which the rate-limited link has sent all datagrams so far
	busy   bool     // free is valid: the rate limit has admitted a datagram
	part   int      // fraction of a millisecond to add to free, in 1/BytesPerSecond ms
	counts Counts
}

// NewPath returns a path without datagrams. Two paths with equal seeds behave equally if their methods are called equally.
func NewPath(imp Impairment, seed uint64) *Path {
	p := &Path{seed: seed, pcg: rand.NewPCG(seed, pathStream)}
	p.rng = rand.New(p.pcg)
	p.impair(imp)
	return p
}

// pathStream distinguishes the random numbers of paths from those that other code draws with the same seed.
const pathStream = 0x6e657473696d

// impair sets the impairment for datagrams that are sent from now on.
func (p *Path) impair(imp Impairment) { p.imp = imp.filled() }

// filled returns the impairment with the default values of ReorderMS and QueueMS if these are 0.
func (i Impairment) filled() Impairment {
	if i.ReorderMS == 0 {
		i.ReorderMS = 20
	}
	if i.QueueMS == 0 {
		i.QueueMS = 200
	}
	return i
}

// Counts returns the counts so far.
func (p *Path) Counts() Counts { return p.counts }

// Send sends a copy of a datagram at the time now, in milliseconds. The clock may wrap around. The result is false if the datagram is
// dropped, by Loss or by the rate limit.
func (p *Path) Send(now uint32, datagram []byte) bool {
	p.counts.Sent++
	if p.imp.ByTime && (!p.keyed || now != p.keyAt) {
		p.pcg.Seed(p.seed, pathStream+uint64(now)*0x9e3779b97f4a7c15)
		p.keyed, p.keyAt = true, now
	}
	if p.chance(p.imp.Loss) {
		p.counts.Lost++
		return false
	}
	leave, ok := p.leave(now, len(datagram))
	if !ok {
		p.counts.Overflowed++
		return false
	}
	data := bytes.Clone(datagram)
	p.push(leave+p.delay(), data)
	if p.chance(p.imp.Duplicate) {
		p.counts.Duplicated++
		p.push(leave+p.delay(), data)
	}
	return true
}

// Receive returns the next datagram that has arrived by now; ok is false if there is none. The caller must not change the
// bytes, because a duplicate shares them.
func (p *Path) Receive(now uint32) (datagram []byte, ok bool) {
	if len(p.flight) == 0 || int32(now-p.flight[0].at) < 0 {
		return nil, false
	}
	p.counts.Delivered++
	return heap.Pop(&p.flight).(arrival).data, true
}

// NextAt returns the arrival time of the next datagram; ok is false if none is in transit.
func (p *Path) NextAt() (at uint32, ok bool) {
	if len(p.flight) == 0 {
		return 0, false
	}
	return p.flight[0].at, true
}

// leave applies the rate limit to a datagram of size bytes: it returns the time in ms at which the datagram leaves the sender's
// queue. ok is false if the datagram would wait there for longer than QueueMS and is therefore dropped.
func (p *Path) leave(now uint32, size int) (at uint32, ok bool) {
	if p.imp.BytesPerSecond <= 0 {
		return now, true
	}
	if !p.busy || int32(p.free-now) < 0 {
		p.free, p.part, p.busy = now, 0, true
	}
	if int(int32(p.free-now)) > p.imp.QueueMS {
		return 0, false
	}
	p.part += size * 1000
	p.free += uint32(p.part / p.imp.BytesPerSecond)
	p.part %= p.imp.BytesPerSecond
	return p.free, true
}

func (p *Path) delay() uint32 {
	d := p.imp.DelayMS
	if p.imp.JitterMS > 0 {
		d += p.rng.Uint32N(p.imp.JitterMS + 1)
	}
	if p.chance(p.imp.Reorder) {
		p.counts.Held++
		d += p.imp.ReorderMS
	}
	return d
}

// chance returns true with probability c. It draws no random number if c is 0, so that a disabled impairment does not
// change the results of the others.
func (p *Path) chance(c float64) bool { return c > 0 && p.rng.Float64() < c }

func (p *Path) push(at uint32, data []byte) {
	heap.Push(&p.flight, arrival{at: at, order: p.next, data: data})
	p.next++
}

// arrival is one datagram in transit.
type arrival struct {
	at    uint32 // time of arrival in ms
	order uint64 // sequence number of the sent datagram
	data  []byte
}

// arrivals is a heap of datagrams ordered by arrival time, then by order of sending.
type arrivals []arrival

// Len returns the number of datagrams. It implements heap.Interface.
func (a arrivals) Len() int { return len(a) }

// Less reports whether element i arrives before element j. It implements heap.Interface.
func (a arrivals) Less(i, j int) bool {
	if a[i].at != a[j].at {
		return int32(a[i].at-a[j].at) < 0
	}
	return a[i].order < a[j].order
}

// Swap exchanges two elements. It implements heap.Interface.
func (a arrivals) Swap(i, j int) { a[i], a[j] = a[j], a[i] }

// Push appends an element for package heap. It implements heap.Interface.
func (a *arrivals) Push(v any) { *a = append(*a, v.(arrival)) }

// Pop removes the last element and returns it, for package heap. It implements heap.Interface.
func (a *arrivals) Pop() any {
	last := len(*a) - 1
	v := (*a)[last]
	(*a)[last] = arrival{}
	*a = (*a)[:last]
	return v
}
