package gateway

import (
	"testing"

	"github.com/truestep-io/truestep/telemetry"
)

// fill adds pieces of n bytes to a share until it has no room, and returns the added bytes.
func fill(s *SendShare, n int) (total int) {
	for s.HasRoom(n) {
		s.Add(n)
		total += n
	}
	return total
}

func TestSendMemoryReservedForOneProtocolCannotBeUsedByAnother(t *testing.T) {
	const size, piece = 64 << 20, 1 << 10
	b := NewSendBudget(size)
	m := telemetry.New()
	greedy := b.Register(2, m.Door("greedy").SendQueue)
	other := b.Register(4, m.Door("other").SendQueue)
	got := fill(greedy[0], piece)
	if want := size/2 + size/2/2/2; got != want {
		t.Errorf("one worker queues %d bytes, want the shared half and its reserved part: %d", got, want)
	}
	if got, want := fill(greedy[1], piece), size/2/2/2; got != want {
		t.Errorf("the other worker of the door queues %d bytes, want its reserved part: %d", got, want)
	}
	for i, s := range other {
		if got, want := fill(s, piece), size/2/2/4; got != want {
			t.Errorf("worker %d of the other door queues %d bytes, want its reserved part: %d", i, got, want)
		}
	}
	if got := m.Door("greedy").SendQueue.Load() + m.Door("other").SendQueue.Load(); got != size {
		t.Errorf("the doors use %d bytes together, want %d", got, size)
	}
}

func TestReleasedSendMemoryIsAvailableToOtherProtocols(t *testing.T) {
	b := NewSendBudget(64 << 20)
	m := telemetry.New()
	first := b.Register(1, m.Door("first").SendQueue)[0]
	second := b.Register(1, m.Door("second").SendQueue)[0]
	for range 3 {
		n := fill(first, 1000)
		first.Add(-n)
		if got := fill(second, 1000); got != n {
			t.Errorf("the second door queues %d bytes after the first has released %d", got, n)
		}
		second.Add(-n)
	}
	if b.shared.Load() != 0 || m.Door("first").SendQueue.Load() != 0 || m.Door("second").SendQueue.Load() != 0 {
		t.Errorf("%d bytes of the shared half are in use after all were released", b.shared.Load())
	}
}
