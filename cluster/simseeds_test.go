package cluster

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"
)

// playSeeds plays the seeds from first to last with the function play, on all processors, and returns the sum of what they covered. A seed
// plays the same run whatever runs beside it. playSeeds reports each seed that fails as soon as it has failed, and names the first of them
// at the end. With the flag -stop it starts no seed after one has failed, and reports only the first seed that failed: those with smaller
// numbers have been played then.
func playSeeds(t *testing.T, first, last uint64, play func(seed uint64) (*simulation, error)) (total simStats) {
	t.Helper()
	var (
		mu      sync.Mutex
		next    = first
		played  uint64
		failed  = map[uint64]string{}
		began   = time.Now()
		workers sync.WaitGroup
	)
	work := func() {
		for {
			mu.Lock()
			n := next
			if n > last || *stop && len(failed) > 0 {
				mu.Unlock()
				return
			}
			next++
			mu.Unlock()
			s, err := play(n)
			mu.Lock()
			total.add(&s.stats)
			if err != nil {
				failed[n] = fmt.Sprintf("seed %d, after %v: %v", n, s.now, err)
				if !*stop {
					t.Error(failed[n])
				}
			}
			if played++; played%100 == 0 && played <= last-first {
				t.Logf("%d seeds in %v", played, time.Since(began).Round(time.Second))
			}
			mu.Unlock()
		}
	}
	for range min(runtime.GOMAXPROCS(0), int(last-first+1)) {
		workers.Go(work)
	}
	workers.Wait()
	t.Logf("%d seeds in %v: %+v", played, time.Since(began).Round(time.Millisecond), total)
	if len(failed) == 0 {
		return total
	}
	least := last
	for n := range failed {
		least = min(least, n)
	}
	if *stop {
		t.Error(failed[least])
	}
	more := ""
	if *nodes != 0 {
		more = fmt.Sprint(" -nodes ", *nodes)
	}
	t.Errorf("the first seed that failed is %d, alone: go test ./cluster -run '^%s$' -args -seed %d%s", least, t.Name(), least, more)
	return total
}
