package gateway

import (
	"sync"
	"sync/atomic"

	"github.com/truestep-io/truestep/telemetry"
)

// DefaultSendBudget is the default size of a SendBudget in bytes: 256 KiB for each of 1,000 clients. How much a client
// needs was not measured.
const DefaultSendBudget = 256 << 20

// SendBudget is the memory for messages that wait to be sent or acknowledged, shared by all doors over UDP of a process.
//
// Its purpose is that clients of one door that do not acknowledge cannot use up the memory for clients of another door. Half of
// the budget is reserved, in equal parts for the doors, and in each door in equal parts for the workers. No other worker can use
// a reserved part. The other half is shared by the workers that exceed their reserved part. A worker that has no room left
// disconnects its client with the longest queue. The total exceeds the budget by at most one message per worker.
type SendBudget struct {
	size   int64
	shared atomic.Int64 // used bytes of the shared half

	mu    sync.Mutex
	doors [][]*SendShare // shares of the workers of each door
}

// NewSendBudget returns a budget of size bytes.
func NewSendBudget(size int64) *SendBudget { return &SendBudget{size: size} }

// Register adds a door to the budget and returns one share for each of its workers. All doors must be registered before a share
// is used, because each new door makes the reserved parts smaller. The parameter used is the gauge that shows how many bytes the
// door uses.
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

// SendShare is one worker's part of a SendBudget. Only the goroutine of that worker may use it.
type SendShare struct {
	budget   *SendBudget
	door     *telemetry.Gauge // used bytes of the worker's door
	reserved int64            // bytes that no other worker can use
	used     int64            // bytes of this worker's queues
}

// HasRoom reports whether the worker may queue n more bytes.
func (s *SendShare) HasRoom(n int) bool {
	after := s.used + int64(n)
	if after <= s.reserved {
		return true
	}
	return s.budget.shared.Load()+after-max(s.used, s.reserved) <= s.budget.size-s.budget.size/2
}

// Add adds n to the number of bytes that the worker has queued. n is negative when queued bytes were sent.
func (s *SendShare) Add(n int) {
	before := max(s.used, s.reserved)
	s.used += int64(n)
	if after := max(s.used, s.reserved); after != before {
		s.budget.shared.Add(after - before)
	}
	s.door.Add(n)
}
