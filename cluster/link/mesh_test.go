package link

import (
	"encoding/binary"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/internal/netsim"
)

func TestNodesConnectAndExchangeFramesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		var nodes []*node
		for id := range uint64(3) {
			nodes = append(nodes, r.start(id+1, nil))
		}
		a, b, c := nodes[0], nodes[1], nodes[2]
		time.Sleep(2 * time.Second)
		synctest.Wait()
		for _, n := range nodes {
			if got := len(n.take()); got != 2 {
				t.Errorf("node %d has %d links", n.id, got)
			}
		}
		var next [4]uint32 // next[peer] is the number of the next frame; calls for one peer are not concurrent
		c.handle(func(peer uint64, kind byte, body []byte) {
			if i := binary.BigEndian.Uint32(body); i != next[peer] || kind != 16+byte(i%240) || len(body) != size(i) {
				t.Errorf("frame %d of node %d: kind %d, %d bytes, want frame %d", i, peer, kind, len(body), next[peer])
			}
			next[peer]++
		})
		for i := range uint32(1000) {
			for _, n := range []*node{a, b} {
				body := make([]byte, size(i))
				binary.BigEndian.PutUint32(body, i)
				if !n.Send(3, 16+byte(i%240), body) {
					t.Fatalf("frame %d of node %d is not queued", i, n.id)
				}
			}
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if next[1] != 1000 || next[2] != 1000 {
			t.Errorf("received %v frames, want 1000 of each node", next)
		}
		if a.Send(1, 16, nil) || a.Send(9, 16, nil) {
			t.Error("a frame to the node itself or to an unknown one is queued")
		}
		for _, s := range c.Status() {
			if !s.Connected || s.Links != 1 || s.Received < 1000*frameHead || s.Hello.Program != "v1" || s.Problem != "" || s.Queued != 0 {
				t.Errorf("status %+v", s)
			}
		}
	})
}

// size returns the size of the body of frame i in bytes. Most bodies are small; some sizes are near the limits of the writer.
func size(i uint32) int {
	return 4 + int(i%7) + []int{0, smallFrame - 4, smallFrame, writeBuffer, 200 << 10}[i%97%5*(i%50/49)]
}

func TestCloseEndsLinksOnBothNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		b := r.start(2, nil)
		a := r.start(1, nil)
		a.expect(time.Second, "up 2")
		b.expect(0, "up 1")
		a.Close()
		a.Close()
		a.expect(0, "down 2 link closed by this node")
		b.expect(0, "down 1 connection to the peer lost: closed by the peer")
		if a.Send(2, 16, nil) || b.Send(1, 16, nil) {
			t.Error("a frame is queued without a link")
		}
		if s := b.Status()[0]; s.Connected || s.Problem == "" || s.Links != 1 {
			t.Errorf("status %+v", s)
		}
		b.expect(time.Minute)
		a.Start() // after Close
		a.expect(time.Second)
	})
}

func TestMeshThatWasNotStartedCanBeClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		cfg := r.config(1)
		cfg.Handler = new(node)
		m, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		m.Close()
		m, err = New(cfg) // the address is free
		if err != nil {
			t.Fatal(err)
		}
		m.Close()
	})
}

func TestLinkIsRestoredAfterConnectionBreaks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		a, b := r.start(1, nil), r.start(2, nil)
		a.expect(2*time.Second, "up 2")
		b.expect(0, "up 1")
		for range 3 {
			time.Sleep(2 * steady)
			r.cut()
			a.expect(minBackoff, "down 2 connection to the peer lost*", "up 2")
			b.expect(0, "down 1 connection to the peer lost*", "up 1")
			a.Send(2, 20, []byte("after"))
			b.expect(time.Millisecond, "1 20 after")
		}
		if s := a.Status()[0]; s.Links != 4 {
			t.Errorf("%d links, want 4", s.Links)
		}
	})
}

func TestSilentPeerIsDisconnectedAndDialledUntilItAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		a, b := r.start(1, nil), r.start(2, nil)
		a.expect(2*time.Second, "up 2")
		b.expect(0, "up 1")
		cut := netsim.Impairment{DelayMS: 3_600_000}
		r.net.Impair(r.hosts[0], r.hosts[1], cut, cut)
		a.expect(silence - pingEvery)
		a.expect(2*pingEvery, "down 2 link closed because for 600 ms nothing was received, or for 1.5 s nothing could be sent")
		b.expect(0, "down 1 link closed because for 600 ms nothing was received, or for 1.5 s nothing could be sent")
		a.expect(time.Minute)
		r.net.Impair(r.hosts[0], r.hosts[1], netsim.Impairment{}, netsim.Impairment{})
		a.expect(dialTime+maxBackoff, "up 2")
		b.expect(0, "up 1")
		a.loggedTimes(2, "context deadline exceeded")
	})
}

func TestOneWaySilenceEndsLinkOnBothNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		a, b := r.start(1, nil), r.start(2, nil)
		a.expect(2*time.Second, "up 2")
		b.expect(0, "up 1")
		r.net.Impair(r.hosts[0], r.hosts[1], netsim.Impairment{DelayMS: 3_600_000}, netsim.Impairment{})
		b.expect(silence+pingEvery, "down 1 link closed because for 600 ms nothing was received*")
		a.expect(0, "down 2 *")
	})
}

func TestPeerThatDoesNotReadIsDisconnected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		a, b := r.start(1, nil), r.start(2, nil)
		a.expect(2*time.Second, "up 2")
		b.expect(0, "up 1")
		release := make(chan struct{})
		b.handle(func(uint64, byte, []byte) { <-release })
		a.Send(2, 16, nil)
		a.expect(10 * time.Second) // no event: the handler of node 2 only takes long
		for range 20 {
			a.Send(2, 16, make([]byte, 64<<10))
		}
		a.expect(stall+pingEvery, "down 2 link closed because for 600 ms nothing was received, or for 1.5 s nothing could be sent", "up 2")
		b.expect(0) // no event: the handler has not returned
		b.handle(nil)
		close(release)
		b.expect(time.Second, "down 1 *", "up 1")
	})
}

func TestFullQueueRefusesFramesWithoutBlocking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		const limit = 1 << 20
		a, b := r.start(1, func(c *Config) { c.QueueBytes = limit }), r.start(2, nil)
		a.expect(2*time.Second, "up 2")
		b.expect(0, "up 1")
		release := make(chan struct{})
		b.handle(func(uint64, byte, []byte) { <-release })
		a.Send(2, 16, nil)
		synctest.Wait()
		sent := 0
		for a.Send(2, 16, make([]byte, 10_000)) {
			sent++
			if sent%10 == 0 {
				synctest.Wait()
			}
		}
		// More frames may be accepted than fit into the queue: some are in the connection's window and in the buffers of both ends.
		if sent < limit/10_064 || sent > (limit+readBuffer+3*writeBuffer+256<<10)/10_000 {
			t.Errorf("%d frames fit", sent)
		}
		if s := a.Status()[0]; s.Queued > limit || s.Queued < limit-10_064 || s.Unsent != 1 {
			t.Errorf("status %+v", s)
		}
		received := 0
		b.handle(func(uint64, byte, []byte) { received++ })
		close(release)
		a.expect(time.Second)
		if received != sent {
			t.Errorf("received %d frames of %d", received, sent)
		}
		if s := a.Status()[0]; s.Queued != 0 {
			t.Errorf("status %+v", s)
		}
		if !a.Send(2, 16, make([]byte, 2*limit)) || a.Send(2, 16, nil) {
			t.Error("an empty queue must take any frame, a full one none")
		}
	})
}

func TestMessageAboveMaximumSizeIsNotSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		a, _ := r.start(1, nil), r.start(2, nil)
		a.expect(2*time.Second, "up 2")
		if a.Send(2, 16, make([]byte, MaxBody+1)) {
			t.Error("a frame above MaxBody is queued")
		}
	})
}

func TestSendOfReservedMessageKindPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	new(Mesh).Send(1, FirstKind-1, nil)
}

func TestClockOffsetBetweenNodesIsMeasured(t *testing.T) {
	for _, skew := range []time.Duration{0, 400 * time.Millisecond, -400 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t)
			slow := netsim.Impairment{DelayMS: 20, JitterMS: 30}
			r.net.Impair(r.hosts[0], r.hosts[1], slow, slow)
			a := r.start(1, nil)
			b := r.start(2, func(c *Config) { c.Clock = func() time.Time { return time.Now().Add(skew) } })
			a.expect(3*time.Second, "up 2")
			b.expect(0, "up 1")
			time.Sleep(10 * time.Second)
			trip := a.Status()[0].RoundTrip
			if trip < 40*time.Millisecond || trip > 60*time.Millisecond {
				t.Errorf("shortest round trip %v", trip)
			}
			at, bt := a.OffsetMS(2), b.OffsetMS(1)
			if want := skew.Milliseconds(); at < want-10 || at > want+10 || bt < -want-10 || bt > -want+10 {
				t.Errorf("offsets %d and %d, want %d and %d", at, bt, want, -want)
			}
			if a.OffsetMS(3) != 0 || a.OffsetMS(9) != 0 {
				t.Error("a node without a link has an offset")
			}
		})
	}
}

func TestDriftingClockOfPeerIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		began := time.Now()
		a := r.start(1, nil)
		b := r.start(2, func(c *Config) { c.Clock = func() time.Time { return time.Now().Add(time.Since(began) / 50) } })
		a.expect(20*time.Second, "up 2")
		a.expect(20 * time.Second)
		b.expect(0, "up 1")
		a.logged("the clock of another node differs too much from the clock of this node")
		if off := a.OffsetMS(2); off < 650 || off > 810 {
			t.Errorf("offset %d ms after 40 s of 2 %% drift", off)
		}
	})
}

func TestPingsAreSentBeforeQueuedMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		slow := netsim.Impairment{DelayMS: 1, BytesPerSecond: 1 << 20}
		r.net.Impair(r.hosts[0], r.hosts[1], slow, slow)
		var skew atomic.Int64
		a, b := r.start(1, nil), r.start(2, func(c *Config) { c.Clock = func() time.Time { return time.Now().Add(time.Duration(skew.Load())) } })
		a.expect(3*time.Second, "up 2")
		const frames = 20 << 10
		var received atomic.Int64
		b.handle(func(uint64, byte, []byte) { received.Add(1) })
		for range frames {
			a.Send(2, 16, make([]byte, 1<<10))
		}
		time.Sleep(time.Second)
		skew.Store(int64(time.Second)) // the clock jumps while frames wait in the queue
		time.Sleep(17 * time.Second)
		synctest.Wait()
		if s, n := a.Status()[0], received.Load(); n == 0 || n == frames || s.Queued == 0 || s.OffsetMS < 700 || s.OffsetMS > 1300 {
			t.Errorf("%d frames received, status %+v", n, s)
		}
		a.expect(0)
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if n := received.Load(); n != frames {
			t.Errorf("%d frames received", n)
		}
	})
}

func TestLinkIsReestablishedWhenNodeBeginsNewIncarnation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		a, b := r.start(1, nil), r.start(2, nil)
		a.expect(2*time.Second, "up 2")
		b.expect(0, "up 1")
		a.SetIncarnation(5)
		a.expect(time.Second, "down 2 link closed because this node has begun a new incarnation", "up 2")
		b.expect(0, "down 1 connection to the peer lost: closed by the peer", "up 1")
		if got := b.Status()[0].Hello.Incarnation; got != 5 {
			t.Errorf("incarnation %d", got)
		}
		b.SetIncarnation(6)
		a.expect(time.Second, "down 2 connection to the peer lost: closed by the peer", "up 2")
		if got := a.Status()[0].Hello.Incarnation; got != 6 {
			t.Errorf("incarnation %d", got)
		}
	})
}

// Two processes run with the keys of one node, for example because a copy was started by mistake or a stalled process continues.
// The process with the higher incarnation keeps the connection, and both sides log the conflict.
func TestNewerProcessOfNodeReplacesConnectionOfOlderProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		b := r.start(2, nil)
		old := r.start(1, func(c *Config) { c.Incarnation = 3 })
		b.expect(time.Second, "up 1")
		old.expect(0, "up 2")
		younger := r.start(1, func(c *Config) { c.Incarnation, c.ListenAddr = 4, ":8" })
		younger.expect(time.Second, "up 2")
		b.expect(0, "down 1 link replaced by a new connection from the peer", "up 1")
		old.expect(time.Minute, "down 2 connection to the peer lost: closed by the peer")
		younger.expect(0)
		b.expect(0)
		b.loggedTimes(3, "node a is connected with incarnation 4; another process of that node tried to connect with the older incarnation 3")
		old.loggedTimes(3, "a newer process of this node is connected: it has incarnation 4, and this process has 3")
	})
}

func TestListenAddressInUseIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.start(1, nil)
		cfg := r.config(1)
		cfg.Handler = new(node)
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), "address already in use") {
			t.Error(err)
		}
	})
}

func TestInvalidMeshConfigurationIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		for want, change := range map[string]func(*Config){
			`cluster "World"`:                          func(c *Config) { c.Cluster = "World" },
			`the keys are of cluster "world", not "x"`: func(c *Config) { c.Cluster = "x" },
			`the keys are those of node "a", but this is node "b": name the folder of the keys of node "b" with --cluster-keys DIR`: func(c *Config) { c.Self = 2 },
			"node 4 is not in the list":                            func(c *Config) { c.Self = 4 },
			"node 0 is not in the list":                            func(c *Config) { c.Self = 0 },
			`node "c" has ID 3, but its place in the list is 2`:    func(c *Config) { c.Nodes = append(c.Nodes[:1:1], c.Nodes[2]) },
			`node "a" is named twice`:                              func(c *Config) { c.Nodes = append(c.Nodes[:2:2], Node{3, "a", "x:1"}) },
			`address of node "c"`:                                  func(c *Config) { c.Nodes = append(c.Nodes[:2:2], Node{3, "c", "x"}) },
			"Config.Keys is missing":                               func(c *Config) { c.Keys = nil },
			"Config.Handler is missing":                            func(c *Config) { c.Handler = nil },
			"formats of the program: the text has 200 bytes":       func(c *Config) { c.Formats = strings.Repeat("x", 200) },
			"version of the program: the text has 201 bytes":       func(c *Config) { c.Program = strings.Repeat("x", 201) },
			"version of the rules of the game: the text has 202 b": func(c *Config) { c.Game = strings.Repeat("x", 202) },
			"ID of the database: the text has 203 bytes":           func(c *Config) { c.Database = strings.Repeat("x", 203) },
			"the list has 0 nodes, but a cluster must have 1..16":  func(c *Config) { c.Nodes = nil },
		} {
			cfg := r.config(1)
			cfg.Handler = new(node)
			change(&cfg)
			if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		}
	})
}

func TestNumberOfUnfinishedHandshakesIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		b := r.start(2, nil)
		closed := 0
		var conns []net.Conn
		for range maxHandshakes + 10 {
			c, err := r.hosts[2].Dial(t.Context(), "tcp", "10.0.0.2:7")
			if err != nil {
				t.Fatal(err)
			}
			conns = append(conns, c)
		}
		synctest.Wait()
		for _, c := range conns {
			_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
			if _, err := c.Read(make([]byte, 1)); err != nil && !strings.Contains(err.Error(), "timeout") {
				closed++
			}
		}
		if closed != 10 {
			t.Errorf("%d connections beyond the limit of %d are closed, want 10", closed, maxHandshakes)
		}
		a := r.start(1, nil) // node 1 is served although strangers occupy all handshakes
		a.expect(100*time.Millisecond, "up 2")
		time.Sleep(handshakeTime)
		for _, c := range conns {
			_ = c.SetReadDeadline(time.Now().Add(time.Millisecond))
			if _, err := c.Read(make([]byte, 1)); err == nil || strings.Contains(err.Error(), "timeout") {
				t.Fatalf("a silent connection is open after %v: %v", handshakeTime, err)
			}
			c.Close()
		}
		b.expect(0, "up 1")
	})
}
