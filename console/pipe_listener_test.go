package console

import (
	"context"
	"net"
	"sync"
	"testing"
	"testing/synctest"
)

// pipeListener is a listener without a network: what goes over it takes no time, whatever the machine is busy with.
type pipeListener struct {
	dialed chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{dialed: make(chan net.Conn), closed: make(chan struct{})}
}

func (p *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-p.dialed:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipeListener) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080} }

// dial connects to whoever accepts.
func (p *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.dialed <- there:
		return here, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// inBubble runs a test whose rig has a time of its own, which passes only while every goroutine waits for it: whatever has a
// time limit has it in ticks of the world, and none is overdue because the machine is. before may be nil.
func inBubble(t *testing.T, before func(*harness), test func(*testing.T, *harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		if before == nil {
			before = func(*harness) {}
		}
		test(t, startOn(t, newPipeListener(), nil, before))
	})
}
