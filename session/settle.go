package session

import (
	"context"
	"fmt"
	"time"

	"github.com/truestep-io/truestep/sim"
)

const settlePoll = 2 * time.Millisecond // interval at which StoreThrough checks whether ticks have become durable

// StoreThrough stores the player records of each area's frames up to a given tick, and returns when they are stored.
// The parameter through has these ticks by AreaID; their frames must be published. StoreThrough must not be used in a
// cluster. Errors: the error of ctx, and those of the store.
func (h *Hub) StoreThrough(ctx context.Context, through []sim.Tick) error {
	for {
		if _, err := h.writer.flush(ctx, false); err != nil {
			return fmt.Errorf("store the records of players: %w", err)
		}
		if h.writer.isStored(through) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the records of players could not be stored in time: %w", ctx.Err())
		case <-time.After(settlePoll):
		}
	}
}

// isStored reports whether the records of all frames up to the given tick of each area are stored.
func (k *recordWriter) isStored(through []sim.Tick) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	for a, tick := range through {
		if k.saved[a] < tick {
			return false
		}
	}
	return true
}
