//go:build linux

package main

import (
	"fmt"
	"os"
)

// job is one task of a stepper. A stepper executes its tasks in order.
type job struct {
	batch    []byte // batch to step; nil for none
	sealed   int64  // time at which this node sealed the batch; 0 if another node did
	agreed   int64  // time at which the nodes agreed on the newest batch; 0 if they have not yet
	release  bool   // release the newest frame; only on the leader
	sealNext bool   // prepare the next batch; only on the leader
	term     uint64 // Raft term of the leader, or epoch of the pair
}

// stepper owns the state of an area on a node. It steps batches and releases frames in a goroutine of its own, so that a long
// step does not delay other areas.
type stepper struct {
	state state
	jobs  chan job
	out   *observer
	ready func(next []byte) // passes the next batch to the shard; called only on the leader
	last  release           // release of the newest frame
}

func newStepper(area, node int, st state, out *observer, ready func([]byte)) *stepper {
	s := &stepper{state: st, jobs: make(chan job, 4096), out: out, ready: ready, last: release{area: uint32(area), node: uint32(node)}}
	go s.run()
	return s
}

func (s *stepper) run() {
	for j := range s.jobs {
		if j.batch != nil {
			began := now()
			tick, hash, err := s.state.step(j.batch)
			if err != nil {
				fmt.Fprintf(os.Stderr, "area %d: compute tick %d: %v\n", s.last.area, s.last.tick+1, err)
				os.Exit(1)
			}
			s.last.tick, s.last.hash, s.last.sealed, s.last.step = tick, hash, j.sealed, now()-began
		}
		s.last.term, s.last.agreed = j.term, j.agreed
		if j.release && s.last.tick > 0 {
			s.last.released = now()
			s.out.add(&s.last)
		}
		if j.sealNext {
			s.ready(s.state.next())
		}
	}
}
