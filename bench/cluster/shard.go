//go:build linux

package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// member is a node's part of an area. The members of an area on different nodes agree on batches, the inputs of ticks. All
// methods of a member are called by one goroutine, that of the shard to which the area belongs.
type member interface {
	receive(from int, body []byte) // a message of the member on node from has arrived
	linkChanged(peer int, up bool) // the connection to a node was established (up) or has ended
	tick()                         // the clock that detects failures has advanced by one tick
	due()                          // the time of the area's next tick has come
	setNext(batch []byte)          // the stepper has prepared the batch of the next tick
	prepare() (any bool)           // queues messages that need not wait for the log, and adds records to the log; any is true if complete must be called
	complete() (more bool)         // sends messages and steps batches that had to wait for the log; more is true if prepare must be called again
}

// shard is a goroutine that owns some areas of a node. It handles all messages that have arrived together, then writes the log
// once, and sends once to each other node.
type shard struct {
	links   *mesh
	log     *wal // nil if nothing is logged
	durable bool // the next write of the log must be synced to disk
	members map[int]member
	touched map[int]member // members, by area, that may have messages to send or records to log

	mu    sync.Mutex
	inbox []func()
	wake  chan struct{}
}

func newShard(links *mesh, log *wal) *shard {
	return &shard{links: links, log: log, members: map[int]member{}, touched: map[int]member{}, wake: make(chan struct{}, 1)}
}

// post queues a call of the function f with the member of an area. The goroutine of the shard makes the call after the next call
// of kick.
func (s *shard) post(area int, f func(member)) {
	s.mu.Lock()
	s.inbox = append(s.inbox, func() {
		m := s.members[area]
		f(m)
		s.touched[area] = m
	})
	s.mu.Unlock()
}

// kick wakes the goroutine of the shard, so that it executes the posted calls.
func (s *shard) kick() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *shard) each(f func(member)) {
	for area, m := range s.members {
		f(m)
		s.touched[area] = m
	}
}

// run executes posted calls, makes the members count their timeouts at the interval clock, and starts the ticks of the shard's
// areas. It never returns. The ticks of the areas do not all begin at the same time: the parameter phases is the number of
// equally spaced starting times in a period, and each area has one of them.
func (s *shard) run(clock, period time.Duration, phases int) {
	failures := time.NewTicker(clock)
	due, phase := time.Now(), 0
	pace := time.NewTimer(0)
	var queue []func()
	for {
		select {
		case <-s.wake:
		case <-failures.C:
			s.each(member.tick)
		case <-pace.C:
			for area, m := range s.members {
				if area/nodes%phases == phase {
					m.due()
					s.touched[area] = m
				}
			}
			phase = (phase + 1) % phases
			due = due.Add(period / time.Duration(phases))
			if late := time.Since(due); late > 3*period {
				due = due.Add(late / period * period)
			}
			pace.Reset(time.Until(due))
		}
		s.mu.Lock()
		queue, s.inbox = s.inbox, queue[:0]
		s.mu.Unlock()
		for _, f := range queue {
			f()
		}
		clear(queue)
		s.flush()
	}
}

// flush lets the members that have received a message or a tick finish their work. It calls their method prepare, writes the log
// once, and calls their method complete, until no member has anything left to do. In this way the messages and records of many
// areas share one write.
func (s *shard) flush() {
	for len(s.touched) > 0 {
		for area, m := range s.touched {
			if !m.prepare() {
				delete(s.touched, area)
			}
		}
		s.links.flush()
		if s.log != nil {
			if err := s.log.write(s.durable); err != nil {
				fmt.Fprintln(os.Stderr, "write to the log file:", err)
				os.Exit(1)
			}
			s.durable = false
		}
		for area, m := range s.touched {
			if !m.complete() {
				delete(s.touched, area)
			}
		}
		s.links.flush()
	}
}
