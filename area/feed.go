package area

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// Published is a frame on loan to one reader, which must call Release exactly once. Until then the frame is immutable and
// any goroutine may read it.
type Published struct {
	Frame *sim.Frame // what one tick of the area produced
	// Missed is the number of frames of this area that the feed had no space for, between the previous frame that it delivered
	// and this one. Their events are lost to this reader; the table of actors in Frame is complete.
	Missed uint64
	// CatchUp is true if Missed counts frames of a time that had passed already when this process stepped them: it was down, cut off or
	// paused, and makes up for ticks that it has missed, faster than the feed is read, or continues from the state of another process.
	CatchUp bool
	// Late is the maximum delay of the area's ticks in the last second, measured from when a tick was due to when it was
	// published. Delays below a tick period count as 0. After a delay the inputs of clients arrive in bursts. If some of these
	// are refused, the server is at fault, not the clients.
	Late time.Duration
	// AtMS is the time of the tick in ms since 1970 UTC, if several processes step the area and have agreed on it; else 0. It never
	// decreases. A process that was down publishes the ticks that it missed, with times in the past.
	AtMS int64

	ref *frameRef
}

// Time returns the time of the tick: AtMS, or the present time if AtMS is 0.
func (p Published) Time() time.Time {
	if p.AtMS == 0 {
		return time.Now()
	}
	return time.UnixMilli(p.AtMS)
}

// Release ends the reader's use of the frame. When the last reader has released it, the area reuses its memory.
func (p Published) Release() { p.ref.release() }

// frameRef is a frame with the number of its readers, so that the area can reuse the frame when the last reader has released it.
// An area reuses the frameRef together with the frame.
type frameRef struct {
	frame *sim.Frame
	pool  *releasedFrames
	refs  atomic.Int32
	late  time.Duration // delay that readers get as Published.Late
	atMS  int64         // time that readers get as Published.AtMS
}

func (h *frameRef) release() {
	switch n := h.refs.Add(-1); {
	case n == 0:
		h.pool.put(h)
	case n < 0:
		panic("area: a frame was released twice")
	}
}

// releasedFrames collects the frames that every reader has released, until the area reuses them before its next step.
type releasedFrames struct {
	mu   sync.Mutex
	list []*frameRef
}

func (r *releasedFrames) put(h *frameRef) {
	r.mu.Lock()
	r.list = append(r.list, h)
	r.mu.Unlock()
}

// swap returns the frames that have been released since the last call. It then collects further frames in the slice spare, whose
// present content is discarded.
func (r *releasedFrames) swap(spare []*frameRef) []*frameRef {
	r.mu.Lock()
	defer r.mu.Unlock()
	full := r.list
	r.list = spare[:0]
	return full
}

// Feed delivers the frames of its subscribed areas to one reader. Frames of one area arrive in the order of their ticks.
// If an actor moves between two subscribed areas, its departure arrives before its arrival, except on a node of a cluster (areas
// with a Source): there the frames of one area may be behind those of another.
type Feed struct {
	name  string
	world *World
	ch    chan Published
	gone  chan struct{} // closed when the feed accepts no more frames
	once  sync.Once

	mu     sync.Mutex // held while sending, so that ch is not closed during a send
	closed bool
	stuck  bool     // a sender has waited slowReaderWait without success, so no sender waits again
	missed []uint64 // number of frames of each area that were skipped since the last sent frame, because the channel was full
	past   []bool   // of each area: the first of these frames was of the past, see Published.CatchUp
}

// C returns the channel of frames. The channel is closed by Close, and after the last frames when the world stops.
func (f *Feed) C() <-chan Published { return f.ch }

// Name returns the name that Subscribe was given. It identifies the feed in logs.
func (f *Feed) Name() string { return f.name }

// Add subscribes to areas, from their next frame on. Areas that are subscribed already, or that the world does not have,
// are ignored; All adds every area.
func (f *Feed) Add(areas ...sim.AreaID) {
	w := f.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if !slices.Contains(w.feeds, f) {
		return // the feed was closed before
	}
	for _, a := range areas {
		if a == All {
			for _, r := range w.areas {
				r.addFeed(f)
			}
		} else if a >= 0 && int(a) < len(w.areas) {
			w.areas[a].addFeed(f)
		}
	}
}

// Has reports whether the feed is subscribed to an area.
func (f *Feed) Has(a sim.AreaID) bool {
	return a >= 0 && int(a) < len(f.world.areas) && slices.Contains(*f.world.areas[a].feeds.Load(), f)
}

// Remove ends the subscription to an area. Frames of that area that are in the channel already can still be read.
func (f *Feed) Remove(a sim.AreaID) {
	w := f.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if a >= 0 && int(a) < len(w.areas) {
		w.areas[a].removeFeed(f)
	}
}

// Close ends the subscription and releases the frames that were not read. It may be called more than once.
func (f *Feed) Close() {
	f.world.unsubscribe(f)
	f.end()
	for p := range f.ch {
		p.Release()
	}
}

// end closes the channel of the feed, because the world has stopped. The reader can still read the frames in it.
func (f *Feed) end() {
	f.once.Do(func() {
		close(f.gone)
		f.mu.Lock()
		f.closed = true
		close(f.ch)
		f.mu.Unlock()
	})
}

// offer sends a frame to the reader. The frame's reference count already includes the reader; if offer returns false, the frame
// was not sent, and the caller must reduce the count again. If the channel is full and the parameter wait is nil, offer does
// not wait. If wait is not nil, it waits for space until wait is closed, but at most slowReaderWait. After one such timeout no
// later offer of this feed waits.
func (f *Feed) offer(h *frameRef, wait <-chan struct{}) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return false
	}
	a := h.frame.Area
	p := Published{Frame: h.frame, Missed: f.missed[a], CatchUp: f.missed[a] > 0 && f.past[a], Late: h.late, AtMS: h.atMS, ref: h}
	select {
	case f.ch <- p:
		f.missed[a] = 0
		return true
	default:
	}
	if wait != nil && !f.stuck && f.sendWithin(p, wait) {
		f.missed[a] = 0
		return true
	}
	f.count(a, h.atMS != 0 && f.world.NowMS()-h.atMS > pastMS)
	return false
}

// pastMS is the age in ms from which a frame counts as one of the past when it is published. The clocks of processes may differ by half
// a second.
const pastMS = 2000

// count counts a frame of area a that was not sent. The parameter past is true if it is of the past. The caller holds f.mu.
func (f *Feed) count(a sim.AreaID, past bool) {
	if f.missed[a] == 0 {
		f.past[a] = past
	}
	f.missed[a]++
}

// miss notes that a frame of area a could not be delivered to this feed. The next delivered frame of the area reports the number
// of such frames to the reader (Published.Missed). The parameter past is true if the area continues from the state of another process.
func (f *Feed) miss(a sim.AreaID, past bool) {
	f.mu.Lock()
	f.count(a, past)
	f.mu.Unlock()
}

// slowReaderWait is the maximum time for which a stopping world waits until the feed of a slow reader has space for the last frames.
const slowReaderWait = time.Second

// sendWithin sends a frame. If the channel is full, it waits for space until wait or the feed is closed, but at most
// slowReaderWait. The caller holds f.mu.
func (f *Feed) sendWithin(p Published, wait <-chan struct{}) bool {
	timer := time.NewTimer(slowReaderWait)
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

// Subscribe implements Host: it returns a feed of the frames of some areas. If the world has stopped, the feed is
// closed.
func (w *World) Subscribe(name string, depth int, areas ...sim.AreaID) *Feed {
	f := &Feed{
		name:   name,
		world:  w,
		ch:     make(chan Published, max(depth, 1)*max(len(w.areas), 1)),
		gone:   make(chan struct{}),
		missed: make([]uint64, len(w.areas)), past: make([]bool, len(w.areas)),
	}
	w.mu.Lock()
	stopped := w.stopped
	if !stopped {
		w.feeds = append(w.feeds, f)
	}
	w.mu.Unlock()
	if stopped {
		f.end()
	}
	f.Add(areas...)
	return f
}

func (w *World) unsubscribe(f *Feed) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.feeds = slices.DeleteFunc(w.feeds, func(g *Feed) bool { return g == f })
	for _, r := range w.areas {
		r.removeFeed(f)
	}
}

// addFeed adds a feed to the area. It does not change the list of feeds but replaces it by a new list, because the area's
// goroutine reads the list without a lock. removeFeed does the same. The caller holds World.mu.
func (r *runner) addFeed(f *Feed) {
	if feeds := *r.feeds.Load(); !slices.Contains(feeds, f) {
		feeds = append(slices.Clone(feeds), f)
		r.feeds.Store(&feeds)
	}
}

func (r *runner) removeFeed(f *Feed) {
	feeds := slices.DeleteFunc(slices.Clone(*r.feeds.Load()), func(g *Feed) bool { return g == f })
	r.feeds.Store(&feeds)
}
