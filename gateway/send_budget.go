package gateway

import (
	"sync"
	"sync/atomic"

	"github.com/truestep-io/truestep/telemetry"
)

// DefaultSendBudget is the default size of a SendBudget, in bytes.   guess: 1,000 clients that all wait for 256 KiB
const DefaultSendBudget = 256 << 20

// SendBudget is the memory for messages that wait to be sent or acknowledged, shared by all doors over UDP of a process.
//
// Half of it is reserved in equal parts for the doors, and for the workers of each door; nobody else can use such a part. The
// other half is used by whichever worker exceeds its part. A worker without room disconnects its client with the longest
// queue. Thus clients of one door that do not acknowledge cannot take the memory from clients of another door, and the total
// exceeds the budget by at most one message for each worker.
type SendBudget struct {
	size   int64
	shared atomic.Int64 // used bytes of the half that is not reserved

	mu    sync.Mutex
	doors [][]*SendShare
}

// NewSendBudget returns a budget of size bytes.
func NewSendBudget(size int64) *SendBudget { return &SendBudget{size: size} }

// Register adds a door and returns one share for each of its workers. All doors must be registered before a share is used,
// because the reserved parts become smaller. used is set to the used bytes of the door.
func (b *SendBudget) Register(workers int, used *telemetry.Gauge) []*SendShare {
	b.mu.Lock()
	defer b.mu.Unlock()
	shares := make([]*SendShare, workers)
	for i := range shares {
		shares[i] = &SendShare{budget: b, door: used}
	}
	b.doors = append(b.doors, shares)
	for _, door := range b.doors {
		for _, s := range door {
			s.reserved = b.size / 2 / int64(len(b.doors)) / int64(len(door))
		}
	}
	return shares
}

// SendShare is the part of one worker in a SendBudget. Only the goroutine of that worker may use it.
type SendShare struct {
	budget   *SendBudget
	door     *telemetry.Gauge
	reserved int64 // bytes that no other worker can use
	used     int64
}

// HasRoom reports whether n more bytes may be queued.
func (s *SendShare) HasRoom(n int) bool {
	after := s.used + int64(n)
	if after <= s.reserved {
		return true
	}
	return s.budget.shared.Load()+after-max(s.used, s.reserved) <= s.budget.size-s.budget.size/2
}

// Add notes that n more bytes are queued, or fewer if n is negative.
func (s *SendShare) Add(n int) {
	before := max(s.used, s.reserved)
	s.used += int64(n)
	if after := max(s.used, s.reserved); after != before {
		s.budget.shared.Add(after - before)
	}
	s.door.Add(n)
}
