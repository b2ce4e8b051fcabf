package admission

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func addr(s string) netip.Addr { return netip.MustParseAddr(s) }

// address returns IPv4 address number n of a botnet whose addresses are all in different /24 networks.
func address(n int) netip.Addr {
	return netip.AddrFrom4([4]byte{10, byte(n >> 8), byte(n), 1})
}

func TestAddressesOfOneIPv4Slash24OrIPv6Slash48FormOneNetwork(t *testing.T) {
	for a, want := range map[string]string{
		"192.0.2.7": "192.0.2.0/24", "::ffff:192.0.2.7": "192.0.2.0/24", "2001:db8:1:2:3::1": "2001:db8:1::/48", "127.0.0.9": "127.0.0.0/24",
	} {
		if got := NetworkOf(addr(a)); got.String() != want {
			t.Errorf("network of %s is %s, want %s", a, got, want)
		}
	}
	if got := NetworkOf(netip.Addr{}); got.IsValid() {
		t.Errorf("network of no address is %s", got)
	}
}

// door is a Places with named connections, for tests.
type door struct {
	*Places
	left []string // names of the displaced connections, in order
}

func newDoor(l PlaceLimits) *door { return &door{Places: NewPlaces("rs", l, NewGate(nil))} }

func (d *door) enter(name, from string) *Place {
	p, _ := d.Enter(addr(from), func() { d.left = append(d.left, name) })
	return p
}

func TestNewConnectionAtLimitDisplacesOldestConnectionThatIsNotLoggedIn(t *testing.T) {
	for _, c := range []struct {
		desc   string
		limits PlaceLimits
		script string // steps: name@address connects, name: selects an earlier connection; then + is a first message, ! a complete request, * a login
		gone   string // names of the displaced connections
		full   string // names of the connections that were refused
	}{
		{"no limits", PlaceLimits{}, "a@10.0.0.1 b@10.0.0.1", "", ""},
		{"the oldest of the address", PlaceLimits{WaitingPerAddr: 2}, "x@10.0.0.2 a@10.0.0.1 b@10.0.0.1 c@10.0.0.1", "a", ""},
		{"an IPv6 /64 is an address", PlaceLimits{WaitingPerAddr: 1}, "a@2001:db8::1 b@2001:db8::2 c@2001:db8:0:1::1", "a", ""},
		{"loopback is exempt", PlaceLimits{WaitingPerAddr: 1, WaitingPerNetwork: 1}, "a@127.0.0.1 b@127.0.0.1 c@::1 d@::1", "", ""},
		{"unless told otherwise", PlaceLimits{WaitingPerAddr: 1, LimitLoopback: true}, "a@127.0.0.1 b@127.0.0.1", "a", ""},
		{"the oldest of the network", PlaceLimits{WaitingPerNetwork: 2}, "a@10.0.0.1 b@10.0.0.2 c@10.0.0.3 d@10.0.1.1", "a", ""},
		{"the greediest network's oldest", PlaceLimits{Waiting: 4}, "x@10.0.9.1 a@10.0.0.1 b@10.0.0.2 c@10.0.0.3 y@10.0.8.1 z@10.0.7.1", "a b", ""},
		{"shares of an address do not matter while there are places", PlaceLimits{Waiting: 8, WaitingPerAddr: 1}, "a@10.0.0.1 b@10.0.0.1 c@10.0.0.1 d@10.0.0.1 e@10.0.0.1", "a", ""},
		{"silent ones first", PlaceLimits{Waiting: 3}, "a!@10.0.0.1 b!@10.0.0.1 x@10.0.9.1 y@10.0.8.1", "x", ""},
		{"then those of addresses where a player has logged in", PlaceLimits{Waiting: 3}, "p*@10.0.0.1 a@10.0.0.1 b@10.0.0.1 x@10.0.9.1 y@10.0.8.1 z!@10.0.7.1 u!@10.0.6.1", "x y a", ""},
		{"then those that have sent a first message", PlaceLimits{Waiting: 4}, "p*@10.0.0.1 a@10.0.0.1 b+@10.0.9.1 x@10.0.9.1 u!@10.0.8.1 y@10.0.7.1 z!@10.0.6.1 v!@10.0.5.1", "x a y", ""}, // y comes after a, because y is fresh
		{"then those that have asked", PlaceLimits{Waiting: 2}, "a!@10.0.0.1 b!@10.0.0.1 x@10.0.9.1", "a", ""},
		{"never a player", PlaceLimits{Connections: 2, Waiting: 2}, "a*@10.0.0.1 b*@10.0.0.1 x@10.0.9.1", "", "x"},
		{"players do not use waiting places", PlaceLimits{Waiting: 1}, "a*@10.0.0.1 b*@10.0.0.1 x@10.0.0.1", "", ""},
		{"players count for the address", PlaceLimits{PerAddr: 2}, "a*@10.0.0.1 b*@10.0.0.1 x@10.0.0.1 y@10.0.0.2", "", "x"},
		{"a waiting one makes room for its address", PlaceLimits{PerAddr: 2}, "a*@10.0.0.1 b@10.0.0.1 c@10.0.0.1", "b", ""},
		{"waiting ones may exceed the limit of the address while there are places", PlaceLimits{PerAddr: 2, Waiting: 8}, "a*@10.0.0.1 b@10.0.0.1 c@10.0.0.1 d@10.0.0.1 e@10.0.0.1 f@10.0.0.1", "b", ""},
		{"players may not", PlaceLimits{PerAddr: 2, Waiting: 8}, "a*@10.0.0.1 b*@10.0.0.1 x@10.0.0.1 y@10.0.0.2", "", "x"},
		{"a login beyond the players of the address", PlaceLimits{PerAddr: 2, Waiting: 8}, "x*@10.0.0.2 a@10.0.0.1 b*@10.0.0.1 c*@10.0.0.1 a:*", "a", ""},
	} {
		d := newDoor(c.limits)
		var refused []string
		places := map[string]*Place{}
		for _, step := range strings.Fields(c.script) {
			name, from, _ := strings.Cut(step, "@")
			plain := strings.TrimRight(name, "+!*:")
			p := places[plain]
			if p == nil {
				p = d.enter(plain, from)
				places[plain] = p
			}
			switch {
			case p == nil:
				refused = append(refused, name)
			case strings.HasSuffix(name, "+"):
				p.MarkMessageReceived()
			case strings.HasSuffix(name, "!"):
				p.MarkRequestReceived()
			case strings.HasSuffix(name, "*"):
				p.LogIn()
			}
		}
		if got := strings.Join(d.left, " "); got != c.gone {
			t.Errorf("%s: %q gave way, want %q", c.desc, got, c.gone)
		}
		if got := strings.Join(refused, " "); got != c.full {
			t.Errorf("%s: %q refused, want %q", c.desc, got, c.full)
		}
		if s := d.Stats(); int(s.GaveWay) != len(d.left) || int(s.Refused) != len(refused) {
			t.Errorf("%s: counted %+v", c.desc, s)
		}
	}
}

// A shared address and 106 others open connections that never log in: first more than the door has places, then 400 a second.
// Meanwhile thirty players behind the shared address connect.
func TestPlayersBehindSharedAddressConnectDuringFlood(t *testing.T) {
	const house = "192.0.2.1"
	d := newDoor(PlaceLimits{Connections: 5000, Waiting: 1024, PerAddr: 100, WaitingPerAddr: 64, WaitingPerNetwork: 256})
	flood := func(n int) {
		for i := range n {
			d.Enter(address(i%106), func() {})
			if i%8 == 0 {
				d.Enter(addr(house), func() {})
			}
		}
	}
	flood(5300)
	for i := range 30 {
		p := d.enter(fmt.Sprint("player", i), house)
		flood(40) // number of attacking connections that arrive within a round trip of 100 ms
		if p == nil || !p.MarkRequestReceived() {
			t.Fatalf("player %d has no place", i)
		}
		flood(1000) // number of attacking connections that arrive while the password is hashed
		if !p.LogIn() {
			t.Fatalf("player %d lost its place", i)
		}
	}
	if s := d.Stats(); s.Players != 30 || s.Waiting > 1024 || len(d.left) > 0 {
		t.Errorf("%+v; gave way: %v", s, d.left)
	}
}

// Attackers in 88 networks have logged in once, so their addresses are known. The address that many players share is known,
// too. Each attacker keeps 50 silent connections. Then thirty clients at the shared address and one client at an unknown
// address connect at the same moment. They send their first messages while 200 further connections of the attackers arrive.
func TestNewClientsAreAdmittedDuringFloodFromKnownAddresses(t *testing.T) {
	const house = "192.0.2.1"
	d := newDoor(PlaceLimits{Connections: 1024, Waiting: 1024, WaitingPerAddr: 64, WaitingPerNetwork: 128})
	for i := range 88 {
		p := d.enter("attacker", address(i).String())
		p.MarkAddrKnown()
		p.Leave()
	}
	p := d.enter("collector", house)
	p.MarkAddrKnown()
	p.Leave()
	flood := func(n int) {
		for i := range n {
			d.Enter(address(i%88), func() {})
		}
	}
	flood(4400)
	clients := []*Place{d.enter("newcomer", "198.51.100.1")}
	for i := range 30 {
		clients = append(clients, d.enter(fmt.Sprint("client", i), house))
	}
	flood(200)
	for i, p := range clients {
		if p == nil || !p.MarkMessageReceived() {
			t.Errorf("client %d has no place when the server reads its first message", i)
		}
	}
	flood(4400)
	for i, p := range clients {
		if p != nil && !p.MarkRequestReceived() {
			t.Errorf("client %d has no place for its request", i)
		}
	}
	if len(d.left) > 0 {
		t.Errorf("gave way: %v", d.left)
	}
}

// A client that stays silent for a long time, without other connections from its network, is not displaced while other networks
// have more connections.
func TestSlowClientIsNotDisplacedWhileOtherNetworksHaveMoreConnections(t *testing.T) {
	d := newDoor(PlaceLimits{Waiting: 1024})
	flood := func(n int) {
		for i := range n {
			d.Enter(address(i%88), func() {})
		}
	}
	flood(4400)
	p := d.enter("slow", "198.51.100.1")
	flood(20_000)
	if !p.MarkMessageReceived() {
		t.Error("the client has no place when the server reads its first message")
	}
}

// A burst of connections from one address may be accepted before the server reads the first message of an honest client
// among them. That client is not displaced until the burst is several times as large as the limit.
func TestConnectionWithUnreadInputIsNotDisplacedByBurstOfNewConnections(t *testing.T) {
	const house = "192.0.2.1"
	for _, limits := range []PlaceLimits{
		{Connections: 100, Waiting: 64, WaitingPerAddr: 32}, // limits with which the address is full first
		{Connections: 64}, // limits with which the door is full first
	} {
		d := newDoor(limits)
		for i := range 30 {
			sent := false
			p, ok := d.Places.enter(addr(house), func() bool { return sent }, func() { t.Errorf("%+v: client %d gave way", limits, i) })
			sent = true
			for range 500 {
				d.Enter(addr(house), func() {})
			}
			if !ok || !p.MarkMessageReceived() {
				t.Fatalf("%+v: client %d has no place when the server reads its first message", limits, i)
			}
			for range 500 {
				d.Enter(addr(house), func() {})
			}
			if !p.MarkRequestReceived() {
				t.Fatalf("%+v: client %d has no place for its request", limits, i)
			}
			p.Leave()
		}
	}
}

func TestPendingSocketInputIsDetectedWithoutReading(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	server, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if hasInput(server) {
		t.Error("a silent connection has input")
	}
	if _, err := client.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	want := runtime.GOOS != "windows" // Windows has no system call that inspects a socket without reading
	for range 1000 {
		if hasInput(server) == want {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if hasInput(server) != want {
		t.Errorf("input waits: %v, want %v", !want, want)
	}
	b := make([]byte, 2)
	if n, err := server.Read(b); err != nil || string(b[:n]) != "x" {
		t.Errorf("read %q, %v", b[:n], err)
	}
	if pipe, _ := net.Pipe(); hasInput(pipe) {
		t.Error("a pipe has input")
	}
}

func TestConnectionCountersReturnToZeroWhenConnectionsEnd(t *testing.T) {
	d := newDoor(PlaceLimits{Waiting: 8, WaitingPerAddr: 4, WaitingPerNetwork: 6})
	for i := range 10_000 {
		p := d.enter("x", address(i%300).String())
		switch i % 4 {
		case 0:
			p.MarkRequestReceived()
		case 1:
			p.LogIn()
		}
		if i%4 != 3 { // every fourth connection is displaced instead of leaving
			p.Leave()
			p.Leave()
		}
		if i%4 == 0 && (p.MarkRequestReceived() || p.LogIn()) {
			t.Fatal("a connection that has left has a place")
		}
	}
	if s := d.Stats(); s.Players != 0 || s.Waiting != 8 || len(d.addrs) != 8 || len(d.waiting[0].groups) != 8 || len(d.waiting[1].groups) != 0 {
		t.Errorf("%+v; %d addresses", s, len(d.addrs))
	}
	if d.fresh.n != 2 {
		t.Errorf("%d connections are fresh, want a quarter of 8", d.fresh.n)
	}
}

func TestTimeoutOfSilentConnectionsBecomesShorterAsConnectionsIncrease(t *testing.T) {
	d := newDoor(PlaceLimits{Waiting: 100})
	var got []time.Duration
	for i := range 100 {
		if i == 0 || i == 50 || i == 75 {
			got = append(got, d.SilenceTimeout(2*time.Second, 10*time.Second))
		}
		d.Enter(address(i), func() {})
	}
	got = append(got, d.SilenceTimeout(2*time.Second, 10*time.Second))
	if fmt.Sprint(got) != "[10s 10s 6s 2s]" {
		t.Errorf("patience with 0, 50, 75 and 100 of 100 places taken: %v", got)
	}
}

// busyQueue is a Queue whose only slot is in use. Each call of the method next ends that use and serves one waiting entry.
type busyQueue struct {
	*Queue
	t     *testing.T
	order []string
}

func newBusyQueue(t *testing.T, l QueueLimits) *busyQueue {
	l.Slots = 1
	q := &busyQueue{Queue: NewQueue(l, NewGate(nil)), t: t}
	if err := q.Acquire(t.Context(), Request{}); err != nil {
		t.Fatal(err)
	}
	return q
}

// ask queues an entry and records the result: the entry's name if it got a turn, or else the name and the error.
func (q *busyQueue) ask(ctx context.Context, name, from string, rank func() Rank) {
	go func() {
		if err := q.Acquire(ctx, Request{Addr: addr(from), Rank: rank}); err != nil {
			name = fmt.Sprintf("%s:%v", name, map[bool]string{true: "busy", false: "gone"}[errors.Is(err, ErrBusy)])
		}
		q.order = append(q.order, name)
	}()
	synctest.Wait()
}

// next ends the current turn, so that the next entry gets a turn.
func (q *busyQueue) next() {
	q.Release()
	synctest.Wait()
}

func (q *busyQueue) serveAll() string {
	for q.Stats().Waiting > 0 {
		q.next()
	}
	return strings.Join(q.order, " ")
}

func always(r Rank) func() Rank { return func() Rank { return r } }

func TestQueueServesNetworksInTurnAndAddressesOfNetworkInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newBusyQueue(t, QueueLimits{})
		for _, e := range []string{"a1@10.0.0.1", "a2@10.0.0.1", "a3@10.0.0.1", "b1@10.0.0.2", "b2@10.0.0.2", "c1@10.0.9.1", "c2@10.0.9.1"} {
			name, from, _ := strings.Cut(e, "@")
			q.ask(t.Context(), name, from, nil)
		}
		if got := q.serveAll(); got != "a1 c1 b1 c2 a2 b2 a3" {
			t.Errorf("order is %s", got)
		}
	})
}

func TestQueueServesKnownClientsFirstAndFailingClientsEveryEighthTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newBusyQueue(t, QueueLimits{})
		for i := range 20 {
			q.ask(t.Context(), "bad", fmt.Sprintf("10.0.%d.1", i), always(RankFailed))
			q.ask(t.Context(), "new", fmt.Sprintf("10.1.%d.1", i), always(RankUnknown))
			q.ask(t.Context(), "known", fmt.Sprintf("10.2.%d.1", i), always(RankKnown))
		}
		got := strings.Fields(q.serveAll())
		bad := 0
		for i, name := range got[:40] {
			if name == "bad" {
				bad++
			}
			if i < 20 && name == "new" {
				t.Errorf("an unknown client was served before a known one: %v", got)
			}
		}
		if bad != 5 {
			t.Errorf("%d of the first 40 turns went to clients that fail, want one in eight", bad)
		}
	})
}

func TestWaitingQueueEntryIsServedLaterIfItsPriorityDecreases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newBusyQueue(t, QueueLimits{})
		failed := false
		attacker := func() Rank {
			if failed {
				return RankFailed
			}
			return RankUnknown
		}
		for range 3 {
			q.ask(t.Context(), "guess", "10.0.0.1", attacker)
		}
		q.ask(t.Context(), "honest", "10.0.9.1", nil)
		failed = true
		if got := q.serveAll(); got != "honest guess guess guess" {
			t.Errorf("order is %s", got)
		}
	})
}

func TestQueueDropsEntriesOfDisconnectedClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newBusyQueue(t, QueueLimits{Patience: 10 * time.Second})
		for range 500 {
			ctx, hangUp := context.WithCancel(t.Context())
			q.ask(ctx, "hangup", "10.0.0.1", nil)
			defer hangUp()
			if q.Stats().Waiting == 1 {
				q.ask(t.Context(), "honest", "10.0.0.1", nil)
			}
			hangUp()
			synctest.Wait()
		}
		q.order = nil
		if got := q.serveAll(); got != "honest" || q.Stats().Served != 2 || q.Stats().GivenUp != 500 {
			t.Errorf("served %s; %+v", got, q.Stats())
		}
		q.order = nil
		q.ask(t.Context(), "late", "10.0.0.1", nil)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if got := strings.Join(q.order, " "); got != "late:busy" || q.Stats().Waiting != 0 {
			t.Errorf("after its patience the entry is %q", got)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		q.next()
		if err := q.Acquire(ended, Request{}); !errors.Is(err, context.Canceled) {
			t.Errorf("a free queue gave a turn to a client that is gone: %v", err)
		}
	})
}

func TestQueueOpensExtraSlotsWhileClientsWithoutFailedLoginsWaitTooLong(t *testing.T) {
	for _, c := range []struct {
		rank Rank
		want int // expected maximum number of concurrent turns
	}{{RankUnknown, 3}, {RankFailed, 1}} {
		synctest.Test(t, func(t *testing.T) {
			q := NewQueue(QueueLimits{Slots: 1, Surge: 2}, nil)
			var mu sync.Mutex
			var running, most int
			count := func(n int) {
				mu.Lock()
				defer mu.Unlock()
				running += n
				most = max(most, running)
			}
			for i := range 60 {
				go q.Do(t.Context(), Request{Addr: address(i), Rank: always(c.rank)}, func() {
					count(1)
					time.Sleep(100 * time.Millisecond)
					count(-1)
				})
			}
			time.Sleep(time.Minute)
			q.Stats() // locks the mutex, so that the race detector orders the reads below after the last turn
			count(0)
			if most != c.want || q.free != 1 || q.surge != 0 {
				t.Errorf("rank %d: %d turns at once, want %d; at the end %d free, %d more", c.rank, most, c.want, q.free, q.surge)
			}
		})
	}
}

func TestFullQueueDropsNewestEntryOfAddressWithMostEntries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newBusyQueue(t, QueueLimits{Waiting: 4, PerAddr: 3})
		for i := range 4 {
			q.ask(t.Context(), fmt.Sprint("a", i), "10.0.0.1", nil)
		}
		q.ask(t.Context(), "b", "10.0.1.1", nil)
		q.ask(t.Context(), "c", "10.0.2.1", nil)
		q.ask(t.Context(), "bad", "10.0.3.1", always(RankFailed))
		q.ask(t.Context(), "home", "10.0.4.1", always(RankKnown))
		if got := q.serveAll(); got != "a3:busy a2:busy bad:busy a1:busy home a0 b c" {
			t.Errorf("order is %s", got)
		}
	})
}

// Clients at seventy addresses guess passwords as fast as the server answers. Computing a hash takes 50 ms.
func TestNewClientIsServedWithinTwoSecondsDuringPasswordGuessing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewQueue(QueueLimits{Slots: 1, Waiting: 4096, PerAddr: 64, Patience: 10 * time.Second}, nil)
		failures := NewWindow[netip.Addr](time.Minute, 1000)
		ctx, stop := context.WithCancel(t.Context())
		var guessers sync.WaitGroup
		defer guessers.Wait() // after the end of the test time stands still, and a sleeping goroutine would never end
		defer stop()
		const hash = 50 * time.Millisecond
		for i := range 70 {
			for range 5 { // number of connections from the network
				guessers.Go(func() {
					a := address(i)
					for ctx.Err() == nil {
						err := q.Acquire(ctx, Request{Addr: a, Rank: func() Rank {
							return Rank(1 + min(failures.Get(a, time.Now()), 1))
						}})
						if err == nil {
							time.Sleep(hash)
							failures.Add(a, time.Now())
							q.Release()
						}
					}
				})
			}
		}
		time.Sleep(5 * time.Second)
		for i := range 30 { // logins from behind one address
			began := time.Now()
			if err := q.Acquire(ctx, Request{Addr: addr("192.0.2.1")}); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took > 2*time.Second {
				t.Errorf("newcomer %d waited %v", i, took)
			}
			time.Sleep(hash)
			q.Release()
		}
	})
}

func TestMemoryForConnectionLimitsIsBoundedWhenClientAddressesRotate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(nil)
		p := NewPlaces("rcce", PlaceLimits{Waiting: 1024}, g)
		q := NewQueue(QueueLimits{Slots: 1, Waiting: 1024}, g)
		q.Acquire(t.Context(), Request{})
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		for i := range 5000 {
			a := netip.AddrFrom16([16]byte{0x20, 0x01, byte(i >> 16), byte(i >> 8), byte(i), 1})
			p.Enter(a, func() {})
			if i < 1500 {
				go q.Acquire(ctx, Request{Addr: a, Door: "rcce"})
			}
		}
		synctest.Wait()
		if p.Stats().Waiting != 1024 || len(p.addrs) != 1024 || q.Stats().Waiting != 1024 || len(g.held) != maxHeld {
			t.Errorf("%d places, %d addresses, %d entries, %d networks held back", p.Stats().Waiting, len(p.addrs), q.Stats().Waiting, len(g.held))
		}
		runtime.KeepAlive(p)
	})
}

func TestRefusedConnectionsAreReportedPerNetworkAndLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		counts := map[string]int{}
		g := NewGate(func(door string, b Budget) { counts[door+" "+string(b)]++ })
		g.Hold("console", BudgetDoor, addr("10.0.0.1"), "")
		time.Sleep(heldTime - time.Second)
		g.Hold("rs", BudgetAccount, addr("192.0.2.1"), "ada")
		for i := range 3 {
			g.Hold("rcce", BudgetAddress, addr(fmt.Sprintf("10.0.0.%d", i)), "")
		}
		time.Sleep(time.Second)
		var got []string
		for _, h := range g.Report() {
			got = append(got, fmt.Sprintf("%s %s %s %s %d", h.Door, h.Budget, h.Network, h.Account, h.Count))
		}
		if want := "rcce address 10.0.0.0/24  3, rs account 192.0.2.0/24 ada 1"; strings.Join(got, ", ") != want {
			t.Errorf("report is %v", got)
		}
		if fmt.Sprint(counts) != "map[console door:1 rcce address:3 rs account:1]" {
			t.Errorf("counted %v", counts)
		}
		drained, rest := g.TakeCounts(1)
		if len(drained) != 1 || drained[0].Count != 3 || drained[0].Budget.Kind() != "connection" || rest != 2 {
			t.Errorf("drained are %v and %d", drained, rest)
		}
		time.Sleep(time.Minute)
		g.Hold("rcce", BudgetAddress, addr("10.0.0.7"), "")
		if again, rest := g.TakeCounts(10); len(again) != 1 || again[0].Count != 1 || !again[0].First.Equal(drained[0].First) || rest != 0 {
			t.Errorf("drained the next time are %v and %d", again, rest)
		}
		time.Sleep(heldTime)
		g.Hold("rcce", BudgetAddress, addr("10.0.0.7"), "")
		if later, _ := g.TakeCounts(10); !later[0].First.Equal(time.Now()) || g.Report()[0].Count != 1 {
			t.Errorf("after a pause drained are %v", later)
		}
		for i := range 2 * maxHeld {
			g.Hold("rs", BudgetNetwork, address(i), "")
		}
		if many, rest := g.TakeCounts(20); len(many) != 20 || rest != 2*maxHeld-20 {
			t.Errorf("of a flood %d and %d are drained", len(many), rest)
		}
		var none *Gate
		none.Hold("rs", BudgetDoor, netip.Addr{}, "")
		if none.Report() != nil {
			t.Error("a nil gate has a report")
		}
	})
}

func BenchmarkEnterDuringFlood(b *testing.B) {
	p := NewPlaces("rs", PlaceLimits{Waiting: 1024, WaitingPerAddr: 64, WaitingPerNetwork: 256}, NewGate(nil))
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		p.Enter(address(i%5000), func() {})
		i++
	}
}

// A connection that a proxy has forwarded counts by the address of its client, before and after its login.
func TestProxiedConnectionCountsTowardsAddressOfClient(t *testing.T) {
	d := newDoor(PlaceLimits{PerAddr: 1, Waiting: 8})
	proxy, client := "127.0.0.1", addr("198.51.100.7")
	a, b, c := d.enter("a", proxy), d.enter("b", proxy), d.enter("c", proxy)
	if !a.Move(client) || !b.Move(client) || !a.LogIn() {
		t.Fatal("the first player of the address is refused")
	}
	if c.Move(client) {
		t.Error("a connection was moved to an address with the maximum number of players")
	}
	if b.LogIn() || !slices.Equal(d.left, []string{"b"}) {
		t.Errorf("displaced %q, want b, whose address has a player already", d.left)
	}
	if b.Move(addr(proxy)) {
		t.Error("a displaced connection was moved")
	}
	if !c.LogIn() {
		t.Error("a connection that was not moved has lost its place")
	}
	a.Leave()
	c.Leave()
	if s := d.Stats(); s.Waiting != 0 || s.Players != 0 || len(d.addrs) != 0 {
		t.Errorf("%+v, addresses %v after all connections have left", s, d.addrs)
	}
}
