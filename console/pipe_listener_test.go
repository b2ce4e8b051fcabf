package console

import (
	"context"
	"net"
	"sync"
	"testing"
	"testing/synctest"
)

// pipeListener is an in-memory listener, so that tests can run in synctest.
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

// dial returns the client end of a connection that Accept returns next.
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

// inBubble runs a test in a synctest bubble, so that no time limit depends on the speed of the machine. before, unless nil, is
// called before anything runs.
func inBubble(t *testing.T, before func(*harness), test func(*testing.T, *harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		if before == nil {
			before = func(*harness) {}
		}
		test(t, startOn(t, newPipeListener(), nil, before))
	})
}
