package web

import (
	"sync"

	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim/terrain"
)

// GroundCache caches the terrain of areas, so that the clients of one process download and store each terrain only once. The zero
// value is an empty cache. All methods may be called from any goroutine. A nil GroundCache is valid and caches nothing.
type GroundCache struct {
	mu   sync.Mutex
	held map[proto.Hash]*ground // grounds by hash
}

// ground is an entry of a GroundCache: the terrain of an area, or a download that is in progress.
type ground struct {
	done   chan struct{} // closed when the download has ended
	blocks *terrain.Blocks
	err    error
}

// get returns the terrain with a hash. If it is not in the cache, get calls load and stores the result. Meanwhile, calls for the
// same hash in other goroutines wait for that result. If load fails, all these calls return its error, and the next call tries
// again.
func (g *GroundCache) get(hash proto.Hash, load func() (*terrain.Blocks, error)) (*terrain.Blocks, error) {
	if g == nil {
		return load()
	}
	g.mu.Lock()
	at, found := g.held[hash]
	if !found {
		if g.held == nil {
			g.held = map[proto.Hash]*ground{}
		}
		at = &ground{done: make(chan struct{})}
		g.held[hash] = at
	}
	g.mu.Unlock()
	if found {
		<-at.done
		return at.blocks, at.err
	}
	if at.blocks, at.err = load(); at.err != nil {
		g.mu.Lock()
		delete(g.held, hash)
		g.mu.Unlock()
	}
	close(at.done)
	return at.blocks, at.err
}
