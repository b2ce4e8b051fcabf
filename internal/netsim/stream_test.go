package netsim

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// connected returns both ends of a stream over a link with the impairment. They are closed at the end of the test.
func connected(t *testing.T, imp Impairment) (n *Network, client, server *StreamConn) {
	t.Helper()
	n, a, b := twoHosts(5)
	n.Impair(a, b, imp, imp)
	l, err := a.Listen(":9")
	if err != nil {
		t.Fatal(err)
	}
	c, err := b.Dial(t.Context(), "tcp", "10.0.0.2:9")
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		l.Close()
		c.Close()
		s.Close()
	})
	if s.LocalAddr().String() != "10.0.0.2:9" || s.RemoteAddr().String() != c.LocalAddr().String() {
		t.Errorf("%v to %v", s.LocalAddr(), s.RemoteAddr())
	}
	return n, c.(*StreamConn), s.(*StreamConn)
}

func TestStreamDeliversAllBytesOverImpairedLink(t *testing.T) {
	for name, imp := range map[string]Impairment{
		"good": {}, "slow": {BytesPerSecond: 50000}, "delay": {DelayMS: 80}, "bad": {DelayMS: 50, JitterMS: 80, Loss: 0.2, Duplicate: 0.1, Reorder: 0.2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, c, s := connected(t, imp)
				want := make([]byte, 1<<20)
				rng := rand.NewChaCha8([32]byte{1})
				_, _ = rng.Read(want)
				go func() {
					for b := want; len(b) > 0; {
						size := min(len(b), 1+int(rng.Uint64()%9000))
						if _, err := c.Write(b[:size]); err != nil {
							t.Error(err)
							return
						}
						b = b[size:]
					}
					c.Close()
				}()
				began := time.Now()
				got, err := io.ReadAll(s)
				if err != nil || !bytes.Equal(got, want) {
					t.Fatalf("read %d of %d bytes, %v", len(got), len(want), err)
				}
				took, counts := time.Since(began), n.Counts()
				if name == "slow" && (took < 20*time.Second || took > 22*time.Second) {
					t.Errorf("1 MiB at 50 kB/s took %v", took)
				}
				if (imp.Loss > 0) != (counts.Lost > 0) {
					t.Errorf("counters %+v", counts)
				}
			})
		})
	}
}

func TestStreamWriteBlocksUntilPeerReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, c, s := connected(t, Impairment{DelayMS: 10})
		_ = c.SetWriteDeadline(time.Now().Add(time.Minute))
		n, err := c.Write(make([]byte, 2*streamWindow))
		if n != streamWindow || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("%d bytes, %v", n, err)
		}
		_ = c.SetWriteDeadline(time.Time{})
		go func() { _, _ = io.CopyN(io.Discard, s, 2*streamWindow) }()
		if n, err := c.Write(make([]byte, streamWindow)); n != streamWindow || err != nil {
			t.Errorf("%d bytes, %v", n, err)
		}
	})
}

func TestStreamReadReturnsEOFAfterCloseAndErrorAfterResetOrDeadline(t *testing.T) {
	read := func(c net.Conn) error {
		_, err := c.Read(make([]byte, 100))
		return err
	}
	for name, c := range map[string]struct {
		end  func(c, s *StreamConn)
		want error // expected error of the client's second read
	}{
		"the peer closes":                       {func(_, s *StreamConn) { s.Close() }, io.EOF},
		"the peer closes its direction":         {func(_, s *StreamConn) { _ = s.CloseWrite() }, io.EOF},
		"the peer resets":                       {func(_, s *StreamConn) { _ = s.SetLinger(0); s.Close() }, syscall.ECONNRESET},
		"the peer closes with unread data":      {func(c, s *StreamConn) { _, _ = c.Write([]byte("x")); time.Sleep(time.Second); s.Close() }, syscall.ECONNRESET},
		"data arrives at the peer that closed":  {func(c, s *StreamConn) { s.Close(); _, _ = c.Write([]byte("x")); time.Sleep(time.Second) }, syscall.ECONNRESET},
		"the client closes":                     {func(c, _ *StreamConn) { c.Close() }, net.ErrClosed},
		"the client's deadline is over already": {func(c, _ *StreamConn) { _ = c.SetDeadline(time.Now()) }, os.ErrDeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, client, server := connected(t, Impairment{DelayMS: 20})
				_, _ = server.Write([]byte("hello"))
				if err := read(client); err != nil {
					t.Fatal(err)
				}
				time.AfterFunc(time.Second, func() { c.end(client, server) })
				if c.want == syscall.ECONNRESET {
					time.Sleep(3 * time.Second)
				}
				if err := read(client); !errors.Is(err, c.want) {
					t.Errorf("second read: %v, want %v", err, c.want)
				}
			})
		})
	}
}

// A client that has closed its sending direction still reads the answer.
func TestStreamWithClosedSendingDirectionCanStillBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, c, s := connected(t, Impairment{DelayMS: 20})
		_, _ = c.Write([]byte("question"))
		_ = c.CloseWrite()
		if _, err := c.Write([]byte("more")); !errors.Is(err, net.ErrClosed) {
			t.Errorf("write after CloseWrite: %v", err)
		}
		if got, err := io.ReadAll(s); string(got) != "question" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		_, _ = s.Write([]byte("answer"))
		s.Close()
		if got, err := io.ReadAll(c); string(got) != "answer" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	})
}

func TestStreamDialTakesOneRoundTripAndFailsWithoutListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, a, b := twoHosts(1)
		n.Impair(a, b, Impairment{DelayMS: 100}, Impairment{DelayMS: 200})
		l, err := a.Listen("10.0.0.1:9")
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		c, err := b.Dial(t.Context(), "tcp", l.AddrPort().String())
		if err != nil || time.Since(began) != 300*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		l.Close()
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("read of a connection that was not accepted: %v", err)
		}
		c.Close()
		if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("Accept after Close: %v", err)
		}
		if _, err := b.Dial(t.Context(), "tcp", "10.0.0.1:9"); !errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("dial without a listener: %v", err)
		}
		if _, err := b.Dial(t.Context(), "tcp", "192.0.2.1:9"); !errors.Is(err, syscall.EHOSTUNREACH) {
			t.Errorf("dial without a host: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 150*time.Millisecond)
		defer cancel()
		began = time.Now()
		if _, err := b.Dial(ctx, "tcp", "10.0.0.1:9"); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 150*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}
