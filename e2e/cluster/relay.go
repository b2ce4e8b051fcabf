//go:build linux

package main

import (
	"net"
	"sync"
)

// relay is a TCP relay between two nodes, with which the test breaks the network link between them. The method cut ends the
// connections, so both nodes learn of it at once. The method hold leaves them open and passes nothing on, like a firewall that drops
// packets or a machine without power. Then the nodes must notice the silence.
type relay struct {
	listener net.Listener
	to       string

	mu     sync.Mutex
	opened *sync.Cond // condition variable of mu; signalled when held changes
	isCut  bool
	held   [2]bool // by direction: bytes wait in the relay instead of being passed on
	conns  map[net.Conn]bool
}

// direction is a direction in which a relay passes bytes.
type direction int

const (
	forth direction = iota // bytes from the node that dials to the node that accepts
	back                   // bytes from the node that accepts to the node that dials
)

// newRelay starts a relay that listens at an address of its own and forwards connections to the address target.
func newRelay(target string) (*relay, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &relay{listener: l, to: target, conns: map[net.Conn]bool{}}
	r.opened = sync.NewCond(&r.mu)
	go r.accept()
	return r, nil
}

func (r *relay) addr() string { return r.listener.Addr().String() }

func (r *relay) accept() {
	for {
		c, err := r.listener.Accept()
		if err != nil {
			return
		}
		go r.pass(c)
	}
}

// pass connects to the relay's target and passes bytes in both directions until one of the two connections ends. While a direction is
// held, a new connection gets no answer, and it is closed afterwards, because no connection could be made over such a link.
func (r *relay) pass(in net.Conn) {
	defer in.Close()
	if !r.add(in) {
		return
	}
	defer r.remove(in)
	if r.await(forth) || r.await(back) {
		return
	}
	out, err := net.Dial("tcp", r.to)
	if err != nil {
		return
	}
	defer out.Close()
	if !r.add(out) {
		return
	}
	defer r.remove(out)
	go r.forward(out, in, forth)
	r.forward(in, out, back)
}

// forward passes bytes from one connection to another until one of them ends, and then closes both. While the direction is held, it
// passes neither bytes nor the end of the connection.
func (r *relay) forward(to, from net.Conn, d direction) {
	defer from.Close()
	defer to.Close()
	b := make([]byte, 64<<10)
	for {
		n, err := from.Read(b)
		r.await(d)
		if _, failed := to.Write(b[:n]); err != nil || failed != nil {
			return
		}
	}
}

// await returns when the bytes of a direction may pass (see hold), and reports whether it had to wait for that.
func (r *relay) await(d direction) (waited bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for ; r.held[d]; waited = true {
		r.opened.Wait()
	}
	return waited
}

// add registers a connection. It returns false while the link is cut.
func (r *relay) add(c net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.isCut {
		r.conns[c] = true
	}
	return !r.isCut
}

func (r *relay) remove(c net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.conns, c)
}

// cut ends all connections and refuses new ones until mend.
func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isCut = true
	for c := range r.conns {
		_ = c.Close()
	}
}

// hold makes the bytes of the given directions wait in the relay until mend, together with the ends of connections.
func (r *relay) hold(list ...direction) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range list {
		r.held[d] = true
	}
}

// mend ends cut and hold: held bytes pass, then later ones, and new connections are accepted.
func (r *relay) mend() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isCut, r.held = false, [2]bool{}
	r.opened.Broadcast()
}

func (r *relay) close() {
	_ = r.listener.Close()
	r.mend()
	r.cut()
}
