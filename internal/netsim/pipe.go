package netsim

import (
	"context"
	"net"
	"net/netip"
	"sync"
)

// PipeListener is a net.Listener whose connections are pipes (net.Pipe), without delay and without buffer. It can be used in a
// synctest bubble: a goroutine that waits for the other end of a pipe does not stop the virtual time.
type PipeListener struct {
	addr   netip.AddrPort
	accept chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// ListenPipe returns a listener with the given address. A test in virtual time must call it inside the synctest bubble.
func ListenPipe(addr string) *PipeListener {
	return &PipeListener{addr: netip.MustParseAddrPort(addr), accept: make(chan net.Conn), closed: make(chan struct{})}
}

// Accept waits for a call of Dial and returns the server's end of the connection.
func (p *PipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-p.accept:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close makes Accept and Dial return net.ErrClosed. Open connections stay open.
func (p *PipeListener) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr returns the address that ListenPipe was given.
func (p *PipeListener) Addr() net.Addr { return net.TCPAddrFromAddrPort(p.addr) }

// Dial waits until a connection is accepted and returns the client's end of it. The server sees clientAddr as the client's
// address.
func (p *PipeListener) Dial(ctx context.Context, clientAddr netip.AddrPort) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.accept <- &serverEnd{server, net.TCPAddrFromAddrPort(clientAddr)}:
		return client, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// serverEnd is the server's end of a pipe.
type serverEnd struct {
	net.Conn
	from net.Addr
}

// RemoteAddr returns the address of the client.
func (e *serverEnd) RemoteAddr() net.Addr { return e.from }
