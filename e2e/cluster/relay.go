//go:build linux

package main

import (
	"io"
	"net"
	"sync"
)

// relay is a TCP relay between two nodes. The test cuts it to simulate a broken network link.
type relay struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	isCut bool
	conns map[net.Conn]bool
}

// newRelay starts a relay that listens at an address of its own and forwards connections to the address target.
func newRelay(target string) (*relay, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &relay{listener: l, to: target, conns: map[net.Conn]bool{}}
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

// pass connects to the relay's target and copies bytes in both directions until one of the two connections ends.
func (r *relay) pass(in net.Conn) {
	defer in.Close()
	if !r.add(in) {
		return
	}
	defer r.remove(in)
	out, err := net.Dial("tcp", r.to)
	if err != nil {
		return
	}
	defer out.Close()
	if !r.add(out) {
		return
	}
	defer r.remove(out)
	go func() {
		_, _ = io.Copy(out, in)
		_, _ = out.Close(), in.Close()
	}()
	_, _ = io.Copy(in, out)
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

func (r *relay) mend() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isCut = false
}

func (r *relay) close() {
	_ = r.listener.Close()
	r.cut()
}
