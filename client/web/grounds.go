package web

import (
	"sync"

	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Grounds holds the grounds of areas for several clients of one process, which only read them. The zero value is empty; all methods
// may be called from any goroutine, and with nil, which holds nothing.
type Grounds struct {
	mu   sync.Mutex
	held map[proto.Hash]*ground
}

// ground is a ground that is held or being downloaded.
type ground struct {
	done   chan struct{} // closed when the download has ended
	blocks *terrain.Blocks
	err    error
}

// get returns the ground with that hash, which load downloads if it is not held. Others that need it wait.
func (g *Grounds) get(hash proto.Hash, load func() (*terrain.Blocks, error)) (*terrain.Blocks, error) {
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
