package web

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/telemetry"
)

// testWorker returns a worker that serves the embedded world. Neither the worker nor the world is started.
func testWorker(t *testing.T) (*worker, *area.World) {
	t.Helper()
	world := area.NewWorld(content.DefaultWorld().World, area.Options{Seed: 1})
	g := &Gateway{world: world, door: telemetry.New().Door("web"), started: time.Now()}
	return newWorker(g), world
}

// For a worker that needs longer than a tick for each frame, the next frame is always waiting. The worker must still
// process all waiting inputs before each frame.
func TestWorkerProcessesAllQueuedInputsBeforeFrame(t *testing.T) {
	w, _ := testWorker(t)
	defer w.feed.Close()
	p := &player{w: w, g: w.g}
	const waiting = 300
	for range waiting {
		w.post(inbound{p, proto.Input{}})
	}
	w.takeInputs()
	if n := w.g.door.Bad.With("early_input").Load(); n != waiting || len(w.in) != 0 { // the player is not welcomed yet, so each is counted
		t.Errorf("%d of %d inputs were handled, %d wait", n, waiting, len(w.in))
	}
}

func TestWorkerPausesForHalfTheDurationOfSlowSnapshots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := testWorker(t)
		defer w.feed.Close()
		for _, c := range []struct{ took, rests time.Duration }{
			{16 * time.Millisecond, 0}, {20 * time.Millisecond, 10 * time.Millisecond}, {60 * time.Millisecond, 30 * time.Millisecond},
		} {
			w.beginSnapshots()
			time.Sleep(c.took / 2)
			w.yield()
			time.Sleep(c.took / 2)
			w.rest()
			if time.Sleep(c.rests - time.Millisecond); c.rests > 0 && !w.behind() {
				t.Errorf("after %v of snapshots the next frame is shown within %v", c.took, c.rests)
			}
			if time.Sleep(time.Millisecond); w.behind() {
				t.Errorf("after %v of snapshots no frame is shown for longer than %v", c.took, c.rests)
			}
		}
	})
}

func TestWorkerSkipsSnapshotsOfFramesWhileNewerFramesWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, world := testWorker(t)
		defer w.feed.Close()
		w.scenes.Open[0] = newScene(w, 0)
		w.feed.Add(0)
		world.Start(t.Context())
		time.Sleep(60 * time.Millisecond)
		if synctest.Wait(); w.behind() {
			t.Errorf("a worker with %d waiting frames of one area is behind", len(w.feed.C()))
		}
		time.Sleep(100 * time.Millisecond)
		if synctest.Wait(); !w.behind() {
			t.Errorf("a worker with %d waiting frames of one area is not behind", len(w.feed.C()))
		}
		if err := world.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// Changes and events of skipped frames are sent with the next frame.
func TestChangesInFramesThatWorkerSkippedAreSentWithNextSnapshot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := testWorker(t)
		defer w.feed.Close()
		s := newScene(w, 0)
		frame := func(tick sim.Tick, version uint64, events ...sim.Event) *sim.Frame {
			return &sim.Frame{Tick: tick, Actors: []sim.ActorState{{ID: 7, Health: 5, HealthMax: 9, Body: &sim.Body{Version: version}}}, Events: events}
		}
		show := func(f *sim.Frame) {
			s.Show(f)
			s.Broadcast(f)
		}
		show(frame(1, 1))
		show(frame(2, 1))
		w.restUntil = time.Now().Add(time.Second)
		show(frame(3, 2, sim.Event{Kind: sim.EventDied, Who: 9}))
		time.Sleep(2 * time.Second)
		f := frame(4, 2)
		s.Show(f)
		if !s.bodyDue(&s.actors[0]) || s.leaveReason(9) != proto.LeaveDead {
			t.Errorf("body due %v, reason %d", s.bodyDue(&s.actors[0]), s.leaveReason(9))
		}
		s.Broadcast(f)
		s.Show(frame(5, 2))
		if s.bodyDue(&s.actors[0]) || s.leaveReason(9) != proto.LeaveGone {
			t.Errorf("told twice: body due %v, reason %d", s.bodyDue(&s.actors[0]), s.leaveReason(9))
		}
	})
}

// An actor whose body is simulated in blocks is shown at its exact position, even if it is neither a player nor predicted by a client.
func TestActorWithSimulatedBodyIsShownAtItsExactPosition(t *testing.T) {
	w, _ := testWorker(t)
	defer w.feed.Close()
	s := newScene(w, 0)
	body := move.NewAvatar(geom.Vec{X: 3.25, Y: 70.5, Z: -0.75})
	body.Yaw = 90
	f := &sim.Frame{
		Tick: 1, Actors: []sim.ActorState{{ID: 7, Flags: sim.FlagAvatar, Health: 5, HealthMax: 9, Body: &sim.Body{Version: 1}}},
		Avatars: []sim.AvatarState{{ID: 7, Avatar: body}}, Events: []sim.Event{{Kind: sim.EventJumped, Who: 7}},
	}
	s.Show(f)
	av := s.find(7)
	if want := [4]int32{208, 4512, -48, 64}; [4]int32(av.state[:4]) != want || av.jumpTick != 0 {
		t.Errorf("shown at %v with yaw %d, want %v; jumps since tick %d", av.state[:3], av.state[3], want, av.jumpTick)
	}
}

// The network reorders the messages of a burst. Inputs that arrive after newer ones are still passed to the area in the order of their
// ticks, unless a newer one was passed before.
func TestInputsOfReorderedMessagesAreQueuedInOrder(t *testing.T) {
	w, _ := testWorker(t)
	defer w.feed.Close()
	schema := proto.BuiltinSchema()
	p := &player{w: w, g: w.g, link: &wsLink{}, welcomed: true, teller: proto.NewTeller(&schema, true, 20), passed: 1, newest: 1}
	receive := func(ticks ...uint32) {
		for _, tick := range ticks {
			p.handleInput(&proto.Input{Tick: tick, N: 3})
		}
	}
	queued := func(want ...uint64) {
		t.Helper()
		var got []uint64
		for i := range p.inputs {
			got = append(got, p.inputs[i].input.Tick)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the inputs of ticks %v wait, want %v", got, want)
		}
	}
	receive(10, 4, 7, 6, 10)
	queued(2, 3, 4, 5, 6, 7, 8, 9, 10)
	if p.inputs[3].input.Flags&move.InputUnclaimed == 0 || p.inputs[2].input.Flags&move.InputUnclaimed != 0 {
		t.Error("not the newest input of a message has its position")
	}
	p.inputs, p.passed = p.inputs[:0], 10 // passed to the area
	receive(14, 11)
	queued(11, 12, 13, 14)
}

// QUIC's SendDatagram blocks while 32 datagrams wait, so a goroutine of the connection sends the snapshots. A worker never
// waits for this goroutine: if its queue is full, the snapshot is dropped.
func TestSnapshotForFullQueueIsDroppedWithoutBlocking(t *testing.T) {
	l := &wtLink{snapshots: make(chan []byte, datagramQueue), free: make(chan []byte, datagramQueue+1)}
	for i := range byte(10) { // no goroutine removes snapshots from the queue
		l.snapshot([]byte{i})
	}
	for want := range byte(datagramQueue) {
		if b := <-l.snapshots; len(b) != 1 || b[0] != want {
			t.Errorf("% x waits in the queue, want %02x", b, want)
		}
	}
}

func TestQUICClientsMustProveAddressOnlyDuringManyConnectionAttempts(t *testing.T) {
	var a attemptRate
	now := time.Unix(1000, 0)
	for range 2 { // the count of attempts begins anew in each second
		for i := range provenAbove + 10 {
			if got := a.exceeds(provenAbove, now); got != (i >= provenAbove) {
				t.Fatalf("attempt %d of a second: address must be proven: %v", i+1, got)
			}
		}
		now = now.Add(time.Second)
	}
}
