package area

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// Published is a frame in the hands of one reader, who must call Release exactly once. Until then the frame is
// immutable and his to read, from any goroutine.
type Published struct {
	Frame *sim.Frame
	// Missed counts the frames of this area that the feed was too full to take since the one it took before. Their
	// events are lost to it; the table of actors in Frame is whole.
	Missed uint64

	hold *hold
}

// Release gives the frame back. When the last reader has done so, its area uses the memory again.
func (p Published) Release() { p.hold.release() }

// hold counts who still reads a frame. Holds are reused with their frames.
type hold struct {
	frame *sim.Frame
	home  *returns
	refs  atomic.Int32
}

func (h *hold) release() {
	switch n := h.refs.Add(-1); {
	case n == 0:
		h.home.put(h)
	case n < 0:
		panic("area: a frame was released twice")
	}
}

// returns collects frames that nobody reads any more until their area picks them up before its next step.
type returns struct {
	mu   sync.Mutex
	list []*hold
}

func (r *returns) put(h *hold) {
	r.mu.Lock()
	r.list = append(r.list, h)
	r.mu.Unlock()
}

// take hands out what was collected, in exchange for an empty list to collect the next in.
func (r *returns) take(empty []*hold) []*hold {
	r.mu.Lock()
	defer r.mu.Unlock()
	full := r.list
	r.list = empty[:0]
	return full
}

// Feed is the frames of every area, for one reader. Frames of one area come in order of their ticks, and an actor
// that changes areas departs in the feed before it joins in it.
type Feed struct {
	name  string
	world *World
	ch    chan Published
	gone  chan struct{} // closed when no more frames may be sent
	once  sync.Once

	mu     sync.Mutex // held while sending, so that ch is not closed under a sender
	closed bool
	stuck  bool     // let a sender wait in vain once
	missed []uint64 // index = AreaID: frames skipped since the last one taken
}

// C is the channel of frames. It is closed after the last frames when the world stops, and by Close.
func (f *Feed) C() <-chan Published { return f.ch }

// Name is what the reader called itself.
func (f *Feed) Name() string { return f.name }

// Close ends the subscription. Frames that were not read yet are released. It may be called more than once.
func (f *Feed) Close() {
	f.world.forget(f)
	f.end()
	for p := range f.ch {
		p.Release()
	}
}

// end closes the channel; what is in it can still be read.
func (f *Feed) end() {
	f.once.Do(func() {
		close(f.gone)
		f.mu.Lock()
		f.closed = true
		close(f.ch)
		f.mu.Unlock()
	})
}

// offer passes a frame on, which must be held for this reader already. A full feed misses the frame, unless wait is
// set: then the sender waits until there is room or wait is closed, but not long, and not again for a reader that once
// did not come. False: the reader did not get the frame and the caller still holds it.
func (f *Feed) offer(h *hold, wait <-chan struct{}) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return false
	}
	a := h.frame.Area
	p := Published{Frame: h.frame, Missed: f.missed[a], hold: h}
	select {
	case f.ch <- p:
		f.missed[a] = 0
		return true
	default:
	}
	if wait != nil && !f.stuck && f.push(p, wait) {
		f.missed[a] = 0
		return true
	}
	f.missed[a]++
	return false
}

// patience is how long the frames of a stopping world wait for one reader.
const patience = time.Second

// push waits for room. It needs f.mu.
func (f *Feed) push(p Published, wait <-chan struct{}) bool {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case f.ch <- p:
		return true
	case <-f.gone:
	case <-wait:
	case <-timer.C:
		f.stuck = true
	}
	return false
}

// Subscribe returns a feed of every frame that any area publishes from now on. name is for the log; depth is how many
// frames of each area may wait in the feed before it misses one, at least 1. On a world that has stopped the feed is
// closed already.
func (w *World) Subscribe(name string, depth int) *Feed {
	f := &Feed{
		name:   name,
		world:  w,
		ch:     make(chan Published, max(depth, 1)*max(len(w.areas), 1)),
		gone:   make(chan struct{}),
		missed: make([]uint64, len(w.areas)),
	}
	w.mu.Lock()
	stopped := w.stopped
	if !stopped {
		feeds := append(slices.Clone(*w.feeds.Load()), f)
		w.feeds.Store(&feeds)
	}
	w.mu.Unlock()
	if stopped {
		f.end()
	}
	return f
}

func (w *World) forget(f *Feed) {
	w.mu.Lock()
	defer w.mu.Unlock()
	feeds := slices.DeleteFunc(slices.Clone(*w.feeds.Load()), func(g *Feed) bool { return g == f })
	w.feeds.Store(&feeds)
}
