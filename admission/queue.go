package admission

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"sync"
	"time"
)

// ErrBusy is returned by Queue.Acquire if too many callers wait already, or if a caller has waited for too long or would wait
// for too long.
var ErrBusy = errors.New("the server is busy: too many clients wait for their turn")

// Rank is the priority of an entry of a Queue. Entries with a lower rank are served first.
type Rank uint8

// Values of Rank, in the order in which clients are served.
const (
	RankKnown        Rank = iota // the account has recently logged in from this address
	RankUnknown                  // nothing is known about the account and the address
	RankRecent                   // the address has recently had a turn in the queue
	RankManyAccounts             // the address has recently created many accounts
	RankFailed                   // the address has recently had a failed login
	ranks                        // number of ranks
)

// everyLowest determines how often the order of priority is reversed, so that no entry waits forever: one of everyLowest turns
// goes to a waiting entry of the lowest priority instead of the highest.
const everyLowest = 8

// QueueLimits are the limits of a Queue. Slots must be positive, because without a slot every entry would wait forever. In
// Waiting, PerAddr and Patience, 0 means no limit.
type QueueLimits struct {
	Slots    int           // maximum number of concurrent turns
	Waiting  int           // maximum number of waiting entries
	PerAddr  int           // maximum number of waiting entries of one address, except loopback
	Patience time.Duration // maximum wait; an entry that has waited longer is dropped, because its client has given up

	// Surge is the maximum number of additional slots. The queue opens them while entries that it serves have waited for longer
	// than 250 ms. Entries of the rank RankFailed do not count. 0 means no additional slots.
	Surge int
}

// Request describes a client that requests a turn in a Queue.
type Request struct {
	Door string     // name of the client's door
	Addr netip.Addr // address of the client

	// Spare is the time that the client needs after the beginning of its turn. If less time is left until the deadline of the
	// context, the entry is dropped with ErrBusy, because its client would not get the answer in time.
	Spare time.Duration

	// Rank returns the client's rank. It is called again when the turn comes, because other attempts of the client may have
	// failed meanwhile. It must not block or call the queue. A nil function means RankUnknown.
	Rank func() Rank
}

// Queue limits the number of concurrent users of a resource, such as a CPU-bound hash: each caller waits for its turn. Entries
// of one rank are served round-robin over their networks and, within a network, round-robin over its addresses. So an address
// with many entries delays each entry of another address by one turn only. Entries of one address are served in order of
// arrival.
type Queue struct {
	limits QueueLimits
	gate   *Gate

	mu    sync.Mutex
	free  int // number of free slots
	surge int // current turns beyond QueueLimits.Slots

	lastLate bool // the last served entry had a rank before RankFailed and had waited longer than surgeAfter

	lanes [ranks]lane // waiting entries by rank
	turns uint64      // number of turns given since the start
	stats QueueStats
}

// QueueStats holds counts of the entries of a Queue, for the operator.
type QueueStats struct {
	Waiting   int    // number of entries that wait now
	Served    uint64 // turns given since the start
	GivenUp   uint64 // entries whose context ended before their turn
	Busy      uint64 // entries that were refused or dropped with ErrBusy
	LongestMS int64  // longest wait in ms of the entries that were served in the last ten seconds

	longestAt time.Time // time at which LongestMS was measured
}

// waiter is one entry of a Queue. Its fields are guarded by Queue.mu.
type waiter struct {
	request Request
	ctx     context.Context
	since   time.Time // beginning of the wait
	rank    Rank
	done    chan struct{} // closed when state is no longer waiting
	state   waiterState
	err     error // reason why the entry was dropped; nil in the other states
}

// waiterState says whether an entry still waits, has got a turn, or was removed without a turn.
type waiterState uint8

const (
	waiting waiterState = iota
	granted
	dropped
)

// NewQueue returns a queue with all slots free. Refused and dropped entries are counted in the Gate g, which may be nil.
func NewQueue(l QueueLimits, g *Gate) *Queue {
	q := &Queue{limits: l, gate: g, free: l.Slots}
	for i := range q.lanes {
		q.lanes[i].sites = map[netip.Prefix]*site{}
	}
	return q
}

// Acquire waits for a turn, which the caller ends with Release. Errors: ErrBusy, or the error of ctx if it ends first. A
// caller whose ctx has ended never gets a turn.
func (q *Queue) Acquire(ctx context.Context, r Request) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w := &waiter{request: r, ctx: ctx, since: time.Now(), done: make(chan struct{})}
	w.request.Addr = AddrOf(r.Addr)
	w.rank = w.currentRank()
	q.mu.Lock()
	if q.free > 0 {
		q.free--
		q.serve(w)
		q.mu.Unlock()
		return nil
	}
	ok := q.enqueue(w)
	q.mu.Unlock()
	if !ok {
		q.gate.Hold(r.Door, BudgetQueue, r.Addr, "")
		return ErrBusy
	}
	return q.wait(w)
}

// wait waits until the entry w gets a turn or is dropped, its context ends, or QueueLimits.Patience has passed. It returns nil if
// w has a turn.
func (q *Queue) wait(w *waiter) error {
	var expired <-chan time.Time
	if q.limits.Patience > 0 {
		timer := time.NewTimer(q.limits.Patience)
		defer timer.Stop()
		expired = timer.C
	}
	select {
	case <-w.done:
	case <-expired:
	case <-w.ctx.Done():
	}
	err := q.settle(w)
	if err == ErrBusy {
		q.gate.Hold(w.request.Door, BudgetQueue, w.request.Addr, "")
	}
	return err
}

// settle ends the waiting of the entry w: if w has no turn, it is removed from the queue. settle returns nil if w has a turn,
// otherwise the reason why not.
func (q *Queue) settle(w *waiter) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	gone := w.ctx.Err()
	switch w.state {
	case granted:
		if gone != nil {
			q.stats.GivenUp++
			q.pass()
		}
		return gone
	case waiting:
		q.lanes[w.rank].remove(w)
		q.drop(w, cmp.Or(gone, ErrBusy))
	}
	return w.err
}

// Release ends the turn that Acquire gave to the caller, so that a waiting caller can get one.
func (q *Queue) Release() {
	q.mu.Lock()
	q.pass()
	q.mu.Unlock()
}

// Stats returns the current counts.
func (q *Queue) Stats() QueueStats {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := q.stats
	s.Waiting = q.waiting()
	if time.Since(s.longestAt) > longestTime {
		s.LongestMS = 0
	}
	return s
}

// longestTime is the length of the period before the present for which QueueStats.LongestMS reports the longest wait.
const longestTime = 10 * time.Second

// waiting returns the number of waiting entries of all ranks together. The caller holds mu.
func (q *Queue) waiting() int {
	n := 0
	for i := range q.lanes {
		n += q.lanes[i].n
	}
	return n
}

// enqueue adds the entry w to the queue and returns whether it has done so. If the queue is full, another entry is dropped for
// w: one of lower priority, or one of an address with more entries. If there is no such entry, or if the address of w already
// has QueueLimits.PerAddr waiting entries, enqueue returns false. The caller holds mu.
func (q *Queue) enqueue(w *waiter) bool {
	if a := w.request.Addr; q.limits.PerAddr > 0 && !a.IsLoopback() {
		n := 0
		for i := range q.lanes {
			n += q.lanes[i].count(a)
		}
		if n >= q.limits.PerAddr {
			q.stats.Busy++
			return false
		}
	}
	if q.limits.Waiting > 0 && q.waiting() >= q.limits.Waiting {
		last := q.lastOfGreediest()
		if last.rank < w.rank || last.rank == w.rank && q.lanes[w.rank].count(last.request.Addr) <= q.lanes[w.rank].count(w.request.Addr)+1 {
			q.stats.Busy++
			return false
		}
		q.lanes[last.rank].remove(last)
		q.drop(last, ErrBusy)
	}
	q.lanes[w.rank].add(w)
	return true
}

// lastOfGreediest returns the entry to drop when the queue is full. Only the waiting entries with the lowest priority are
// considered. Of these, the address with the most entries loses its newest one. The queue must not be empty. The caller holds mu.
func (q *Queue) lastOfGreediest() *waiter {
	for i := len(q.lanes) - 1; ; i-- {
		if f := q.lanes[i].longest(); f != nil {
			return f.entries[len(f.entries)-1]
		}
	}
}

// drop ends the waiting of an entry without a turn. The entry has already been removed from its lane, the list for its rank. The
// parameter err is the error that Acquire returns for the entry. The caller holds mu.
func (q *Queue) drop(w *waiter, err error) {
	w.state, w.err = dropped, err
	if err == ErrBusy {
		q.stats.Busy++
	} else {
		q.stats.GivenUp++
	}
	close(w.done)
}

// pass hands on the slot of a turn that has ended, normally to the next waiting entry. An additional slot (see
// QueueLimits.Surge) that is no longer needed is closed instead. If the next entry has waited for too long (see late), pass
// opens one more additional slot, up to the maximum, for the entry after it. The caller holds mu.
func (q *Queue) pass() {
	if q.surge > 0 && !q.late() {
		q.surge--
		return
	}
	w := q.next()
	if w == nil {
		q.free++
		return
	}
	q.serve(w)
	if !q.lastLate || q.surge >= q.limits.Surge {
		return
	}
	if w := q.next(); w != nil {
		q.surge++
		q.serve(w)
	}
}

// late reports whether turns come too late: entries wait, and the entry that was served last had waited for longer than
// surgeAfter. If that entry has the rank RankFailed, late returns false. The caller holds mu.
func (q *Queue) late() bool { return q.lastLate && q.waiting() > 0 }

// surgeAfter is the waiting time beyond which the queue opens additional slots (QueueLimits.Surge). It is compared with the wait
// of the entry that was served last.
const surgeAfter = 250 * time.Millisecond

// serve gives w a turn. The caller holds mu.
func (q *Queue) serve(w *waiter) {
	now := time.Now()
	q.turns++
	q.stats.Served++
	q.lastLate = w.rank < RankFailed && now.Sub(w.since) > surgeAfter
	if ms := now.Sub(w.since).Milliseconds(); ms >= q.stats.LongestMS || now.Sub(q.stats.longestAt) > longestTime {
		q.stats.LongestMS, q.stats.longestAt = ms, now
	}
	w.state = granted
	close(w.done)
}

// next removes and returns the entry that is to be served next, or nil if the queue is empty. It drops each entry on the way
// whose context has ended or will end too soon (see tooLate). An entry whose priority has decreased while it waited is not
// returned, but moved to its new rank. The caller holds mu.
func (q *Queue) next() *waiter {
	for i := range q.lanes {
		if q.turns%everyLowest == everyLowest-1 {
			i = len(q.lanes) - 1 - i
		}
		for l := &q.lanes[i]; l.n > 0; {
			w := l.pop()
			if err := w.tooLate(); err != nil {
				q.drop(w, err)
				continue
			}
			if r := w.currentRank(); r > w.rank {
				w.rank = r
				q.lanes[r].add(w)
				continue
			}
			return w
		}
	}
	return q.demoted()
}

// demoted removes and returns the first waiting entry in the order of ranks, without asking for its present rank; nil if no
// entry waits. The method next calls it after it has moved all remaining entries to ranks of lower priority and found none to
// return. The caller holds mu.
func (q *Queue) demoted() *waiter {
	for i := range q.lanes {
		for l := &q.lanes[i]; l.n > 0; {
			w := l.pop()
			err := w.tooLate()
			if err == nil {
				return w
			}
			q.drop(w, err)
		}
	}
	return nil
}

// tooLate returns an error if an entry must not get a turn any more, because its context has ended or less than Request.Spare
// is left before its deadline.
func (w *waiter) tooLate() error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if deadline, ok := w.ctx.Deadline(); ok && time.Until(deadline) < w.request.Spare {
		return ErrBusy
	}
	return nil
}

// currentRank returns the rank that Request.Rank reports now.
func (w *waiter) currentRank() Rank {
	if w.request.Rank == nil {
		return RankUnknown
	}
	return min(w.request.Rank(), ranks-1)
}

// Do runs f during a turn. Errors are those of Acquire.
func (q *Queue) Do(ctx context.Context, r Request, f func()) error {
	if err := q.Acquire(ctx, r); err != nil {
		return err
	}
	defer q.Release()
	f()
	return nil
}
