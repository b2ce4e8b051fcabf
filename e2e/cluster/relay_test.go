//go:build linux

package main

import (
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"
)

// relayed returns the two ends of a connection through a relay: that of the node that dials, and that of the node that accepts.
func relayed(t *testing.T) (r *relay, dialer, acceptor net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	if r, err = newRelay(l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.close)
	if dialer, err = net.Dial("tcp", r.addr()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dialer.Close() })
	if acceptor, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { acceptor.Close() })
	return r, dialer, acceptor
}

func send(t *testing.T, c net.Conn, text string) {
	t.Helper()
	if _, err := c.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
}

func expect(t *testing.T, c net.Conn, text string) {
	t.Helper()
	b := make([]byte, len(text))
	if err := c.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(c, b); err != nil || string(b) != text {
		t.Fatalf("read %q, %v, want %q", b, err, text)
	}
}

// expectSilence fails if bytes, or the end of the connection, arrive within a moment.
func expectSilence(t *testing.T, c net.Conn) {
	t.Helper()
	if err := c.SetReadDeadline(time.Now().Add(30 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if n, err := c.Read(make([]byte, 1)); n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("read %d bytes, %v, want silence", n, err)
	}
}

func TestRelayHoldsOneDirectionUntilMendAndPassesOtherDirection(t *testing.T) {
	r, dialer, acceptor := relayed(t)
	send(t, dialer, "before")
	expect(t, acceptor, "before")
	r.hold(forth)
	send(t, dialer, "held")
	send(t, acceptor, "answer")
	expect(t, dialer, "answer")
	expectSilence(t, acceptor)
	r.mend()
	expect(t, acceptor, "held")
}

func TestRelayClosesConnectionsOfHeldLinkOnlyAfterMend(t *testing.T) {
	r, dialer, acceptor := relayed(t)
	r.hold(forth, back)
	late, err := net.Dial("tcp", r.addr())
	if err != nil {
		t.Fatal(err)
	}
	defer late.Close()
	dialer.Close()
	expectSilence(t, acceptor)
	expectSilence(t, late)
	r.mend()
	for _, c := range []net.Conn{acceptor, late} {
		if err := c.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if n, err := c.Read(make([]byte, 1)); n > 0 || err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("read %d bytes, %v, want the end of the connection", n, err)
		}
	}
}
