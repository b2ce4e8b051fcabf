package console

import "sync"

// maxQueuedBytes is the maximum total length of the text messages that wait for one viewer. If there are more, the viewer's
// connection is closed. The one frame that may also wait does not count.
const maxQueuedBytes = 1 << 20 // in bytes; chosen to be ten seconds of roster changes in a crowd of thousands

// viewer holds the messages that wait to be sent to one live map. The viewerGroup adds messages with push, which never blocks.
// The goroutine of the map's connection removes them with dequeue.
type viewer struct {
	hasRoster bool          // the roster was queued; accessed by the group only
	wake      chan struct{} // capacity 1: holds a value if something is queued

	mu          sync.Mutex
	texts       []textMessage // queued text messages, oldest first
	queuedBytes int           // total length of the messages in texts, in bytes
	frame       *frameBuffer  // the newest frame; nil if it was dequeued
	tooSlow     bool          // more than maxQueuedBytes were queued, so the connection must be closed
}

func newViewer() *viewer { return &viewer{wake: make(chan struct{}, 1)} }

// push queues the text message roster, unless it is empty, and then each text message of the list news. It also queues the frame s,
// which replaces an older frame that is still queued.
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

// enqueue queues one text message. The caller holds the lock.
func (v *viewer) enqueue(t textMessage) {
	if len(t) == 0 || v.tooSlow {
		return
	}
	if v.queuedBytes += len(t); v.queuedBytes > maxQueuedBytes && len(v.texts) > 0 { // a single text, such as the first roster, may be larger
		v.tooSlow, v.texts = true, nil
		return
	}
	v.texts = append(v.texts, t)
}

// dequeue removes and returns all queued messages. The caller must do three things: (1) send texts before the frame s; (2)
// release s; (3) if behind is true, disconnect the client, which reads too slowly. The memory of list is reused for texts.
func (v *viewer) dequeue(list []textMessage) (texts []textMessage, s *frameBuffer, behind bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	texts = append(list[:0], v.texts...)
	clear(v.texts)
	v.texts, v.queuedBytes = v.texts[:0], 0
	s, v.frame = v.frame, nil
	return texts, s, v.tooSlow
}

// releaseAll drops all queued messages.
func (v *viewer) releaseAll() {
	_, s, _ := v.dequeue(nil)
	s.release()
}
