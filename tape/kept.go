package tape

import (
	"slices"

	"github.com/truestep-io/truestep/sim"
)

const (
	keptSeconds = 2        // interval of cached states, in seconds of the tape
	keptBytes   = 32 << 20 // maximum size of a Playback's cached states in bytes
	keptCount   = 2048     // maximum number of cached states
)

// state describes a state of an area on a tape: the tick after which the area had it, and the hashes by which the next tick is
// checked.
type state struct {
	serial uint64 // number of the segment that contains the next tick
	tick   sim.Tick
	hash   uint64 // PrevHash of the next tick; hashOfState if it must be computed from the state
	chain  uint64 // chain value after the tick
	wallMS int64  // wall-clock time of the tick
}

// hashOfState in state.hash means that the hash is not known, because no frame contains it. It must then be computed from the
// state of the area.
const hashOfState = ^uint64(0)

// keptState is a state of an area in the cache of a Playback.
type keptState struct {
	state
	nextMS int64  // wall-clock time of the next tick, ms since 1970
	data   []byte // snapshot of the area
	used   uint64 // value of keptStates.uses when the state was last used
}

// keptStates is a least-recently-used cache of states.
type keptStates struct {
	limit int         // maximum size in bytes; 0 disables the cache
	list  []keptState // sorted by serial, then by tick
	bytes int         // size of all states in bytes
	uses  uint64      // number of uses so far; it serves as the clock of the eviction
	buf   []byte      // memory for the next snapshot
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

// add adds a snapshot of the area a to the cache, unless the cache already has this state or the snapshot is too large.
// The parameter at describes the tick to which the state belongs. The parameter nextMS is the wall-clock time of the next
// tick, in ms since 1970.
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

// find returns the newest cached state of a segment whose next tick is neither later than the tick limit nor later than the
// wall-clock time atMS. The parameter serial is the number of the segment. find returns nil if there is no such state. The
// result is valid until the next call of add.
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
