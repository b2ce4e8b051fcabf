//go:build linux

package main

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/internal/mixedplayers"
	"github.com/truestep-io/truestep/sim"
)

// load is the work of a run: the number of areas, and what each area's batch, the input of one tick, contains.
type load struct {
	Name    string // name of the load in flags and results
	Areas   int    // number of areas
	Bytes   int    // size in bytes of each batch, which then has random content; 0 if the batches are intents of players
	Players int    // number of players in all areas together; 0 if the batches are random bytes
}

// String describes the load in the printed results, such as "4 areas, 64 B a tick".
func (l load) String() string {
	if l.Players > 0 {
		return fmt.Sprintf("%d areas, %d mixed players", l.Areas, l.Players)
	}
	return fmt.Sprintf("%d areas, %d B a tick", l.Areas, l.Bytes)
}

// state is an area as the benchmark steps it: *bytesState or *players. Each batch advances it by one tick.
type state interface {
	// step applies the batch of a tick and returns the number of the tick and a hash of the state after it.
	step(batch []byte) (tick uint64, hash uint64, err error)
	// next returns the batch of the next tick, newly allocated. It is called only on the area's leader.
	next() []byte
}

func (l load) newState(area int) state {
	if l.Players > 0 {
		w := content.DefaultWorld().World
		return &players{area: sim.NewArea(w, 0, uint64(area)+1), crowd: mixedplayers.New(w, 0), count: l.Players / l.Areas}
	}
	return &bytesState{size: l.Bytes, rand: rand.NewChaCha8([32]byte{byte(area)})}
}

// bytesState is an area whose batches are random bytes and whose state is their checksum.
type bytesState struct {
	size int
	rand *rand.ChaCha8
	tick uint64
	hash uint64
}

func (s *bytesState) step(batch []byte) (uint64, uint64, error) {
	s.tick++
	s.hash = s.hash*0x9E3779B97F4A7C15 + uint64(crc32.Checksum(batch, castagnoli))
	return s.tick, s.hash, nil
}

func (s *bytesState) next() []byte {
	b := make([]byte, s.size)
	_, _ = s.rand.Read(b) // never fails
	binary.LittleEndian.PutUint64(b, s.tick+1)
	return b
}

// players is an area with the simulated players of package mixedplayers. Its batches are their encoded intents.
type players struct {
	area    *sim.Area
	crowd   *mixedplayers.Players
	count   int
	intents []sim.Intent
}

func (s *players) step(batch []byte) (uint64, uint64, error) {
	intents, err := sim.ParseIntents(s.intents[:0], batch)
	if err != nil {
		return 0, 0, err
	}
	s.intents = intents
	s.area.Recycle(s.crowd.Frame())
	f := s.area.Step(intents)
	s.crowd.SetFrame(f)
	return uint64(f.Tick), f.Hash, nil
}

func (s *players) next() []byte {
	if s.area.Now() == 0 {
		return sim.AppendIntents(nil, s.crowd.Joins(s.count))
	}
	return sim.AppendIntents(nil, s.crowd.Intents())
}
