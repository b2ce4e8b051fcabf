package bedrock

import (
	"fmt"
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// stepCrowd moves all players by one step and passes the frame to the scene. It returns how long the scene took to process the
// frame, without the time in RakNet.
func stepCrowd(mw *manualWorker, s *scene, f *sim.Frame) time.Duration {
	f.Tick++
	mw.now += 50
	for i := range f.Avatars {
		p := &f.Avatars[i]
		p.Prediction.Tick++
		p.Avatar.Pos.X += 0.01
		f.Actors[i].Pos.X += 0.01 * unitsPerBlock
		if p.Avatar.Pos.X > 6 {
			p.Avatar.Pos.X -= 6
			f.Actors[i].Pos.X -= 6 * unitsPerBlock
		}
	}
	began := time.Now()
	s.Show(f)
	s.Broadcast(f)
	s.Sweep()
	return time.Since(began)
}

// settledCrowd returns a crowd of n players whose clients have been sent the other players and the chunks, and a function
// that runs the next frame.
func settledCrowd(tb testing.TB, n int) (mw *manualWorker, s *scene, f *sim.Frame, frame func() time.Duration) {
	mw = newManualWorker(tb, n, false)
	s, f = mw.addCrowd(tb, n)
	frame = func() time.Duration {
		took := stepCrowd(mw, s, f)
		mw.serve()
		return took
	}
	for range 200 {
		frame()
	}
	for _, x := range s.clients {
		if x.closed || len(x.view.runtimeIDs) != n-1 {
			tb.Fatalf("after 10 s a client sees %d of %d others", len(x.view.runtimeIDs), n-1)
		}
	}
	return mw, s, f, frame
}

// A frame in which all players move and see each other allocates nothing, neither in the gateway nor in RakNet.
func TestFrameInWhichAllPlayersMoveDoesNotAllocate(t *testing.T) {
	_, s, _, frame := settledCrowd(t, 40)
	for _, x := range s.clients {
		if x.inputTick == 0 {
			t.Error("a client was not served")
		}
	}
	if n := testing.AllocsPerRun(40, func() { frame() }); n >= 1 {
		t.Errorf("%v allocations in a frame, want 0", n)
	}
}

// BenchmarkFrame measures one frame in which all players move and see each other: updating the scene, interest management,
// encoding, compression and the call of RakNet. The metric frame-ns is the time of these steps; ns/op also includes RakNet on
// the server and on the clients.
func BenchmarkFrame(b *testing.B) {
	crowds := []int{100, 300}
	if testing.Short() { // in short mode the benchmark only checks that it runs
		crowds = []int{20}
	}
	for _, n := range crowds {
		b.Run(fmt.Sprintf("viewers=%d/actors=%d", n, n), func(b *testing.B) {
			mw, _, _, frame := settledCrowd(b, n)
			before := mw.w.server.Stats()
			var took time.Duration
			b.ReportAllocs()
			for b.Loop() {
				took += frame()
			}
			after := mw.w.server.Stats()
			frames := float64(b.N)
			b.ReportMetric(float64(took.Nanoseconds())/frames, "frame-ns")
			b.ReportMetric(float64(took.Nanoseconds())/frames/float64(n), "ns/viewer")
			b.ReportMetric(float64(after.BytesOut-before.BytesOut)/frames/float64(n), "bytes/viewer")
		})
	}
}
