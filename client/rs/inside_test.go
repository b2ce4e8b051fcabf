package rs

import (
	"errors"
	"net"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
)

var homeTile = proto.Tile{X: 3222, Z: 3218}

// offlineClient returns a client in its state after a login, without a server.
func offlineClient(tb testing.TB) (*Client, *link) {
	tb.Helper()
	players, err := proto.NewPlayerInfoDecoder(proto.Profile667, 1, proto.AppendPlacement(nil, 1, homeTile, nil))
	if err != nil {
		tb.Fatal(err)
	}
	c := &Client{gaps: NewHistogram()}
	c.world = World{Scene: MapBounds{X: 3168, Z: 3168, Tiles: 104}, players: players}
	near, far := net.Pipe()
	tb.Cleanup(func() { near.Close(); far.Close() })
	l := newLink(near, &c.traffic)
	l.startFrames(nil, nil)
	return c, l
}

// crowdPackets returns the payloads of four cycles in which n players are added, walk and talk. The last two can be
// applied alternately any number of times.
func crowdPackets(tb testing.TB, n int) (come, there, back, again []byte) {
	tb.Helper()
	scene, want := proto.NewScene(proto.Profile667), proto.NewRowSet(proto.MaxIndex+1)
	var enc proto.PlayerInfoEncoder
	for row := 1; row <= n; row++ {
		scene.Add(row, uint64(row), homeTile)
		want.Add(row)
		look := proto.Appearance{Name: []byte("somebody"), Bas: 1426}
		in := proto.Info{Has: proto.InfoKindsOf(proto.KindAppearance), Appearance: proto.Profile667.AppendAppearance(nil, &look)}
		scene.SetInfo(row, &in)
	}
	viewer := proto.NewViewer(scene, 1)
	cycle := func() []byte {
		scene.Prepare()
		b, err := enc.Encode(nil, scene, viewer, want, proto.PacketLimits{})
		if err != nil {
			tb.Fatal(err)
		}
		viewer.Commit()
		scene.Advance()
		return b
	}
	move := func(x uint16) []byte {
		for row := 2; row <= n; row++ {
			scene.Move(row, proto.Tile{X: x, Z: homeTile.Z}, proto.MoveWalk)
			scene.SetInfo(row, &proto.Info{
				Has: proto.InfoKindsOf(proto.KindSay, proto.KindHits), Say: []byte("hail"), Hits: []proto.Hit{{Amount: 7}},
			})
		}
		return cycle()
	}
	come = cycle()
	return come, move(homeTile.X + 1), move(homeTile.X), move(homeTile.X + 1)
}

// Load tests run thousands of clients in one process, so packets must not allocate.
func TestHandlePlayerInfoDoesNotAllocate(t *testing.T) {
	c, l := offlineClient(t)
	come, there, back, again := crowdPackets(t, 100)
	take := func(op proto.Opcode, body []byte) {
		if err := c.handleFrame(l, proto.Frame{Op: op, Body: body}); err != nil {
			t.Fatal(err)
		}
	}
	energy := []byte{100}
	take(proto.ServerPlayerInfo, come)
	l.lastRead = l.lastRead.Add(CyclePeriod)
	take(proto.ServerPlayerInfo, there)
	cycle := func() {
		l.lastRead = l.lastRead.Add(CyclePeriod)
		take(proto.ServerPlayerInfo, back)
		take(proto.ServerTickEnd, nil)
		l.lastRead = l.lastRead.Add(CyclePeriod)
		take(proto.ServerPlayerInfo, again)
		take(proto.ServerUpdateRunEnergy, energy)
	}
	cycle()
	if n := testing.AllocsPerRun(100, cycle); n != 0 {
		t.Errorf("%v allocations in two cycles, want 0", n)
	}
	n := c.Stats(nil)
	if n.Walks == 0 || n.Said == 0 || n.Hits == 0 || n.Bad != 0 || n.Missed != 0 {
		t.Errorf("counters %+v", n)
	}
}

// A packet that is late, followed by one that arrives early, does not count as a missed cycle.
func TestCycleTimerReportsNumberOfMissedCycles(t *testing.T) {
	start := time.Unix(1_000_000, 0)
	for name, c := range map[string]struct {
		at   []int // arrival times of packets in ms
		want uint64
	}{
		"none":             {nil, 0},
		"one":              {[]int{0}, 0},
		"on time":          {[]int{0, 600, 1200, 1800}, 0},
		"late, then early": {[]int{0, 600, 1700, 1800, 2400}, 0},
		"two at once":      {[]int{0, 1200, 1200, 1800}, 0},
		"one missing":      {[]int{0, 600, 1800}, 1},
		"ten missing":      {[]int{0, 6600}, 10},
		"always early":     {[]int{0, 500, 1000, 1500}, 0},
	} {
		var beats cycleTimer
		for _, ms := range c.at {
			beats.record(start.Add(time.Duration(ms) * time.Millisecond))
		}
		if got := beats.missed(); got != c.want {
			t.Errorf("%s: %d missed cycles", name, got)
		}
		if beats.restart(); beats.missed() != 0 {
			t.Errorf("%s: counted again after a restart", name)
		}
	}
}

// FuzzServerStream checks that arbitrary server data at most ends the connection.
func FuzzServerStream(f *testing.F) {
	come, there, _, _ := crowdPackets(f, 3)
	w := proto.NewFrameWriter(proto.S2C, nil)
	seed, _ := w.Append(nil, proto.ServerPlayerInfo, come)
	seed, _ = w.Append(seed, proto.ServerPlayerInfo, there)
	seed, _ = w.AppendPacket(seed, proto.SendPing{A: 1, B: 2})
	seed, _ = w.AppendPacket(seed, proto.MessageGame{Text: "Welcome."})
	seed, _ = w.AppendPacket(seed, proto.RebuildNormalAround(3222, 3218, proto.Area104, true))
	seed, _ = w.AppendPacket(seed, proto.LogoutTransfer{World: 1, Host: "x"})
	f.Add(seed)
	f.Fuzz(func(t *testing.T, b []byte) {
		c, l := offlineClient(t)
		for {
			frame, n, err := l.frames.Next(b)
			if err != nil || n == 0 {
				return
			}
			b = b[n:]
			if _, err := c.handlePacket(frame, time.Unix(0, 0)); err != nil {
				bad, ok := errors.AsType[*MismatchError](err)
				if ok && (bad != c.mismatch || bad.Bit > 8*len(frame.Body)+8) {
					t.Errorf("mismatch %+v", bad)
				}
				return
			}
			for i := range c.world.Locals() {
				_, _ = c.world.Appearance(i)
			}
			if c.world.LocalCount() < 1 || len(c.world.Lines()) > historySize || len(c.world.Hits()) > historySize {
				t.Error("world has no local player, or its history is too long")
			}
		}
	})
}

// Packets are read completely, whatever the sizes of the reads are.
func TestPacketsSplitAcrossReadsAreReassembled(t *testing.T) {
	near, far := net.Pipe()
	defer near.Close()
	var count traffic
	l := newLink(near, &count)
	l.startFrames(nil, nil)
	w := proto.NewFrameWriter(proto.S2C, nil)
	var stream []byte
	sizes := []int{3, 9000, proto.MaxServerBody, 0, 200}
	for _, n := range sizes {
		stream, _ = w.Append(stream, proto.ServerPlayerInfo, make([]byte, n))
	}
	go func() {
		for b := stream; len(b) > 0; {
			n := min(len(b), 1777)
			_, _ = far.Write(b[:n])
			b = b[n:]
		}
		far.Close()
	}()
	for _, want := range sizes {
		f, err := l.next()
		if err != nil || len(f.Body) != want {
			t.Fatalf("frame of %d bytes, error %v, want %d", len(f.Body), err, want)
		}
	}
	if _, err := l.next(); err == nil || count.in.Load() != uint64(len(stream)) || len(l.buf) > proto.MaxServerFrame {
		t.Errorf("%v, %d bytes read, buffer of %d", err, count.in.Load(), len(l.buf))
	}
}
