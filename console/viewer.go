package console

import "sync"

// maxQueuedBytes is how many bytes of messages may wait for a viewer beside the newest frame; who is farther behind is
// closed.
const maxQueuedBytes = 1 << 20 // guess: ten seconds of coming and going in a crowd of thousands

// viewer is one who looks at an area: what waits to be sent to him. The crew pushes, the connection pulls; pushing never
// waits.
type viewer struct {
	hasRoster bool          // he has been told who is here; of the crew
	wake      chan struct{} // has a value if something waits

	mu          sync.Mutex
	texts       []textMessage
	queuedBytes int          // bytes of texts
	frame       *frameBuffer // the newest frame, nil if it is sent already
	tooSlow     bool         // more than maxWaiting waited: he is to be closed
}

func newViewer() *viewer { return &viewer{wake: make(chan struct{}, 1)} }

// push hands over a frame and what must be told before it.
func (v *viewer) push(roster textMessage, news []textMessage, s *frameBuffer) {
	v.mu.Lock()
	v.enqueue(roster)
	for _, t := range news {
		v.enqueue(t)
	}
	v.frame.release()
	s.retain()
	v.frame = s
	v.mu.Unlock()
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// enqueue needs the lock.
func (v *viewer) enqueue(t textMessage) {
	if len(t) == 0 || v.tooSlow {
		return
	}
	if v.queuedBytes += len(t); v.queuedBytes > maxQueuedBytes && len(v.texts) > 0 { // the first roster may be as long as it is
		v.tooSlow, v.texts = true, nil
		return
	}
	v.texts = append(v.texts, t)
}

// dequeue takes what waits: texts first, then the frame, which the caller releases. list is memory for the texts.
func (v *viewer) dequeue(list []textMessage) (texts []textMessage, s *frameBuffer, behind bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	texts = append(list[:0], v.texts...)
	clear(v.texts)
	v.texts, v.queuedBytes = v.texts[:0], 0
	s, v.frame = v.frame, nil
	return texts, s, v.tooSlow
}

// releaseAll releases what was never sent.
func (v *viewer) releaseAll() {
	_, s, _ := v.dequeue(nil)
	s.release()
}
