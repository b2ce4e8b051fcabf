package main

import (
	"iter"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/truestep-io/truestep/proto/web"
)

// Tolerances of positions, near the client's player (in the middle of the scene) and farther away. They are those of the web door.
const (
	closeBlocks    = 32
	closeTolerance = 1 // in 1/64 block
	farTolerance   = 4
)

// server sends one client the motion of a crowd.
type server struct {
	hz     int
	exact  bool // positions are sent exactly, without a tolerance
	schema web.Schema
	rows   [][]int32 // rows[i] has the values of all actors at tick i of the motion

	mu      sync.Mutex // guards the fields below
	tick    int        // number of ticks so far
	row     int        // index in rows of the present tick
	stopped bool       // the motion has ended
	teller  *web.Teller
}

func (s *server) ticks() any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tick
}

func (s *server) stop() any {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	return s.rows[s.row]
}

// actors returns the values of the actors in a row, with the handle of each.
func (s *server) actors(row []int32) iter.Seq2[uint16, []int32] {
	return func(yield func(uint16, []int32) bool) {
		h := uint16(0)
		for values := range slices.Chunk(row, len(s.schema.Kinds[0].Fields)) {
			if !yield(h, values) {
				return
			}
			h++
		}
	}
}

// serve tells a client about all actors and then sends it a snapshot in each tick, until the connection ends.
func (s *server) serve(l link) error {
	if _, err := l.receive(); err != nil { // the first message of the client creates the control stream
		return err
	}
	s.teller = web.NewTeller(&s.schema, l.ordered(), s.hz)
	for h, values := range s.actors(s.rows[0]) {
		s.teller.Enter(h, 0, values)
		if err := l.control(web.AppendMessage(nil, &web.Enter{Handle: h, State: values})); err != nil {
			return err
		}
	}
	if _, err := l.receive(); err != nil { // this message says that the client has all Enter messages
		return err
	}
	for h := range s.actors(s.rows[0]) {
		s.teller.Confirm(h)
	}
	failed := make(chan error, 1)
	go func() { failed <- s.readAcks(l) }()
	budget, buf := web.NewBudget(s.hz, l.headers()), []byte(nil)
	ticker := time.NewTicker(time.Second / time.Duration(s.hz))
	defer ticker.Stop()
	for {
		select {
		case err := <-failed:
			return err
		case <-ticker.C:
			buf = s.step(buf[:0], &budget)
			if err := l.snapshot(buf); err != nil {
				return err
			}
		}
	}
}

// step advances the motion by one tick and appends its snapshot to buf.
func (s *server) step(buf []byte, budget *web.Budget) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tick++
	if !s.stopped {
		s.row = s.tick % len(s.rows)
	}
	for h, values := range s.actors(s.rows[s.row]) {
		tolerance := int32(closeTolerance)
		switch {
		case s.exact:
			tolerance = 0
		case math.Hypot(float64(values[web.FieldX]), float64(values[web.FieldZ])) > closeBlocks*64:
			tolerance = farTolerance
		}
		s.teller.Want(h, values, tolerance, 1)
	}
	buf = s.teller.Append(buf, web.SnapshotHeader{Tick: uint32(s.tick)}, budget.Snapshot(uint32(s.tick)))
	budget.AddSnapshot(len(buf))
	return buf
}

// readAcks reads the acknowledgements of the client until the connection ends.
func (s *server) readAcks(l link) error {
	for {
		b, err := l.receive()
		if err != nil {
			return err
		}
		ack, err := web.ParseAck(b)
		if err == nil {
			s.mu.Lock()
			err = s.teller.Ack(ack.ReceivedSnapshots)
			s.mu.Unlock()
		}
		if err != nil {
			return err
		}
	}
}
