//go:build linux

package main

import (
	"net"
	"os"
	"sync"
	"time"
)

// delayedConn adds a delay to the datagrams of a connection in both directions.
type delayedConn struct {
	net.Conn
	delay time.Duration
	in    chan delayed // received datagrams in the order of arrival
	next  *delayed     // oldest datagram, already read from the channel above, until its delivery time; nil for none. Only Read uses it.

	mu       sync.Mutex
	deadline time.Time
}

// delayed is an element of the queue of received datagrams: a datagram with the time at which Read delivers it, or the error that
// ended reading.
type delayed struct {
	at   time.Time
	data []byte
	err  error
}

func newDelayedConn(conn net.Conn, delay time.Duration) *delayedConn {
	c := &delayedConn{Conn: conn, delay: delay, in: make(chan delayed, 1024)}
	go func() {
		defer close(c.in)
		for buf := make([]byte, 1<<16); ; {
			n, err := conn.Read(buf)
			c.in <- delayed{time.Now().Add(delay), append([]byte(nil), buf[:n]...), err}
			if err != nil {
				return
			}
		}
	}()
	return c
}

// Read implements net.Conn. Datagrams that arrive while the queue is full wait in the socket. Only one goroutine at a time may
// call Read.
func (c *delayedConn) Read(b []byte) (int, error) {
	c.mu.Lock()
	deadline := c.deadline
	c.mu.Unlock()
	var timeout <-chan time.Time
	if !deadline.IsZero() {
		timeout = time.After(time.Until(deadline))
	}
	if c.next == nil {
		select {
		case d, ok := <-c.in:
			if !ok {
				return 0, net.ErrClosed
			}
			c.next = &d
		case <-timeout:
			return 0, os.ErrDeadlineExceeded
		}
	}
	select {
	case <-time.After(time.Until(c.next.at)):
		d := c.next
		c.next = nil
		return copy(b, d.data), d.err
	case <-timeout:
		return 0, os.ErrDeadlineExceeded
	}
}

// Write implements net.Conn. It sends the datagram after the delay and never blocks.
func (c *delayedConn) Write(b []byte) (int, error) {
	data := append([]byte(nil), b...)
	time.AfterFunc(c.delay, func() { _, _ = c.Conn.Write(data) }) // an error also ends Read
	return len(b), nil
}

// SetReadDeadline implements net.Conn. Calls of Read that begin later return a timeout error at the time t.
func (c *delayedConn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	c.deadline = t
	c.mu.Unlock()
	return nil
}

// SetDeadline implements net.Conn. It sets only the read deadline, because Write never blocks.
func (c *delayedConn) SetDeadline(t time.Time) error { return c.SetReadDeadline(t) }
