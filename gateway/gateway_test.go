package gateway

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/internal/leaktest"
	"github.com/truestep-io/truestep/internal/logbuf"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/telemetry"
)

func TestMain(m *testing.M) { leaktest.VerifyTestMain(m) }

var quiet = slog.New(slog.DiscardHandler)

func TestBlockingCallRunsOutsideWorkerAndItsResultIsAppliedInWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := NewBlockingCalls(2, quiet)
		defer calls.Open(t.Context())()
		ran := 0
		slow := func(context.Context) func() {
			time.Sleep(time.Second)
			return func() { ran++ }
		}
		for _, room := range []bool{true, true, false} {
			if calls.Start(slow) != room {
				t.Fatal("more or fewer than two calls run at a time")
			}
		}
		(<-calls.Results)()
		(<-calls.Results)()
		synctest.Wait()
		if ran != 2 || !calls.Start(slow) {
			t.Errorf("%d results ran, want 2, or no further call is allowed", ran)
		}
		(<-calls.Results)()
		for range 3 {
			calls.Post(func() { ran += 10 })
		}
		<-calls.wake
		calls.runPosted()
		if ran != 33 || len(calls.wake) > 0 {
			t.Errorf("%d results and posted functions ran, want 3 and 3", ran)
		}
	})
}

func TestBlockingCallsAreCancelledWhenTheirWorkerEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := NewBlockingCalls(1, quiet)
		end := calls.Open(t.Context())
		calls.Start(func(ctx context.Context) func() {
			<-ctx.Done()
			return func() { t.Error("the worker has ended and got a result") }
		})
		for range 3 {
			calls.Post(func() {})
		}
		end() // synctest fails if a goroutine is still running
	})
}

func TestPanicInBlockingCallPanicsInItsWorker(t *testing.T) {
	calls := NewBlockingCalls(1, quiet)
	defer calls.Open(t.Context())()
	calls.Start(func(context.Context) func() { panic("boom") })
	err := Guard("rcce", quiet, func() { (<-calls.Results)() })
	if err == nil || err.Error() != "rcce: the door stopped because its code panicked: boom" {
		t.Errorf("got %v", err)
	}
	if err := Guard("rcce", quiet, func() {}); err != nil {
		t.Error(err)
	}
}

func TestErrorOfDoorSocketMentionsFlagOrAddressFormat(t *testing.T) {
	conn, err := BindUDP("rcce", "127.0.0.1:0", 25000)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for addr, want := range map[string]string{
		conn.LocalAddr().String(): "choose another address with --rcce HOST:PORT",
		"127.0.0.1":               `rcce: address "127.0.0.1": missing port in address; give it as host:port, for example 127.0.0.1:25000`,
		"127.0.0.1:99999":         "give it as host:port",
	} {
		if c, err := (SocketOpener{}).BindUDP("rcce", addr, 25000); c != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", addr, c, err)
		}
	}
}

// A door ends with its context, or with the first of its workers. In each case the other workers end too, the socket is closed, and
// the errors of single reads before it have ended nothing.
func TestServeEndsWithContextOrFirstWorkerAndClosesSocket(t *testing.T) {
	failure := errors.New("worker failed")
	for name, want := range map[string]error{"context ends": nil, "world stops": nil, "worker fails": failure} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conn, err := netsim.New(1).Host("192.0.2.1").ListenPacket(":25000")
				if err != nil {
					t.Fatal(err)
				}
				door, got, failed, ended := telemetry.New().Door("rcce"), "", make(chan error), make(chan error, 1)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				other := false
				workers := []func(context.Context) error{
					func(ctx context.Context) error { <-ctx.Done(); other = true; return nil },
					func(ctx context.Context) error {
						select {
						case err := <-failed:
							return err
						case <-ctx.Done():
							return nil
						}
					},
				}
				receive := func(d *Datagram) { got += string(d.Bytes()); d.Release() }
				go func() { ended <- Serve(ctx, NewSocket(conn), door, receive, workers) }()
				_ = conn.SetReadDeadline(time.Now()) // each read fails until the deadline is removed
				time.Sleep(10*readPause - readPause/2)
				_ = conn.SetReadDeadline(time.Time{})
				time.Sleep(readPause)
				if _, err := conn.WriteToUDPAddrPort([]byte("hello"), conn.AddrPort()); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Second)
				synctest.Wait()
				if n := door.Bad.With("read").Load(); n != 10 || got != "hello" || door.PacketsIn.Load() != 1 || door.BytesIn.Load() != 5 {
					t.Errorf("%d failed reads are counted, want 10; then received %q, %d bytes counted", n, got, door.BytesIn.Load())
				}
				if name == "context ends" {
					cancel()
				} else {
					failed <- want
				}
				if err := <-ended; err != want || !other {
					t.Errorf("ended with %v, want %v; the other worker has ended: %v", err, want, other)
				}
				if _, err := conn.WriteToUDPAddrPort([]byte("x"), conn.AddrPort()); !errors.Is(err, net.ErrClosed) {
					t.Errorf("write to the socket afterwards: %v", err)
				}
			})
		})
	}
}

func TestPanicWhileServingOneClientIsCountedAndLoggedWithStack(t *testing.T) {
	door, lines := telemetry.New().Door("rs"), logbuf.Buffer{}
	func() {
		defer RecoverPanic(door, slog.New(slog.NewTextHandler(&lines, nil)))
		panic("boom")
	}()
	if n := door.Bad.With("panic").Load(); n != 1 || !strings.Contains(lines.String(), "panic=boom") || !strings.Contains(lines.String(), "gateway_test.go") {
		t.Errorf("%d panics counted, logged: %s", n, lines.String())
	}
}

func TestHashAddrDistributesAddressesEvenly(t *testing.T) {
	var count [4]int
	for port := range uint16(4000) {
		count[HashAddr(netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(port % 7)}), port))%4]++
	}
	for _, n := range count {
		if n < 800 || n > 1200 {
			t.Errorf("4000 addresses over 4 workers: %v", count)
			break
		}
	}
}
