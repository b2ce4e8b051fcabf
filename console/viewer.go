package console

import "sync"

// maxWaiting is how many bytes of messages may wait for a viewer beside the newest frame; who is farther behind is
// closed.
const maxWaiting = 1 << 20 // guess: ten seconds of coming and going in a crowd of thousands

// viewer is one who looks at an area: what waits to be sent to him. The crew pushes, the connection pulls; pushing never
// waits.
type viewer struct {
	met  bool          // he has been told who is here; of the crew
	wake chan struct{} // has a value if something waits

	mu      sync.Mutex
	texts   []text
	waiting int   // bytes of texts
	next    *shot // the newest frame, nil if it is sent already
	behind  bool  // more than maxWaiting waited: he is to be closed
}

func newViewer() *viewer { return &viewer{wake: make(chan struct{}, 1)} }

// push hands over a frame and what must be told before it.
func (v *viewer) push(roster text, news []text, s *shot) {
	v.mu.Lock()
	v.keep(roster)
	for _, t := range news {
		v.keep(t)
	}
	v.next.release()
	s.hold()
	v.next = s
	v.mu.Unlock()
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// keep needs the lock.
func (v *viewer) keep(t text) {
	if len(t) == 0 || v.behind {
		return
	}
	if v.waiting += len(t); v.waiting > maxWaiting && len(v.texts) > 0 { // the first roster may be as long as it is
		v.behind, v.texts = true, nil
		return
	}
	v.texts = append(v.texts, t)
}

// pull takes what waits: texts first, then the frame, which the caller releases. list is memory for the texts.
func (v *viewer) pull(list []text) (texts []text, s *shot, behind bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	texts = append(list[:0], v.texts...)
	clear(v.texts)
	v.texts, v.waiting = v.texts[:0], 0
	s, v.next = v.next, nil
	return texts, s, v.behind
}

// drop releases what was never sent.
func (v *viewer) drop() {
	_, s, _ := v.pull(nil)
	s.release()
}
