package console

import (
	"bufio"
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/admission"
)

// An operator can connect and stay connected while 1,100 silent connections are opened again and again.
func TestOperatorConnectsToConsoleDespiteManySilentConnections(t *testing.T) {
	t.Parallel()
	r := startWith(t, nil, func(r *harness) {
		r.Listener.(*limitedListener).Places = admission.NewPlaces("console", admission.PlaceLimits{Connections: 12, Waiting: 8}, r.Hub.Gate())
		r.http.ReadHeaderTimeout, r.http.ReadTimeout = 2*waitLimit, 2*waitLimit // both timeouts are longer than the test
	})
	stats := r.Listener.(*limitedListener).Places.Stats
	silent := func() {
		before := stats()
		for range 20 {
			c, err := net.Dial("tcp", r.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { c.Close() })
		}
		r.eventually("all have come", func() bool {
			return stats().GaveWay+uint64(stats().Waiting) >= before.GaveWay+uint64(before.Waiting)+20
		})
	}
	silent()
	for range 3 {
		began := time.Now() // a request that had to wait until the timeouts close silent connections would be answered after 2*waitLimit
		if a := r.call(Viewer, "GET", "/session", ""); a.status != 200 || time.Since(began) > waitLimit {
			t.Errorf("status %d after %v", a.status, time.Since(began))
		}
		silent()
	}
	if s := stats(); s.Waiting > 8 || s.Players < 1 || s.Refused > 0 {
		t.Errorf("the statistics are %+v", s)
	}
}

func TestConnectionsBehindProxyHaveNoLimitPerAddress(t *testing.T) {
	t.Parallel()
	if l := placeLimits(1024, true); l.PerAddr != 0 || l.WaitingPerAddr != 0 || l.WaitingPerNetwork != 0 || l.Waiting != 768 {
		t.Errorf("behind a proxy the limits are %+v", l)
	}
	if l := placeLimits(1024, false); l.PerAddr != maxConnsPerAddr || l.WaitingPerAddr != waitingPerAddr || l.Connections != 1024 {
		t.Errorf("without a proxy the limits are %+v", l)
	}
}

func TestLiveMapClientMaySendPongsButIsLimitedInBytes(t *testing.T) {
	t.Parallel()
	c := &limitedConn{}
	now := anyTime
	for range 1000 { // a client that sends one pong a second
		if now = now.Add(time.Second); !c.allowBytes(131, viewerReadPerSecond, now) {
			t.Fatal("a pong exceeded the limit")
		}
	}
	c = &limitedConn{}
	if !c.allowBytes(readBurst*viewerReadPerSecond, viewerReadPerSecond, now) || c.allowBytes(1, viewerReadPerSecond, now) {
		t.Error("a full burst was refused, or more than the burst was allowed")
	}
	c = &limitedConn{}
	c.allowBytes(readBurst*viewerReadPerSecond, viewerReadPerSecond, now)
	if !c.allowBytes(viewerReadPerSecond, viewerReadPerSecond, now.Add(time.Second)) || c.allowBytes(1, viewerReadPerSecond, now.Add(time.Second)) {
		t.Error("one second later another number of bytes than viewerReadPerSecond is allowed")
	}
	c = &limitedConn{}
	c.allowBytes(readBurst*viewerReadPerSecond, viewerReadPerSecond, now)
	if c.allowBytes(1, viewerReadPerSecond, now.Add(-time.Hour)) {
		t.Error("a clock that was set back grants bytes")
	}
}

// The server must answer each ping, so a client that sends thousands of pings is disconnected.
func TestPingFloodClosesLiveMap(t *testing.T) {
	t.Parallel()
	r := startWith(t, nil, func(r *harness) { r.pingInterval = time.Hour }) // no ping timeout ends the connection during the test
	c := r.openUnreadLive("area=0&rate=1")
	r.eventually("the live map is open", func() bool { return r.viewers.Load() == 1 })
	ping := []byte{0x89, 0x80, 0, 0, 0, 0} // a masked ping frame without payload
	flood := strings.Repeat(string(ping), 2*readBurst*viewerReadPerSecond/len(ping))
	c.SetDeadline(time.Now().Add(waitLimit))
	go io.Copy(io.Discard, bufio.NewReader(c))
	io.WriteString(c, flood)
	r.eventually("he is let go", func() bool { return r.viewers.Load() == 0 })
}

// One operator may open at most three quarters of all live maps.
func TestLiveMapsPerOperatorAreLimited(t *testing.T) {
	t.Parallel()
	var s quota[string]
	take := func(who string, most int) bool { return s.acquire(who, most, maxViewersPerOperator(most)) }
	for range 150 {
		if !take("ann", 200) {
			t.Fatal("a request within the limits was refused")
		}
	}
	if take("ann", 200) || !take("bo", 200) {
		t.Error("one operator got more than three quarters")
	}
	s.release("ann")
	s.release("bo")
	if !take("ann", 200) || s.used != 150 || len(s.usedBy) != 1 {
		t.Errorf("%d in use: %v", s.used, s.usedBy)
	}
	for range 50 {
		take("cy", 200)
	}
	if take("bo", 200) {
		t.Error("more than the maximum was granted")
	}
	if s = (quota[string]{}); !take("ann", 1) || take("bo", 1) {
		t.Error("one freed place was granted twice")
	}
}

// A stopping server does not wait for live map clients that do not read.
func TestConsoleStopDoesNotWaitForSlowLiveMaps(t *testing.T) {
	inBubble(t, func(r *harness) { r.pingInterval = time.Hour }, func(t *testing.T, r *harness) {
		const viewers = 20
		for range viewers {
			r.openUnreadLive("area=0&rate=20")
		}
		r.eventually("all live maps are open", func() bool { return r.viewers.Load() == viewers })
		// Queue far more for each client than its socket buffers.
		big := &frameBuffer{b: make([]byte, 16<<20)}
		big.refs.Store(1 << 20)
		for _, c := range r.frames.areas[0].viewers.current() {
			c.mu.Lock()
			for _, v := range c.viewers {
				v.push(nil, nil, big)
			}
			c.mu.Unlock()
		}
		r.settle() // waits until the writes are blocked
		began := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		defer cancel()
		r.Close(ctx)
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("Close took %v", took)
		}
	})
}
