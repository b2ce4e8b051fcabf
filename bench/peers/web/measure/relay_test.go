//go:build linux

package main

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/internal/netsim"
)

// arrivals is an interface that records the packets that are written to it, and when.
type arrivals struct {
	start time.Time
	at    []time.Duration
	first []byte // first byte of each received packet
}

// Write implements io.Writer.
func (a *arrivals) Write(p []byte) (int, error) {
	a.at, a.first = append(a.at, time.Since(a.start)), append(a.first, p[0])
	return len(p), nil
}

// burst is the number of packets that are sent at a time.
const burst = 10

// send writes n packets to an impaired relay, a burst every 5 ms, and returns what arrives. The k-th packet begins with the byte k.
func send(t *testing.T, n int, imp netsim.Impairment) *arrivals {
	out := &arrivals{start: time.Now()}
	from, in := io.Pipe()
	ended := make(chan error)
	go func() { ended <- forward(context.Background(), from, out, imp, 1) }()
	for k := range n {
		if _, err := in.Write([]byte{byte(k), 1, 2, 3}); err != nil {
			t.Fatal(err)
		}
		if k%burst == burst-1 {
			time.Sleep(5 * time.Millisecond)
		}
	}
	time.Sleep(time.Second)
	in.Close()
	if err := <-ended; !errors.Is(err, io.EOF) {
		t.Errorf("forward ended with %v, want EOF", err)
	}
	return out
}

func TestRelayDelaysPacketsAndPreservesOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		out := send(t, 200, netsim.Impairment{DelayMS: 50})
		if len(out.at) != 200 {
			t.Fatalf("%d packets arrived, want 200", len(out.at))
		}
		for k, at := range out.at {
			if want := time.Duration(k/burst*5+50) * time.Millisecond; at != want || out.first[k] != byte(k) {
				t.Fatalf("packet %d arrived %v after the start as number %d, want %v", out.first[k], at, k, want)
			}
		}
	})
}

func TestRelayDropsConfiguredShareOfPackets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		if n := len(send(t, 4000, netsim.Impairment{Loss: 0.05}).at); n < 3750 || n > 3850 {
			t.Errorf("%d of 4000 packets arrived, want 95 %%", n)
		}
	})
}
