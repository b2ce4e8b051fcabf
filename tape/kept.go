package tape

import (
	"slices"

	"github.com/truestep-io/truestep/sim"
)

const (
	keptSeconds = 2        // s    between two states in memory
	keptBytes   = 32 << 20 // bytes of a playback's states in memory
	keptCount   = 2048     // states in memory
)

// state is where a state of an area is on the tape.
type state struct {
	serial uint64 // segment of the tick after it
	tick   sim.Tick
	hash   uint64 // PrevHash of the next tick; hashOfState if the hash must be computed from the state
	chain  uint64 // chain value after the tick
	wallMS int64  // wall-clock time of the tick
}

// hashOfState, in place of a hash, means that the hash must be computed from the state, because no frame with the hash is
// known.
const hashOfState = ^uint64(0)

// keptState is a state of an area that a Playback keeps in memory.
type keptState struct {
	state
	nextMS int64 // wall-clock time of the tick after it
	data   []byte
	used   uint64
}

// keptStates is a cache of the most recently used states, at most limit bytes.
type keptStates struct {
	limit int
	list  []keptState // by serial, then by tick
	bytes int
	uses  uint64
	buf   []byte
}

func compareStates(k keptState, s state) int {
	switch {
	case k.serial < s.serial || k.serial == s.serial && k.tick < s.tick:
		return -1
	case k.serial == s.serial && k.tick == s.tick:
		return 0
	}
	return 1
}

// add adds a clone of a state to the cache. It does nothing if the cache has the state already.
func (k *keptStates) add(a *sim.Area, at *state, nextMS int64) {
	k.uses++
	i, found := slices.BinarySearchFunc(k.list, *at, compareStates)
	if found {
		k.list[i].used = k.uses
		return
	}
	if k.limit == 0 {
		return
	}
	k.buf = a.Snapshot(k.buf[:0])
	if len(k.buf) > k.limit/4 {
		k.buf = nil
		return
	}
	for len(k.list) > 0 && (len(k.list) == keptCount || k.bytes+len(k.buf) > k.limit) {
		k.evict()
	}
	i, _ = slices.BinarySearchFunc(k.list, *at, compareStates)
	k.list = slices.Insert(k.list, i, keptState{state: *at, nextMS: nextMS, data: slices.Clone(k.buf), used: k.uses})
	k.bytes += len(k.buf)
}

// evict removes the least recently used state.
func (k *keptStates) evict() {
	oldest := 0
	for i := range k.list {
		if k.list[i].used < k.list[oldest].used {
			oldest = i
		}
	}
	k.bytes -= len(k.list[oldest].data)
	k.list = slices.Delete(k.list, oldest, oldest+1)
}

// find returns the newest cached state of a segment from which a tick up to limit, and at or before the wall-clock time atMS,
// can be stepped. It returns nil if there is none. It is valid until the next call of add.
func (k *keptStates) find(serial uint64, limit sim.Tick, atMS int64) *keptState {
	i, _ := slices.BinarySearchFunc(k.list, state{serial: serial, tick: limit}, compareStates)
	for i--; i >= 0 && k.list[i].serial == serial; i-- {
		if s := &k.list[i]; s.nextMS <= atMS {
			k.uses++
			s.used = k.uses
			return s
		}
	}
	return nil
}
