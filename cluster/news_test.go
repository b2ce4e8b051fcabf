package cluster

import (
	"testing"
	"time"

	"github.com/truestep-io/truestep/cluster/link"
)

// stalledLinks delivers its first message only when release is closed, and records the order of delivery.
type stalledLinks struct {
	stalled, release chan struct{}
	delivered        chan []byte
}

func (l *stalledLinks) Send(_ uint64, _ byte, body []byte) bool {
	select {
	case l.stalled <- struct{}{}:
		<-l.release
	default:
	}
	l.delivered <- body
	return true
}

func (*stalledLinks) OffsetMS(uint64) int64 { return 0 }

// If a status message overtook a newer one, the other nodes would give areas back to a node that has begun to drain.
func TestStatusMessagesOfNodeArriveInOrderOfStatusChanges(t *testing.T) {
	links := &stalledLinks{stalled: make(chan struct{}, 1), release: make(chan struct{}), delivered: make(chan []byte, 2)}
	h := &Host{opt: Options{Self: 1, Nodes: make([]link.Node, 2), Links: links}, peers: make([]peer, 3)}
	go h.Tell()
	for len(links.stalled) == 0 {
		time.Sleep(time.Millisecond)
	}
	h.draining.Store(true)
	told := make(chan struct{})
	go func() {
		h.Tell()
		close(told)
	}()
	select {
	case <-told: // the newer news has arrived before the older one
	case <-time.After(20 * time.Millisecond):
	}
	close(links.release)
	for _, want := range []byte{nodeRuns, nodeDrains} {
		n, err := parseNews(<-links.delivered, 2, 0)
		if err != nil || n.state != want {
			t.Errorf("news of state %d, %v, want %d", n.state, err, want)
		}
	}
}
