package rcce

import (
	"net/netip"
	"testing"
	"time"

	"github.com/truestep-io/truestep/proto/enet"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim/geom"
)

// clientInWorld returns a client without a connection that knows one actor, with runtime id 300, at the origin.
func clientInWorld() *Client {
	c := &Client{gaps: NewHistogram(), trips: NewHistogram(), opt: Options{SpeedAttribute: 4}, link: &link{}}
	c.handleMessage(proto.ChangeArea{Area: 9, Name: "Plains"}.Append(nil))
	c.handleMessage(proto.StartGameActor{RuntimeID: 1}.Append(nil))
	c.handleMessage(proto.NewActor{Area: 9, RuntimeID: 300, Name: "Rat", Health: 40, HealthMax: 40}.Append(nil))
	return c
}

// The fast path for StandardUpdate reads the same values as proto/rcce.
func TestHandleUpdateReadsSameValuesAsReferenceParser(t *testing.T) {
	for _, want := range []proto.StandardUpdate{
		{RuntimeID: 300, X: 100, Z: -20.5, IsRunning: 1, DestX: 115, DestZ: -21.5, Mount: 0x1234},
		{RuntimeID: 300, X: -1, Z: 2, Tail: proto.HeightTail, Y: 62.5},
		{RuntimeID: 300, X: 3, Z: 4, Tail: proto.EnergyTail, Energy: 87},
	} {
		c := clientInWorld()
		c.handleMessage(want.Append(nil))
		a, ok := c.world.Actor(300)
		if !ok || a.Pos != (geom.Vec{X: want.X, Y: want.Y, Z: want.Z}) || a.DestX != want.DestX || a.DestZ != want.DestZ ||
			a.Running != (want.IsRunning == 1) || a.Mount != want.Mount || a.Updates != 1 {
			t.Errorf("update %+v gives actor %+v", want, a)
		}
	}
	c := clientInWorld()
	for n := range 40 {
		msg := make([]byte, 1+n)
		msg[0] = byte(proto.TypeStandardUpdate)
		before := c.counts.Bad
		c.handleMessage(msg)
		_, err := proto.ParseStandardUpdate(msg[1:])
		if (err != nil) != (c.counts.Bad > before) {
			t.Errorf("payload of %d bytes: parser error %v, but the fast path counts %d bad messages", n, err, c.counts.Bad-before)
		}
	}
}

func TestUpdateOfOwnActorMovesPredictedPositionOnlyIfFarAway(t *testing.T) {
	c := clientInWorld()
	c.handleMessage(proto.StandardUpdate{RuntimeID: 1, X: 7, Z: 8, Tail: proto.EnergyTail, Energy: 87}.Append(nil))
	if s := c.world.Self; s.Pos.X != 7 || s.Pos.Z != 8 || s.Energy != 87 || c.body.pos != (geom.Vec{}) || c.counts.Snaps != 0 {
		t.Errorf("own actor %+v, body %+v", s, c.body)
	}
	c.handleMessage(proto.StandardUpdate{RuntimeID: 1, X: snapDistance + 8}.Append(nil))
	if c.body.pos.X != snapDistance+8 || c.counts.Snaps != 1 {
		t.Errorf("a distant own update does not move the body: %+v", c.body)
	}
}

func TestMountOfOwnActorIsThatOfNewestUpdateInArea(t *testing.T) {
	c := clientInWorld()
	c.handleMessage(proto.StandardUpdate{RuntimeID: 1}.Append(nil))
	c.handleMessage(proto.StandardUpdate{RuntimeID: 1, Mount: 0x0201}.Append(nil))
	if s := c.world.Self; s.Mount != 0x0201 || s.Updates != 2 {
		t.Errorf("mount %#x after %d updates, want 0x201 after 2", s.Mount, s.Updates)
	}
	c.handleMessage(proto.ChangeArea{Area: 10, Name: "Hills"}.Append(nil))
	if s := c.world.Self; s.Mount != 0 || s.Updates != 0 {
		t.Errorf("mount %#x after %d updates in the new area, want none", s.Mount, s.Updates)
	}
}

// A client that handles an update late receives a position at which the server had its actor seconds ago.
func TestLateUpdateOfOwnActorDoesNotMovePredictedPosition(t *testing.T) {
	c := clientInWorld()
	echo := func(x float32) { c.handleMessage(proto.StandardUpdate{RuntimeID: 1, X: x}.Append(nil)) }
	peer, err := enet.NewHost(enet.Config{MaxPeers: 1}).Connect(0, netip.MustParseAddrPort("192.0.2.1:25000"), 0)
	if err != nil {
		t.Fatal(err)
	}
	c.link.peer = peer
	claimAt := func(x float32) {
		c.body.pos.X = x
		c.claim()
	}
	for n := range trailLength + 10 {
		claimAt(float32(18 * n))
	}
	echo(18 * 10) // the server repeats the oldest claim of the trail
	if c.counts.Snaps != 0 {
		t.Errorf("a late update moves the body to %v", c.body.pos)
	}
	echo(18*10 - snapDistance - 1)
	if c.counts.Snaps != 1 || c.body.pos.X != 18*10-snapDistance-1 {
		t.Errorf("%d snaps, want one: the body is at %v", c.counts.Snaps, c.body.pos)
	}
	claimAt(0)
	echo(18 * 30)
	if c.counts.Snaps != 2 {
		t.Error("positions before the body was moved count as recent ones")
	}
}

func TestUpdateIntervalsAreRecordedOnlyForNearbyActors(t *testing.T) {
	for _, x := range []struct {
		where float32
		want  int64
	}{{0, 3}, {closeRange - 1, 3}, {closeRange + 1, 0}} {
		c := clientInWorld()
		for i := range int64(4) {
			c.link.at = 1e9 + i*int64(200*time.Millisecond)
			c.handleMessage(proto.StandardUpdate{RuntimeID: 300, X: x.where}.Append(nil))
		}
		if n := c.gaps.TotalCount(); n != x.want && x.where < closeRange || x.where > closeRange && n != 0 {
			t.Errorf("at %v: %d gaps, want %d", x.where, n, x.want)
		}
		if max := time.Duration(c.gaps.Max()) * HistogramUnit; x.want > 0 && (max < 198*time.Millisecond || max > 202*time.Millisecond) {
			t.Errorf("longest gap %v, want 200 ms", max)
		}
	}
}

// docs/wire/rcce.md 5.1 and 5.6: a warp of the own actor is a move and a turn, a correction has no turn.
func TestCorrectionsAndWarpsAreCountedSeparately(t *testing.T) {
	move := proto.RepositionActor{Sub: proto.RepositionMove, RuntimeID: 1, X: 5}.Append(nil)
	turn := proto.RepositionActor{Sub: proto.RepositionRotate, RuntimeID: 1}.Append(nil)
	c := clientInWorld()
	for _, m := range [][]byte{move, move, turn, move, proto.ChatMessage{Text: "x"}.Append(nil), turn} {
		c.handleMessage(m)
	}
	if c.counts.Corrections != 2 || c.counts.Warps != 1 || c.world.Self.Pos.X != 5 || c.body.pos.X != 5 {
		t.Errorf("%d corrections, %d warps, want 2 and 1; world %v, body %v", c.counts.Corrections, c.counts.Warps, c.world.Self.Pos, c.body.pos)
	}
}

func TestActorsInClientWorldEqualActorsThatServerShows(t *testing.T) {
	c := clientInWorld()
	for rid := uint16(2); rid < 50; rid++ {
		c.handleMessage(proto.NewActor{Area: 9, RuntimeID: rid}.Append(nil))
	}
	c.handleMessage(proto.NewActor{Area: 8, RuntimeID: 77}.Append(nil)) // the actor is in another area
	c.handleMessage(proto.ActorGone{RuntimeID: 300}.Append(nil))
	c.handleMessage(proto.ActorGone{RuntimeID: 7, Wide: true}.Append(nil))
	c.handleMessage(proto.ActorDead{Dead: 9, HasKiller: true, Killer: 1}.Append(nil))
	c.handleMessage(proto.ActorGone{RuntimeID: 9}.Append(nil)) // the actor is no longer known
	seen := map[uint16]bool{}
	for a := range c.world.Actors() {
		seen[a.RuntimeID] = true
	}
	if len(seen) != 46 || c.world.ActorCount() != 46 || seen[7] || seen[9] || seen[77] || seen[300] || c.counts.Kills != 1 {
		t.Errorf("%d actors: %v; %d kills", c.world.ActorCount(), seen, c.counts.Kills)
	}
	c.handleMessage(proto.StandardUpdate{RuntimeID: 7}.Append(nil))
	if c.counts.UnknownActors != 1 {
		t.Error("an update of an unknown actor is not counted")
	}
	c.handleMessage(proto.ChangeArea{Area: 10, Name: "Hills"}.Append(nil))
	if c.world.ActorCount() != 0 || c.world.Area != "Hills" || c.counts.Areas != 1 {
		t.Errorf("after a change of area: %d actors in %q", c.world.ActorCount(), c.world.Area)
	}
}

func TestUnparsableMessagesAreCounted(t *testing.T) {
	c := clientInWorld()
	c.handleMessage([]byte{250, 1})
	c.handleMessage([]byte{byte(proto.TypeActorDead), 1})
	if c.counts.Bad != 2 || c.FirstParseError() == nil {
		t.Errorf("%d bad, first %v", c.counts.Bad, c.FirstParseError())
	}
}

func TestHandleUpdateDoesNotAllocate(t *testing.T) {
	c := clientInWorld()
	msg := proto.StandardUpdate{RuntimeID: 300, X: 1}.Append(nil)
	if n := testing.AllocsPerRun(1000, func() {
		c.link.at += 1e6
		c.handleMessage(msg)
	}); n != 0 {
		t.Errorf("%v allocations per update, want 0", n)
	}
}

func BenchmarkUpdate(b *testing.B) {
	c := clientInWorld()
	var msgs [][]byte
	for rid := range uint16(1000) {
		c.handleMessage(proto.NewActor{Area: 9, RuntimeID: 1000 + rid}.Append(nil))
		msgs = append(msgs, proto.StandardUpdate{RuntimeID: 1000 + rid, X: float32(rid % 100)}.Append(nil))
	}
	b.ReportAllocs()
	for b.Loop() {
		c.link.at += 2e8
		for _, m := range msgs {
			c.handleMessage(m)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(msgs)), "ns/update")
}
