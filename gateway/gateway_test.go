package gateway

import (
	"context"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/truestep-io/truestep/telemetry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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
		if c, err := BindUDP("rcce", addr, 25000); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", addr, c, err)
		}
	}
}

func TestDatagramsAreReadUntilTheSocketCloses(t *testing.T) {
	conn, err := BindUDP("rcce", "127.0.0.1:0", 25000)
	if err != nil {
		t.Fatal(err)
	}
	sock := NewSocket(conn)
	door := telemetry.New().Door("rcce")
	got := make(chan string, 1)
	done := make(chan error, 1)
	go func() {
		done <- readDatagrams(sock, door, func(d *Datagram) {
			got <- string(d.Bytes())
			d.Release()
		})
	}()
	if _, err := conn.WriteToUDPAddrPort([]byte("hello"), conn.LocalAddr().(interface{ AddrPort() netip.AddrPort }).AddrPort()); err != nil {
		t.Fatal(err)
	}
	if s := <-got; s != "hello" || door.BytesIn.Load() != 5 {
		t.Errorf("%q, %d bytes counted", s, door.BytesIn.Load())
	}
	sock.Close()
	if err := <-done; err == nil {
		t.Error("the reader returned no error")
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
